/** Real PostgreSQL servers subscribe: after initial copies and whatever they negotiated, their rows are right. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { installServer } from '../../oracle/server/binaries.js';
import { Cluster } from '../../oracle/server/cluster.js';
import type { Connection } from '../../oracle/client/connection.js';
import { root, serve } from '../programs.js';

const tables = `
  CREATE TABLE accounts (id int PRIMARY KEY, name text NOT NULL, note text, balance numeric(10,2),
    opened timestamptz, active boolean);
  CREATE TABLE readings (sensor uuid, taken date, value double precision, tags text[], PRIMARY KEY (sensor, taken));
  CREATE TABLE log (at timestamp, what varchar(20), data bytea);
  ALTER TABLE log REPLICA IDENTITY FULL;
  CREATE TABLE scratch (id bigint PRIMARY KEY)`;

/** The publisher's rows before its stream, for a subscriber that does not copy them. */
const initialRows = `
  INSERT INTO accounts VALUES (1, 'Ann', 'a long note', 10.50, '2025-03-01T08:30:00Z', true),
    (2, 'Bo', NULL, -1.00, NULL, false), (3, 'Chén "3"', E'tab\\tand \\\\ backslash', NULL, '2025-03-02T00:00:00.25Z', true);
  INSERT INTO readings VALUES ('6f1c2c8e-0b39-4c52-9a37-5d5f6f0a0001', '2026-01-01', 1.5, '{a,b c}');
  INSERT INTO log VALUES ('2026-01-01 10:00:00', 'start', NULL), ('2026-01-01 10:00:00', 'start', '\\x00ff');
  INSERT INTO scratch VALUES (1), (2)`;

/** What the scenario leaves, written from its text. */
const finalRows = {
  accounts: [
    ['1', 'Ann Miller', 'a long note', '10.50', '2025-03-01 08:30:00+00', 't'],
    ['20', 'Bo', null, '-1.00', null, 'f'],
    ['4', 'Dee', 'another long note', '99999999.99', '1999-12-31 23:59:59+00', null],
    ['5', 'Eve', null, '5.00', null, null],
  ],
  log: [
    ['2026-01-01 10:00:00', 'started', '\\x00ff'],
    ['2026-01-01 11:00:00.123456', 'go', '\\xdeadbeef'],
  ],
  readings: [
    ['6f1c2c8e-0b39-4c52-9a37-5d5f6f0a0001', '2026-01-02', '1e+100', '{}'],
    ['6f1c2c8e-0b39-4c52-9a37-5d5f6f0a0002', '2026-01-03', 'NaN', '{NULL,"x\\"y"}'],
  ],
  scratch: [['7']],
};

/** Where the TRUNCATE is not published. */
const finalRowsUntruncated = {
  ...finalRows,
  scratch: ['1', '2', '7', ...Array.from({ length: 300 }, (_, index) => `10${index}`)].sort().map((id) => [id]),
};

interface Case {
  readonly subscriber: number;
  readonly publisher: number;
  /** The subscription's, besides copy_data. */
  readonly options: string;
}

/** What each major of subscribers can ask for, of a publisher of its own major and of the newest. */
const cases: readonly Case[] = [
  { subscriber: 10, publisher: 10, options: '' },
  { subscriber: 10, publisher: 18, options: '' },
  { subscriber: 14, publisher: 14, options: 'binary = on' },
  { subscriber: 14, publisher: 18, options: 'streaming = on' },
  { subscriber: 16, publisher: 16, options: 'streaming = parallel, two_phase = on' },
  { subscriber: 16, publisher: 18, options: 'binary = on, streaming = on' },
  { subscriber: 18, publisher: 18, options: 'streaming = off' },
  { subscriber: 18, publisher: 18, options: 'binary = on, streaming = on' },
  { subscriber: 18, publisher: 18, options: 'binary = on, streaming = parallel, two_phase = on' },
  { subscriber: 18, publisher: 13, options: 'streaming = off' },
];

const servers = new Map<number, Cluster>();
let databases = 0;

beforeAll(async () => {
  const folder = process.env['ORACLE_SERVERS'] ?? join(root, 'test/oracle/.servers');
  for (const major of new Set(cases.map(({ subscriber }) => subscriber))) {
    const server = await Cluster.start(major, installServer(major, folder));
    servers.set(major, server);
    const connection = await server.connect('postgres');
    await connection.query("ALTER SYSTEM SET wal_receiver_status_interval = '1s'");
    await connection.query('SELECT pg_reload_conf()');
    connection.end();
  }
}, 600_000);

afterAll(async () => {
  await Promise.all([...servers.values()].map((server) => server.stop()));
});

/** A new database with the tables. */
async function subscriberDatabase(major: number): Promise<Connection> {
  const server = servers.get(major)!;
  const name = `subscriber_${++databases}`;
  const maintenance = await server.connect('postgres');
  await maintenance.query(`CREATE DATABASE ${name}`);
  maintenance.end();
  const connection = await server.connect(name);
  await connection.query(tables);
  return connection;
}

async function rows(connection: Connection): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const table of Object.keys(finalRows)) {
    found[table] = await connection.query(`SELECT * FROM ${table} ORDER BY ${table}::text COLLATE "C"`);
  }
  return found;
}

/** Whether the slot has confirmed all there is, as the publisher says. */
async function confirmed(publisher: URL, slot: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: publisher.href });
  await client.connect();
  const { rows: found } = await client.query<{ all: boolean }>(
    'SELECT confirmed_flush_lsn >= pg_current_wal_lsn() AS all FROM pg_replication_slots WHERE slot_name = $1',
    [slot],
  );
  await client.end();
  return found[0]!.all;
}

/** What `read` gives once it is `expected`, or after half a minute. */
async function eventually(read: () => Promise<unknown>, expected: unknown): Promise<unknown> {
  const limit = Date.now() + 30_000;
  for (;;) {
    const found = await read();
    if (Date.now() > limit || JSON.stringify(found) === JSON.stringify(expected)) return found;
    await sleep(50);
  }
}

describe.each(cases)('a subscriber of $subscriber to a publisher of $publisher ($options)', (one) => {
  it.each(['on', 'off'])('ends with the right rows, copy_data = %s', async (copyData) => {
    const server = await serve('test/consumers/subscriber/publisher.yaml', '--server-version', String(one.publisher));
    const connection = await subscriberDatabase(one.subscriber);
    if (copyData === 'off') await connection.query(initialRows);
    const options = [`copy_data = ${copyData}`, one.options].filter(Boolean).join(', ');
    const { hostname, port } = server.url;
    const name = `subscription_${databases}`;
    await connection.query(
      `CREATE SUBSCRIPTION ${name} CONNECTION 'host=${hostname} port=${port} user=postgres dbname=publisher'
       PUBLICATION ${one.subscriber === 10 ? 'rows_only' : 'app'} WITH (${options})`,
    );
    const expected = one.subscriber === 10 ? finalRowsUntruncated : finalRows;
    expect(await eventually(() => rows(connection), expected)).toEqual(expected);
    const states = (): Promise<unknown> => connection.query('SELECT DISTINCT srsubstate FROM pg_subscription_rel');
    expect(await eventually(states, [['r']])).toEqual([['r']]);
    expect(await eventually(() => confirmed(server.url, name), true)).toBe(true);
    // Drops the publisher's slot, too.
    await connection.query(`DROP SUBSCRIPTION ${name}`);
    connection.end();
    server.process.kill();
    expect(await server.ended).toBe(0);
    // It did negotiate what the subscription asked for.
    for (const [, option, value] of one.options.matchAll(/(streaming) = (on|parallel)/g)) {
      expect(server.errors).toMatch(
        new RegExp(`^\\[\\d+\\] slot ${name} streams from .*\\b${option} ${value}\\b`, 'm'),
      );
    }
  });
});

describe.each([16, 18])('a subscriber of %s with two_phase', (major) => {
  it('prepares what the publisher prepared', async () => {
    const server = await serve('test/consumers/subscriber/two-phase.yaml', '--server-version', String(major));
    const connection = await subscriberDatabase(major);
    const name = `subscription_${databases}`;
    const { hostname, port } = server.url;
    await connection.query(
      `CREATE SUBSCRIPTION ${name} CONNECTION 'host=${hostname} port=${port} user=postgres dbname=two-phase'
       PUBLICATION app WITH (two_phase = on)`,
    );
    const ids = (): Promise<unknown> => connection.query('SELECT id FROM scratch ORDER BY id');
    expect(await eventually(ids, [['1'], ['2']])).toEqual([['1'], ['2']]);
    // The transaction that nobody ended waits at the subscriber as it does at the publisher.
    const prepared = (): Promise<string> =>
      connection.value('SELECT count(*) FROM pg_prepared_xacts WHERE database = current_database()');
    expect(await eventually(prepared, '1')).toBe('1');
    expect(server.errors).toMatch(new RegExp(`^\\[\\d+\\] slot ${name} streams from .*\\btwo_phase on\\b`, 'm'));
    await connection.query(`DROP SUBSCRIPTION ${name}`);
    connection.end();
    server.process.kill();
    expect(await server.ended).toBe(0);
  });
});
