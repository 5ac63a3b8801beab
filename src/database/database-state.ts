/** What the statements of all transactions work on. */
import type { Publication } from '../timeline/catalog.js';
import type { PgType } from '../postgres/pg-type.js';
import type { PreparedOutcome, Transaction } from '../timeline/timeline.js';
import type { Row } from '../timeline/datum.js';
import type { EventLog } from './event-log.js';
import { keepMap } from './keep-map.js';
import { RowStore, type Owner, type RowJournal } from './row-store.js';
import type { Sequences } from './row-values.js';
import { StatementError } from './statement-error.js';
import type { StoredCatalog, StoredTable } from './stored-table.js';
import type { OidCounter, Wal, WalPosition } from './wal.js';

/** DDL of one transaction: what it has made of the committed catalogs. Null: dropped. */
export interface CatalogPatch {
  readonly tables: ReadonlyMap<number, StoredTable | null>;
  readonly publications: ReadonlyMap<string, Publication | null>;
  readonly types: ReadonlyMap<number, PgType>;
}

/** An open transaction, as others see it. */
export interface OpenOwner extends Owner {
  /** The catalogs have become these by another transaction's commit. */
  catalogsChanged(commit: DdlCommit): void;
  /** @returns how to make it again what it is now */
  mark(): () => void;
}

/** Thrown in a stand-in (see repeat.ts) when a round needs what only the database itself keeps. */
export class NeedsDatabase extends Error {}

/** For a stand-in: which tables have rows in the database that it stands in for. */
export type RowsElsewhere = (oid: number) => boolean;

export interface PreparedTransaction {
  readonly record: Transaction;
  finish(outcome: PreparedOutcome): void;
}

export interface DdlCommit {
  readonly by: Transaction;
  /** Start and end of the commit record. */
  readonly lsn: bigint;
  readonly endLsn: bigint;
}

export class DatabaseState implements Sequences {
  readonly journal: RowJournal = { entries: null };
  readonly stores = new Map<number, RowStore>();
  readonly open = new Set<OpenOwner>();
  readonly prepared = new Map<string, PreparedTransaction>();
  /** Tables whose definition an open transaction is changing, by OID. */
  readonly ddlLocks = new Map<number, OpenOwner>();
  /** Committed catalogs, oldest first. */
  readonly catalogs: { since: bigint; catalog: StoredCatalog }[];
  /** Catalogs that DDL has made, of whole transactions and in the middle of them. */
  readonly #made: StoredCatalog[] = [];
  /** Transactions with DDL, in the order of their commits. */
  readonly ddlCommits: DdlCommit[] = [];

  constructor(
    readonly wal: Wal,
    readonly oids: OidCounter,
    readonly log: EventLog,
    catalog: StoredCatalog,
    /** Next values of identity columns, by table OID and attnum. */
    readonly sequences: Map<string, number>,
    /** Set in a stand-in. */
    readonly rowsElsewhere: RowsElsewhere | null = null,
  ) {
    this.catalogs = [{ since: 0n, catalog }];
  }

  get catalog(): StoredCatalog {
    return this.catalogs.at(-1)!.catalog;
  }

  /** The catalogs as of a position. */
  catalogAt(lsn: bigint): StoredCatalog {
    return this.catalogs.findLast(({ since }) => since <= lsn)!.catalog;
  }

  /** Before the stream: other catalogs to start with. */
  declare(catalog: StoredCatalog): void {
    this.catalogs[0] = { since: 0n, catalog };
  }

  get major(): number {
    return this.wal.major;
  }

  store(table: StoredTable): RowStore {
    let store = this.stores.get(table.oid);
    if (store === undefined) {
      store = new RowStore(table, this.journal, this.rowsElsewhere === null);
      this.stores.set(table.oid, store);
    }
    return store;
  }

  next(table: StoredTable, position: number): string {
    const key = `${table.oid}.${table.attnums[position]!}`;
    const value = this.sequences.get(key) ?? 1;
    this.sequences.set(key, value + 1);
    return String(value);
  }

  /** TRUNCATE … RESTART IDENTITY. */
  restartSequences(oid: number): void {
    for (const key of [...this.sequences.keys()]) if (key.startsWith(`${oid}.`)) this.sequences.delete(key);
  }

  /** @throws StatementError 55P03 when another open transaction is changing the table's definition */
  checkDdlLock(table: StoredTable, owner: OpenOwner): void {
    const holder = this.ddlLocks.get(table.oid);
    if (holder === undefined || holder === owner) return;
    throw new StatementError(
      {
        code: '55P03',
        message: `table "${table.name}" is being altered by another open transaction (xid ${holder.xid})`,
        hint: 'A real server would wait for that transaction to end.',
      },
      { kind: 'table', name: table.name },
    );
  }

  /**
   * Everything that `body` does, or nothing: when it throws, all is as before. Readers learn of it when it is done.
   * @throws what `body` throws; TypeError inside another one
   */
  attempt<T>(body: () => T): T {
    const { journal, log } = this;
    if (journal.entries !== null) throw new TypeError('an attempt cannot be made within another one');
    const rows: (() => void)[] = [];
    const comeBack = this.#mark();
    journal.entries = rows;
    log.hold();
    try {
      return body();
    } catch (error) {
      journal.entries = null;
      while (rows.length > 0) rows.pop()!();
      comeBack();
      log.drop();
      throw error;
    } finally {
      journal.entries = null;
      log.release();
    }
  }

  #mark(): () => void {
    const parts = [this.wal, this.oids, ...this.open].map((part) => part.mark());
    const maps = [this.sequences, this.prepared, this.ddlLocks].map((map) => keepMap<unknown, unknown>(map));
    const open = [...this.open];
    const stores = [...this.stores.keys()];
    const [catalogs, ddlCommits] = [this.catalogs.length, this.ddlCommits.length];
    return () => {
      for (const part of [...parts, ...maps]) part();
      this.open.clear();
      for (const owner of open) this.open.add(owner);
      for (const oid of [...this.stores.keys()]) if (!stores.includes(oid)) this.stores.delete(oid);
      this.catalogs.length = catalogs;
      this.ddlCommits.length = ddlCommits;
    };
  }

  /** A stand-in forgets all that it was told, and goes on at another position. */
  restart(position: WalPosition): void {
    this.wal.moveTo(position);
    this.log.clear();
    this.stores.clear();
    this.open.clear();
    this.ddlLocks.clear();
  }

  /** Another version of a table, without a transaction's DDL. @param convert - a row of the old version → one of the new */
  redefine(table: StoredTable, convert: (row: Row) => Row): void {
    this.commitPatch(
      { tables: new Map([[table.oid, table]]), publications: new Map(), types: new Map() },
      this.wal.lsn,
    );
    this.stores.get(table.oid)?.redefine(table, convert);
  }

  /** The catalogs with a patch laid over them. */
  patched(catalog: StoredCatalog, patch: CatalogPatch): StoredCatalog {
    const result = patched(catalog, patch);
    this.#made.push(result);
    return result;
  }

  /** In every catalog that there was or will be, as far as DDL of the stream has not made something else of it. */
  redeclarePublication(before: Publication | null, after: Publication | null): void {
    for (const catalog of [...this.catalogs.map(({ catalog }) => catalog), ...this.#made]) {
      const publications = new Map(catalog.publications ?? []);
      if (before !== null && publications.get(before.name) === before) publications.delete(before.name);
      if (after !== null) publications.set(after.name, after);
      // Transactions hold on to these very objects.
      Object.assign(catalog, { publications });
    }
  }

  /** Makes a transaction's DDL everybody's. */
  commitPatch(patch: CatalogPatch, endLsn: bigint): void {
    this.catalogs.push({ since: endLsn, catalog: this.patched(this.catalog, patch) });
  }
}

function patched(catalog: StoredCatalog, patch: CatalogPatch): StoredCatalog {
  return {
    tables: merged(catalog.tables, patch.tables),
    publications:
      catalog.publications === null && patch.publications.size === 0
        ? null
        : merged(catalog.publications ?? new Map<string, Publication>(), patch.publications),
    types: merged(catalog.types, patch.types),
  };
}

function merged<K, V>(base: ReadonlyMap<K, V>, patch: ReadonlyMap<K, V | null>): ReadonlyMap<K, V> {
  if (patch.size === 0) return base;
  const result = new Map(base);
  for (const [key, value] of patch) {
    if (value === null) result.delete(key);
    else result.set(key, value);
  }
  return result;
}
