/**
 * `sql:` steps. `sql-golden.jsonl`: the OIDs of the tables below in databases of real servers of 14 and 18, then statements, in
 * order, each with the Insert, Update, Delete and Truncate messages that these servers sent for it.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { encodeScenario, loadScenario, type EncodedMessage } from '../../src/scenario-file.js';
import { readScenario } from '../../src/scenario/index.js';

type Major = '14' | '18';
type Statement = Readonly<Record<Major, readonly string[]>> & { readonly sql: string };

const [head, ...lines] = readFileSync(`${import.meta.dirname}/sql-golden.jsonl`, 'utf8')
  .trim()
  .split('\n');
const { oids } = JSON.parse(head!) as { oids: Record<Major, Record<string, number>> };
const statements = lines.map((line) => JSON.parse(line) as Statement);

const tables = (oid: (table: string) => string): string => `
types: { mood: { enum: [sad, happy] }, amount: { domain: "numeric(10,2)" } }
tables:
  users:
    ${oid('users')}
    columns:
      { id: bigint primary key, email: text not null, age: { type: smallint, default: 18 }, code: varchar(3), mood: mood, total: amount }
    rows:
      - { id: 1, email: ann@example.com, age: 30, code: abc, mood: sad, total: 1.50 }
      - { id: 2, email: bob@example.com }
      - { id: 3, email: ünï, age: 5, code: x, mood: happy, total: 0 }
  log:
    ${oid('log')}
    replica_identity: full
    columns: { n: int identity, at: timestamp, what: text }
  plain:
    ${oid('plain')}
    replica_identity: full
    columns: { a: int, b: text, c: char(4) }
    rows: [{ a: 1, b: one, c: ab }, {}, { a: 2, b: two, c: '' }]
  kinds:
    ${oid('kinds')}
    columns:
      { id: int primary key, f4: float4, f8: float8, num: numeric, big: int8, flag: bool, raw: bytea, d: date, ts: timestamp(0),
        tz: timestamptz, tm: time, iv: interval, ids: "int[]", names: "text[]", doc: json, docb: jsonb, u: uuid, ip: inet }
  parted:
    ${oid('parted')}
    primary_key: [id, day]
    partition_by: { range: [day] }
    columns: { id: int, day: date, v: text }
    partitions:
      parted_24: { ${oid('parted_24')}from: ["2024-01-01"], to: ["2025-01-01"] }
      parted_25: { ${oid('parted_25')}from: ["2025-01-01"], to: ["2026-01-01"] }
`;

function load(stream: string, head = 'scenario: x', pins: Readonly<Record<string, number>> = {}) {
  const oid = (table: string): string => {
    if (pins[table] === undefined) return '';
    return table.startsWith('parted_') ? `oid: ${pins[table]}, ` : `oid: ${pins[table]}`;
  };
  const text = `${head}\n${tables(oid)}stream:\n${stream}`;
  return { ...loadScenario(text), text };
}

/** As JSON, which is YAML. */
function step(sql: string): string {
  return `  - { sql: ${JSON.stringify(sql)} }\n`;
}

function problemsOf(stream: string): string[] {
  const before = `scenario: x\n${tables(() => '')}stream:\n`.split('\n').length - 1;
  return load(stream).problems.map(({ line, column, code, message, hint }) => {
    const place = `${line - before}:${column} ${code}`;
    return `${place}: ${message}${hint === null ? '' : ` [${hint}]`}`;
  });
}

function kinds(stream: string): string {
  const { scenario, problems } = load(stream);
  expect(problems).toEqual([]);
  return [...encodeScenario(scenario!)]
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'relation' && kind !== 'type')
    .join(' ');
}

const rowKinds: readonly EncodedMessage['kind'][] = ['insert', 'update', 'delete', 'truncate'];

describe.each(['14', '18'] as const)('SQL on a server of %s', (major) => {
  const stream = statements.map(({ sql }) => step(sql)).join('');
  const { scenario, problems, text } = load(stream, `scenario: x\nserver: { version: ${major} }`, oids[major]);
  const firstLine = text.slice(0, text.indexOf(stream)).split('\n').length;
  const sent = statements.map((): string[] => []);
  for (const { kind, payload, source } of scenario ? encodeScenario(scenario) : []) {
    if (rowKinds.includes(kind)) sent[source!.line - firstLine]!.push(Buffer.from(payload).toString('hex'));
  }

  it('is executed without a mistake', () => {
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it.each(statements.map((statement, i) => [statement.sql, statement[major], i] as const))('%s', (_, expected, i) => {
    expect(sent[i]).toEqual(expected);
  });
});

describe('a sql step', () => {
  it('makes a transaction of each statement that stands alone', () => {
    expect(kinds(step("INSERT INTO log (what) VALUES ('a'); INSERT INTO log (what) VALUES ('b')"))).toBe(
      'begin insert commit begin insert commit',
    );
  });

  it('takes transaction control', () => {
    expect(
      kinds(
        step(
          "BEGIN; INSERT INTO log (what) VALUES ('a'); SAVEPOINT s; DELETE FROM log; ROLLBACK TO s; END; START TRANSACTION; DELETE FROM plain; ABORT",
        ),
      ),
    ).toBe('begin insert commit');
    const { scenario } = load(
      step("BEGIN; INSERT INTO log (what) VALUES ('a'); PREPARE TRANSACTION 'g'; COMMIT PREPARED 'g'"),
    );
    expect([...encodeScenario(scenario!, { protoVersion: 3, twoPhase: true })].map(({ kind }) => kind)).toEqual([
      ...['beginPrepare', 'relation', 'insert', 'prepare', 'commitPrepared'],
    ]);
  });

  it('stands in a transaction, too', () => {
    const stream =
      "  - transaction: { changes: [{ sql: INSERT INTO log (what) VALUES ('a'); SAVEPOINT s; DELETE FROM plain; ROLLBACK TO s }] }\n";
    expect(kinds(stream)).toBe('begin insert commit');
  });

  it('says where each message comes from', () => {
    const { scenario, text } = load(
      `  - sql: |\n      INSERT INTO log (what)\n      VALUES ('a');\n\n      DELETE FROM plain\n        WHERE a = 1;\n`,
    );
    const lines = [...encodeScenario(scenario!)]
      .filter(({ kind }) => kind === 'insert' || kind === 'delete')
      .map(({ source }) => text.split('\n')[source!.line - 1]!.trim());
    expect(lines).toEqual(['INSERT INTO log (what)', 'DELETE FROM plain']);
  });

  // Line of the stream and column.
  it.each([
    [
      '  - sql: INSERT INTO log (what) VALUES (now())',
      '1:41 sql-inexact: SQL: what now() gives cannot be computed exactly here [write what it comes to: a value, or the rows]',
    ],
    [
      "  - sql: 'INSERT INTO log (what) VALUES (''ü'' || random())'",
      '1:51 sql-inexact: SQL: what random() gives cannot be computed exactly here [write what it comes to: a value, or the rows]',
    ],
    [
      '  - sql: "INSERT INTO log (what)\\n\\tVALUES (\\"emial\\")"',
      '1:45 unknown-column: SQL: column "emial" does not exist; a real server refuses this statement with 42703 [did you mean `email`?]',
    ],
    [
      '  - sql: >\n      DELETE FROM log\n\n      WHERE n =\n      current_user',
      '5:7 sql-inexact: SQL: what CURRENT_USER() gives cannot be computed exactly here [write what it comes to: a value, or the rows]',
    ],
    [
      '  - sql: |\n      -- é\n      UPDATE usrs SET a = 1',
      '3:14 unknown-table: SQL: relation "usrs" does not exist; a real server refuses this statement with 42P01 [did you mean `users`?]',
    ],
    [
      "  - sql: UPDATE users SET emial = 'x'",
      '1:27 unknown-column: SQL: column "emial" of relation "users" does not exist; a real server refuses this statement with 42703 [did you mean `email`?]',
    ],
    [
      '  - sql: UPDATE users SET age = email',
      '1:33 refused-by-server: SQL: column "age" is of type smallint but expression is of type text; a real server refuses this statement with 42804 [You will need to rewrite or cast the expression.]',
    ],
    [
      '  - sql: UPDATE users SET age = 1, age = 2',
      '1:36 refused-by-server: SQL: multiple assignments to same column "age"; a real server refuses this statement with 42601',
    ],
    [
      "  - sql: INSERT INTO users (id, email) VALUES (1, 'x')",
      '1:10 refused-by-server: SQL: duplicate key value violates unique constraint "users_pkey" (Key (id)=(1) already exists); a real server refuses this statement with 23505',
    ],
    [
      '  - sql: INSERT INTO users (id) VALUES (9)',
      '1:10 missing-value: SQL: null value in column "email" of relation "users" violates not-null constraint; a real server refuses this statement with 23502',
    ],
    [
      "  - sql: INSERT INTO users VALUES (7, 'x', 7, 'abcd')",
      '1:10 invalid-input: SQL: value too long for type character varying(3); a real server refuses this statement with 22001',
    ],
    [
      "  - sql: INSERT INTO users VALUES (7, 'x', 7, 'abc', 'glad')",
      '1:54 invalid-input: SQL: invalid input value for enum mood: "glad"; a real server refuses this statement with 22P02',
    ],
    [
      "  - sql: INSERT INTO log (at) VALUES ('now')",
      '1:39 sql-inexact: SQL: "now" depends on the clock: write the date itself',
    ],
    [
      '  - sql: INSERT INTO log (n, what) VALUES (1)',
      '1:10 refused-by-server: SQL: INSERT has more target columns than expressions; a real server refuses this statement with 42601',
    ],
    [
      '  - sql: INSERT INTO log (what) SELECT a.b FROM plain a JOIN plain b ON true',
      '1:40 sql-inexact: SQL: the order of these rows, which ORDER BY would say, cannot be computed exactly here [write what it comes to: a value, or the rows]',
    ],
    [
      "  - sql: INSERT INTO users VALUES (1, 'x') ON CONFLICT DO NOTHING",
      '1:44 sql-inexact: SQL: ON CONFLICT cannot be computed exactly here [write what it comes to: a value, or the rows]',
    ],
    [
      '  - sql: DELETE FROM users WHERE 1/0 = id',
      '1:10 invalid-input: SQL: division by zero; a real server refuses this statement with 22012',
    ],
    ['  - sql: DELETE FROM users WHERE id = 99', '1:10 no-effect: SQL: no row of table "users" matches its WHERE'],
    ['  - sql: SELEC 1', '1:10 sql-syntax: SQL: syntax error at or near "SELEC"'],
    [
      '  - sql: DELETE FROM users WHERE id = {{index}}',
      '1:39 sql-syntax: SQL: syntax error at or near "{" [SQL takes no {{…}}: write the change as a step]',
    ],
    [
      '  - sql: CREATE TABLE x (a int)',
      '1:10 sql-inexact: SQL: a `sql` step takes INSERT, UPDATE, DELETE, TRUNCATE and transaction control: this is none of them [write DDL as a step: `create_table`, `alter` …]',
    ],
    ['  - sql: COMMIT', '1:10 refused-by-server: SQL: there is no transaction in progress'],
    [
      '  - sql: BEGIN; DELETE FROM users',
      '1:10 missing-key: SQL: this transaction is never ended [end it with COMMIT or ROLLBACK]',
    ],
    [
      '  - transaction: { changes: [{ sql: DELETE FROM plain; COMMIT }] }',
      '1:56 refused-by-server: SQL: `COMMIT` has no meaning inside a transaction: the step stands in one',
    ],
    ['  - sql: "-- nothing"', '1:10 sql-syntax: SQL: there is no statement in this text'],
  ])('%s', (stream, problem) => {
    expect(problemsOf(`${stream}\n`)).toEqual([problem]);
  });

  it('reports the mistakes of all of its statements', () => {
    expect(
      problemsOf("  - sql: DELETE FROM usr; UPDATE log SET n = 'x'; DELETE FROM plain\n").map(
        (text) => text.split(' ')[0],
      ),
    ).toEqual(['1:22', '1:46']);
  });

  it('sees the rows as they were when its statement began', () => {
    const { scenario } = load(step('UPDATE users SET age = (SELECT sum(age) FROM users)'));
    const ages = [...encodeScenario(scenario!)].flatMap(({ message }) =>
      message.kind === 'update' ? [message.newTuple[2]] : [],
    );
    expect(ages).toEqual(['53', '53', '53']);
  });

  it('works out stored generated columns', () => {
    const { scenario, problems } = loadScenario(`scenario: x
tables:
  t:
    columns:
      id: int primary key
      a: { type: int, default: 5 }
      twice: { type: int, generated: { as: "(a * 2)" } }
      low: { type: text, generated: { as: "lower(v)" } }
      v: text
stream:
  - sql: INSERT INTO t (id, v) VALUES (1, 'ABC'); UPDATE t SET a = a + 1; UPDATE t SET v = 'X', low = DEFAULT
`);
    expect(problems).toEqual([]);
    expect(scenario!.database.rows({ namespace: 'public', name: 't' })).toEqual([['1', '6', '12', 'x', 'X']]);
  });

  it('is played in every round of a repeat', () => {
    const { scenario } = load("  - repeat: 3\n    changes: [{ sql: INSERT INTO log (what) VALUES ('a') }]\n");
    const numbers = [...encodeScenario(scenario!)].flatMap(({ message }) =>
      message.kind === 'insert' ? [message.newTuple[0]] : [],
    );
    expect(numbers).toEqual(['1', '2', '3']);
  });

  it('can be published while the scenario is live', () => {
    const { scenario } = load('  - sql: DELETE FROM log\n');
    const before = scenario!.database.rows({ namespace: 'public', name: 'plain' }).length;
    scenario!.publish("sql: INSERT INTO plain VALUES (9, 'nine')");
    expect(scenario!.database.rows({ namespace: 'public', name: 'plain' })).toHaveLength(before + 1);
  });

  it('is refused where the caller has no SQL', () => {
    expect(
      readScenario('scenario: x\nstream: [{ sql: DELETE FROM t }]\n').problems.map(({ message }) => message),
    ).toEqual(['SQL is executed only for callers that hand in a parser of SQL']);
  });
});
