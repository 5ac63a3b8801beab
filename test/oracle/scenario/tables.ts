/** Catalogs → `tables:`. */
import { liveColumns } from '../history/history.js';
import type { CatalogColumn, CatalogIndex, CatalogSnapshot, CatalogTable } from '../recorder/catalog.js';
import { partitionBound } from './partition-bound.js';
import { qualified } from './names.js';
import { typeReference } from './types.js';
import type { Yaml, YamlMap } from './yaml.js';

export function tablesOf(catalog: CatalogSnapshot): YamlMap {
  const roots = (catalog.tables ?? []).filter(
    ({ partitionOf, persistence }) => partitionOf === null && persistence === 'p',
  );
  return Object.fromEntries(roots.map((table) => [qualified(table), tableDeclaration(table, catalog)]));
}

export function tableDeclaration(table: CatalogTable, catalog: CatalogSnapshot): YamlMap {
  const key = primaryKey(table);
  return {
    oid: table.oid,
    columns: Object.fromEntries(liveColumns(table).map((column) => [column.name, columnDeclaration(column, catalog)])),
    primary_key: key && primaryKeyDeclaration(key, table),
    inherits: table.inherits?.map((oid) => qualified(catalog.tables!.find((parent) => parent.oid === oid)!)),
    ...partitioning(table, catalog),
    ...identity(table),
  };
}

/** What partitioned tables have, be they partitions themselves or not. */
function partitioning(table: CatalogTable, catalog: CatalogSnapshot): YamlMap {
  if (table.partitionBy === null) return {};
  const strategy = { r: 'range', l: 'list', h: 'hash' }[table.partitionBy.strategy];
  const partitions = (catalog.tables ?? []).filter(({ partitionOf }) => partitionOf === table.oid);
  return {
    partition_by: { [strategy]: columnNames(table, table.partitionBy.attnums) },
    partitions: Object.fromEntries(
      partitions.map((partition) => [partition.name, partitionDeclaration(partition, table, catalog)]),
    ),
  };
}

export function partitionDeclaration(partition: CatalogTable, parent: CatalogTable, catalog: CatalogSnapshot): YamlMap {
  const order = liveColumns(partition).map(({ name }) => name);
  const same =
    order.join('\0') ===
    liveColumns(parent)
      .map(({ name }) => name)
      .join('\0');
  return {
    oid: partition.oid,
    ...partitionBound(partition.bound!),
    columns: same ? undefined : order,
    ...partitioning(partition, catalog),
    ...identity(partition),
  };
}

export function columnDeclaration(column: CatalogColumn, catalog: CatalogSnapshot): YamlMap {
  const reference = typeReference(column, catalog);
  const generated =
    column.generated === undefined || column.generated === ''
      ? undefined
      : { as: '…', stored: column.generated === 's' };
  return {
    ...(typeof reference === 'object' ? (reference as YamlMap) : { type: reference }),
    not_null: column.notNull || undefined,
    generated,
  };
}

/** Indexes that can be a replica identity, and the identity. */
function identity(table: CatalogTable): YamlMap {
  const indexes = plainIndexes(table).filter((index) => !index.primary || index.identity);
  return {
    indexes:
      indexes.length === 0
        ? undefined
        : Object.fromEntries(indexes.map((index) => [index.name, indexDeclaration(index, table)])),
    replica_identity: replicaIdentity(table),
  };
}

export function replicaIdentity({ identity, indexes, name }: CatalogTable): Yaml {
  if (identity !== 'i') return { d: 'default', n: 'nothing', f: 'full' }[identity];
  const index = indexes?.find((candidate) => candidate.identity);
  if (index === undefined) throw new Error(`a scenario cannot say that the identity index of ${name} is gone`);
  return { index: index.name };
}

export function plainIndexes({ indexes }: CatalogTable): CatalogIndex[] {
  return (indexes ?? []).filter((index) => index.plain && index.unique && index.immediate);
}

export function indexDeclaration(index: CatalogIndex, table: CatalogTable): YamlMap {
  return { unique: columnNames(table, keyAttnums(index)) };
}

export function primaryKey({ indexes }: CatalogTable): CatalogIndex | undefined {
  return indexes?.find((index) => index.primary);
}

export function primaryKeyDeclaration(key: CatalogIndex, table: CatalogTable): Yaml {
  const columns = columnNames(table, keyAttnums(key));
  return key.immediate ? columns : { columns, deferrable: true };
}

function keyAttnums({ attnums, keys }: CatalogIndex): readonly number[] {
  return attnums.slice(0, keys ?? attnums.length);
}

export function columnNames({ columns }: CatalogTable, attnums: readonly number[]): string[] {
  return attnums.map((attnum) => columns!.find((column) => column.attnum === attnum)!.name);
}
