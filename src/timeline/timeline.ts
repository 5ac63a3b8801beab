/**
 * The timeline: what happened in the database, as logical decoding sees it. Plain data in which every xid, OID, LSN and
 * time is chosen, the same for every client, generated lazily. What one client gets of it is decided by `emit`.
 *
 * Events come in the order in which a server decodes them: a plain transaction at its commit, a block of a large one
 * where its decoding memory overflowed. LSNs of changes can therefore lie below the commits of earlier events.
 */
import type { Catalog, Table } from './catalog.js';
import type { Row } from './datum.js';

/** Where a transaction comes from: pg_replication_origin_session_setup and its like. */
export interface OriginMark {
  readonly name: string;
  /** LSN of the commit on the origin; 0n if it was not set. */
  readonly lsn: bigint;
  /** The origin's commit time, where set: Begin and Commit carry it instead of the local one. */
  readonly time?: bigint;
}

/** A place in the scenario text, for history, verdicts and explain. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

interface ChangeBase {
  /** Start of the change's WAL record; of a message and of an abort its end, which is what the wire shows. */
  readonly lsn: bigint;
  /** The (sub)transaction that made it. */
  readonly xid: number;
  readonly source?: SourcePosition;
}

export interface InsertChange extends ChangeBase {
  readonly kind: 'insert';
  readonly table: Table;
  readonly new: Row;
}
export interface UpdateChange extends ChangeBase {
  readonly kind: 'update';
  readonly table: Table;
  /** The complete old row; with `logged` 'key' only the identity columns count; null with `logged` 'nothing'. */
  readonly old: Row | null;
  readonly new: Row;
  /** 'derived': from the replica identity. Else as the author saw it on the wire: `key:`, `logged: full`, lone `new:`. */
  readonly logged: 'derived' | 'key' | 'full' | 'nothing';
}
export interface DeleteChange extends ChangeBase {
  readonly kind: 'delete';
  readonly table: Table;
  readonly old: Row;
  readonly logged: 'derived' | 'key' | 'full';
}
export interface TruncateChange extends ChangeBase {
  readonly kind: 'truncate';
  /** In statement order, partitions and cascaded tables included. */
  readonly tables: readonly Table[];
  readonly cascade: boolean;
  readonly restartIdentity: boolean;
}
export interface MessageChange extends ChangeBase {
  readonly kind: 'message';
  readonly prefix: string;
  readonly content: Uint8Array;
}
/** Those of which DDL updates or deletes rows. */
export type SystemCatalog =
  | 'pg_attribute'
  | 'pg_class'
  | 'pg_depend'
  | 'pg_index'
  | 'pg_namespace'
  | 'pg_publication'
  | 'pg_publication_rel'
  | 'pg_type';

/** DDL: from here on (in this transaction; after its commit, everywhere) the catalogs are these. */
export interface CatalogChange extends ChangeBase {
  readonly kind: 'catalog';
  readonly catalog: Catalog;
  readonly invalidates: Invalidation;
  readonly systemCatalogs: readonly SystemCatalog[];
  /** No catalog row changed, as when a table is truncated whose file this transaction has made: up to 13 decoding does not see it. */
  readonly inPlace?: true;
  /** Not this transaction's own: another one's, which committed while this one was open. */
  readonly distributed?: true;
}
/** Relation (and Type) again, for no reason (`announce:`). */
export interface AnnounceChange extends ChangeBase {
  readonly kind: 'announce';
  readonly tables: readonly Table[];
}
/** A rollback to a savepoint: these subtransactions' changes are void. Innermost first. */
export interface SubtransactionAbort extends ChangeBase {
  readonly kind: 'subtransactionAbort';
  readonly subxids: readonly number[];
  readonly time: bigint;
  /** The catalogs from here on, where it undid DDL. */
  readonly catalog?: Catalog;
}
/** Something for the walsender to do when it reaches this place: a wait, a fault, a label. */
export interface StepChange extends ChangeBase {
  readonly kind: 'step';
  readonly step: Step;
}

export type Change =
  | InsertChange
  | UpdateChange
  | DeleteChange
  | TruncateChange
  | MessageChange
  | CatalogChange
  | AnnounceChange
  | SubtransactionAbort
  | StepChange;

/**
 * Which Relations a server must send again. `tables`: those with these OIDs (ALTER TABLE, TRUNCATE's new file …);
 * `publication`: what this kind of publication DDL invalidates by server major (the plugin knows); 'all': everything.
 */
export type Invalidation =
  | { readonly kind: 'tables'; readonly oids: readonly number[] }
  | {
      readonly kind: 'publication';
      readonly statement: 'create' | 'drop' | 'rename' | 'addTables' | 'dropTables' | 'setTables' | 'options';
      readonly oids: readonly number[];
      /** It is or was one FOR ALL TABLES: every description of a table is void. */
      readonly allTables?: true;
    }
  | { readonly kind: 'schema' }
  | { readonly kind: 'all' }
  | { readonly kind: 'none' };

export interface CommitEnd {
  readonly kind: 'commit';
  /** Start and end of the commit record. */
  readonly commitLsn: bigint;
  readonly endLsn: bigint;
  readonly time: bigint;
  readonly source?: SourcePosition;
  /** The stream breaks off before it: what came of the transaction is sent, and its end is not. */
  readonly unfinished?: true;
}
export interface AbortEnd {
  readonly kind: 'abort';
  /** End of the abort record; 0n when a crash ended it. */
  readonly abortLsn: bigint;
  readonly time: bigint;
  readonly source?: SourcePosition;
}
export interface PrepareEnd {
  readonly kind: 'prepare';
  readonly gid: string;
  readonly prepareLsn: bigint;
  readonly endLsn: bigint;
  readonly time: bigint;
  /** How it ends later; null when the scenario leaves it open. */
  readonly outcome: PreparedOutcome | null;
  readonly source?: SourcePosition;
}
export interface PreparedOutcome {
  readonly kind: 'commit' | 'rollback';
  /** Start and end of the COMMIT PREPARED or ROLLBACK PREPARED record. */
  readonly lsn: bigint;
  readonly endLsn: bigint;
  readonly time: bigint;
  readonly source?: SourcePosition;
}
/** Without a source of its own it stands where its transaction does. */
export type TransactionEnd = CommitEnd | AbortEnd | PrepareEnd;

export interface Transaction {
  /** Top-level xid; 0 for a transaction that was assigned none. */
  readonly xid: number;
  readonly origin: OriginMark | null;
  /** Start of its first WAL record: the header of Begin up to 14 and of Begin Prepare. 0n while there is none. */
  readonly firstLsn: bigint;
  /** The catalogs when it began. */
  readonly catalog: Catalog;
  /** Every change, of rolled-back subtransactions too, in WAL order; regenerated at each call. */
  changes(): Iterable<Change>;
  /** What its catalog changes invalidate, in WAL order. */
  readonly invalidations: readonly { readonly xid: number; readonly invalidation: Invalidation }[];
  /** Subtransactions that were rolled back (so far, while it is open). */
  readonly abortedSubxids: ReadonlySet<number>;
  /** Null while it is open. */
  readonly end: TransactionEnd | null;
  readonly source?: SourcePosition;
}

export interface BlockEvent {
  readonly kind: 'block';
  readonly transaction: Transaction;
  /**
   * This block's part of transaction.changes(), without what was void already when the block ended: regenerated at each
   * iteration. A rollback to a savepoint is a block of its own that holds nothing but SubtransactionAborts (and steps).
   */
  readonly changes: Iterable<Change>;
  /** LSNs of the block's first and last change, invisible ones included: the headers of Stream Start and Stream Stop. */
  readonly firstLsn: bigint;
  readonly lastLsn: bigint;
  /** The clock when the block ended. */
  readonly time: bigint;
  /** It is what was left when the transaction was prepared: who has no two-phase gets it at COMMIT PREPARED. */
  readonly leftAtPrepare?: boolean;
  readonly source?: SourcePosition;
}

export type TimelineEvent =
  /** A transaction that fits in decoding memory: decoded at its commit or prepare. Aborted ones are events too: they show in no stream. */
  | { readonly kind: 'transaction'; readonly transaction: Transaction }
  /** One streamed block of a large transaction. */
  | BlockEvent
  /** The end of a transaction of which blocks came before. */
  | { readonly kind: 'end'; readonly transaction: Transaction }
  /** COMMIT PREPARED or ROLLBACK PREPARED. */
  | { readonly kind: 'prepared'; readonly transaction: Transaction; readonly outcome: PreparedOutcome }
  /** A non-transactional message. */
  | {
      readonly kind: 'message';
      readonly message: MessageChange;
      readonly time: bigint;
      readonly origin: OriginMark | null;
    }
  /** Catalog caches emptied outside of any transaction: VACUUM. */
  | { readonly kind: 'invalidation'; readonly invalidation: Invalidation; readonly lsn: bigint }
  /** A step between transactions. */
  | { readonly kind: 'step'; readonly step: Step; readonly lsn: bigint };

/** Reads a timeline once, from its start. */
export interface TimelineReader {
  /** The next event; undefined when there is none (yet: a live timeline grows). */
  next(): TimelineEvent | undefined;
}

export interface Timeline {
  readonly server: ServerFacts;
  /** The catalogs before the first event. */
  readonly catalog: Catalog;
  read(): TimelineReader;
  /** Tells when a live timeline grew; returns how to stop listening. */
  onGrowth?(listener: () => void): () => void;
  /** The catalogs as of `lsn` (commits that end at or before it). */
  catalogAt(lsn: bigint): Catalog;
  /** Every row of the tables as of `lsn` (commits that end at or before it), by table OID. */
  tablesAt(lsn: bigint): ReadonlyMap<number, readonly Row[]>;
}

export interface ServerFacts {
  /** 10 to 20. */
  readonly major: number;
  /** As server_version says it: `17.4`. */
  readonly version: string;
  readonly systemId: string;
  readonly timelineId: number;
  /** Where WAL stands before the first event. */
  readonly startLsn: bigint;
  /** Microseconds since 2000. */
  readonly clock: bigint;
}

/**
 * What the walsender does at a place, besides sending data. Kinds beyond `label` are made by the scenario layer (waits,
 * faults …) and understood by the walsender; decoding only passes them on.
 */
export interface Step {
  readonly kind: string;
  readonly source?: SourcePosition;
}
