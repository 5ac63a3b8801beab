/**
 * What other sessions do while a client streams the publication `pub` of table t: as SQL, and where the fake has no SQL for it,
 * as a step of the stream. After each of them a marker is written, so that it is known what was sent for it.
 */
export interface Action {
  readonly sql: string;
  readonly step?: string;
}

let row = 0;

function insert(table: string): Action {
  row++;
  return { sql: `INSERT INTO ${table} VALUES (${row}, 'v')`, step: `insert: ${table}\nrow: { id: ${row}, v: v }` };
}

const message = (transactional: boolean, content: string): string =>
  `SELECT pg_logical_emit_message(${transactional}, 'test', '${content}')`;

export const setUp = [
  'CREATE TABLE t (id int PRIMARY KEY, v text)',
  'CREATE TABLE u (id int PRIMARY KEY, v text)',
  'CREATE PUBLICATION pub FOR TABLE t',
];

export const scenario = `
scenario: Statements beside a stream
tables:
  t: { columns: { id: int primary key, v: text } }
  u: { columns: { id: int primary key, v: text } }
publications:
  pub: { tables: [t] }
`;

export const actions: readonly Action[] = [
  insert('t'),
  { sql: message(false, 'at once') },
  { sql: message(true, 'in a transaction') },
  { sql: "SELECT pg_logical_emit_message(true, 'test', '\\x00ff'::bytea)" },
  {
    sql: `BEGIN; ${message(true, 'one')}; ${message(false, 'at once')}; SAVEPOINT s; ${message(true, 'lost')};
          ROLLBACK TO s; ${message(true, 'two')}; SAVEPOINT s2; ${message(true, 'three')}; RELEASE s2; COMMIT`,
  },
  { sql: `BEGIN; ${message(true, 'rolled back')}; ${message(false, 'stays')}; ROLLBACK` },
  { sql: `BEGIN; ${message(true, 'failed')}; SELECT 1 / 0` },
  { sql: 'ROLLBACK' },
  { sql: `${message(true, 'one query,')}; ${message(true, 'one transaction')}` },
  { sql: `${message(true, 'undone by the next')}; SELECT 1 / 0` },
  { sql: 'BEGIN; SELECT txid_current() = txid_current(); COMMIT' },
  { sql: 'SELECT txid_current() < txid_snapshot_xmax(txid_current_snapshot()) + 1' },
  insert('t'),
  { sql: 'ALTER PUBLICATION pub ADD TABLE u' },
  insert('u'),
  insert('t'),
  { sql: 'ALTER PUBLICATION pub ADD TABLE u' },
  { sql: 'CREATE PUBLICATION other FOR TABLE t' },
  insert('t'),
  { sql: 'CREATE PUBLICATION other' },
  { sql: 'BEGIN; ALTER PUBLICATION pub DROP TABLE u; ROLLBACK' },
  insert('u'),
  { sql: "ALTER PUBLICATION pub SET (publish = 'update')" },
  insert('t'),
  { sql: "ALTER PUBLICATION pub SET (publish = 'insert, update, delete')" },
  insert('t'),
  { sql: 'ALTER PUBLICATION pub SET TABLE u' },
  insert('t'),
  insert('u'),
  { sql: 'ALTER PUBLICATION pub DROP TABLE u' },
  insert('u'),
  { sql: 'ALTER PUBLICATION pub SET TABLE t, u' },
  insert('t'),
  { sql: 'DROP PUBLICATION other' },
  insert('t'),
  { sql: 'DROP PUBLICATION IF EXISTS other, other' },
  { sql: 'ALTER PUBLICATION pub RENAME TO renamed' },
  { sql: 'ALTER PUBLICATION renamed RENAME TO pub' },
  insert('u'),
  { sql: 'DROP PUBLICATION pub; CREATE PUBLICATION pub FOR ALL TABLES' },
  insert('t'),
  insert('u'),
  { sql: `BEGIN; CREATE PUBLICATION third; ${message(true, 'beside DDL')}; DROP PUBLICATION third; COMMIT` },
  insert('t'),
  { sql: 'DROP PUBLICATION pub' },
  insert('t'),
];
