/** Tables: what the database holds before the stream starts, and `create_table`. */
import { byKind, exclusive, named, type NamedShape } from '../alternative.js';
import type { Node } from '../node.js';
import { exactlyOneOf } from '../json-schema.js';
import { list, mapOf, object, oneOrMany, optional, required, type Named, type ReadOf } from '../object.js';
import { boolean, choice, count, integer, name, oid } from '../scalars.js';
import { pointAt, type Reader, type Shape } from '../shape.js';
import type { Located, Span } from '../source.js';
import { columns } from './columns.js';
import { tableName } from './names.js';
import { row, value, type Row } from './values.js';

export const columnNames = oneOrMany(name, 'names of columns');

const replicaIdentityIndex = object(
  { index: required(name, 'A unique index over NOT NULL columns.', 'users_email') },
  { expected: 'an index' },
);
export const replicaIdentity = byKind({
  expected: '`default`, `full`, `nothing` or { index: NAME }',
  scalar: choice('default', 'full', 'nothing'),
  map: replicaIdentityIndex,
});

export const primaryKey = byKind({
  expected: 'the columns of the key, or { columns: […], deferrable: true }',
  scalar: columnNames,
  list: columnNames,
  map: object(
    {
      columns: required(columnNames, 'Columns of the key, in its order.', ['id']),
      deferrable: optional(boolean, 'DEFERRABLE: a key that cannot be a replica identity.', true),
    },
    { expected: 'a primary key' },
  ),
});

const index = object(
  {
    unique: optional(columnNames, 'Columns of a unique index.', ['email']),
    columns: optional(columnNames, 'Columns of an index that is not unique.', ['created_at']),
  },
  {
    expected: '{ unique: [columns] } or { columns: [columns] }',
    schema: exactlyOneOf('unique', 'columns'),
    check: (index, reader) => {
      exclusive(index, ['unique', 'columns'], reader);
      if (index.unique === undefined && index.columns === undefined) {
        reader.report('missing-key', index.at, `${reader.subject()} needs \`unique\` or \`columns\``);
      }
    },
  },
);

export const indexes = mapOf(index, 'a map of indexes');

export const partitionBy = object(
  {
    range: optional(columnNames, 'PARTITION BY RANGE of these columns.', ['day']),
    list: optional(columnNames, 'PARTITION BY LIST of this column.', ['region']),
    hash: optional(columnNames, 'PARTITION BY HASH of these columns.', ['id']),
  },
  {
    expected: '{ range: [columns] }, { list: [column] } or { hash: [columns] }',
    schema: exactlyOneOf('range', 'list', 'hash'),
    check: (by, reader) => {
      exclusive(by, ['range', 'list', 'hash'], reader);
      if (Object.keys(by.keys).length === 0) {
        reader.report('missing-key', by.at, `${reader.subject()} needs \`range\`, \`list\` or \`hash\``);
      }
    },
  },
);

/** A row, or a block of rows made from one. */
export interface RowItem {
  readonly repeat: Located<number> | null;
  readonly row: Row;
  readonly at: Span;
}

const repeatedRow = object(
  {
    repeat: required(count, 'How many rows.', 1000),
    row: required(row, 'The row; {{index}} counts from 0.', { id: '{{index}}' }),
  },
  { expected: 'a row to repeat' },
);

const rowItem: Shape<RowItem> = {
  expected: 'a row: a map from column names to values',
  read(node: Node, reader: Reader) {
    const block =
      node.kind === 'map' && node.entries.some(({ key, value: inner }) => key === 'row' && inner.kind === 'map');
    if (block) {
      const repeated = repeatedRow.read(node, reader);
      return repeated && { repeat: repeated.repeat, row: repeated.row, at: repeated.at };
    }
    const single = row.read(node, reader);
    return single && { repeat: null, row: single, at: pointAt(node) };
  },
  jsonSchema: () => ({ anyOf: [repeatedRow.jsonSchema(), row.jsonSchema()] }),
};

export const rows = list(rowItem, 'a list of rows');

/** Bounds are values of the key's columns; MINVALUE and MAXVALUE stand for no bound. */
const bounds = oneOrMany(value, 'a bound for each column of the key');

const boundFields = {
  from: optional(bounds, 'Lower bound, inclusive (range).', ['2024-01-01']),
  to: optional(bounds, 'Upper bound, exclusive (range).', ['2025-01-01']),
  values: optional(oneOrMany(value, 'values'), 'Values (list).', ['de', 'at']),
  modulus: optional(integer(1, 0x7fff_ffff, 'a modulus'), 'Modulus (hash).', 4),
  remainder: optional(integer(0, 0x7fff_ffff, 'a remainder'), 'Remainder (hash).', 0),
  default: optional(boolean, 'The default partition.', true),
};
export type PartitionBounds = ReadOf<typeof boundFields>;

/** Tables that become partitions. */
export const partitionBounds = mapOf(
  object(boundFields, { expected: 'the bounds of a partition' }),
  'a map from tables to their bounds',
);

const partitionFields = {
  ...boundFields,
  oid: optional(oid, 'Pins the OID.', 16390),
  columns: optional(columnNames, "All of the parent's columns in this partition's own order.", ['v', 'day', 'id']),
  primary_key: optional(primaryKey, "A primary key of this partition's own, where its parent has none.", ['id']),
  replica_identity: optional(replicaIdentity, 'Replica identity of this partition.', 'full'),
  indexes: optional(indexes, 'Indexes by name.', { m_24_v: { unique: ['v'] } }),
  partition_by: optional(partitionBy, 'The partition is partitioned itself.', { list: ['region'] }),
};

/** Partitions can have partitions. */
export type Partition = ReadOf<typeof partitionFields> & {
  readonly partitions: readonly Named<Partition>[] | undefined;
};

export const partitions: NamedShape<readonly Named<Partition>[]> = named(
  'partitions',
  () => mapOf(partition, 'a map of partitions'),
  'a map of partitions',
);

const partition: Shape<Partition> = object(
  { ...partitionFields, partitions: optional(partitions, 'Its partitions, by name.', { m_24_q1: { default: true } }) },
  { expected: 'a partition: its bounds and properties' },
);

/** Of a table, what shows in its Relation. */
export const seenTableFields = {
  replica_identity: optional(replicaIdentity, 'Replica identity.', 'full'),
  primary_key: optional(primaryKey, 'Columns of the primary key, in its order.', ['id']),
  indexes: optional(indexes, 'Indexes by name.', { users_email: { unique: ['email'] } }),
  columns: required(columns, 'Columns in their order.', { id: 'bigint primary key' }),
};

const tableFields = {
  oid: optional(oid, 'Pins the OID that Relation messages carry.', 16385),
  replica_identity: optional(
    replicaIdentity,
    'What an UPDATE or DELETE logs of the old row: `default` (the primary key), `full` (the whole row), `nothing`, or the columns of an index.',
    'default',
    'full',
    { index: 'users_email' },
  ),
  primary_key: optional(primaryKey, 'Columns of the primary key, in its order.', ['id'], {
    columns: ['id'],
    deferrable: true,
  }),
  indexes: optional(indexes, 'Indexes by name.', { users_email: { unique: ['email'] } }),
  columns: required(columns, 'Columns in their order.', { id: 'bigint primary key', email: 'text not null' }),
  inherits: optional(oneOrMany(tableName, 'names of tables'), 'Tables that this one inherits from.', ['public.base']),
  partition_by: optional(partitionBy, 'Makes it a partitioned table.', { range: ['day'] }),
  partitions: optional(partitions, 'Its partitions, by name.', { m_24: { from: ['2024-01-01'], to: ['2025-01-01'] } }),
};

const definitionFields = {
  ...tableFields,
  columns: optional(columns, 'Columns in their order; a partition has those of its parent.', { id: 'int primary key' }),
  partition_of: optional(
    object(
      { table: required(tableName, 'The partitioned table.', 'public.m'), ...boundFields },
      { expected: 'a partitioned table and the bounds in it' },
    ),
    'Makes it a partition of a table.',
    { table: 'public.m', from: ['2025-01-01'], to: ['2026-01-01'] },
  ),
};

/** A table without rows: what `create_table` takes. */
export const tableDefinition = object(definitionFields, {
  expected: 'a table: its columns and properties',
  schema: exactlyOneOf('columns', 'partition_of'),
  check: (table, reader) => {
    exclusive(table, ['columns', 'partition_of'], reader);
    if (table.keys['columns'] === undefined && table.keys['partition_of'] === undefined) {
      reader.report('missing-key', table.at, `${reader.subject()} needs \`columns\``);
    }
  },
});
export type TableDefinition = ReadOf<typeof definitionFields>;

const tableWithRowsFields = {
  ...tableFields,
  rows: optional(rows, 'What the table holds before the stream starts.', [{ id: 1, email: 'ann@example.com' }]),
};

export const table = object(tableWithRowsFields, { expected: 'a table: its columns and properties' });
export type Table = ReadOf<typeof tableWithRowsFields>;

export const tables = mapOf(table, 'a map of tables');
