// Handlers one by one: the guide's examples (docs/testing.md), on nothing but `pg`.
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { command, connection, query, scenario, setupWalsender, slot, table } from 'fake-walsender';
import { matchers } from 'fake-walsender/jest';
import { Client } from 'pg';
import { UserMirror } from './user-mirror.js';

expect.extend(matchers);

const users = table(
  'public.users',
  { id: 'int8 primary key', email: 'text' },
  { rows: [{ id: 7n, email: 'old@b.c' }] },
);

const server = setupWalsender(
  users,
  query('SHOW wal_level', () => query.rows([{ wal_level: 'logical' }])),
);
beforeAll(() => server.listen());
afterEach(() => server.reset());
afterAll(() => server.close());

/** Asks on a connection of its own. */
async function ask(text: string, values?: readonly unknown[], url = server.url): Promise<object[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<object>(text, values && [...values])).rows;
  } finally {
    await client.end();
  }
}

test('a table answers SQL, too', async () => {
  expect(await ask('SELECT email FROM users WHERE id = 7')).toEqual([{ email: 'old@b.c' }]);
  expect(await ask('SELECT email FROM users WHERE id = $1', [7])).toEqual([{ email: 'old@b.c' }]);
});

test('a query handler answers what fits', async () => {
  server.use(
    query(/from app\.settings where name = \$1/i, ({ values }) =>
      values[0] === 'mode' ? query.rows([{ value: 'fast' }]) : query.rows([], { columns: { value: 'text' } }),
    ),
    query('SELECT app.next_batch()', () => query.error('42501', 'permission denied', { hint: 'Ask an admin.' })),
    query('SELECT app.ping()', () => query.disconnect('reset')),
  );
  expect(await ask('SELECT value FROM app.settings WHERE name = $1', ['mode'])).toEqual([{ value: 'fast' }]);
  expect(await ask('SELECT value FROM app.settings WHERE name = $1', ['none'])).toEqual([]);
  await expect(ask('select app.next_batch();')).rejects.toMatchObject({ code: '42501', hint: 'Ask an admin.' });
});

test('a command handler answers replication commands', async () => {
  server.use(
    command('CREATE_REPLICATION_SLOT', ({ command: { slot: name } }) =>
      name === 'tenth' ? command.error('53400', 'all replication slots are in use') : undefined,
    ),
  );
  const create = (name: string) =>
    ask(`CREATE_REPLICATION_SLOT ${name} LOGICAL pgoutput`, undefined, `${server.url}?replication=database`);
  await expect(create('tenth')).rejects.toMatchObject({ code: '53400' });
  expect(await create('ninth')).toMatchObject([{ slot_name: 'ninth' }]);
});

test('a connection handler refuses whom it likes', async () => {
  server.use(connection(({ user }) => connection.error('28P01', `password authentication failed for user "${user}"`)));
  await expect(ask('SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  server.use(connection('connect', () => connection.disconnect('reset'), { once: true }));
  await expect(ask('SELECT 1')).rejects.toThrow(/ECONNRESET|terminated/);
});

test('a slot handler is the WAL of one slot', async () => {
  server.use(
    slot('mirror', function* ({ options }) {
      const { endLsn } = yield users.insert({ id: 1n, email: options.publicationNames.join() });
      yield users.update({ where: { id: 1n }, set: { email: `${endLsn}` } });
    }),
  );
  const mirror = new UserMirror(server.url);
  const running = mirror.run();
  try {
    const { lsn } = await server.events.next('replication:caughtUp', ({ lsn }) => lsn > 0n);
    await expect(server).toHaveConfirmed(lsn, { slot: 'mirror' });
    expect(mirror.users.get('1')?.email).toMatch(/^\d+$/);
  } finally {
    await mirror.stop();
    await running;
  }
});

test('a scenario handler is a database', async () => {
  server.use(scenario('test/examples/users.yaml', { serverVersion: '15' }));
  expect(new URL(server.url).pathname).toBe('/users');
  expect(await ask('SHOW server_version')).toEqual([{ server_version: expect.stringMatching(/^15/) }]);
});

test('the first that fits is asked, and the latest is the first', async () => {
  const level = () => ask('SHOW wal_level');

  server.use(query('SHOW wal_level', () => query.rows([{ wal_level: 'minimal' }])));
  expect(await level()).toEqual([{ wal_level: 'minimal' }]);

  server.use(query('SHOW wal_level', () => query.error('57P03', 'starting up'), { once: true }));
  await expect(level()).rejects.toMatchObject({ code: '57P03' });
  expect(await level()).toEqual([{ wal_level: 'minimal' }]); // once is over

  server.restoreHandlers();
  await expect(level()).rejects.toMatchObject({ code: '57P03' }); // and begins again

  server.resetHandlers();
  expect(await level()).toEqual([{ wal_level: 'logical' }]); // what setupWalsender was given
});

test('a generator gives one answer after another, and the last one for ever', async () => {
  server.use(
    query('SELECT pg_is_in_recovery()', function* () {
      yield query.error('57P03', 'the database system is starting up');
      yield query.rows([{ pg_is_in_recovery: true }]);
      return query.rows([{ pg_is_in_recovery: false }]);
    }),
  );
  const recovering = () => ask('SELECT pg_is_in_recovery()');
  await expect(recovering()).rejects.toMatchObject({ code: '57P03' });
  expect(await recovering()).toEqual([{ pg_is_in_recovery: true }]);
  expect(await recovering()).toEqual([{ pg_is_in_recovery: false }]);
  expect(await recovering()).toEqual([{ pg_is_in_recovery: false }]);
});

test('what nobody can answer may be answered in the end', async () => {
  await using own = await setupWalsender().listen({
    onUnhandledQuery: ({ text }, print) => {
      if (text.includes('xpath')) return query.rows([{ xpath: '{<a/>}' }]);
      print.error();
      return undefined;
    },
  });
  expect(await ask("SELECT xpath('/a', $$<a/>$$)", undefined, own.url)).toEqual([{ xpath: '{<a/>}' }]);
});

test('a client that takes a stream needs no port', async () => {
  const stream = server.connectStream();
  stream.write(Buffer.from('0000000804d2162f', 'hex')); // SSLRequest
  const [answer] = (await once(stream, 'data')) as [Buffer];
  expect(answer.toString()).toBe('N');
  stream.destroy();
});
