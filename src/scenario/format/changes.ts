/** The changes of a transaction: rows, DDL, savepoints. */
import { byKind, exclusive, named, variants, type NamedShape, type VariantOf } from '../alternative.js';
import { exactlyOneGroupOf, exactlyOneOf, notTogether, someOf } from '../json-schema.js';
import { list, mapOf, object, oneOrMany, optional, required, type Read, type ReadOf } from '../object.js';
import { boolean, choice, count, lsn, name, text, time, xid } from '../scalars.js';
import type { Reader, Shape } from '../shape.js';
import { column, typeReference } from './columns.js';
import { faultSteps } from './faults.js';
import { tableName } from './names.js';
import { publicationFields, publication, publishedTables } from './publications.js';
import { types } from './server.js';
import {
  columnNames,
  indexes,
  partitionBounds,
  primaryKey,
  replicaIdentity,
  rows,
  seenTableFields,
  tableDefinition,
} from './tables.js';
import { texts } from './texts.js';
import { row, value } from './values.js';

const changeLsn = optional(lsn, "Pins the LSN of the change's WAL record.", '0/1500100');
const rowKey = (about: string) => optional(row, about, { id: 1 });
const tables = oneOrMany(tableName, 'the name of a table, or a list of them');
const tableNames: typeof tables = {
  ...tables,
  read(node, reader) {
    if (node.kind !== 'list' || node.items.length > 0) return tables.read(node, reader);
    reader.report('wrong-type', node.at, 'a list of tables needs at least one');
    return undefined;
  },
};

export const abortPins = {
  abort_lsn: optional(
    oneOrMany(lsn, 'an LSN, or a list of them'),
    'Pins the end of each abort record, innermost subtransaction first.',
    '0/1500200',
  ),
  abort_time: optional(time, 'Pins the time of the abort.', '2026-01-01T00:00:05Z'),
  streamed: optional(
    boolean,
    'In an open transaction: false when it was rolled back before the changes since the last block were streamed. Default true.',
    false,
  ),
};

const alterPublicationFields = {
  alter_publication: required(name, 'ALTER PUBLICATION.', 'app_pub'),
  add: optional(publicationParts('add'), 'Tables (or schemas) that it publishes from now on.', ['public.orders']),
  drop: optional(publicationParts('drop'), 'Tables (or schemas) that it publishes no longer.', { schemas: ['s1'] }),
  set: optional(publicationParts('set'), 'New list of tables, or new options.', { publish: ['insert'] }),
  rename_to: optional(name, 'New name.', 'app_pub_2'),
};

function publicationParts(verb: string) {
  const shape = `what to ${verb}: a list of tables, or keys of a publication`;
  return byKind({ expected: shape, list: publishedTables, map: object(publicationFields, { expected: shape }) });
}

const messageFields = {
  prefix: required(texts, 'Prefix of the message.', 'app'),
  content: required(texts, 'Content; `!bytes` for what is not text.', 'hello'),
  transactional: optional(boolean, 'Part of its transaction (the default), or seen at once.', false),
};
const messageShape = object(messageFields, { expected: 'a message: its prefix and content' });
export type Message = ReadOf<typeof messageFields>;

/** Steps that may stand in a transaction as well as on their own, when each is a transaction of its own. */
export const changeSteps = {
  insert: {
    insert: required(tableName, 'INSERT into this table.', 'users'),
    row: rowKey('The row.'),
    rows: optional(rows, 'Several rows, a WAL record each.', [{ id: 1 }, { id: 2 }]),
    new: rowKey(
      'The row as it was seen on the wire: a tracked row with its key gives way, `!unchanged` is allowed, partitions are not looked for.',
    ),
    copy: optional(boolean, 'As one COPY: all rows share one LSN.', true),
    lsn: changeLsn,
  },
  update: {
    update: required(tableName, 'UPDATE of this table.', 'users'),
    where: rowKey('Which rows: by equal values.'),
    set: rowKey('New values.'),
    old: rowKey('The complete old row: no tracked row is needed.'),
    key: rowKey('The old key, as it was seen on the wire (K).'),
    logged: optional(
      choice('key', 'full'),
      'What of the old row `key` holds: `full` where a partition with REPLICA IDENTITY FULL is published under a root that has a key.',
      'full',
    ),
    new: rowKey('The complete new row; `!unchanged` for a TOAST value that is not sent.'),
    lsn: changeLsn,
  },
  delete: {
    delete: required(tableName, 'DELETE from this table.', 'users'),
    where: rowKey('Which rows: by equal values.'),
    old: rowKey('The complete old row: no tracked row is needed.'),
    key: rowKey('The old key, as it was seen on the wire (K).'),
    logged: optional(
      choice('key', 'full'),
      'What of the old row `key` holds: `full` where a partition with REPLICA IDENTITY FULL is published under a root that has a key.',
      'full',
    ),
    lsn: changeLsn,
  },
  truncate: {
    truncate: required(tableNames, 'TRUNCATE of these tables.', ['users', 'orders']),
    cascade: optional(boolean, 'CASCADE.', true),
    restart_identity: optional(boolean, 'RESTART IDENTITY.', true),
    only: optional(boolean, 'ONLY: without partitions and inheriting tables.', true),
    lsn: changeLsn,
  },
  message: {
    message: required(messageShape, 'pg_logical_emit_message.', { prefix: 'app', content: 'hello' }),
    lsn: optional(lsn, "Pins the end of the message's WAL record: what the message carries.", '0/1500100'),
  },
  alter: {
    alter: required(tableName, 'ALTER TABLE.', 'users'),
    add_column: optional(mapOf(column, 'a map from new columns to their types'), 'ADD COLUMN.', { nickname: 'text' }),
    drop_column: optional(columnNames, 'DROP COLUMN.', 'nickname'),
    rename_column: optional(mapOf(name, 'a map from old to new names'), 'RENAME COLUMN.', { mail: 'email' }),
    alter_type: optional(mapOf(typeReference, 'a map from columns to types'), 'ALTER COLUMN … TYPE.', {
      amount: 'numeric',
    }),
    using: optional(
      mapOf(list(value, 'a list of values'), 'a map from columns to values'),
      'USING: the new values of the rows kept, in their order.',
      { amount: [1, 2] },
    ),
    set_not_null: optional(columnNames, 'SET NOT NULL.', 'email'),
    drop_not_null: optional(columnNames, 'DROP NOT NULL.', 'email'),
    rename_to: optional(name, 'RENAME TO.', 'people'),
    set_schema: optional(name, 'SET SCHEMA.', 'archive'),
    replica_identity: optional(replicaIdentity, 'REPLICA IDENTITY.', 'full'),
    drop_primary_key: optional(boolean, 'DROP CONSTRAINT of the primary key.', true),
    primary_key: optional(primaryKey, 'ADD PRIMARY KEY.', ['id']),
    add_index: optional(indexes, 'CREATE INDEX.', { users_email: { unique: ['email'] } }),
    drop_index: optional(oneOrMany(name, 'names of indexes'), 'DROP INDEX.', 'users_email'),
    attach_partition: optional(partitionBounds, 'ATTACH PARTITION.', {
      m_25: { from: ['2025-01-01'], to: ['2026-01-01'] },
    }),
    detach_partition: optional(tableName, 'DETACH PARTITION.', 'm_25'),
    rewrite: optional(boolean, 'VACUUM FULL, CLUSTER, GRANT …: the table stays what it is.', true),
    lsn: changeLsn,
  },
  create_table: {
    create_table: required(mapOf(tableDefinition, 'a map from names to tables'), 'CREATE TABLE.', {
      'public.late': { columns: { id: 'int primary key' } },
    }),
    lsn: changeLsn,
  },
  create_schema: { create_schema: required(name, 'CREATE SCHEMA.', 'sales'), lsn: changeLsn },
  drop_schema: { drop_schema: required(name, 'DROP SCHEMA, when it is empty.', 'sales'), lsn: changeLsn },
  rename_schema: {
    rename_schema: required(mapOf(name, 'a map from old to new names'), 'ALTER SCHEMA … RENAME.', { sales: 'shop' }),
    lsn: changeLsn,
  },
  create_type: {
    create_type: required(types, 'CREATE TYPE or CREATE DOMAIN.', { 'public.mood': { enum: ['sad', 'ok'] } }),
    lsn: changeLsn,
  },
  alter_type: {
    alter_type: required(tableName, 'ALTER TYPE: no Relation is sent again for it.', 'public.mood'),
    rename_to: optional(name, 'RENAME TO.', 'feeling'),
    set_schema: optional(name, 'SET SCHEMA.', 'archive'),
    add_value: optional(text, 'ADD VALUE: a label after the others.', 'great'),
    rename_value: optional(mapOf(text, 'a map from old to new labels'), 'RENAME VALUE.', { ok: 'fine' }),
    lsn: changeLsn,
  },
  drop_table: { drop_table: required(tableNames, 'DROP TABLE.', 'late'), lsn: changeLsn },
  create_publication: {
    create_publication: required(mapOf(publication, 'a map from names to publications'), 'CREATE PUBLICATION.', {
      late_pub: { tables: ['public.late'] },
    }),
    lsn: changeLsn,
  },
  alter_publication: { ...alterPublicationFields, lsn: changeLsn },
  drop_publication: { drop_publication: required(name, 'DROP PUBLICATION.', 'app_pub'), lsn: changeLsn },
  announce: {
    // Of no table: a change that shows nowhere, as an empty block has.
    announce: required(tables, 'Relation (and Type) of these tables again, for no reason.', ['users']),
    as: optional(
      object(
        { name: optional(tableName, 'Its name from here on.', 'public.people'), ...seenTableFields },
        { expected: 'a table as it was seen: its columns' },
      ),
      'What the table is from here on, for every transaction: DDL of which no more than the new Relation was seen on the wire. One table only.',
      { columns: { id: 'bigint primary key' } },
    ),
    quiet: optional(boolean, 'With `as`: nothing is sent here, what follows brings the Relation along.', true),
    lsn: changeLsn,
  },
  sql: { sql: required(text, 'SQL whose effect on the rows can be computed.', 'DELETE FROM users WHERE id = 1') },
} as const;

export const changes: NamedShape<ChangeList> = named(
  'changes',
  () => list(change, 'a list of changes'),
  'a list of changes',
);

// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- a type alias may not refer to itself this way
export interface ChangeList extends ReadonlyArray<Change> {}

const subtransactionFields = {
  xid: optional(xid, "Pins the subtransaction's xid.", 752),
  rollback: optional(boolean, 'It is rolled back.', true),
  changes: required(changes, 'Its changes.', [{ insert: 'users', row: { id: 3 } }]),
  ...abortPins,
};

const transactionOnlySteps = {
  subtransaction: {
    subtransaction: required(
      object(subtransactionFields, { expected: 'a subtransaction: its changes' }),
      'A subtransaction as one piece.',
      { rollback: true, changes: [{ insert: 'users', row: { id: 3 } }] },
    ),
  },
  savepoint: {
    savepoint: required(name, 'SAVEPOINT.', 's'),
    xid: optional(xid, "Pins the subtransaction's xid.", 752),
  },
  release: { release: required(name, 'RELEASE SAVEPOINT.', 's') },
  rollback_to: {
    rollback_to: required(name, 'ROLLBACK TO SAVEPOINT: it stays, and what follows runs under a new subxid.', 's'),
    xid: optional(xid, 'Pins that new subxid.', 753),
    ...abortPins,
  },
  repeat: {
    repeat: required(count, 'How many times; {{index}} counts from 0.', 1000),
    changes: required(changes, 'What is repeated.', [{ insert: 'users', row: { id: '{{index}}' } }]),
    track: optional(boolean, 'Keep the rows for later `where`, SELECT and COPY.', true),
  },
} as const;

const changeVariants = { ...changeSteps, ...transactionOnlySteps, ...faultSteps };

export type Change = VariantOf<typeof changeVariants>;
/** One that may also stand on its own. */
export type PlainChange = VariantOf<typeof changeSteps>;
export type ChangeOf<K extends Change['kind']> = Extract<Change, { kind: K }>;

/** What of `checkChange` a JSON Schema can say. */
export const changeSchemas = {
  insert: { ...exactlyOneOf('row', 'rows', 'new'), ...notTogether('copy', 'new') },
  update: exactlyOneGroupOf(['where', 'set'], ['old', 'new'], ['key', 'new'], ['new']),
  delete: exactlyOneOf('where', 'old', 'key'),
  alter: { minProperties: 2 },
  alter_type: someOf('rename_to', 'set_schema', 'add_value', 'rename_value'),
  alter_publication: someOf('add', 'drop', 'set', 'rename_to'),
};

export const change: Shape<Change> = variants(
  {
    expected: 'a change such as `insert: users`',
    noun: 'change',
    check: checkChange,
    around: { key: 'repeat', listOf: () => 'changes' },
    meant: { rollback: ['rollback_to'] },
    schemas: changeSchemas,
  },
  changeVariants,
);

/** What must hold between the keys of a change. */
export function checkChange(step: Read & { readonly kind: string }, reader: Reader): void {
  const has = (key: string): boolean => step.keys[key] !== undefined;
  const needs = (message: string): void => reader.report('missing-key', step.at, message);
  switch (step.kind) {
    case 'insert':
      exclusive(step, ['row', 'rows', 'new'], reader);
      exclusive(step, ['copy', 'new'], reader);
      if (!has('row') && !has('rows') && !has('new')) needs('an insert needs `row` or `rows`');
      break;
    case 'update':
      exclusive(step, ['where', 'old', 'key'], reader);
      exclusive(step, ['where', 'new'], reader);
      exclusive(step, ['set', 'new'], reader);
      exclusive(step, ['set', 'old'], reader);
      exclusive(step, ['set', 'key'], reader);
      if (has('logged') && !has('key')) needs('`logged` is about the old row in `key`');
      if (has('where') !== has('set') && !has('new')) needs('an update needs both `where` and `set`');
      else if (!has('where') && !has('new'))
        needs('an update needs `where` and `set`, or the rows as `old` (or `key`) and `new`');
      break;
    case 'delete':
      exclusive(step, ['where', 'old', 'key'], reader);
      if (has('logged') && !has('key')) needs('`logged` is about the old row in `key`');
      if (!has('where') && !has('old') && !has('key')) needs('a delete needs `where`, `old` or `key`');
      break;
    case 'announce':
      if (has('as') && (step as unknown as { announce: readonly unknown[] }).announce.length > 1)
        needs('`as` says what one table has become: announce it alone');
      if (has('quiet') && !has('as')) needs('`quiet` is about a table that has become another one: it needs `as`');
      break;
    case 'alter':
      if (Object.keys(step.keys).every((key) => key === 'alter' || key === 'lsn'))
        needs('an alter needs to say what changes');
      break;
    case 'alter_type':
      if (!['rename_to', 'set_schema', 'add_value', 'rename_value'].some(has))
        needs('an alter_type needs to say what changes');
      break;
    case 'alter_publication':
      if (!['add', 'drop', 'set', 'rename_to'].some(has))
        needs('an alter_publication needs `add`, `drop`, `set` or `rename_to`');
      break;
  }
}
