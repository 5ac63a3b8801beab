/** CREATE TABLE: a declaration, with the partitions it holds, becomes tables with OIDs. */
import { formatType } from '../postgres/index.js';
import type { PartitionBound, Partitioning } from '../timeline/catalog.js';
import type {
  ColumnDeclaration,
  PartitionDeclaration,
  PartitioningDeclaration,
  TableDeclaration,
} from './declaration.js';
import { defineBound } from './partition-routing.js';
import { StatementError } from './statement-error.js';
import {
  canBeToasted,
  columnPositions,
  findTable,
  makeColumn,
  withIdentity,
  withIndex,
  withPrimaryKey,
  withReplicaIdentity,
  type StoredCatalog,
  type StoredTable,
} from './stored-table.js';
import type { OidCounter } from './wal.js';

/** How many OIDs a server gives to a table's row type, its array, its TOAST table and indexes. */
const oidsOfParts = 5;

/** @returns the table, then its partitions, each parent before its partitions */
export function defineTables(
  declaration: TableDeclaration,
  catalog: StoredCatalog,
  oids: OidCounter,
  major: number,
): StoredTable[] {
  const partitionOf = declaration.partitionOf;
  if (partitionOf !== undefined) {
    const parent = findTable(catalog, partitionOf.parent);
    const siblings = [...catalog.tables.values()].filter((table) => table.partitionOf === parent.oid);
    return definePartitions(parent, [{ ...declaration, bound: partitionOf.bound }], oids, siblings, major);
  }
  const inherits = (declaration.inherits ?? []).map((parent) => findTable(catalog, parent));
  // A sequence is its own table's.
  const inherited = inherits.flatMap((parent) =>
    parent.columns.map((_, i) => ({ ...declarationOf(parent, i), identity: false })),
  );
  const own = declaration.columns.filter((column) => !inherited.some((other) => other.name === column.name));
  let table = makeTable(declaration, [...inherited, ...own], oids.take(declaration.oid));
  table = { ...table, inherits: inherits.map((parent) => parent.oid) };
  if (declaration.primaryKey !== undefined) table = withPrimaryKey(table, declaration.primaryKey);
  table = finish(table, declaration);
  if (declaration.oid === undefined) oids.skip(oidsOfParts);
  return [table, ...definePartitions(table, declaration.partitions ?? [], oids, [], major)];
}

function definePartitions(
  parent: StoredTable,
  declarations: readonly PartitionDeclaration[],
  oids: OidCounter,
  existing: readonly StoredTable[],
  major: number,
): StoredTable[] {
  if (declarations.length > 0 && parent.partitioning === null) {
    throw new StatementError(
      { code: '42P17', message: `table "${parent.name}" is not partitioned` },
      { kind: 'table', name: parent.name },
    );
  }
  const siblings = [...existing];
  const made: StoredTable[] = [];
  for (const declaration of declarations) {
    const bound = defineBound(parent, declaration.name, declaration.bound, siblings, major);
    const table = definePartition(parent, { ...declaration, bound }, oids.take(declaration.oid));
    if (declaration.oid === undefined) oids.skip(oidsOfParts);
    siblings.push(table);
    made.push(table, ...definePartitions(table, declaration.partitions ?? [], oids, [], major));
  }
  return made;
}

function definePartition(parent: StoredTable, declaration: PartitionDeclaration, oid: number): StoredTable {
  const names = parent.columns.map((column) => column.name);
  const order = declaration.columnOrder ?? names;
  const positions = columnPositions(parent, order);
  if (new Set(positions).size !== names.length) {
    throw new StatementError(
      { code: '42804', message: `partition "${declaration.name}" must list every column of "${parent.name}" once` },
      { kind: 'partition', name: declaration.name },
    );
  }
  let table = makeTable(
    { ...declaration, namespace: declaration.namespace ?? parent.namespace },
    positions.map((i) => declarationOf(parent, i)),
    oid,
  );
  table = { ...table, partitionOf: parent.oid, bound: declaration.bound };
  if (parent.primaryKey !== null) {
    const columns = parent.primaryKey.columns.map((i) => parent.columns[i]!.name);
    table = withPrimaryKey(table, { columns, deferrable: parent.primaryKey.deferrable });
  } else if (declaration.primaryKey !== undefined) {
    table = withPrimaryKey(table, declaration.primaryKey);
  }
  for (const index of parent.indexes) {
    const columns = index.columns.map((i) => parent.columns[i]!.name);
    table = withIndex(table, { name: `${declaration.name}_${index.name}`, unique: index.unique, columns });
  }
  return finish(table, declaration);
}

/** A table that is to become a partition: with the same columns, in an order of its own. @throws StatementError */
export function asPartition(parent: StoredTable, table: StoredTable, bound: PartitionBound): StoredTable {
  const named = { kind: 'partition', name: table.name } as const;
  if (parent.partitioning === null || table.partitionOf !== null) {
    const [message, which] =
      parent.partitioning === null ? ['is not partitioned', parent] : ['is already a partition', table];
    throw new StatementError({ code: '42809', message: `table "${which.name}" ${message}` }, named);
  }
  const missing = parent.columns.find((column) => !table.columns.some((own) => own.name === column.name));
  const extra = table.columns.find((own) => !parent.columns.some((column) => column.name === own.name));
  if (missing !== undefined) {
    throw new StatementError({ code: '42804', message: `child table is missing column "${missing.name}"` }, named);
  }
  if (extra !== undefined) {
    const message = `table "${table.name}" contains column "${extra.name}" not found in parent "${parent.name}"`;
    throw new StatementError({ code: '42804', message }, named);
  }
  return { ...table, partitionOf: parent.oid, bound };
}

/** Indexes, then what refers to them. */
function finish(
  table: StoredTable,
  declaration: Pick<TableDeclaration, 'indexes' | 'replicaIdentity' | 'partitionBy'>,
): StoredTable {
  let finished = table;
  for (const index of declaration.indexes ?? []) finished = withIndex(finished, index);
  if (declaration.replicaIdentity !== undefined) finished = withReplicaIdentity(finished, declaration.replicaIdentity);
  return withIdentity(finished);
}

function makeTable(
  declaration: Pick<TableDeclaration, 'namespace' | 'name' | 'partitionBy' | 'attnums'>,
  columns: readonly ColumnDeclaration[],
  oid: number,
): StoredTable {
  const seen = new Set<string>();
  for (const column of columns) {
    checkColumn(column);
    if (seen.has(column.name)) {
      throw new StatementError(
        { code: '42701', message: `column "${column.name}" specified more than once` },
        { kind: 'column', name: column.name },
      );
    }
    seen.add(column.name);
  }
  const attnums = declaration.attnums ?? columns.map((_, i) => i + 1);
  if (attnums.length !== columns.length || attnums.some((attnum, i) => attnum <= (attnums[i - 1] ?? 0))) {
    throw new StatementError(
      { code: '22023', message: `table "${declaration.name}" needs one attnum per column, ascending` },
      { kind: 'table', name: declaration.name },
    );
  }
  const table: StoredTable = {
    oid,
    namespace: declaration.namespace,
    name: declaration.name,
    kind: declaration.partitionBy === undefined ? 'r' : 'p',
    replicaIdentity: 'default',
    identityColumns: [],
    primaryKey: null,
    indexes: [],
    columns: columns.map(makeColumn),
    attnums,
    partitionOf: null,
    inherits: [],
    partitioning: null,
    bound: null as PartitionBound | null,
    defaults: columns.map((column) => column.default),
    toasted: columns.map((column) => column.toasted ?? false),
    identityIndex: null,
    nextAttnum: (attnums.at(-1) ?? 0) + 1,
  };
  return declaration.partitionBy === undefined
    ? table
    : { ...table, partitioning: makePartitioning(table, declaration.partitionBy) };
}

function makePartitioning(table: StoredTable, { strategy, columns }: PartitioningDeclaration): Partitioning {
  return { strategy, columns: columnPositions(table, columns) };
}

/** @throws StatementError 0A000 for a fixed-length type that is to be stored out of line */
export function checkColumn(column: ColumnDeclaration): void {
  if (column.toasted === true && !canBeToasted(column.type)) {
    throw new StatementError(
      { code: '0A000', message: `column data type ${formatType(column.type, -1)} can only have storage PLAIN` },
      { kind: 'column', name: column.name },
    );
  }
}

/** The declaration that a column of a table came from, for tables that take it over. */
function declarationOf(table: StoredTable, position: number): ColumnDeclaration {
  const { generated, ...column } = table.columns[position]!;
  const defaultValue = table.defaults[position];
  return {
    ...column,
    ...(generated === null ? {} : { generated }),
    ...(defaultValue === undefined ? {} : { default: defaultValue }),
    toasted: table.toasted[position]!,
  };
}
