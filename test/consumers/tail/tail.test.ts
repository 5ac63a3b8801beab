/** The built-in client, against a real server. */
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { installServer } from '../../oracle/server/binaries.js';
import type { Connection } from '../../oracle/client/connection.js';
import { Cluster } from '../../oracle/server/cluster.js';
import { root, start, type Program } from '../programs.js';

const major = 16;
let server: Cluster;
let admin: Connection;

beforeAll(async () => {
  const folder = process.env['ORACLE_SERVERS'] ?? join(root, 'test/oracle/.servers');
  server = await Cluster.start(major, installServer(major, folder));
  admin = await server.connect('postgres');
  await admin.query(`
    CREATE TABLE t (id int PRIMARY KEY, v text);
    CREATE PUBLICATION "Pub" FOR TABLE t;
    SET password_encryption = 'scram-sha-256';
    CREATE ROLE scram SUPERUSER LOGIN PASSWORD 'päss wörd';
    CREATE ROLE plain SUPERUSER LOGIN PASSWORD 'plain';
    SET password_encryption = 'md5';
    CREATE ROLE md5 SUPERUSER LOGIN PASSWORD 'md5'`);
  const access = join(server.dataFolder, 'pg_hba.conf');
  const trust = readFileSync(access, 'utf8');
  writeFileSync(access, ['scram-sha-256 scram', 'md5 md5', 'password plain'].map(accessLine).join(''));
  appendFileSync(access, trust);
  await admin.query('SELECT pg_reload_conf()');
}, 600_000);

function accessLine(methodAndRole: string): string {
  const [method, role] = methodAndRole.split(' ') as [string, string];
  return `host all ${role} 127.0.0.1/32 ${method}\n`;
}

afterAll(async () => {
  admin.end();
  await server.stop();
});

function tail(credentials: string, ...args: string[]): Program {
  const url = `postgres://${credentials}@127.0.0.1:${server.port}/postgres`;
  return start(process.execPath, ['dist/cli/main.js', 'tail', '--url', url, '--publication', 'Pub', ...args]);
}

/** Resolves once somebody streams from the slot. */
async function active(slot: string): Promise<void> {
  while ((await admin.value(`SELECT active FROM pg_replication_slots WHERE slot_name = '${slot}'`)) !== 't');
}

describe('tail', () => {
  it.each(['postgres', `scram:${encodeURIComponent('päss wörd')}`, 'md5:md5', 'plain:plain'])(
    'logs in as %s',
    async (credentials) => {
      const client = tail(credentials, '--slot', 'temporary', '--create-slot', '--temporary', '--idle', '1ms');
      expect({ status: await client.ended, errors: client.errors }).toEqual({
        status: 0,
        errors: expect.stringMatching(/^confirmed /),
      });
    },
  );

  it('says why it cannot log in', async () => {
    const client = tail('scram:wrong', '--slot', 'temporary');
    expect(await client.ended).toBe(1);
    expect(client.errors).toContain('password authentication failed for user "scram" (SQLSTATE 28P01)');
  });

  it('prints what happens, and goes on from what it confirmed', async () => {
    const first = tail('postgres', '--slot', 's', '--create-slot', '--count', '2');
    await active('s');
    await admin.query("INSERT INTO t VALUES (1, 'one')");
    await admin.query('UPDATE t SET id = 2');
    expect(await first.ended).toBe(0);
    const text = first.output.toString();
    expect(text).toMatch(
      /^BEGIN \d+, committed \S+Z\n {2}RELATION public\.t \(id\*, v\), OID \d+, replica identity default\n/,
    );
    expect(text).toContain('  INSERT public.t id=1 v=one\n');
    expect(text).toContain('  UPDATE public.t key (id=1) → id=2 v=one\n');
    const confirmed = /^confirmed (\S+) \(transactions: 2\)/m.exec(first.errors)?.[1];
    expect(await admin.value("SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = 's'")).toBe(
      confirmed,
    );

    await admin.query('DELETE FROM t');
    const end = await admin.value('SELECT pg_current_wal_lsn()');
    const second = tail('postgres', '--slot', 's', '--json', '--until-lsn', end);
    expect(await second.ended).toBe(0);
    expect(second.lines).toMatchObject([
      { kind: 'begin' },
      { kind: 'relation' },
      { kind: 'delete', message: { oldTuple: { marker: 'K', columns: ['2', null] } } },
      { kind: 'commit' },
    ]);
  });

  it('ends in good order at SIGINT', async () => {
    const client = tail('postgres', '--slot', 'interrupted', '--create-slot');
    await active('interrupted');
    await admin.query("INSERT INTO t VALUES (9, 'nine')");
    await once(client.process.stdout!, 'data');
    client.process.kill('SIGINT');
    expect({ status: await client.ended, errors: client.errors }).toEqual({
      status: 0,
      errors: expect.stringMatching(/^confirmed /),
    });
  });
});
