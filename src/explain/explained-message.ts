/** What an annotated dump says of one message. */
import type { DecodeError } from '../bytes/decode-error.js';
import type { ExplainedField } from '../pgoutput/explain.js';
import type { Message } from '../pgoutput/messages.js';
import type { SourcePosition } from '../timeline/timeline.js';

export interface ExplainedMessage {
  /** From 1, in the stream. */
  readonly number: number;
  /** Null when the bytes are no message. */
  readonly message: Message | null;
  /** `public.users`; a message's prefix, an origin's name, a GID. Empty where there is nothing of the kind. */
  readonly subject: string;
  /** XLogData's start; null when only the payload is known. */
  readonly lsn: bigint | null;
  /** The top-level transaction's; null outside one. */
  readonly xid: number | null;
  /** Where it was written in a scenario. */
  readonly source: SourcePosition | null;
  /** Where it was found among captured payloads: `line 3`. */
  readonly place: string | null;
  /** The payload, after XLogData's header where that is explained too. */
  readonly bytes: Uint8Array;
  /** In the order of the bytes, without gaps, up to where they stop making sense. */
  readonly fields: readonly ExplainedField[];
  readonly error: DecodeError | null;
}

/** `update`; or what bytes are called that are no message. */
export function kindOf({ message }: ExplainedMessage): string {
  return message?.kind ?? 'unreadable';
}

/** Where the fields end: what follows, if anything, makes no sense. */
export function explainedLength({ fields }: ExplainedMessage): number {
  const last = fields.at(-1);
  return last === undefined ? 0 : last.offset + last.length;
}
