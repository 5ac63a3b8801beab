/** What a stream is started with, and how it may end. */
import type { EmitSink, Emitter, PgoutputOptions } from '../timeline/emitter.js';
import type { SessionInside } from './inside.js';
import type { PublishedDatabase } from './published-database.js';
import type { Slot } from './slot.js';

export interface SenderOptions {
  readonly session: SessionInside;
  readonly database: PublishedDatabase;
  readonly slot: Slot;
  readonly pgoutput: PgoutputOptions;
  /** wal_sender_timeout in milliseconds; 0: none. */
  readonly timeout: number;
  /** Tell of transactions that were skipped, for a synchronous standby. */
  readonly reportSkipped: boolean;
  /** Where the slot stands: what keepalives say until something beyond it was decoded. */
  readonly position: bigint;
  /** Transactions that commit before are not sent. */
  readonly startLsn: bigint;
  /** The connection has decoded nothing before, neither for a stream nor for a new slot. */
  readonly isFresh: boolean;
  /** @param from instead of `startLsn` */
  createEmitter(sink: EmitSink, from?: bigint): Emitter;
}

/** `shutdown`: COPY 0 and the end of the connection are due. */
export type SenderEnd = 'copyDone' | 'shutdown';
