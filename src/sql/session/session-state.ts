/**
 * What a session is between and within statements: settings, transaction, locks. Functions and system views see it as
 * SessionAccess; statements change it.
 *
 * ```
 *   idle ──statement──→ implicit ──end of Query, Sync──→ idle (committed)
 *   idle, implicit ──BEGIN──→ block ──COMMIT, ROLLBACK──→ idle
 *   block ──error──→ failed ──ROLLBACK TO──→ block
 *   failed ──COMMIT, ROLLBACK──→ idle (rolled back)
 *   implicit ──error──→ idle (rolled back)
 * ```
 */
import type { OutputSettings } from '../../postgres/index.js';
import type { Catalog, Publication, Table } from '../../timeline/catalog.js';
import { WireError } from '../../values/wire-error.js';
import { printFilter } from '../analysis.js';
import type { CursorState, PreparedStatementState, SessionAccess, StatementContext } from '../context.js';
import type { SessionOptions, SqlWait, TransactionState } from '../engine.js';
import type { SqlHost, WriteTransaction } from '../host.js';
import { impliedPublication } from '../relations/publications.js';
import { namespaceNames } from '../relations/namespaces.js';
import { TypeSpace } from '../types/type-space.js';
import type { AdvisoryLocks } from './advisory-locks.js';
import type { SessionSettings } from './session-settings.js';
import { searchPathNames } from './special-settings.js';
import { Transaction } from './transaction.js';

/** Unwinds a statement that has to wait; it is run again afterwards. */
export class Waiting extends Error {
  constructor(readonly wait: SqlWait) {
    super('waiting');
  }
}

export type Status = 'idle' | 'implicit' | 'block' | 'failed';

const typeSpaces = new WeakMap<Catalog, TypeSpace>();

function typeSpaceOf(major: number, catalog: Catalog): TypeSpace {
  let types = typeSpaces.get(catalog);
  if (types?.major !== major) {
    types = new TypeSpace(major, catalog);
    typeSpaces.set(catalog, types);
  }
  return types;
}

export class SessionState implements SessionAccess {
  readonly pid: number;
  readonly user: string;
  readonly database: string;
  readonly host: SqlHost;
  readonly startedAt: bigint;
  status: Status = 'idle';
  transactionNow: Transaction | null = null;
  queryText = '';
  readonly pendingNotices: WireError[] = [];
  /** Sleeps of the running statement that are over. */
  readonly slept = new Set<string>();
  preparedStatements: () => Iterable<PreparedStatementState> = () => [];
  cursors: () => Iterable<CursorState> = () => [];

  constructor(
    options: SessionOptions,
    readonly locks: AdvisoryLocks,
    readonly settings: SessionSettings,
  ) {
    const { host, pid, user, database } = options;
    this.pid = pid;
    this.user = user;
    this.database = database;
    this.host = host;
    this.startedAt = host.now();
  }

  get major(): number {
    return this.host.server.major;
  }

  get outputSettings(): OutputSettings {
    return this.settings.output;
  }

  get transactionTime(): bigint {
    return this.transactionNow?.startedAt ?? this.host.now();
  }

  get xid(): number | null {
    return this.transactionNow?.xid ?? null;
  }

  assignXid(): number {
    return this.ensureTransaction().assignXid(this.host);
  }

  get writing(): WriteTransaction {
    return this.ensureTransaction().writing(this.host);
  }

  /** Schemas that do not exist are passed over. */
  searchPath(catalog: Catalog): readonly string[] {
    const names = searchPathNames(this.settings.value('search_path') ?? '').map((name) =>
      name === '$user' ? this.user : name,
    );
    const known = namespaceNames({ catalog } as StatementContext);
    return names.filter((name) => name !== 'pg_catalog' && known.includes(name));
  }

  notice(notice: WireError): void {
    this.pendingNotices.push(notice);
  }

  wait(wait: SqlWait, key: string): void {
    if (wait.kind === 'sleep' && this.slept.has(key)) return;
    throw new Waiting(wait);
  }

  /** @param mentioned texts in the statement that may be names of publications */
  context(mentioned: readonly string[]): StatementContext {
    const { host, major } = this;
    const transaction = this.transactionNow;
    const catalog = transaction?.catalog ?? host.catalog();
    const snapshotLsn = transaction?.snapshotLsn ?? host.walPosition();
    const impliedPublications: readonly Publication[] =
      catalog.publications === null ? mentioned.map(impliedPublication) : [];
    const context: StatementContext = {
      host,
      major,
      session: this,
      catalog,
      types: typeSpaceOf(major, catalog),
      impliedPublications,
      snapshotLsn,
      statementTime: host.now(),
      printFilter: (table: Table, text: string) => printFilter(table, text, context),
    };
    return context;
  }

  /** Before a query: what it sees is settled, for the whole transaction if it reads repeatably. */
  takeSnapshot(): void {
    const transaction = this.ensureTransaction();
    transaction.hasSnapshot = true;
    if (transaction.isolation === 'repeatable read' || transaction.isolation === 'serializable') {
      transaction.snapshotLsn ??= this.host.walPosition();
    }
  }

  get state(): TransactionState | null {
    return this.status === 'block' || this.status === 'failed' ? (this.transactionNow?.state ?? null) : null;
  }

  /** Every statement runs in a transaction. */
  ensureTransaction(): Transaction {
    if (this.transactionNow !== null) return this.transactionNow;
    this.status = 'implicit';
    this.settings.save();
    this.transactionNow = new Transaction(this.host.now(), {
      isolation: this.settings.value('default_transaction_isolation') as TransactionState['isolation'],
      readOnly: this.settings.value('default_transaction_read_only') === 'on',
    });
    return this.transactionNow;
  }

  /** @throws WireError where what it wrote is refused */
  commit(): void {
    const transaction = this.transactionNow;
    this.end();
    this.settings.keep(true);
    transaction?.commit();
  }

  rollback(): void {
    const transaction = this.transactionNow;
    this.end();
    this.settings.restore();
    transaction?.rollback();
  }

  private end(): void {
    this.transactionNow = null;
    this.status = 'idle';
    this.locks.release(this.pid, 'transaction');
  }

  /** An error: the block fails, anything else is rolled back. */
  fail(): void {
    if (this.status === 'block') this.status = 'failed';
    else if (this.status === 'implicit') this.rollback();
  }

  assertNotFailed(): void {
    if (this.status !== 'failed') return;
    const message = 'current transaction is aborted, commands ignored until end of transaction block';
    throw new WireError({ code: '25P02', message });
  }
}
