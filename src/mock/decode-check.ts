/** Whether bytes are one pgoutput message with certain properties: for the matcher, and for the assertion without a matcher. */
import { decode, DecodeError, messageToJson, type DecodeContext, type Message } from '../pgoutput/index.js';

/** A whole message, or the properties that matter; asymmetric matchers may stand anywhere in it. */
export type ExpectedMessage = Message | Readonly<Record<string, unknown>>;

export type DecodeOutcome =
  | { readonly kind: 'undecodable'; readonly reason: string }
  | {
      readonly kind: 'decoded';
      readonly pass: boolean;
      /** As people write them: LSNs and times as text. Of the received only what was expected something of. */
      readonly expected: unknown;
      readonly received: unknown;
      readonly message: unknown;
    };

/** @param context what was negotiated, as for `decode`; an expected `xid` on a change implies that it stands in a stream block. */
export function checkDecodes(
  bytes: Uint8Array,
  expected: ExpectedMessage,
  context: DecodeContext,
  equals: (a: unknown, b: unknown) => boolean,
): DecodeOutcome {
  let decoded: Message;
  try {
    decoded = decode(bytes, { ...impliedContext(expected), ...context });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { kind: 'undecodable', reason: `these bytes are no message: ${error.message}` };
  }
  const relevant = Object.fromEntries(
    Object.keys(expected).map((name) => [name, (decoded as unknown as Record<string, unknown>)[name]]),
  );
  return {
    kind: 'decoded',
    pass: equals(relevant, { ...expected }),
    expected: readable(expected),
    received: readable(relevant),
    message: messageToJson(decoded),
  };
}

/** Begin, Stream Start and the like have an xid of their own; on a change it means a stream block. */
const changes: ReadonlySet<unknown> = new Set([
  ...['relation', 'type', 'insert', 'update', 'delete', 'truncate', 'message'],
]);

function impliedContext(expected: ExpectedMessage): DecodeContext {
  const { kind, xid } = expected as { readonly kind?: unknown; readonly xid?: unknown };
  return changes.has(kind) && xid !== undefined ? { inStream: true } : {};
}

/** Whatever is no message (asymmetric matchers in it) stays as it is. */
function readable(message: ExpectedMessage): unknown {
  try {
    return messageToJson(message as Message);
  } catch {
    return message;
  }
}
