/** What happened in the database, in the order of decoding, as the recorder and WAL tell it. */
import type { CatalogSnapshot, CatalogTable } from '../recorder/catalog.js';

export type Values = readonly (string | null)[];

interface ChangeBase {
  /** Start of the WAL record. */
  readonly lsn: bigint;
  /** The (sub)transaction. */
  readonly xid: number;
}

export interface RowChange extends ChangeBase {
  readonly kind: 'insert' | 'update' | 'delete';
  readonly table: CatalogTable;
  /** Values of `liveColumns(table)`. */
  readonly old: Values | null;
  readonly new: Values | null;
  /** Names of the columns whose new value is stored out of line. */
  readonly outOfLine: ReadonlySet<string>;
  /** Those among them whose value was not written anew. */
  readonly unchanged: ReadonlySet<string>;
  /** Length of the new tuple in WAL. */
  readonly bytes: number;
}
export interface TruncateChange extends ChangeBase {
  readonly kind: 'truncate';
  readonly tables: readonly CatalogTable[];
  readonly cascade: boolean;
  readonly restart: boolean;
}
export interface MessageChange extends ChangeBase {
  readonly kind: 'message';
  readonly endLsn: bigint;
  readonly prefix: string;
  readonly content: Buffer;
}
export interface DdlChange extends ChangeBase {
  readonly kind: 'ddl';
  readonly before: CatalogSnapshot;
  readonly after: CatalogSnapshot;
}
/** The catalogs stayed, but what was cached of these tables is void. */
export interface TouchChange extends ChangeBase {
  readonly kind: 'touch';
  readonly tables: readonly CatalogTable[];
}
/** A subtransaction rolled back, with those released into it: innermost first. */
export interface AbortChange extends ChangeBase {
  readonly kind: 'abort';
  readonly subxids: readonly number[];
  readonly endLsn: bigint;
  readonly time: bigint;
}
export type Change = RowChange | TruncateChange | MessageChange | DdlChange | TouchChange | AbortChange;

export interface Origin {
  readonly name: string;
  /** 0n when the transaction did not say. */
  readonly lsn: bigint;
  readonly time: bigint;
}

export interface End {
  readonly kind: 'commit' | 'abort' | 'prepare';
  readonly lsn: bigint;
  readonly endLsn: bigint;
  readonly time: bigint;
  readonly gid: string;
  /** Subtransactions that had not been rolled back. */
  readonly subxids: readonly number[];
  readonly origin: Origin | undefined;
}

export interface Transaction {
  xid: number;
  /** Start of its first WAL record. */
  readonly firstLsn: bigint;
  readonly changes: Change[];
  /** Some record of it, of whatever table, was one that decoding takes for a change: row locks, say, are not. */
  decoded: boolean;
  /** Undefined while it is open. */
  end: End | undefined;
}

export type HistoryItem =
  | { readonly kind: 'transaction'; readonly lsn: bigint; readonly endLsn: bigint; readonly transaction: Transaction }
  /** COMMIT PREPARED or ROLLBACK PREPARED. */
  | {
      readonly kind: 'prepared';
      readonly outcome: 'commit' | 'rollback';
      readonly transaction: Transaction;
      readonly end: End;
      readonly lsn: bigint;
      readonly endLsn: bigint;
    }
  /** A message outside transactions. */
  | {
      readonly kind: 'message';
      readonly message: MessageChange;
      readonly origin: Origin | undefined;
      readonly lsn: bigint;
      readonly endLsn: bigint;
    }
  /** An invalidation outside transactions, as of VACUUM. */
  | { readonly kind: 'touch'; readonly tables: readonly CatalogTable[]; readonly lsn: bigint; readonly endLsn: bigint };

export interface History {
  /** By the WAL position of what ends or makes them: the order of decoding, but for streamed blocks. */
  readonly items: readonly HistoryItem[];
  /** Transactions that the workload left open: a part of them may be streamed. */
  readonly open: readonly Transaction[];
}

/** Columns that rows have values for. */
export function liveColumns({ columns }: CatalogTable): CatalogTable['columns'] & object {
  return (columns ?? []).filter(({ dropped }) => !dropped);
}
