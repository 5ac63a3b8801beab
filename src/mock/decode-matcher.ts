/** The matcher `toDecodeAs`, free of Jest's own types: any runner with `expect.extend` takes it. */
import { decode, DecodeError, messageToJson, type DecodeContext, type Message } from '../pgoutput/index.js';

/** What Jest (and Vitest) hand to a matcher as `this`. */
export interface MatcherContext {
  readonly isNot?: boolean;
  equals(a: unknown, b: unknown): boolean;
  readonly utils: {
    diff(expected: unknown, received: unknown): string | null;
    matcherHint(name: string, received?: string, expected?: string, options?: { isNot?: boolean }): string;
    printReceived(value: unknown): string;
  };
}

export interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

/** A whole message, or the properties that matter; asymmetric matchers may stand anywhere in it. */
export type ExpectedMessage = Message | Readonly<Record<string, unknown>>;

/**
 * Passes when `bytes` are exactly one pgoutput message and it has the properties of `expected`.
 * @param context what was negotiated, as for `decode`; an expected `xid` on a change implies that it stands in a stream block.
 */
export function toDecodeAs(
  this: MatcherContext,
  bytes: unknown,
  expected: ExpectedMessage,
  context: DecodeContext = {},
): MatcherResult {
  const hint = this.utils.matcherHint('toDecodeAs', 'bytes', 'message', { isNot: this.isNot ?? false });
  if (!(bytes instanceof Uint8Array)) {
    const message = () => `${hint}\n\nexpected a Uint8Array or Buffer, found ${this.utils.printReceived(bytes)}`;
    // Neither `expect` nor `expect.not` is true of what is no bytes at all.
    return { pass: this.isNot === true, message };
  }
  let decoded: Message;
  try {
    decoded = decode(bytes, { ...impliedContext(expected), ...context });
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { pass: false, message: () => `${hint}\n\nthese bytes are no message: ${error.message}` };
  }
  const relevant = Object.fromEntries(
    Object.keys(expected).map((name) => [name, (decoded as unknown as Record<string, unknown>)[name]]),
  );
  const pass = this.equals(relevant, { ...expected });
  return {
    pass,
    message: () =>
      pass
        ? `${hint}\n\ndecoded: ${this.utils.printReceived(messageToJson(decoded))}`
        : `${hint}\n\n${this.utils.diff(readable(expected), readable(relevant)) ?? ''}`,
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

/** LSNs and times as people write them; whatever is no message (asymmetric matchers in it) stays as it is. */
function readable(message: ExpectedMessage): unknown {
  try {
    return messageToJson(message as Message);
  } catch {
    return message;
  }
}
