/** The statements of a transaction, as data: what every caller (YAML, the mock's publish, the control endpoint) hands over. */
import type { RowFilter } from '../timeline/catalog.js';
import type { OriginMark, SourcePosition } from '../timeline/timeline.js';
import type {
  ColumnDeclaration,
  PrimaryKeyDeclaration,
  PublishedAction,
  PublishedTableDeclaration,
  ReplicaIdentityDeclaration,
  RowValues,
} from './declaration.js';

/** Where a statement stands in the caller's text, and the LSN that its (first) record must have. */
export interface Place {
  readonly source?: SourcePosition;
  /** Pins the LSN: the record's start; for a message and for an abort its end. Never below the transaction's previous one. */
  readonly lsn?: bigint;
}

/** As part of an event or change, which has the key only where there is something in it. */
export function sourceOf(source: SourcePosition | undefined): { source?: SourcePosition } {
  return source === undefined ? {} : { source };
}

export interface BeginOptions {
  readonly source?: SourcePosition;
  readonly origin?: OriginMark;
  /** Pins the top-level xid. */
  readonly xid?: number;
  /** Pins the start of the first WAL record: Begin's XLogData header up to 14, and of Begin Prepare. */
  readonly beginLsn?: bigint;
  /** It will have blocks: rolling a subtransaction back ends one. */
  readonly streamed?: boolean;
}

/** Pins of a block: the headers of Stream Start and Stream Stop, where invisible changes lie before or after the visible ones. */
export interface BlockPins {
  readonly source?: SourcePosition;
  readonly firstLsn?: bigint;
  readonly lastLsn?: bigint;
}

/** Pins of a commit, prepare or outcome record: its start, its end, its time (microseconds since 2000). */
export interface EndPins {
  readonly source?: SourcePosition;
  readonly lsn?: bigint;
  readonly endLsn?: bigint;
  readonly time?: bigint;
  /** Of a commit: see CommitEnd. */
  readonly unfinished?: true;
}

export interface AbortPins {
  readonly source?: SourcePosition;
  /** End of each abort record: innermost open subtransaction first, the top-level transaction (or the savepoint rolled back to) last. */
  readonly lsns?: readonly bigint[];
  /** One for all of them, or one for each as in `lsns`. */
  readonly time?: bigint | readonly bigint[];
  /**
   * Whether rolling back ends the block of a streamed transaction first, so that the changes rolled back still go out
   * (the default). With false the rollback came before decoding memory overflowed: they never do.
   */
  readonly endsBlock?: boolean;
}

/** @param fromEnd - 1 for the last record's */
export function timePin({ time }: AbortPins, fromEnd: number): bigint | undefined {
  return time === undefined || typeof time === 'bigint' ? time : time.at(-fromEnd);
}

/** Which rows: by equal values (null: IS NULL), or by a condition. */
export type Where = RowValues | RowFilter;

export type UpdateStatement =
  /** By tracked rows: `set` holds the new values, or makes them from the row as it was. */
  | { readonly where: Where; readonly set: RowValues | ((old: RowValues) => RowValues) }
  /** Both rows spelt out: complete, no tracked state needed. `unchanged` in `new` takes the value of `old`. */
  | { readonly old: RowValues; readonly new: RowValues }
  /** As seen on the wire with K: `key` holds the identity columns. */
  | (SeenKey & { readonly new: RowValues })
  /** As seen on the wire without an old tuple. */
  | { readonly new: RowValues };

export type DeleteStatement = { readonly where: Where } | { readonly old: RowValues } | SeenKey;

export interface SeenKey {
  readonly key: RowValues;
  /** `key` holds the whole old row, and yet goes out with K: of a partition with full identity, below a root with a key. */
  readonly logged?: 'full';
}

/** Options of TRUNCATE: both are false when left out. */
export interface TruncateOptions {
  readonly cascade?: boolean;
  readonly restartIdentity?: boolean;
  /** Without partitions and inheriting tables. */
  readonly only?: boolean;
}

/** One ALTER TABLE; several actions in one statement come as several. */
export type AlterTable =
  | { readonly kind: 'addColumn'; readonly column: ColumnDeclaration }
  | { readonly kind: 'dropColumn'; readonly name: string }
  | { readonly kind: 'renameColumn'; readonly from: string; readonly to: string }
  | {
      readonly kind: 'alterType';
      readonly column: Pick<ColumnDeclaration, 'name' | 'type' | 'typeModifier'>;
      /** New values of the rows kept, in table order; absent: each text goes through the new type's input function. */
      readonly using?: readonly RowValues[string][];
    }
  | { readonly kind: 'setNotNull'; readonly name: string; readonly notNull: boolean }
  | { readonly kind: 'renameTo'; readonly name: string }
  | { readonly kind: 'setSchema'; readonly namespace: string }
  | { readonly kind: 'replicaIdentity'; readonly identity: ReplicaIdentityDeclaration }
  | { readonly kind: 'dropPrimaryKey' }
  | { readonly kind: 'primaryKey'; readonly primaryKey: PrimaryKeyDeclaration }
  | { readonly kind: 'addIndex'; readonly name: string; readonly unique: boolean; readonly columns: readonly string[] }
  | { readonly kind: 'dropIndex'; readonly name: string }
  /** VACUUM FULL, CLUSTER, a storage parameter: the catalogs stay, every cached Relation of the table goes. */
  | { readonly kind: 'rewrite' };

/** What ALTER PUBLICATION does. */
export type AlterPublication =
  | {
      readonly kind: 'add' | 'set';
      readonly tables?: readonly PublishedTableDeclaration[];
      readonly schemas?: readonly string[];
    }
  | {
      readonly kind: 'drop';
      readonly tables?: readonly { readonly namespace: string; readonly name: string }[];
      readonly schemas?: readonly string[];
    }
  | {
      readonly kind: 'options';
      readonly publish?: readonly PublishedAction[];
      readonly viaPartitionRoot?: boolean;
      readonly generatedColumns?: 'none' | 'stored';
    }
  | { readonly kind: 'rename'; readonly to: string };

export interface MessageStatement {
  readonly prefix: string;
  readonly content: Uint8Array;
}
