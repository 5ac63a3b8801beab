/** What a WAL record means to logical decoding. Values stay undecoded: rows are told by the recorder. */
import type { WalRecord } from './record.js';
import { readHeap, readHeap2 } from './heap.js';
import { readAssignment, readTransaction } from './transaction.js';

interface EventBase {
  /** Start and end of the record. */
  readonly lsn: bigint;
  readonly endLsn: bigint;
  readonly xid: number;
  readonly topXid: number | undefined;
  /** roident of the replication origin; 0 for none. */
  readonly origin: number;
}

/** Header and data of a stored tuple. */
export interface StoredTuple {
  readonly attributes: number;
  /** Null bitmap; empty when no value is NULL. */
  readonly nulls: Buffer;
  readonly data: Buffer;
}

export interface Written {
  readonly file: number;
  /** `(block,offset)`, as ctid prints it. */
  readonly tid: string;
}

export type WalEvent = EventBase &
  /** Speculative: by ON CONFLICT, which may take it back. */
  (
    | ({ readonly kind: 'insert'; readonly tuple: StoredTuple | undefined; readonly speculative: boolean } & Written)
    /** `tid` is the new tuple's. */
    | ({ readonly kind: 'update'; readonly tuple: StoredTuple | undefined } & Written)
    | ({ readonly kind: 'delete' } & Written)
    | {
        readonly kind: 'truncate';
        readonly relations: readonly number[];
        readonly cascade: boolean;
        readonly restart: boolean;
      }
    | { readonly kind: 'message'; readonly transactional: boolean; readonly prefix: string; readonly content: Buffer }
    | ({ readonly kind: 'commit' } & TransactionEnd)
    | ({ readonly kind: 'abort' } & TransactionEnd)
    | {
        readonly kind: 'prepare';
        readonly gid: string;
        readonly time: bigint;
        readonly subxids: readonly number[];
        readonly originLsn: bigint;
        readonly originTime: bigint;
      }
    /** Relations whose cached descriptions are void; 0: all. */
    | { readonly kind: 'invalidations'; readonly relations: readonly number[] }
    /** Anything else: it can be a transaction's first record. */
    | { readonly kind: 'other' }
  );

export interface TransactionEnd {
  readonly time: bigint;
  readonly subxids: readonly number[];
  /** The transaction that had been prepared, when a COMMIT or ROLLBACK PREPARED ended it. */
  readonly preparedXid: number | undefined;
  readonly invalidated: readonly number[];
  readonly originLsn: bigint;
  readonly originTime: bigint;
}

/** Resource managers that matter (rmgrlist.h). */
const managers = { transaction: 1, standby: 8, heap2: 9, heap: 10, message: 21 };

/** XLOG_INVALIDATIONS of the standby manager. */
const standbyInvalidations = 0x20;

/** @returns the events of one record: several for a multi-insert, none for another database's transactions */
export function readEvents(record: WalRecord, database: number, major: number): WalEvent[] {
  const { lsn, endLsn, xid, topXid, origin, manager, main } = record;
  const base = { lsn, endLsn, xid, topXid, origin };
  switch (manager) {
    case managers.heap:
    case managers.heap2: {
      const events = manager === managers.heap ? readHeap(record, database) : readHeap2(record, database);
      return events.length === 0 ? [{ ...base, kind: 'other' }] : events.map((event) => ({ ...base, ...event }));
    }
    case managers.transaction: {
      const top = major < 14 ? readAssignment(record) : undefined;
      if (top !== undefined) return [{ ...base, xid: top, topXid: top, kind: 'other' }];
      return readTransaction(record, database, major).map((event) => ({ ...base, ...event }));
    }
    case managers.message: {
      if (main.readUInt32LE(0) !== database) return [];
      const prefixEnd = 24 + Number(main.readBigUInt64LE(8));
      const prefix = main.toString('utf8', 24, prefixEnd - 1);
      return [{ ...base, kind: 'message', transactional: main[4] !== 0, prefix, content: main.subarray(prefixEnd) }];
    }
    case managers.standby:
      if (record.info !== standbyInvalidations) return [{ ...base, kind: 'other' }];
      return [{ ...base, kind: 'invalidations', relations: invalidatedRelations(main, 12, database) }];
    default:
      return [{ ...base, kind: 'other' }];
  }
}

/** Reads a count and that many SharedInvalidationMessages: the relations of this database; 0 for all of them. */
export function invalidatedRelations(bytes: Buffer, at: number, database: number): number[] {
  const relations = new Set<number>();
  const count = bytes.readUInt32LE(at);
  for (let index = 0; index < count; index++) {
    const message = at + 4 + index * 16;
    const relcache = bytes.readInt8(message) === -2;
    if (relcache && bytes.readUInt32LE(message + 4) === database) relations.add(bytes.readUInt32LE(message + 8));
  }
  return [...relations];
}
