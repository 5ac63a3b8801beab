/**
 * Builders of the messages that are not about rows. Each takes the message's own properties; an LSN can also be `X/X`
 * text, a time also a Date or ISO 8601 text with Z or an offset.
 */
import { parseLsn } from '../values/lsn.js';
import { parseTimestamp, timestampFromDate } from '../values/timestamp.js';
import { EncodeError } from './encode-error.js';
import { checkFields, refuseOthers } from './field-legality.js';
import { layoutOfKind, type Field } from './layout.js';
import type {
  Begin,
  BeginPrepare,
  Commit,
  CommitPrepared,
  LogicalMessage,
  Message,
  MessageKind,
  Origin,
  Prepare,
  RollbackPrepared,
  StreamAbort,
  StreamCommit,
  StreamPrepare,
  StreamStart,
  StreamStop,
  Type,
} from './messages.js';

/** An LSN: 0 to 2^64 - 1, or its text, as `0/16B3748`. */
export type LsnInput = bigint | string;
/** A time: microseconds since 2000-01-01 00:00:00 UTC, a Date, or ISO 8601 text with Z or an offset and up to six decimals. */
export type TimeInput = bigint | Date | string;

/** What a builder takes for a message: its properties, LSNs and times in any form. */
export type Input<M extends Message> = {
  readonly [P in keyof M as Exclude<P, 'kind'>]: P extends 'lsn' | `${string}Lsn`
    ? LsnInput
    : P extends `${string}Time`
      ? TimeInput
      : M[P];
};

/**
 * Begin (`B`). The formats of all messages are in the manual's chapter "Logical Replication Message Formats".
 * @throws EncodeError for a property that is missing, unknown or out of its range
 */
export function begin(input: Input<Begin>): Begin {
  return build('begin', input);
}
/**
 * Commit (`C`).
 * @throws EncodeError as `begin`
 */
export function commit(input: Input<Commit>): Commit {
  return build('commit', input);
}
/**
 * Origin (`O`): `name`, and `commitLsn` on the origin server.
 * @throws EncodeError as `begin`
 */
export function origin(input: Input<Origin>): Origin {
  return build('origin', input);
}
/**
 * Type (`Y`): a user-defined type. `namespace` is `public` when left out.
 * @throws EncodeError as `begin`
 */
export function type(input: Omit<Input<Type>, 'namespace'> & { readonly namespace?: string }): Type {
  const { namespace = 'public' } = input;
  return build('type', { ...input, namespace: namespace === 'pg_catalog' ? '' : namespace });
}
/**
 * Message (`M`): a logical decoding message, transactional unless it says otherwise; text becomes UTF-8.
 * @throws EncodeError as `begin`
 */
export function message(
  input: Omit<Input<LogicalMessage>, 'transactional' | 'content'> & {
    readonly transactional?: boolean;
    readonly content: Uint8Array | string;
  },
): LogicalMessage {
  const { transactional = true, content } = input;
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  return build('message', { ...input, transactional, content: bytes });
}
/**
 * Stream Start (`S`), protocol version 2 on.
 * @throws EncodeError as `begin`
 */
export function streamStart(input: Input<StreamStart>): StreamStart {
  return build('streamStart', input);
}
/** Stream Stop (`E`), protocol version 2 on. */
export function streamStop(): StreamStop {
  return { kind: 'streamStop' };
}
/**
 * Stream Commit (`c`), protocol version 2 on.
 * @throws EncodeError as `begin`
 */
export function streamCommit(input: Input<StreamCommit>): StreamCommit {
  return build('streamCommit', input);
}
/**
 * Stream Abort (`A`), protocol version 2 on. Without a `subxid`, of the whole transaction. `abortLsn` and `abortTime` are for
 * streaming parallel, and belong together.
 * @throws EncodeError as `begin`
 */
export function streamAbort(input: Omit<Input<StreamAbort>, 'subxid'> & { readonly subxid?: number }): StreamAbort {
  const { xid, subxid = xid } = input;
  return build('streamAbort', { ...input, subxid });
}
/**
 * Begin Prepare (`b`), for slots with two-phase.
 * @throws EncodeError as `begin`
 */
export function beginPrepare(input: Input<BeginPrepare>): BeginPrepare {
  return build('beginPrepare', input);
}
/**
 * Prepare (`P`), for slots with two-phase.
 * @throws EncodeError as `begin`
 */
export function prepare(input: Input<Prepare>): Prepare {
  return build('prepare', input);
}
/**
 * Commit Prepared (`K`), for slots with two-phase.
 * @throws EncodeError as `begin`
 */
export function commitPrepared(input: Input<CommitPrepared>): CommitPrepared {
  return build('commitPrepared', input);
}
/**
 * Rollback Prepared (`r`), for slots with two-phase.
 * @throws EncodeError as `begin`
 */
export function rollbackPrepared(input: Input<RollbackPrepared>): RollbackPrepared {
  return build('rollbackPrepared', input);
}
/**
 * Stream Prepare (`p`), for slots with two-phase, protocol version 3 on.
 * @throws EncodeError as `begin`
 */
export function streamPrepare(input: Input<StreamPrepare>): StreamPrepare {
  return build('streamPrepare', input);
}

/** Makes the message in the order of its bytes, so that all of a kind have one shape. */
function build<K extends MessageKind>(kind: K, input: object): Extract<Message, { kind: K }> {
  const layout = layoutOfKind(kind)!;
  const given = input as Readonly<Record<string, unknown>>;
  const built: Record<string, unknown> = { kind };
  const names: string[] = [];
  for (const field of layout.fields) {
    for (const name of field.kind === 'flags' ? field.bits.map((bit) => bit.name) : [field.name]) {
      names.push(name);
      if (given[name] !== undefined) built[name] = valueOf(kind, field, given[name]);
    }
  }
  refuseOthers(kind, null, input, names);
  const result = built as unknown as Extract<Message, { kind: K }>;
  checkFields(layout, result, { streaming: 'abortLsn' in built || 'abortTime' in built ? 'parallel' : 'on' });
  return result;
}

function valueOf(message: MessageKind, { kind, name }: Field, value: unknown): unknown {
  try {
    if (kind === 'lsn' || kind === 'abortLsn') return typeof value === 'string' ? parseLsn(value) : value;
    if (kind === 'time' || kind === 'abortTime') {
      if (typeof value === 'string') return parseTimestamp(value);
      return value instanceof Date ? timestampFromDate(value) : value;
    }
    return value;
  } catch (error) {
    throw new EncodeError(message, name, (error as Error).message);
  }
}
