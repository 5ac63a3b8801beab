/**
 * What the SQL around a stream needs of the server it runs in: the walsender's state, read and changed. Implemented by walsender/.
 * All methods are synchronous; an error that the client should get is thrown as WireError.
 */
import type { PublicationStatement } from '../database/index.js';
import type { Catalog, Publication } from '../timeline/catalog.js';
import type { Row } from '../timeline/datum.js';
import type { WireError } from '../values/wire-error.js';
import type { ServerFacts } from '../timeline/timeline.js';

export interface SqlHost {
  readonly server: ServerFacts;
  /** Databases by name that this server pretends to have. */
  readonly databases: readonly string[];
  /** Login roles by name; the first is the bootstrap superuser. */
  readonly roles: readonly RoleState[];
  /** Settings of the configuration file: what the scenario says beyond the server's defaults. Names in lower case. */
  readonly configuration: ReadonlyMap<string, string>;

  /** Now, microseconds since 2000. */
  now(): bigint;
  /** When the server started, microseconds since 2000. */
  readonly startedAt: bigint;
  /** End of the WAL written so far: pg_current_wal_lsn(). */
  walPosition(): bigint;
  /** The catalogs as of the WAL written so far. */
  catalog(): Catalog;
  /** Rows of the tables as of `lsn`, by table OID. */
  tablesAt(lsn: bigint): ReadonlyMap<number, readonly Row[]>;
  /** Next xid that would be assigned: what snapshots show. */
  nextXid(): number;
  /** Takes an OID for a new object. */
  takeOid(): number;
  /** Begins a transaction that writes WAL. */
  begin(): WriteTransaction;
  /** Writes a non-transactional message; returns the end LSN of its record. */
  writeMessage(prefix: string, content: Uint8Array): bigint;

  slots(): readonly SlotState[];
  /** @throws WireError 42710, 53400, 42602, 58P01, 55000 … as CREATE_REPLICATION_SLOT. Returns the consistent point. */
  createSlot(slot: NewSlot): SlotState;
  /** @throws WireError 42704, 55006 as DROP_REPLICATION_SLOT. */
  dropSlot(name: string, pid: number): void;
  /** pg_replication_slot_advance. Returns where the slot stands afterwards. */
  advanceSlot(name: string, upTo: bigint, pid: number): bigint;
  /**
   * pg_logical_slot_(get|peek)_(binary_)changes. Output plugin options as given, unvalidated.
   * Ends before the first transaction that starts past a limit, as the server does.
   */
  readSlot(request: SlotRead): Iterable<DecodedChange>;
  copySlot(source: string, slot: NewSlot): SlotState;

  /** Everyone connected, this session included. */
  backends(): readonly BackendState[];
  /** Walsenders that stream. */
  walsenders(): readonly WalsenderState[];
  /** False when there is no such process. */
  terminateBackend(pid: number): boolean;
  cancelBackend(pid: number): boolean;

  /** Names a snapshot as of `lsn`, until the transaction of `pid` ends. */
  exportSnapshot(lsn: bigint, pid: number): string;
  /** Undefined when there is no such snapshot. */
  importSnapshot(name: string): bigint | undefined;

  /** A statement was not understood: for the record, before the client gets its 0A000. */
  unanswered(text: string, reason: string): void;
}

export interface RoleState {
  readonly name: string;
  readonly superuser: boolean;
  readonly replication: boolean;
}

/** A transaction whose records lie in WAL from when they are made. One that never wrote and has no xid leaves no trace. */
export interface WriteTransaction {
  /** Reading it assigns it. */
  readonly xid: number;
  /** Returns the end LSN of its record. */
  message(prefix: string, content: Uint8Array): bigint;
  /** Null: there was, or is, none. */
  replacePublication(statement: PublicationStatement, before: Publication | null, after: Publication | null): void;
  savepoint(name: string): void;
  release(name: string): void;
  rollbackTo(name: string): void;
  commit(): void;
  rollback(): void;
}

export interface NewSlot {
  readonly name: string;
  /** Null for a physical slot. */
  readonly plugin: string | null;
  readonly temporary: boolean;
  readonly twoPhase: boolean;
  readonly failover: boolean;
  /** Physical: reserve WAL at once. */
  readonly reserveWal: boolean;
  readonly database: string;
  readonly pid: number;
}

/** A row of pg_replication_slots. LSNs null where the view shows NULL. */
export interface SlotState {
  readonly name: string;
  /** Null for a physical slot. */
  readonly plugin: string | null;
  /** Null for a physical slot. */
  readonly database: string | null;
  readonly temporary: boolean;
  /** Null while nobody uses it. */
  readonly activePid: number | null;
  readonly xmin: number | null;
  readonly catalogXmin: number | null;
  readonly restartLsn: bigint | null;
  readonly confirmedFlushLsn: bigint | null;
  readonly walStatus: 'reserved' | 'extended' | 'unreserved' | 'lost';
  /** Bytes; null without max_slot_wal_keep_size. */
  readonly safeWalSize: bigint | null;
  readonly twoPhase: boolean;
  readonly twoPhaseAt: bigint | null;
  /** Microseconds since 2000. */
  readonly inactiveSince: bigint | null;
  readonly invalidationReason: 'wal_removed' | 'rows_removed' | 'wal_level_insufficient' | 'idle_timeout' | null;
  readonly failover: boolean;
  readonly synced: boolean;
}

export interface SlotRead {
  readonly slot: string;
  readonly pid: number;
  /** Null: as far as WAL goes. */
  readonly upToLsn: bigint | null;
  /** Null: no limit. Checked at the end of each transaction. */
  readonly upToCount: number | null;
  readonly options: readonly (readonly [name: string, value: string])[];
  /** NoticeResponses of decoding come as notices of the statement. */
  readonly notice: (notice: WireError) => void;
  /** get: confirm what was read; peek: do not. */
  readonly confirm: boolean;
}

export interface DecodedChange {
  readonly lsn: bigint;
  readonly xid: number;
  /** The pgoutput message. */
  readonly data: Uint8Array;
}

export interface BackendState {
  readonly pid: number;
  readonly kind: 'client backend' | 'walsender';
  readonly user: string;
  /** Null for a physical walsender. */
  readonly database: string | null;
  readonly applicationName: string;
  readonly clientAddress: string | null;
  readonly clientPort: number | null;
  /** Microseconds since 2000. */
  readonly startedAt: bigint;
  readonly queryStartedAt: bigint | null;
  readonly state: 'active' | 'idle' | 'idle in transaction' | 'idle in transaction (aborted)';
  readonly query: string;
  readonly tls: boolean;
}

export interface WalsenderState extends BackendState {
  readonly phase: 'startup' | 'catchup' | 'streaming' | 'stopping';
  readonly sentLsn: bigint | null;
  readonly writeLsn: bigint | null;
  readonly flushLsn: bigint | null;
  readonly applyLsn: bigint | null;
  readonly replyTime: bigint | null;
}
