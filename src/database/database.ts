/**
 * The emulated publisher: executes statements on tracked rows, refuses what a server would refuse, assigns OIDs, xids,
 * LSNs and times, and makes the events of a timeline.
 *
 * Values come in as canonical text (see postgres/pg-type.ts): the caller, who knows where each one stands, has put them
 * through their type's input function. Every refusal is a StatementError.
 *
 * Statements run in the order of the calls; that order is the order of WAL. Several transactions may be open at once.
 */
import type { PgType } from '../postgres/pg-type.js';
import type { Catalog, Publication, Table } from '../timeline/catalog.js';
import type { Row } from '../timeline/datum.js';
import type { ServerFacts, Timeline, TimelineEvent } from '../timeline/timeline.js';
import { DatabaseState } from './database-state.js';
import type { PublicationDeclaration, RowValues, TableDeclaration, TableName } from './declaration.js';
import { EventLog } from './event-log.js';
import { checkPartitionConstraint, routeRow } from './partition-routing.js';
import { definePublication } from './publication-definition.js';
import { StatePublisher } from './publisher.js';
import { checkNotNull, completeRow } from './row-values.js';
import { StatementError } from './statement-error.js';
import { findTable, rowTables, type StoredCatalog } from './stored-table.js';
import { defineTables } from './table-definition.js';
import { OidCounter, Wal } from './wal.js';

export interface DatabaseOptions {
  readonly server: ServerFacts;
  /** Microseconds that the clock moves per commit, abort, prepare and outcome. */
  readonly clockStep: bigint;
  /** The next transaction id, 3 to 2^32-1. After 2^32-1 comes 3. */
  readonly nextXid: number;
  /** The next OID for what pins none; 16384 where absent. */
  readonly nextOid?: number;
  /** OIDs that declarations will pin later: the counter keeps off them. */
  readonly pinnedOids?: Iterable<number>;
}

export class Database extends StatePublisher {
  readonly #server: ServerFacts;

  constructor({ server, clockStep, nextXid, nextOid, pinnedOids }: DatabaseOptions) {
    const position = { lsn: server.startLsn, xid: nextXid, time: server.clock };
    const oids = new OidCounter(nextOid);
    oids.reserve(pinnedOids ?? []);
    const catalog: StoredCatalog = { tables: new Map(), publications: null, types: new Map() };
    super(new DatabaseState(new Wal(position, clockStep, server.major), oids, new EventLog(), catalog, new Map()));
    this.#server = server;
  }

  /**
   * Everything that `body` does, or nothing: when it throws, the database is as before, open transactions included.
   * Readers learn of it when it is done.
   * @param body - may ask for the events that it has made so far, with or without those of untracked `repeat`s
   * @throws what `body` throws; TypeError inside another attempt
   */
  attempt<T>(body: (events: (options?: { rounds?: boolean }) => Iterable<TimelineEvent>) => T): T {
    const { log } = this.state;
    return this.state.attempt(() => body(({ rounds = false } = {}) => log.held(rounds)));
  }

  /** The committed catalogs. */
  get catalog(): Catalog {
    return this.state.catalog;
  }

  /** The xid that is assigned next. */
  get nextXid(): number {
    return this.state.wal.position.xid;
  }

  /** The next free OID, or `pin` (refused when it is in use). For what callers make themselves: types. */
  takeOid(pin?: number): number {
    return this.state.oids.take(pin);
  }

  // Before the stream: declarations leave no trace in the timeline but its starting catalogs and rows.

  /** @param type - made by the caller, with an OID from `takeOid` */
  createType(type: PgType): void {
    this.#declare({ types: new Map([...this.state.catalog.types, [type.oid, type]]) });
  }

  /** @returns the table; its partitions are created with it */
  createTable(declaration: TableDeclaration): Table {
    const { catalog, oids, major } = this.state;
    for (const { namespace, name } of catalog.tables.values()) {
      if (namespace === declaration.namespace && name === declaration.name) {
        throw new StatementError(
          { code: '42P07', message: `relation "${name}" already exists` },
          { kind: 'table', name },
        );
      }
    }
    const tables = defineTables(declaration, catalog, oids, major);
    this.#declare({ tables: new Map([...catalog.tables, ...tables.map((table) => [table.oid, table] as const)]) });
    return tables[0]!;
  }

  createPublication(declaration: PublicationDeclaration): Publication {
    const { catalog, oids, major } = this.state;
    const publication = definePublication(declaration, catalog, major, oids.take(declaration.oid));
    this.#declare({ publications: new Map([...(catalog.publications ?? []), [publication.name, publication]]) });
    return publication;
  }

  /**
   * Publications as if they had been declared so before the stream: for statements that come before anybody has read it.
   * @param before - null: there was none; @param after - null: there is none
   */
  redeclarePublication(before: Publication | null, after: Publication | null): void {
    this.state.redeclarePublication(before, after);
  }

  /** Rows that the table holds before the stream starts; routed when it is partitioned. One call per row tells which is refused. */
  loadRows(name: TableName, rows: Iterable<RowValues>): void {
    const { catalog } = this.state;
    const table = findTable(catalog, name);
    for (const values of rows) {
      const { leaf, row } = routeRow(catalog, table, completeRow(table, values, this.state));
      if (table.partitionOf !== null) checkPartitionConstraint(catalog, leaf, row);
      checkNotNull(leaf, row, this.state.major);
      this.state.store(leaf).load(row);
    }
  }

  /** The committed rows of a table, its partitions and inheriting tables, each in its own table's column order. */
  rows(name: TableName): readonly Row[] {
    const { catalog } = this.state;
    return rowTables(catalog, findTable(catalog, name)).flatMap((table) => this.state.store(table).committedRows());
  }

  /** The events so far and those to come. */
  get timeline(): Timeline {
    const { state } = this;
    return {
      server: this.#server,
      catalog: state.catalogs[0]!.catalog,
      read: () => state.log.read(),
      onGrowth: (listener) => state.log.onGrowth(listener),
      catalogAt: (lsn) => state.catalogAt(lsn),
      tablesAt: (lsn) => new Map([...state.stores].map(([oid, store]) => [oid, store.rowsAt(lsn)])),
    };
  }

  #declare(change: Partial<StoredCatalog>): void {
    this.state.declare({ ...this.state.catalog, ...change });
  }
}
