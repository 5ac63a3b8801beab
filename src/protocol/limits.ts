/**
 * How long a client's messages may be. Lengths are checked as soon as they are declared, before anything is allocated, and
 * memory grows with the bytes that arrived, never with those announced. PostgreSQL closes the connection without a message where
 * a limit of its own is passed, and so does this server; at `largeMessageLimit`, which is lower than PostgreSQL's 1 GB, it
 * says so first.
 */
import { frontendType } from './frontend-messages.js';

/** Bytes of a start-up packet, length word included (MAX_STARTUP_PACKET_LENGTH leaves it out). */
export const startupPacketLimit = 10_004;

/** Bytes of a password or SASL message (PG_MAX_AUTH_TOKEN_LENGTH). */
export const authenticationMessageLimit = 65_535;

/** Bytes of messages that carry little: Sync, Execute, Close, CopyFail … (PQ_SMALL_MESSAGE_LIMIT). */
const smallMessageLimit = 10_000;

/** Bytes of Query, Parse, Bind, CopyData and FunctionCall. */
export const largeMessageLimit = 64 * 1024 * 1024;

const { close, copyDone, copyFail, describe, execute, flush, sync, terminate } = frontendType;
const smallMessages: ReadonlySet<number> = new Set([
  close,
  copyDone,
  copyFail,
  describe,
  execute,
  flush,
  sync,
  terminate,
]);

const { bind, copyData, functionCall, parse, query } = frontendType;
const largeMessages: ReadonlySet<number> = new Set([bind, copyData, functionCall, parse, query]);

/** Of a message after start-up, by its type byte; undefined for one that there is not. */
export function messageLimit(type: number): number | undefined {
  if (smallMessages.has(type)) return smallMessageLimit;
  return largeMessages.has(type) ? largeMessageLimit : undefined;
}
