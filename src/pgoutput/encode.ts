import { Writer } from '../bytes/writer.js';
import { writeMessage } from './codec.js';
import type { EncodeContext } from './context.js';
import { EncodeError } from './encode-error.js';
import { layoutOfKind, type Layout } from './layout.js';
import { checkMessage } from './legality.js';
import type { Message } from './messages.js';
import { checkValues } from './value-legality.js';

/** Shared by calls that return bytes of their own; given up when one message made it large. */
let scratch = new Writer();
const largestScratch = 0x10_0000;

/**
 * The bytes of one message, as a server would send it to a client that negotiated `context`.
 * @returns a Buffer in Node.
 * @throws EncodeError for a message that no server could send in that context.
 */
export function encode(message: Message, context: EncodeContext = {}): Uint8Array {
  scratch.position = 0;
  encodeInto(scratch, message, context);
  return takeScratch();
}

/**
 * Appends one message. Allocates nothing, but for what the writer's buffer needs to grow.
 * @throws EncodeError as `encode`; nothing is written then.
 */
export function encodeInto(writer: Writer, message: Message, context: EncodeContext): void {
  const layout = layoutOf(message);
  checkMessage(layout, message, context);
  const { position: start, badValues } = writer;
  writeMessage(writer, layout, message, context.xid);
  if (writer.badValues !== badValues) {
    writer.position = start;
    checkValues(layout, message);
  }
}

/**
 * The bytes of one message, legal or not, for tests of what a client does about them. Optional fields are written when
 * the message has them; characters that UTF-8 cannot carry become U+FFFD.
 * @param context only its `xid` counts: that of a change without one.
 */
export function encodeUnchecked(message: Message, context: Pick<EncodeContext, 'xid'> = {}): Uint8Array {
  scratch.position = 0;
  writeMessage(scratch, layoutOf(message), message, context.xid);
  return takeScratch();
}

function layoutOf(message: Message): Layout {
  const layout = layoutOfKind(message.kind);
  if (layout === undefined) throw new EncodeError(message.kind, null, 'there is no such message');
  return layout;
}

function takeScratch(): Uint8Array {
  const bytes = scratch.copy();
  if (scratch.bytes.length > largestScratch) scratch = new Writer();
  return bytes;
}
