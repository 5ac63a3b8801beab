/**
 * Records what a real server makes of row filters: for each row of a table whether the filter is true (t), false (f) or
 * unknown (null), or the SQLSTATE with which CREATE PUBLICATION refuses it.
 *
 *   node scripts/record-row-filters.mjs test/scenario/row-filters.json PROGRAM_FOLDER
 *
 * PROGRAM_FOLDER holds initdb and postgres of a major from 15 on.
 */
import { writeFileSync } from 'node:fs';
import { connect } from './postgres-client.mjs';
import { startServer } from './postgres-server.mjs';

const [output, folder] = process.argv.slice(2);

const columns = {
  id: 'int',
  small: 'smallint',
  n: 'numeric(10,2)',
  f: 'float8',
  s: 'text',
  c: 'char(5)',
  v: 'varchar(20)',
  b: 'boolean',
  d: 'date',
  ts: 'timestamp',
  tz: 'timestamptz',
  u: 'uuid',
  m: 'mood',
  'Odd Name': 'int',
};
const rows = [
  [
    1,
    7,
    '10.50',
    '1.5',
    'abc',
    'ab',
    'Ann',
    true,
    '2026-01-01',
    '2026-01-01 10:00:00',
    '2026-01-01 10:00:00+00',
    '00000000-0000-0000-0000-000000000001',
    'sad',
    5,
  ],
  [
    2,
    -7,
    '-3.00',
    'NaN',
    'a%c',
    'abcde',
    'ann',
    false,
    '0044-03-15 BC',
    '2026-01-01 00:00:00',
    'infinity',
    'ffffffff-0000-0000-0000-000000000001',
    'happy',
    -5,
  ],
  [30, null, null, '-Infinity', '', '', null, null, 'infinity', null, null, null, null, null],
  [
    null,
    0,
    '0.00',
    '0',
    'ÄÖ_x',
    'z',
    'A_n',
    true,
    null,
    '1999-12-31 23:59:59.5',
    '2000-01-01 00:00:00+02',
    null,
    'ok',
    0,
  ],
];
const filters = [
  'id > 10',
  'id >= 2 AND id < 30',
  'id = 1 OR small = 0',
  'NOT (id = 1)',
  'not b',
  'b',
  'b AND id > 1',
  'b OR id > 1',
  'id IS NULL',
  'id IS NOT NULL',
  'small ISNULL',
  'small NOTNULL',
  'b IS TRUE',
  'b IS NOT TRUE',
  'b IS FALSE',
  'b IS UNKNOWN',
  'b IS NOT UNKNOWN',
  'id = NULL',
  'id IN (1, 2, 3)',
  'id NOT IN (1, NULL)',
  'id IN (2)',
  'id BETWEEN 1 AND 5',
  'id NOT BETWEEN 1 AND 5',
  'id BETWEEN 5 AND 1',
  'id = ANY (ARRAY[1, 30])',
  'id <> ALL (ARRAY[1, 30])',
  "s = ANY (ARRAY['abc'::text, ''::text])",
  "(s = ANY ((ARRAY['abc'::text, 'x'::text])::text[]))",
  'id IS DISTINCT FROM 1',
  'small IS NOT DISTINCT FROM NULL',
  'id IS NOT DISTINCT FROM small',
  'n > 10',
  'n = 10.5',
  'n = 10.50',
  "n = '10.500'",
  'n < 0',
  'n = 0',
  'n > 1e1',
  'n <> -3',
  'n >= .5',
  'small = id',
  'small < n',
  'f > n',
  'f = id',
  'f > 1',
  "f = 'NaN'",
  "f < '-1e300'",
  'f <> f',
  'id + 1 = 2',
  'id - small > 0',
  'small * 2 = 14',
  'id % 2 = 0',
  'small % 4 = -3',
  '- small = 7',
  '-id < -1',
  '+id = 1',
  '1 + 2 * 3 = 7',
  '(1 + 2) * 3 = 9',
  'n * 2 = 21',
  'n - 0.5 = 10',
  '2 - 1 - 1 = 0',
  "s = 'abc'",
  "s <> 'abc'",
  "s > 'a'",
  "s < 'b'",
  "s LIKE 'a%'",
  "s NOT LIKE 'a%'",
  "s LIKE 'a\\%c'",
  "s LIKE '_b_'",
  "s LIKE ''",
  "s LIKE '%'",
  "v ILIKE 'ANN'",
  "v LIKE 'A_n'",
  "v LIKE 'A\\_n'",
  "s LIKE '(%'",
  "s LIKE '.*'",
  "v NOT ILIKE 'a%'",
  "c = 'ab'",
  "c = 'ab   '",
  "c = 'ab'::text",
  'c = s',
  'v = s',
  "c LIKE 'ab'",
  "lower(v) = 'ann'",
  "upper(s) = 'ABC'",
  'length(s) = 3',
  'char_length(s) > 0',
  'length(c) = 2',
  'length(v) = 3',
  "lower(s) = 'äö_x'",
  'abs(small) = 7',
  'coalesce(small, 1) > 0',
  "coalesce(v, 'none') = 'none'",
  'coalesce(b, false)',
  "s = ''",
  "s = 'it''s'",
  "d = '2026-01-01'",
  "d > '2000-01-01'",
  "d < '0001-01-01'",
  'd = ts',
  'd < ts',
  'ts < tz',
  'd <= tz',
  "ts >= '2026-01-01'",
  "tz > '2000-01-01 00:00:00+00'",
  "d = date '2026-01-01'",
  "ts < timestamp '2026-01-01 05:00:00'",
  "d = 'infinity'",
  'ts::date = d',
  "u = '00000000-0000-0000-0000-000000000001'",
  "u > '80000000-0000-0000-0000-000000000000'",
  "u = 'FFFFFFFF00000000 0000000000000001'",
  'id::bigint = 1',
  "id::text = '1'",
  'CAST(small AS int) = 7',
  "v::text = 'Ann'",
  'n::int = 10',
  "'1'::int = id",
  "s::varchar = 'abc'",
  "id = '1'",
  'b = true',
  "b = 't'",
  'b <> false',
  'true',
  'false',
  'NULL',
  'null::boolean',
  '"Odd Name" = 5',
  '"odd name" = 5',
  'ID = 1',
  '"ID" = 1',
  'NOT b = true',
  'NOT id = 1 AND b',
  'id = 1 AND b OR small = -7',
  'NOT NOT b',
  '((id)) = (1)',
  'id=1',
  'id>1AND b',
  'id > 1 -- comment',
  'id = 1 = true',
  'id < 5 = b',
  'b IS NULL OR b',
  '(id = 1) IS TRUE',
  "id = 'x'",
  'nope = 1',
  'id',
  'n',
  "'yes'",
  "'t'",
  's + 1 = 2',
  's = 1',
  'id = s',
  'b > 1',
  'd = 5',
  'id =',
  'id = 1)',
  '(id = 1',
  'AND id = 1',
  '',
  'id > 1 > 2',
  "id LIKE 'a'",
  'id IN ()',
  "u = 'x'",
  's LIKE 5',
  "coalesce(id, 'a') = 1",
  'length(id) = 1',
  'random() > 0.5',
  'id = (SELECT 1)',
  'now() > ts',
  'id / 2 = 1',
  "s || 'x' = 'abcx'",
  "s ~ '^a'",
  "m = 'sad'",
  'lower(s) > 5',
  'id !~ 1',
  '99999999999 > id',
  'id = 1.0',
  'id = 1.5',
  'small IN (7, 0) AND NOT (n = 0)',
  'n IN (10.5, -3)',
  "s IN ('abc', '')",
  "v NOT IN ('Ann')",
];

const server = await startServer(folder);
try {
  const client = await connect(server.port, { user: 'postgres', database: 'postgres', client_encoding: 'UTF8' });
  const run = async (text) => {
    const messages = await client.query(text);
    const error = messages.find(({ type }) => type === 'E')?.fields;
    return {
      error,
      rows: messages
        .filter(({ type }) => type === 'D')
        .map(({ values }) => values.map((v) => (v === null ? null : String(v)))),
    };
  };
  const checked = async (text) => {
    const { error, rows: found } = await run(text);
    if (error !== undefined) throw new Error(`${error.M}: ${text}`);
    return found;
  };
  await checked("CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')");
  const quote = (name) => `"${name}"`;
  await checked(
    `CREATE TABLE t (nr int, ${Object.entries(columns)
      .map(([name, type]) => `${quote(name)} ${type}`)
      .join(', ')})`,
  );
  const literal = (value) => (value === null ? 'NULL' : typeof value === 'string' ? `'${value}'` : String(value));
  for (const [i, row] of rows.entries()) await checked(`INSERT INTO t VALUES (${[i, ...row.map(literal)].join(', ')})`);
  const stored = await checked(`SELECT ${Object.keys(columns).map(quote).join(', ')} FROM t ORDER BY nr`);
  const results = [];
  for (const filter of filters) {
    const { error } = await run(`CREATE PUBLICATION p FOR TABLE t WHERE (${filter}\n)`);
    if (error !== undefined) {
      results.push([filter, { error: error.C, message: error.M }]);
      continue;
    }
    await checked('DROP PUBLICATION p');
    const { rows: values, error: failed } = await run(`SELECT (${filter}\n)::boolean FROM t ORDER BY nr`);
    results.push([filter, failed ? { error: failed.C, message: failed.M } : values.map(([value]) => value)]);
  }
  const lines = results.map((result) => `    ${JSON.stringify(result)}`);
  writeFileSync(
    output,
    `{\n  "columns": ${JSON.stringify(columns)},\n  "rows": ${JSON.stringify(stored)},\n  "filters": [\n${lines.join(',\n')}\n  ]\n}\n`,
  );
  await client.end();
} finally {
  await server.stop();
}
