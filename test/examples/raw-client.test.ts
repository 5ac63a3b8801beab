// A program that asks a few things before it starts replication, on nothing but `pg`.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { command, query, setupWalsender, table } from 'fake-walsender';
import { matchers } from 'fake-walsender/jest';
import { Client } from 'pg';

expect.extend(matchers);

/** The program: is everything there that it needs? */
async function check(url: string, slotName: string): Promise<string> {
  const client = new Client({ connectionString: `${url}?replication=database` });
  await client.connect();
  try {
    const { rows: level } = await client.query<{ wal_level: string }>('SHOW wal_level');
    if (level[0]?.wal_level !== 'logical') return `wal_level is ${level[0]?.wal_level}`;
    const { rows: tables } = await client.query('SELECT tablename FROM pg_tables WHERE schemaname = $$public$$');
    await client.query(`CREATE_REPLICATION_SLOT ${slotName} LOGICAL pgoutput`);
    return `ready: ${tables.length} tables`;
  } catch (error) {
    return `not ready: ${(error as Error).message}`;
  } finally {
    await client.end();
  }
}

const server = setupWalsender(table('users', { id: 'int8 primary key' }), table('orders', { no: 'int4 primary key' }));
beforeAll(() => server.listen());
afterEach(() => server.reset());
afterAll(() => server.close());

describe('check', () => {
  test('is content with a server that has everything', async () => {
    expect(await check(server.url, 's')).toBe('ready: 2 tables');
    expect(server).toHaveReceivedQuery(/^CREATE_REPLICATION_SLOT s /);
  });

  test('tells what is wrong with the server', async () => {
    server.use(query('SHOW wal_level', () => query.rows([{ wal_level: 'replica' }]), { once: true }));
    expect(await check(server.url, 's')).toBe('wal_level is replica');
    expect(await check(server.url, 's')).toBe('ready: 2 tables');
  });

  test('tells of slots that cannot be made', async () => {
    server.use(
      command('CREATE_REPLICATION_SLOT', ({ command: { slot } }) =>
        slot === 'tenth' ? command.error('53400', 'all replication slots are in use') : undefined,
      ),
    );
    expect(await check(server.url, 'tenth')).toBe('not ready: all replication slots are in use');
    expect(await check(server.url, 'ninth')).toBe('ready: 2 tables');
  });
});
