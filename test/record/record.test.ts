/**
 * What `record` captures from real servers encodes to what another client got from the same server, through a slot of its
 * own that was made at the same place.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatLsn, parseLsn } from '../../src/values/lsn.js';
import { run } from '../cli/terminal.js';
import { Capture } from '../oracle/client/capture.js';
import { Connection } from '../oracle/client/connection.js';
import { installServer } from '../oracle/server/binaries.js';
import { Cluster } from '../oracle/server/cluster.js';

const setup = `
  CREATE TYPE mood AS ENUM ('sad', 'ok', 'it''s fine');
  CREATE DOMAIN price AS numeric(10,2);
  CREATE TYPE pair AS (a int, b text);
  CREATE TABLE users (id bigint PRIMARY KEY, email text NOT NULL, bio text, feels mood, paid price, born date,
    seen timestamptz, tags text[], doc jsonb, raw bytea, pairs pair, ok boolean, span int4range, at inet);
  CREATE TABLE notes (n int, body text);
  ALTER TABLE notes REPLICA IDENTITY FULL;
  CREATE TABLE codes (code varchar(8) NOT NULL, v real, UNIQUE (code));
  ALTER TABLE codes REPLICA IDENTITY USING INDEX codes_code_key;
  CREATE TABLE "Odd ""Name" ("a.b" int, "null" text, PRIMARY KEY ("null", "a.b"));
  CREATE PUBLICATION pub FOR ALL TABLES`;

const big = "(SELECT string_agg(md5(n::text), '') FROM generate_series(1, 400) n)";
const workload = [
  `INSERT INTO users VALUES (1, 'ann@corp.test', 'line one
 "two" \\ {{three}}', 'ok', 10.5, '1999-12-31', '2024-02-29 12:00:00.25+00', '{a,"b c",NULL}', '{"k": [1, "x", null]}',
    '\\xdeadbeef', '(7,seven)', true, '[1,5)', '10.0.0.1')`,
  `INSERT INTO users (id, email, bio) VALUES (2, 'null', ${big})`,
  "UPDATE users SET email = 'bob@corp.test' WHERE id = 2",
  'UPDATE users SET id = 3 WHERE id = 2',
  "INSERT INTO notes VALUES (1, 'true'), (2, ''), (3, NULL)",
  "UPDATE notes SET body = '~' WHERE n = 2",
  'DELETE FROM notes WHERE n = 1',
  "INSERT INTO codes VALUES ('one', 1.5), ('two', 'NaN')",
  "UPDATE codes SET code = 'three' WHERE code = 'two'",
  'INSERT INTO "Odd ""Name" VALUES (1, \'x\')',
  "BEGIN; SAVEPOINT a; INSERT INTO notes VALUES (4, 'kept'); SAVEPOINT b; INSERT INTO notes VALUES (5, 'gone'); ROLLBACK TO b; INSERT INTO notes VALUES (6, 'kept'); COMMIT",
  `BEGIN; INSERT INTO notes SELECT n, repeat('x', 100) FROM generate_series(100, 1500) n; SAVEPOINT a;
    INSERT INTO notes SELECT n, repeat('y', 100) FROM generate_series(2000, 3500) n; ROLLBACK TO a; INSERT INTO codes VALUES ('late', 2); COMMIT`,
  'ALTER TABLE notes ADD COLUMN extra int; ALTER TABLE notes RENAME COLUMN body TO content',
  "INSERT INTO notes VALUES (7, 'altered', 42)",
  'ALTER TABLE users REPLICA IDENTITY FULL',
  'UPDATE users SET paid = 11 WHERE id = 3',
  "BEGIN; ALTER TABLE codes ALTER COLUMN v TYPE numeric; INSERT INTO codes VALUES ('in', 3.25); COMMIT",
  'TRUNCATE codes, notes',
  "INSERT INTO codes VALUES ('after', 4)",
  "BEGIN; INSERT INTO codes VALUES ('p1', 5); PREPARE TRANSACTION 'gid one'",
  "COMMIT PREPARED 'gid one'",
  "BEGIN; INSERT INTO codes VALUES ('p2', 6); PREPARE TRANSACTION 'gid two'",
  "ROLLBACK PREPARED 'gid two'",
  "INSERT INTO users (id, email) VALUES (9, 'last@corp.test')",
];

interface Client {
  readonly name: string;
  readonly since: number;
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string>>;
}
const named = { publication_names: '"pub"' };
const clients: readonly Client[] = [
  { name: 'v1', since: 10, args: [], options: { proto_version: '1', ...named } },
  { name: 'v1_binary', since: 14, args: ['--binary'], options: { proto_version: '1', ...named, binary: 'true' } },
  {
    name: 'v2_stream',
    since: 14,
    args: ['--streaming', 'on', '--messages'],
    options: { proto_version: '2', ...named, streaming: 'on', messages: 'true' },
  },
  {
    name: 'v4_parallel',
    since: 16,
    args: ['--streaming', 'parallel', '--two-phase'],
    options: { proto_version: '4', ...named, streaming: 'parallel', two_phase: 'on' },
  },
];

describe.each([10, 14, 16, 18])('a server of major %i', (major) => {
  let server: Cluster;
  let admin: Connection;
  let folder: string;
  let endLsn: string;
  const own = clients.filter(({ since }) => since <= major);
  const path = (name: string): string => join(folder, name);

  async function query(text: string): Promise<(string | null)[][]> {
    return (await admin.query(text)).map((row) => [...row]);
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'record-'));
    const servers = process.env['ORACLE_SERVERS'] ?? join(process.cwd(), 'test/oracle/.servers');
    server = await Cluster.start(major, installServer(major, servers));
    admin = await server.connect('postgres');
    await query(setup);
    for (const { name } of own) {
      for (const who of ['recorded', 'captured']) {
        await query(`SELECT pg_create_logical_replication_slot('${who}_${name}', 'pgoutput')`);
      }
    }
    for (const statement of workload) await query(statement);
    if (major >= 14)
      await query(
        "SELECT pg_logical_emit_message(true, 'app', 'hello'), pg_logical_emit_message(false, 'app', '\\xff00'::bytea)",
      );
    endLsn = (await query('SELECT pg_current_wal_lsn()'))[0]![0]!;
  }, 600_000);

  afterAll(async () => {
    admin.end();
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  function record(client: Client, file: string, ...more: string[]) {
    const url = `postgres://postgres@127.0.0.1:${server.port}/postgres`;
    const where = ['--url', url, '--slot', `recorded_${client.name}`, '--publication', 'pub', '-o', path(file)];
    return run(['record', ...where, ...client.args, '--until-lsn', endLsn, ...more]);
  }

  async function captured({ name, options }: Client): Promise<string[]> {
    const parameters = { user: 'postgres', database: 'postgres', replication: 'database' };
    const capture = Capture.start(await Connection.open(server.port, parameters), `captured_${name}`, options);
    await capture.reach(parseLsn(endLsn));
    await capture.finish(false);
    expect(capture.error).toBeUndefined();
    return capture.frames.map(({ walStart, payload }) => `${formatLsn(walStart)} ${payload.toString('hex')}`);
  }

  async function encoded(file: string): Promise<string[]> {
    const { stdout, stderr } = await run(['encode', path(file)]);
    expect(stderr).toBe('');
    return stdout
      .trim()
      .split('\n')
      .map((line) => {
        const { lsn, hex } = JSON.parse(line) as { lsn: string; hex: string };
        return `${lsn} ${hex}`;
      });
  }

  it.each(own)('$name comes again byte by byte', async (client) => {
    const { status, stderr } = await record(client, `${client.name}.yaml`);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringContaining('transactions') as unknown as string,
    });
    const expected = await captured(client);
    expect(await encoded(`${client.name}.yaml`)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(1000);
  });

  it('tells keys, NOT NULL and types as the catalogs do', () => {
    const text = readFileSync(path('v1.yaml'), 'utf8');
    for (const part of ['email: text not null', 'feels: mood', 'paid: price', "- it's fine", 'codes_code_key']) {
      expect(text).toContain(part);
    }
  });

  it('leaves none of the values in an anonymized recording', async () => {
    const [client] = own;
    expect(await record(client!, 'anonymous.yaml', '--anonymize')).toMatchObject({ status: 0 });
    const text = readFileSync(path('anonymous.yaml'), 'utf8');
    const stream = text.slice(text.indexOf('\nstream:'));
    const values = [
      'ann@corp.test',
      'bob@corp.test',
      'last@corp.test',
      'line one',
      'two',
      'three',
      'deadbeef',
      'seven',
    ];
    for (const value of [
      ...values,
      '1999-12-31',
      '2024-02-29',
      '10.0.0.1',
      'kept',
      'altered',
      'after',
      '10.50',
      'xxxxxxxx',
    ]) {
      expect(stream.includes(value) ? value : null).toBeNull();
    }
    expect(await run(['lint', path('anonymous.yaml')])).toMatchObject({ status: 0 });
  });

  it('confirms nothing by itself, and what was recorded when told to', async () => {
    const [client] = own;
    const confirmed = async (): Promise<string> =>
      (
        await query(`SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = 'recorded_${client!.name}'`)
      )[0]![0]!;
    expect(parseLsn(await confirmed())).toBeLessThan(parseLsn(endLsn));
    expect(await record(client!, 'confirmed.yaml', '--confirm')).toMatchObject({ status: 0 });
    expect(parseLsn(await confirmed())).toBeGreaterThanOrEqual(parseLsn(endLsn));
  });
});
