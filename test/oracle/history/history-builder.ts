/**
 * Follows WAL statement by statement. Only one statement runs at a time, so each record between two statements' ends
 * belongs to one session, and each session has one transaction at a time:
 *
 * ```
 *   none ──record with an xid──→ open ──COMMIT, ABORT of the top xid──→ none, the transaction becomes an item
 *                                 └──PREPARE──→ none, the transaction waits for COMMIT or ROLLBACK PREPARED
 * ```
 */
import type { CatalogSnapshot, CatalogTable } from '../recorder/catalog.js';
import type { ToldDdl } from '../recorder/told.js';
import type { StatementRun, WorkloadRun } from '../run/run.js';
import type { WalEvent } from '../wal/event.js';
import { changedTables, findTable, sameCatalog } from './catalog-view.js';
import type { End, History, HistoryItem, Origin, Transaction } from './history.js';
import { RowMatcher, ToldRows } from './row-matcher.js';

interface OpenTransaction extends Transaction {
  /** Catalogs as its DDL left them, each with the subtransaction that did it. */
  readonly catalogs: { readonly xid: number; readonly catalog: CatalogSnapshot }[];
  readonly rows: RowMatcher;
  /** The last (sub)transaction that wrote something. */
  lastXid: number;
  /** Relations invalidated, but by nothing that is told as a change of its own; those of 14 and later as they come. */
  readonly touched: Set<number>;
  /** Relations whose invalidation follows from a change that is told. */
  readonly covered: Set<number>;
  /** Up to 13, commands that wrote to the catalogs: each executes all that the commit record invalidates. */
  readonly commands: { readonly touch: { readonly tables: CatalogTable[] }; readonly catalog: CatalogSnapshot }[];
  /** Rows that were written and not told, and not rolled back yet. */
  untold: readonly { readonly xid: number; readonly table: string }[];
}

/** Catalogs have lower file numbers. */
const firstNormalFile = 16384;

type EventOf<K extends WalEvent['kind']> = Extract<WalEvent, { kind: K }>;

export class HistoryBuilder {
  readonly #items: HistoryItem[] = [];
  readonly #open = new Map<string, OpenTransaction>();
  readonly #prepared = new Map<number, Transaction>();
  #committed: CatalogSnapshot;

  constructor(readonly run: WorkloadRun) {
    this.#committed = run.catalog;
  }

  get history(): History {
    return { items: this.#items, open: [...this.#open.values()] };
  }

  add(statement: StatementRun, events: readonly WalEvent[]): void {
    const ddl = statement.told.filter((told): told is ToldDdl => told.kind === 'ddl');
    const step = new StatementStep(statement, ddl);
    this.#open.get(statement.session)?.rows.forget();
    for (const event of events) {
      while (step.ddl.length > 0 && step.ddl[0]!.lsn <= event.lsn) this.#alter(step, step.ddl.shift()!);
      this.#take(step, event);
    }
    while (step.ddl.length > 0) this.#alter(step, step.ddl.shift()!);
    const transaction = this.#open.get(statement.session);
    if (transaction) this.#flushTouched(transaction, step, transaction.lastXid, statement.endLsn);
    if (statement.catalog) this.#committed = statement.catalog;
  }

  #take(step: StatementStep, event: WalEvent): void {
    switch (event.kind) {
      case 'commit':
      case 'abort':
        return this.#end(step, event);
      case 'prepare':
        return this.#prepare(step, event);
      case 'message':
        if (event.transactional) break;
        this.#items.push({
          kind: 'message',
          message: {
            kind: 'message',
            lsn: event.lsn,
            endLsn: event.endLsn,
            xid: 0,
            prefix: event.prefix,
            content: event.content,
          },
          origin: this.#origin(step, event, 0n, 0n),
          lsn: event.lsn,
          endLsn: event.endLsn,
        });
        return;
      case 'invalidations':
        if (event.xid !== 0) break;
        this.#items.push({
          kind: 'touch',
          tables: this.#tables(this.#committed, event.relations),
          lsn: event.lsn,
          endLsn: event.endLsn,
        });
        return;
      default:
    }
    if (event.xid !== 0) this.#change(step, event);
  }

  #transaction(step: StatementStep, event: WalEvent): OpenTransaction {
    let transaction = this.#open.get(step.session);
    if (transaction === undefined) {
      transaction = {
        xid: event.topXid ?? event.xid,
        firstLsn: event.lsn,
        changes: [],
        decoded: false,
        end: undefined,
        catalogs: [],
        rows: new RowMatcher(),
        lastXid: event.xid,
        touched: new Set(),
        covered: new Set(),
        commands: [],
        untold: [],
      };
      this.#open.set(step.session, transaction);
    }
    return transaction;
  }

  #view(session: string): CatalogSnapshot {
    return this.#open.get(session)?.catalogs.at(-1)?.catalog ?? this.#committed;
  }

  #change(step: StatementStep, event: WalEvent): void {
    const transaction = this.#transaction(step, event);
    const { lsn, xid } = event;
    transaction.lastXid = xid;
    transaction.decoded ||= event.kind !== 'other' && event.kind !== 'invalidations';
    switch (event.kind) {
      case 'insert':
      case 'update':
      case 'delete': {
        const told = step.rows.find(event);
        if (told === undefined) {
          this.#untold(step, transaction, event);
          return;
        }
        transaction.xid = told.xid;
        const table = this.#madeTable(step, told.relation);
        if (table.persistence !== 'p') return;
        this.#flushTouched(transaction, step, xid, lsn);
        transaction.changes.push(transaction.rows.match(event, told, table));
        step.catalogRecord = undefined;
        return;
      }
      case 'truncate': {
        const { cascade, restart } = event;
        const files = step.catalogRecord;
        this.#flushTouched(transaction, step, xid, lsn);
        const tables = this.#tables(this.#view(step.session), event.relations);
        // The new files are made before it is logged.
        if (files?.decoded === true)
          transaction.changes.push({ kind: 'touch', lsn: files.lsn, xid: files.xid, tables });
        transaction.changes.push({ kind: 'truncate', lsn, xid, tables, cascade, restart });
        return;
      }
      case 'message': {
        const { endLsn, prefix, content } = event;
        this.#flushTouched(transaction, step, xid, lsn);
        transaction.changes.push({ kind: 'message', lsn, endLsn, xid, prefix, content });
        return;
      }
      case 'invalidations':
        for (const oid of event.relations) transaction.touched.add(oid);
        return;
      default:
    }
  }

  /**
   * A record without a row that was told: of a catalog, of TOAST, of a table that is rewritten. Or of a row that a unique
   * index refused after it had been written: nobody can tell its values, and it must have been rolled back.
   */
  #untold(step: StatementStep, transaction: OpenTransaction, event: EventOf<'insert' | 'update' | 'delete'>): void {
    transaction.rows.pass(event);
    if (event.file < firstNormalFile) step.meetCatalog(event);
    const table = this.#view(step.session).tables?.find(({ file }) => file === event.file);
    if (table === undefined || (event.kind === 'insert' && event.speculative)) return;
    transaction.untold = [...transaction.untold, { xid: event.xid, table: table.name }];
  }

  /** It stands where it first wrote to a catalog. */
  #alter(step: StatementStep, { lsn, catalog }: ToldDdl): void {
    const before = this.#view(step.session);
    const transaction = this.#open.get(step.session);
    if (transaction === undefined) return;
    const at = step.catalogRecord?.lsn ?? lsn;
    const xid = step.catalogRecord?.xid ?? transaction.lastXid;
    if (!sameCatalog(before, catalog)) {
      for (const oid of changedTables(before, catalog)) transaction.covered.add(oid);
      transaction.changes.push({ kind: 'ddl', lsn: at, xid, before, after: catalog });
      step.catalogRecord = undefined;
    }
    transaction.catalogs.push({ xid, catalog });
  }

  /** A table that CREATE TABLE AS makes has rows before the command has ended and told of it. */
  #madeTable(step: StatementStep, oid: number): CatalogTable {
    const known = findTable(this.#view(step.session), oid);
    if (known) return known;
    const maker = step.ddl.findIndex(({ catalog }) => findTable(catalog, oid) !== undefined);
    if (maker < 0) throw new Error(`no catalog told has the relation ${oid}`);
    for (const ddl of step.ddl.splice(0, maker + 1)) this.#alter(step, ddl);
    return findTable(this.#view(step.session), oid)!;
  }

  #flushTouched(transaction: OpenTransaction, step: StatementStep, xid: number, lsn: bigint): void {
    // WAL of major 10 has no TRUNCATE.
    if (this.run.major === 10 && !step.truncateTold) {
      step.truncateTold = true;
      const tables = this.#tables(this.#view(step.session), [...step.truncated]);
      if (tables.length > 0)
        transaction.changes.push({ kind: 'truncate', lsn, xid, tables, cascade: false, restart: false });
    }
    // What follows DDL that was told is the recorder's work on a table that was made.
    const isMore = step.catalogRecord?.decoded === true;
    const relations = [...transaction.touched].filter(
      (oid) => (isMore || !transaction.covered.has(oid)) && !step.truncated.has(oid),
    );
    const tables = this.#tables(this.#view(step.session), relations);
    if (tables.length > 0)
      transaction.changes.push({
        kind: 'touch',
        lsn: step.catalogRecord?.lsn ?? lsn,
        xid: step.catalogRecord?.xid ?? xid,
        tables,
      });
    step.catalogRecord = undefined;
    transaction.touched.clear();
    transaction.covered.clear();
    if (this.run.major < 14 && step.command) {
      const { lsn: after } = transaction.changes.at(-1) ?? step.command;
      const at = step.command.lsn > after ? step.command.lsn : after;
      const touch = { kind: 'touch' as const, lsn: at, xid: step.command.xid, tables: [] };
      transaction.changes.push(touch);
      transaction.commands.push({ touch, catalog: this.#view(step.session) });
    }
    step.command = undefined;
  }

  #end(step: StatementStep, event: EventOf<'commit'> | EventOf<'abort'>): void {
    const { kind, lsn, endLsn, time, subxids } = event;
    const end: End = {
      kind,
      lsn,
      endLsn,
      time,
      gid: '',
      subxids,
      origin: this.#origin(step, event, event.originLsn, event.originTime),
    };
    if (event.preparedXid !== undefined) {
      const transaction = this.#prepared.get(event.preparedXid);
      if (transaction === undefined) return;
      const outcome = kind === 'commit' ? 'commit' : 'rollback';
      this.#items.push({ kind: 'prepared', outcome, transaction, end, lsn, endLsn });
      return;
    }
    const transaction = this.#transaction(step, event);
    if (kind === 'abort' && event.xid !== transaction.xid) {
      const aborted = new Set([...subxids, event.xid]);
      const left = transaction.catalogs.filter(({ xid }) => !aborted.has(xid));
      transaction.catalogs.splice(0, Infinity, ...left);
      transaction.touched.clear();
      transaction.untold = transaction.untold.filter(({ xid }) => !aborted.has(xid));
      transaction.changes.push({ kind: 'abort', lsn, endLsn, time, xid: event.xid, subxids: [...aborted] });
      return;
    }
    if (kind === 'commit') {
      const [untold] = transaction.untold;
      if (untold)
        throw new Error(`a row of ${untold.table} was written and committed, and the recorder did not tell of it`);
      transaction.xid = event.xid;
      this.#coverLate(transaction, event.invalidated);
      this.#committed = transaction.catalogs.at(-1)?.catalog ?? this.#committed;
    }
    this.#flushTouched(transaction, step, event.xid, lsn);
    const shown = transaction.changes.filter((change) => change.kind !== 'touch' || change.tables.length > 0);
    transaction.changes.splice(0, Infinity, ...shown);
    transaction.end = end;
    this.#open.delete(step.session);
    this.#items.push({ kind: 'transaction', lsn, endLsn, transaction });
  }

  /** What only the commit record tells: up to 13 all invalidations, later those of the last command. */
  #coverLate(transaction: OpenTransaction, invalidated: readonly number[]): void {
    for (const { touch, catalog } of transaction.commands) touch.tables.push(...this.#tables(catalog, invalidated));
    const told = new Set<number>();
    for (const change of transaction.changes) {
      if (change.kind === 'ddl') for (const oid of changedTables(change.before, change.after)) told.add(oid);
      if (change.kind === 'truncate' || change.kind === 'touch') for (const { oid } of change.tables) told.add(oid);
    }
    for (const oid of invalidated) if (!told.has(oid)) transaction.touched.add(oid);
  }

  #prepare(step: StatementStep, event: EventOf<'prepare'>): void {
    const { lsn, endLsn, time, gid, subxids } = event;
    const transaction = this.#transaction(step, event);
    transaction.xid = event.xid;
    this.#flushTouched(transaction, step, event.xid, lsn);
    const origin = this.#origin(step, event, event.originLsn, event.originTime);
    transaction.end = { kind: 'prepare', lsn, endLsn, time, gid, subxids, origin };
    this.#open.delete(step.session);
    this.#prepared.set(event.xid, transaction);
    this.#items.push({ kind: 'transaction', lsn, endLsn, transaction });
  }

  #origin({ statement }: StatementStep, { origin }: WalEvent, lsn: bigint, time: bigint): Origin | undefined {
    const name = statement.origins[String(origin)];
    return origin === 0 || name === undefined ? undefined : { name, lsn, time };
  }

  #tables(catalog: CatalogSnapshot, oids: readonly number[]): CatalogTable[] {
    return oids
      .map((oid) => findTable(catalog, oid))
      .filter((table): table is CatalogTable => table?.persistence === 'p');
  }
}

/** One statement while its records are gone through. */
class StatementStep {
  readonly session: string;
  readonly rows: ToldRows;
  /** Relations that it truncates: TRUNCATE is told as a change, and what it invalidates follows from that. */
  readonly truncated: ReadonlySet<number>;
  truncateTold = false;
  /** Where the catalogs were first written to since the last change. Insertions are none to decoding, if there is anything else. */
  catalogRecord: { readonly lsn: bigint; readonly xid: number; readonly decoded: boolean } | undefined;

  command: { readonly lsn: bigint; readonly xid: number } | undefined;

  constructor(
    readonly statement: StatementRun,
    readonly ddl: ToldDdl[],
  ) {
    this.session = statement.session;
    this.rows = new ToldRows(statement.told);
    this.truncated = new Set(statement.told.flatMap((told) => (told.kind === 'truncate' ? [told.relation] : [])));
  }

  meetCatalog({ kind, lsn, xid }: WalEvent): void {
    this.command ??= { lsn, xid };
    if (this.catalogRecord?.decoded === true) return;
    const decoded = kind !== 'insert';
    if (decoded || this.catalogRecord === undefined) this.catalogRecord = { lsn, xid, decoded };
  }
}
