/** DDL: what becomes of the catalogs, and which cached Relations a server throws away for it. */
import type { PartitionBound, Publication } from '../timeline/catalog.js';
import type { Invalidation } from '../timeline/timeline.js';
import type { PgType } from '../postgres/pg-type.js';
import { alterTable, reachesDescendants } from './alter-table.js';
import type { PublicationDeclaration, TableDeclaration, TableName } from './declaration.js';
import { NeedsDatabase } from './database-state.js';
import { changedMemberOids, changePublication, definePublication, memberOids } from './publication-definition.js';
import { checkUnpublished, withRenamedColumn } from './published-columns.js';
import type { AlterPublication, AlterTable, Place } from './statement.js';
import { StatementError } from './statement-error.js';
import { descendants, findTable, type StoredTable } from './stored-table.js';
import { defineBound } from './partition-routing.js';
import { asPartition, defineTables } from './table-definition.js';
import { ofAlterTable, ofDroppedTable, ofPublication } from './system-catalogs.js';
import type { TransactionWriter } from './transaction-writer.js';
import { OidCounter } from './wal.js';

export function createTable(writer: TransactionWriter, declaration: TableDeclaration, place: Place): StoredTable {
  prepareDdl(writer);
  refuseTaken(writer, declaration);
  const tables = defineTables(declaration, writer.catalog, writer.state.oids, writer.state.major);
  const oids = tables.map((table) => table.oid);
  const parent = tables[0]!.partitionOf;
  // A new partition changes its parent's description, and what the default partition may hold.
  const touched = parent === null ? oids : [...oids, parent, ...defaultPartitions(writer, parent)];
  writer.changeCatalog(
    { tables: byOid(tables) },
    { kind: 'tables', oids: touched },
    parent === null ? [] : ['pg_class'],
    place,
  );
  writer.subtransactions.ownFiles(oids);
  return tables[0]!;
}

/** No transaction's DDL: every transaction sees it at once. */
export function redefineTable(writer: TransactionWriter, name: TableName, declaration: TableDeclaration): void {
  const { state } = writer;
  const table = findTable(writer.catalog, name);
  const [seen] = defineTables({ ...declaration, oid: table.oid }, writer.catalog, new OidCounter(), state.major);
  const columns = seen!.columns.map((column) => table.columns.findIndex((old) => old.name === column.name));
  state.redefine(seen!, (row) => columns.map((position) => row[position] ?? null));
}

export function dropTable(writer: TransactionWriter, name: TableName, place: Place): void {
  prepareDdl(writer);
  const table = findTable(writer.catalog, name);
  const dropped = [table, ...descendants(writer.catalog, table)];
  for (const one of dropped) writer.state.checkDdlLock(one, writer);
  const tables = new Map(dropped.map(({ oid }) => [oid, null]));
  const publications = new Map(withoutTables(writer, [...tables.keys()]));
  const oids = table.partitionOf === null ? [...tables.keys()] : [...tables.keys(), table.partitionOf];
  const invalidation: Invalidation =
    publications.size === 0 ? { kind: 'tables', oids } : { kind: 'publication', statement: 'dropTables', oids };
  writer.changeCatalog({ tables, publications }, invalidation, ofDroppedTable, place);
}

export function alterTables(
  writer: TransactionWriter,
  name: TableName,
  actions: readonly AlterTable[],
  place: Place,
): void {
  prepareDdl(writer);
  const target = findTable(writer.catalog, name);
  const altered = new Map<number, StoredTable>();
  const rewritten = [];
  const publications = new Map<string, Publication>();
  for (const action of actions) {
    if (action.kind === 'renameTo') refuseTaken(writer, { namespace: target.namespace, name: action.name });
    if (action.kind === 'setSchema') refuseTaken(writer, { namespace: action.namespace, name: target.name });
    const below = reachesDescendants(action) ? descendants(writer.catalog, target) : [];
    for (const one of [target, ...below]) {
      const before = altered.get(one.oid) ?? one;
      checkUnpublished(writer.catalog, before, action);
      const after = alterTable(before, action, writer.state.major);
      altered.set(one.oid, after.table);
      if (after.table.kind === 'r') rewritten.push(after);
      if (action.kind === 'renameColumn') {
        for (const publication of writer.catalog.publications?.values() ?? []) {
          const latest = publications.get(publication.name) ?? publication;
          if (latest.tables.has(one.oid))
            publications.set(latest.name, withRenamedColumn(latest, one.oid, action.from, action.to));
        }
      }
    }
  }
  writer.changeCatalog(
    { tables: altered, publications },
    { kind: 'tables', oids: [...altered.keys()] },
    actions.flatMap(ofAlterTable),
    place,
    rewritten,
  );
}

export function attachPartition(
  writer: TransactionWriter,
  parentName: TableName,
  name: TableName,
  bound: PartitionBound,
  place: Place,
): void {
  prepareDdl(writer);
  const parent = findTable(writer.catalog, parentName);
  const table = findTable(writer.catalog, name);
  const siblings = [...writer.catalog.tables.values()].filter((other) => other.partitionOf === parent.oid);
  const attached = asPartition(parent, table, defineBound(parent, name.name, bound, siblings, writer.state.major));
  const oids = [parent.oid, table.oid, ...defaultPartitions(writer, parent.oid)];
  writer.changeCatalog({ tables: byOid([attached]) }, { kind: 'tables', oids }, ['pg_class'], place);
}

export function detachPartition(writer: TransactionWriter, parentName: TableName, name: TableName, place: Place): void {
  prepareDdl(writer);
  const parent = findTable(writer.catalog, parentName);
  const table = findTable(writer.catalog, name);
  if (table.partitionOf !== parent.oid) {
    throw new StatementError(
      { code: '42P01', message: `relation "${name.name}" is not a partition of relation "${parentName.name}"` },
      { kind: 'partition', name: name.name },
    );
  }
  const oids = [parent.oid, table.oid, ...defaultPartitions(writer, parent.oid)];
  const detached = { ...table, partitionOf: null, bound: null };
  writer.changeCatalog({ tables: byOid([detached]) }, { kind: 'tables', oids }, ['pg_depend', 'pg_class'], place);
}

export function createPublication(writer: TransactionWriter, declaration: PublicationDeclaration, place: Place): void {
  prepareDdl(writer);
  const { state, catalog } = writer;
  const publication = definePublication(declaration, catalog, state.major, state.oids.take(declaration.oid));
  replacePublication(writer, 'create', null, publication, place);
}

export function alterPublication(
  writer: TransactionWriter,
  name: string,
  change: AlterPublication,
  place: Place,
): void {
  prepareDdl(writer);
  const { catalog } = writer;
  const before = findPublication(writer, name);
  const after = changePublication(before, change, catalog, writer.state.major);
  if (change.kind === 'rename' && catalog.publications!.has(change.to)) {
    throw new StatementError(
      { code: '42710', message: `publication "${change.to}" already exists` },
      { kind: 'publication', name: change.to },
    );
  }
  const statements = {
    add: 'addTables',
    drop: 'dropTables',
    set: 'setTables',
    options: 'options',
    rename: 'rename',
  } as const;
  replacePublication(writer, statements[change.kind], before, after, place);
}

export function dropPublication(writer: TransactionWriter, name: string, place: Place): void {
  prepareDdl(writer);
  replacePublication(writer, 'drop', findPublication(writer, name), null, place);
}

export type PublicationStatement = Extract<Invalidation, { readonly kind: 'publication' }>['statement'];

/** What such a statement comes down to, for whoever has checked it. Null: there was, or is, none. */
export function replacePublication(
  writer: TransactionWriter,
  statement: PublicationStatement,
  before: Publication | null,
  after: Publication | null,
  place: Place,
): void {
  prepareDdl(writer);
  const { catalog, state } = writer;
  const publications = new Map<string, Publication | null>();
  if (before !== null) publications.set(before.name, null);
  if (after !== null) publications.set(after.name, after);
  const isWhole = before === null || after === null || statement === 'options' || statement === 'rename';
  const oids = isWhole
    ? memberOids((before ?? after)!, catalog, state.major)
    : changedMemberOids(before, after, catalog);
  const allTables =
    isWhole && statement !== 'rename' && (before ?? after)!.allTables ? { allTables: true as const } : {};
  const invalidation = { kind: 'publication', statement, oids, ...allTables } as const;
  writer.changeCatalog({ publications }, invalidation, ofPublication(statement), place);
}

/** CREATE, DROP or RENAME SCHEMA. */
export function changeSchema(
  writer: TransactionWriter,
  change: { readonly rename?: readonly [from: string, to: string] },
  place: Place,
): void {
  prepareDdl(writer);
  const [from, to] = change.rename ?? [];
  const moved = [...writer.catalog.tables.values()].filter((table) => table.namespace === from);
  const tables = byOid(moved.map((table) => ({ ...table, namespace: to! })));
  const publications = new Map<string, Publication>();
  for (const publication of writer.catalog.publications?.values() ?? []) {
    if (!publication.schemas.includes(from!)) continue;
    const schemas = publication.schemas.map((schema) => (schema === from ? to! : schema));
    publications.set(publication.name, { ...publication, schemas });
  }
  writer.changeCatalog(
    { tables, publications },
    { kind: 'schema' },
    change.rename === undefined ? [] : ['pg_namespace'],
    place,
  );
}

/** CREATE TYPE. */
export function createType(writer: TransactionWriter, type: PgType, place: Place): void {
  prepareDdl(writer);
  writer.changeCatalog({ types: new Map([[type.oid, type]]) }, { kind: 'none' }, [], place);
}

/** ALTER TYPE: a type with the same OID takes the place of the old one. No Relation is sent again for it. */
export function replaceType(writer: TransactionWriter, type: PgType, place: Place): void {
  prepareDdl(writer);
  const users = [...writer.catalog.tables.values()].filter((table) =>
    table.columns.some((column) => column.type.oid === type.oid),
  );
  const tables = users.map((table) => ({
    ...table,
    columns: table.columns.map((column) => (column.type.oid === type.oid ? { ...column, type } : column)),
  }));
  writer.changeCatalog(
    { tables: byOid(tables), types: new Map([[type.oid, type]]) },
    { kind: 'none' },
    ['pg_type'],
    place,
  );
}

/** What VACUUM FULL, ANALYZE, GRANT … do without changing what a table is. */
export function invalidate(writer: TransactionWriter, invalidation: Invalidation, place: Place): void {
  prepareDdl(writer);
  writer.changeCatalog({}, invalidation, ['pg_class'], place);
}

function prepareDdl(writer: TransactionWriter): void {
  writer.checkOpen();
  if (writer.state.rowsElsewhere !== null) throw new NeedsDatabase();
}

function refuseTaken(writer: TransactionWriter, { namespace, name }: TableName): void {
  for (const table of writer.catalog.tables.values()) {
    if (table.namespace === namespace && table.name === name) {
      throw new StatementError(
        { code: '42P07', message: `relation "${name}" already exists` },
        { kind: 'table', name },
      );
    }
  }
}

function findPublication(writer: TransactionWriter, name: string): Publication {
  const publication = writer.catalog.publications?.get(name);
  if (publication === undefined) {
    throw new StatementError(
      { code: '42704', message: `publication "${name}" does not exist` },
      { kind: 'publication', name },
    );
  }
  return publication;
}

function defaultPartitions(writer: TransactionWriter, parent: number): number[] {
  return [...writer.catalog.tables.values()]
    .filter((table) => table.partitionOf === parent && table.bound?.kind === 'default')
    .map((table) => table.oid);
}

function* withoutTables(writer: TransactionWriter, oids: readonly number[]): Generator<[string, Publication]> {
  for (const publication of writer.catalog.publications?.values() ?? []) {
    if (!oids.some((oid) => publication.tables.has(oid))) continue;
    const tables = new Map([...publication.tables].filter(([oid]) => !oids.includes(oid)));
    yield [publication.name, { ...publication, tables }];
  }
}

function byOid(tables: readonly StoredTable[]): Map<number, StoredTable> {
  return new Map(tables.map((table) => [table.oid, table]));
}
