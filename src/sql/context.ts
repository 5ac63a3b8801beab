/** What a statement sees while it is analyzed and while it runs. */
import type { OutputSettings } from '../postgres/index.js';
import type { Catalog, Publication, Table } from '../timeline/catalog.js';
import type { WireError } from '../values/wire-error.js';
import type { SqlWait } from './engine.js';
import type { SqlHost, WriteTransaction } from './host.js';
import type { AdvisoryLocks } from './session/advisory-locks.js';
import type { SessionSettings } from './session/session-settings.js';
import type { TypeSpace } from './types/type-space.js';

export interface StatementContext {
  readonly host: SqlHost;
  readonly major: number;
  readonly session: SessionAccess;
  /** With the publications that this transaction made. */
  readonly catalog: Catalog;
  readonly types: TypeSpace;
  /** Where the scenario declares no publications every name is one: those that the statement mentions. */
  readonly impliedPublications: readonly Publication[];
  /** Rows of tables are seen as of this LSN. */
  readonly snapshotLsn: bigint;
  /** Microseconds since 2000. */
  readonly statementTime: bigint;
  /** Where only what depends on nothing but the rows may be computed: refuses a call, by throwing. */
  readonly admit?: (called: { readonly name: string; readonly isImmutable: boolean }, location: number) => void;
  /** A row filter as pg_get_expr() prints it. */
  printFilter(table: Table, text: string): string;
}

/** The session as functions and system views see it. */
export interface SessionAccess {
  readonly pid: number;
  readonly user: string;
  readonly database: string;
  readonly startedAt: bigint;
  readonly settings: SessionSettings;
  readonly outputSettings: OutputSettings;
  readonly locks: AdvisoryLocks;
  /** now(): when the transaction began, microseconds since 2000. */
  readonly transactionTime: bigint;
  /** The transaction's xid, assigned now if it has none. */
  assignXid(): number;
  /** The transaction's xid; null while it has none. */
  readonly xid: number | null;
  /** Schemas in search_path that exist, pg_catalog excluded. */
  searchPath(catalog: Catalog): readonly string[];
  /** The transaction's writing side, begun now if it has not been. */
  readonly writing: WriteTransaction;
  notice(notice: WireError): void;
  /** Stands still: unwinds the statement, which runs again when the wait is over. A wait that is over does not stop it twice. */
  wait(wait: SqlWait, key: string): void;
  /** Text of the query that runs: current_query(). */
  readonly queryText: string;
  /** pg_prepared_statements and pg_cursors. */
  preparedStatements(): Iterable<PreparedStatementState>;
  cursors(): Iterable<CursorState>;
}

export interface PreparedStatementState {
  readonly name: string;
  readonly text: string;
  readonly parameterTypes: readonly number[];
  /** Made by PREPARE rather than by a Parse message. */
  readonly fromSql: boolean;
  readonly preparedAt: bigint;
}

export interface CursorState {
  readonly name: string;
  readonly text: string;
  readonly createdAt: bigint;
}
