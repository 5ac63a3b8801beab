/**
 * The 19 messages of logical replication protocol versions 1 to 4, as plain readonly objects: one union,
 * discriminated on `kind`. Names are those of the manual's chapter "Logical Replication Message Formats", camelCased.
 *
 * Units: LSNs are unsigned 64-bit bigints; times are microseconds since 2000-01-01 00:00:00 UTC (bigint);
 * xids and OIDs are unsigned 32-bit numbers.
 */

/** Stands in a new tuple for a value that is stored out of line and did not change ('u' on the wire). */
export const unchanged: unique symbol = Symbol.for('fake-walsender.unchanged');
/** The type of `unchanged`. */
export type Unchanged = typeof unchanged;

/** One column of a tuple: NULL ('n'), text ('t'), the type's binary form ('b'), or unchanged ('u'). */
export type Cell = string | Uint8Array | Unchanged | null;
/** TupleData: the cells of a row, one for each column of its Relation, in that order. */
export type Tuple = readonly Cell[];

/** The old tuple of an Update or Delete. Marker K: the replica identity's columns, all others NULL; O: the whole row. */
export interface OldTuple {
  readonly marker: 'K' | 'O';
  readonly columns: Tuple;
}

/** Which columns identify a row: `d`, `n`, `f` and `i` of the Relation message, `pg_class.relreplident`. */
export type ReplicaIdentity = 'default' | 'nothing' | 'full' | 'index';

/** A column of a Relation message. */
export interface RelationColumn {
  /** Part of the replica identity (flag bit 1). */
  readonly key: boolean;
  readonly name: string;
  readonly typeOid: number;
  /** atttypmod; -1 for none. */
  readonly typeModifier: number;
}

/** What row, Relation, Type and Truncate messages carry inside a stream block: the (sub)transaction's xid. */
export interface Streamable {
  readonly xid?: number;
}

/** Begin (`B`): a transaction, sent when it has committed. `commitTime`: microseconds since 2000-01-01 UTC, as all times are. */
export interface Begin {
  readonly kind: 'begin';
  /** Start of the commit record: equal to the Commit's commitLsn. */
  readonly finalLsn: bigint;
  readonly commitTime: bigint;
  readonly xid: number;
}
/** Commit (`C`). `commitLsn` is the start of the commit record, `endLsn` what is after it: what a client confirms. */
export interface Commit {
  readonly kind: 'commit';
  readonly commitLsn: bigint;
  readonly endLsn: bigint;
  readonly commitTime: bigint;
}
/** Origin (`O`): where the transaction's changes first were made, after Begin (or Stream Start). */
export interface Origin {
  readonly kind: 'origin';
  /** LSN of the commit on the origin server. */
  readonly commitLsn: bigint;
  readonly name: string;
}
/** Relation (`R`): a table as its next changes have it, before the first of them and again after DDL. */
export interface Relation extends Streamable {
  readonly kind: 'relation';
  readonly relationId: number;
  /** Empty for pg_catalog. */
  readonly namespace: string;
  readonly name: string;
  readonly replicaIdentity: ReplicaIdentity;
  readonly columns: readonly RelationColumn[];
}
/** Type (`Y`): a type that is not built in, before the Relation that has columns of it. */
export interface Type extends Streamable {
  readonly kind: 'type';
  readonly typeOid: number;
  /** Empty for pg_catalog. */
  readonly namespace: string;
  readonly name: string;
}
/** Insert (`I`). */
export interface Insert extends Streamable {
  readonly kind: 'insert';
  readonly relationId: number;
  readonly newTuple: Tuple;
}
/** Update (`U`). `oldTuple` is null when no column of the replica identity changed, unless that is `full`. */
export interface Update extends Streamable {
  readonly kind: 'update';
  readonly relationId: number;
  readonly oldTuple: OldTuple | null;
  readonly newTuple: Tuple;
}
/** Delete (`D`). */
export interface Delete extends Streamable {
  readonly kind: 'delete';
  readonly relationId: number;
  readonly oldTuple: OldTuple;
}
/** Truncate (`T`), protocol version 1 of servers from 11 on: all tables of one TRUNCATE. */
export interface Truncate extends Streamable {
  readonly kind: 'truncate';
  readonly relationIds: readonly number[];
  readonly cascade: boolean;
  readonly restartIdentity: boolean;
}
/** A logical decoding message (pg_logical_emit_message). In a stream block `xid` is the top-level one. */
export interface LogicalMessage extends Streamable {
  readonly kind: 'message';
  readonly transactional: boolean;
  /** End of the message's WAL record. */
  readonly lsn: bigint;
  readonly prefix: string;
  readonly content: Uint8Array;
}
/** Stream Start (`S`), protocol version 2 on: opens a block of a transaction's changes. `firstSegment`: its first block. */
export interface StreamStart {
  readonly kind: 'streamStart';
  readonly xid: number;
  readonly firstSegment: boolean;
}
/** Stream Stop (`E`), protocol version 2 on: ends the block. */
export interface StreamStop {
  readonly kind: 'streamStop';
}
/** Stream Commit (`c`), protocol version 2 on: what was streamed of the transaction is committed. */
export interface StreamCommit {
  readonly kind: 'streamCommit';
  readonly xid: number;
  readonly commitLsn: bigint;
  readonly endLsn: bigint;
  readonly commitTime: bigint;
}
/** Stream Abort (`A`), protocol version 2 on: of the whole transaction (`subxid` is `xid`), or of a subtransaction. */
export interface StreamAbort {
  readonly kind: 'streamAbort';
  readonly xid: number;
  readonly subxid: number;
  /** Present exactly when the client asked for streaming 'parallel'; then abortTime is too. */
  readonly abortLsn?: bigint;
  readonly abortTime?: bigint;
}
/** Begin Prepare (`b`), two-phase: a transaction sent at PREPARE TRANSACTION. `gid`: 1 to 199 bytes. */
export interface BeginPrepare {
  readonly kind: 'beginPrepare';
  readonly prepareLsn: bigint;
  readonly endLsn: bigint;
  readonly prepareTime: bigint;
  readonly xid: number;
  readonly gid: string;
}
/** Prepare (`P`), two-phase: its end. `endLsn` is what a client confirms. */
export interface Prepare {
  readonly kind: 'prepare';
  readonly prepareLsn: bigint;
  readonly endLsn: bigint;
  readonly prepareTime: bigint;
  readonly xid: number;
  readonly gid: string;
}
/** Commit Prepared (`K`), two-phase: COMMIT PREPARED, some time later. */
export interface CommitPrepared {
  readonly kind: 'commitPrepared';
  readonly commitLsn: bigint;
  readonly endLsn: bigint;
  readonly commitTime: bigint;
  readonly xid: number;
  readonly gid: string;
}
/** Rollback Prepared (`r`), two-phase: ROLLBACK PREPARED, some time later. */
export interface RollbackPrepared {
  readonly kind: 'rollbackPrepared';
  readonly prepareEndLsn: bigint;
  readonly rollbackEndLsn: bigint;
  readonly prepareTime: bigint;
  readonly rollbackTime: bigint;
  readonly xid: number;
  readonly gid: string;
}
/** Stream Prepare (`p`), two-phase, protocol version 3 on: as Prepare, of a transaction that was streamed. */
export interface StreamPrepare {
  readonly kind: 'streamPrepare';
  readonly prepareLsn: bigint;
  readonly endLsn: bigint;
  readonly prepareTime: bigint;
  readonly xid: number;
  readonly gid: string;
}

/** Any message, told by its `kind`: an exhaustive `switch` compiles. */
export type Message =
  | Begin
  | Commit
  | Origin
  | Relation
  | Type
  | Insert
  | Update
  | Delete
  | Truncate
  | LogicalMessage
  | StreamStart
  | StreamStop
  | StreamCommit
  | StreamAbort
  | BeginPrepare
  | Prepare
  | CommitPrepared
  | RollbackPrepared
  | StreamPrepare;

/** The `kind` of a message, which is its builder's name. */
export type MessageKind = Message['kind'];

/** The option `streaming` of START_REPLICATION: `on` from protocol version 2, `parallel` from version 4. */
export type Streaming = 'off' | 'on' | 'parallel';

/** What encode and decode must know besides the message: what was negotiated, and whether a stream block is open. */
export interface MessageContext {
  /** 1 to 4. */
  readonly protoVersion: number;
  readonly streaming: Streaming;
  /** Between Stream Start and Stream Stop. */
  readonly inStream: boolean;
}
