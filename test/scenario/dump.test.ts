/**
 * Schema dumps in `dumps/`, and the Relation and Type messages that the dumped database's server sent (publication, then hex)
 * when a row was inserted into each table. pg10 and pg14 are what pg_dump 15 wrote of a server of that major, pg18 is in the form
 * of pg_dump 18; a server of 18 loaded it.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { decode } from '../../src/pgoutput/index.js';
import { encodeScenario, readScenario, type LoadResult } from '../../src/scenario/index.js';
import { sqlSupport } from '../../src/sql/dml/support.js';

const folder = `${import.meta.dirname}/dumps`;

function load(dump: string, rest: string): LoadResult {
  const text = `scenario: x\ninclude: schema.sql\n${rest}`;
  return readScenario(text, { file: 'x.yaml', sql: sqlSupport, readFile: () => dump });
}

function problemsOf(dump: string, rest = ''): string[] {
  return load(dump, rest).problems.map(
    ({ file, line, column, severity, message }) => `${file}:${line}:${column} ${severity}: ${message}`,
  );
}

/** A row in each table. What has no constant default is not among what is compared. */
const rows = (major: number): string => `
stream:
  - sql: |
      INSERT INTO public.customers (email, name) VALUES ('a@b', 'ann');
      INSERT INTO shop.orders ("Order No", line, customer, total) VALUES (1, 2, 1, 3);
      INSERT INTO shop.audit (at, what) VALUES ('2024-01-01', 'w');
      INSERT INTO shop.devices (serial, model) VALUES ('6f1c2c8e-0b39-4c52-9a37-5d5f6f0a0001', 'm');
      INSERT INTO shop.nothing VALUES (1);
      INSERT INTO public.base DEFAULT VALUES;
      INSERT INTO public.child (id, extra) VALUES (5, 'x');
      INSERT INTO "Odd.Schema"."Weird ""Table""" VALUES (1);
      INSERT INTO public.deferred VALUES (1, 1);
      INSERT INTO shop.events_24 VALUES (1, '2024-05-05');
      INSERT INTO shop.events_25 (id, day) VALUES (2, '2025-05-05');
${
  major === 10
    ? ''
    : `  - sql: INSERT INTO shop.regions VALUES (1, 'de'), (2, 'de'), (3, 'de'), (4, 'at'), (9, 'fr')
  - { insert: shop.computed, row: { a: 1, b: 3 } }
`
}`;

/** Relation and Type messages with names where the OIDs of objects stand, which each database gives its own way. */
function named(payloads: Iterable<Uint8Array>): unknown[] {
  const types = new Map<number, string>();
  return [...payloads].map((payload) => {
    const message = decode(payload);
    if (message.kind === 'type') {
      types.set(message.typeOid, `${message.namespace}.${message.name}`);
      return `type ${message.namespace}.${message.name}`;
    }
    if (message.kind !== 'relation') throw new Error(`a ${message.kind} among the relations`);
    const { namespace, name, replicaIdentity, columns } = message;
    const shown = columns.map((column) => ({ ...column, typeOid: types.get(column.typeOid) ?? column.typeOid }));
    return { namespace, name, replicaIdentity, columns: shown };
  });
}

describe.each([10, 14, 18])('a dump of %i', (major) => {
  const dump = readFileSync(`${folder}/pg${major}.sql`, 'utf8');
  const sent = readFileSync(`${folder}/pg${major}-relations.txt`, 'utf8').trim().split('\n');
  const publications = [...new Set(sent.map((line) => line.split(' ')[0]!))];

  it('says in one note what it has that a scenario does not use', () => {
    const problems = problemsOf(dump);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^schema\.sql:10:1 note: not used in a scenario: 1[012] × SET, /);
    expect(problems[0]).toContain(
      '1 × CREATE FUNCTION, 3 × a DEFAULT that is no constant (rows give the value), 1 × COMMENT',
    );
  });

  it.each(publications)('publication %s: its tables are announced as the server announces them', (publication) => {
    const { scenario, problems } = load(dump, `server: { version: ${major} }\n${rows(major)}`);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const messages = [...encodeScenario(scenario!, { publications: [publication] })];
    const ours = messages.filter(({ kind }) => kind === 'relation' || kind === 'type').map(({ payload }) => payload);
    const theirs = sent
      .filter((line) => line.startsWith(`${publication} `))
      .map((line) => Buffer.from(line.split(' ')[1]!, 'hex'));
    expect(theirs.length).toBeGreaterThan(0);
    expect(named(ours)).toEqual(named(theirs));
  });
});

describe('a schema dump', () => {
  it('gives keys, identities, defaults and publications', () => {
    const dump = readFileSync(`${folder}/pg18.sql`, 'utf8');
    const { scenario } = load(dump, '');
    const { tables, publications } = scenario!.database.catalog;
    const table = (name: string) => [...tables.values()].find((one) => one.name === name)!;
    // The key's order is that of the constraint, whatever that of the columns.
    expect(table('orders').primaryKey).toEqual({ columns: [1, 0], deferrable: false });
    expect(table('deferred').primaryKey).toEqual({ columns: [0], deferrable: true });
    expect(table('devices')).toMatchObject({ replicaIdentity: 'index', identityColumns: [1, 0] });
    expect(table('customers').indexes).toEqual([{ name: 'customers_email_key', unique: true, columns: [1] }]);
    expect(table('customers').columns[0]).toMatchObject({ name: 'id', notNull: true, identity: true });
    expect(table('computed').columns.map(({ generated }) => generated)).toEqual([null, 'stored', null, 'virtual']);
    expect(table('regions_eu_1').bound).toEqual({ kind: 'hash', modulus: 2, remainder: 1 });
    expect([...publications!.keys()]).toEqual(['app_pub', 'everything', 'none', 'rich', 'root_pub']);
    const rich = publications!.get('rich')!;
    const filters = [...rich.tables].map(([oid, { columns, where }]) => [tables.get(oid)!.name, columns, where?.text]);
    expect(filters).toEqual([
      ['base', null, "((made <> '2000-01-01 00:00:00'::timestamp without time zone) OR (id = 1))"],
      ['customers', ['id', 'email', 'name'], "((id > 10) AND (name <> 'x) y'::text))"],
    ]);
    expect(rich.generatedColumns).toBe('stored');
    expect(publications!.get('app_pub')!.publish).toEqual({
      insert: true,
      update: true,
      delete: false,
      truncate: false,
    });
  });

  it('gives rows that leave a column out its default', () => {
    const dump = readFileSync(`${folder}/pg14.sql`, 'utf8');
    const { scenario } = load(dump, 'stream: [{ insert: customers, row: { email: a@b, name: ann } }]');
    const inserted = [...encodeScenario(scenario!, { publications: ['app_pub'] })].find(
      ({ kind }) => kind === 'insert',
    );
    expect(inserted?.message).toMatchObject({
      newTuple: ['1', 'a@b', 'ann', '0.00', '{}', null, "it's {{new}}", '0101', 't', null, '2020-01-01'],
    });
  });

  it.each([
    [
      'CREATE TABLE t (a int);\nALTER TABLE t DROP COLUMN a;',
      '2:1 error: ALTER TABLE … DROP COLUMN is not read from a .sql file',
    ],
    ['CREATE TABLE t (LIKE u);', '1:14 error: CREATE TABLE … LIKE is not read from a .sql file'],
    ['ALTER TABLE ONLY t ADD CONSTRAINT k PRIMARY KEY (a);', '1:18 error: this file creates no table `public.t`'],
    ['CREATE TABLE t (a int);\nCREATE TABLE t (é text, a intt);', '2:25 error: there is no type `intt`'],
    ['CREATE TABLE t (\n  a int,,\n);', '2:9 error: SQL: syntax error at or near ","'],
    ['DROP TABLE t;', '1:1 error: DROP TABLE is not read from a .sql file'],
    [
      'CREATE TABLE t (a int) PARTITION BY RANGE ((a + 1));',
      '1:24 error: partitioning by an expression is not read from a .sql file',
    ],
    [
      'CREATE TABLE t (a int DEFAULT 9999999999);',
      '1:17 error: a: value "9999999999" is out of range for type integer; a real server refuses this value with 22003',
    ],
  ])('%j: %s', (dump, problem) => {
    expect(problemsOf(dump)).toContain(`schema.sql:${problem}`);
  });

  it('takes what psql and --data add', () => {
    const dump = [
      '\\restrict abc',
      'CREATE TABLE t (a int);',
      'COPY public.t (a) FROM stdin;',
      "1\tit's",
      '\\.',
      'CREATE TABLE u (b int);',
      '\\unrestrict abc',
    ].join('\n');
    expect(problemsOf(dump)).toEqual(['schema.sql:3:1 note: not used in a scenario: 1 × COPY']);
    expect([...load(dump, '').scenario!.database.catalog.tables.values()].map(({ name }) => name)).toEqual(['t', 'u']);
  });

  it('reads the search_path of old dumps', () => {
    const dump = 'SET search_path = shop, pg_catalog;\nCREATE TABLE t (a int);';
    expect([...load(dump, '').scenario!.database.catalog.tables.values()]).toMatchObject([{ namespace: 'shop' }]);
  });

  it('is refused where the caller cannot read SQL', () => {
    const { problems } = readScenario('scenario: x\ninclude: a.sql\n', { readFile: () => 'CREATE TABLE t (a int)' });
    expect(problems.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      '2: SQL is read only for callers that hand in a parser of SQL',
    ]);
  });

  it('reads types whose names need quotes', () => {
    const dump = `
CREATE SCHEMA "We ird";
CREATE TYPE "We ird"."Mood" AS ENUM ('sad', 'happy');
CREATE TYPE public."order" AS (moods "We ird"."Mood"[], n integer);
CREATE TABLE public.t (a "We ird"."Mood", b public."order", c "We ird"."Mood"[]);
`;
    expect(problemsOf(dump, 'stream: [{ insert: t, row: { a: sad, b: { moods: [happy], n: 1 }, c: [sad] } }]')).toEqual(
      ['schema.sql:2:1 note: not used in a scenario: 1 × CREATE SCHEMA'],
    );
  });
});
