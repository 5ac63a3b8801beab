import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { command, connection, query, scenario, setupWalsender, table } from '../../src/index.js';
import { consume } from './consumer.js';

const server = setupWalsender(
  query('SHOW wal_level', () => query.rows([{ wal_level: 'minimal' }])),
  query(/from\s+audit\s+where id = \$1/i, ({ values, match }) =>
    query.rows([{ id: values[0] ?? null, asked: match?.[0] }]),
  ),
  query('select secret()', function* () {
    yield query.rows([{ secret: 1 }]);
    yield query.error('42501', 'permission denied', { hint: 'ask again' });
    return query.rows([{ secret: 3 }]);
  }),
);
beforeAll(() => server.listen());
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

async function withClient<T>(use: (client: Client) => Promise<T>, parameters = ''): Promise<T> {
  const client = new Client({ connectionString: server.url + parameters });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

describe('query handlers', () => {
  it('answer what fits, in both protocols; the server answers the rest', async () => {
    await withClient(async (client) => {
      expect((await client.query('show WAL_LEVEL;')).rows).toEqual([{ wal_level: 'minimal' }]);
      const bound = await client.query('select * from audit where id = $1', [7]);
      expect(bound.rows).toEqual([{ id: '7', asked: 'from audit where id = $1' }]);
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    });
  });

  it('give one answer after another when they are generators, the last one for ever', async () => {
    await withClient(async (client) => {
      expect((await client.query('select secret()')).rows).toEqual([{ secret: 1 }]);
      await expect(client.query('select secret()')).rejects.toMatchObject({ code: '42501', hint: 'ask again' });
      expect((await client.query('select secret()')).rows).toEqual([{ secret: 3 }]);
      expect((await client.query('select secret()')).rows).toEqual([{ secret: 3 }]);
    });
  });

  it('are asked the latest first; once means once; undefined asks the next', async () => {
    server.use(query('SHOW wal_level', () => query.error('57P03', 'starting up'), { once: true }));
    server.use(query(/wal_level/i, () => undefined));
    await withClient(async (client) => {
      await expect(client.query('SHOW wal_level')).rejects.toMatchObject({ code: '57P03' });
      expect((await client.query('SHOW wal_level')).rows).toEqual([{ wal_level: 'minimal' }]);
      server.restoreHandlers();
      await expect(client.query('SHOW wal_level')).rejects.toMatchObject({ code: '57P03' });
      server.use(query('SHOW wal_level', () => query.passthrough()));
      expect((await client.query('SHOW wal_level')).rows).toEqual([{ wal_level: 'logical' }]);
      expect(server.listHandlers()).toHaveLength(6);
      server.resetHandlers();
      expect((await client.query('SHOW wal_level')).rows).toEqual([{ wal_level: 'minimal' }]);
    });
  });

  it('type values by what they are, or as they are told', async () => {
    const row = { big: 2n ** 60n, flag: true, at: new Date(0), bytes: Buffer.from('a'), json: { a: 1 }, none: null };
    server.use(query('types', () => query.rows([row])));
    server.use(query('empty', () => query.rows([], { columns: { id: 'int8' } })));
    await withClient(async (client) => {
      const result = await client.query('types');
      expect(result.rows).toEqual([{ ...row, big: String(row.big) }]);
      expect((await client.query('empty')).fields).toMatchObject([{ name: 'id', dataTypeID: 20 }]);
    });
  });
});

describe('command and connection handlers', () => {
  it('answer replication commands, by name and typed', async () => {
    server.use(
      command('CREATE_REPLICATION_SLOT', ({ command: { slot } }) =>
        slot === 'full' ? command.error('53400', 'all replication slots are in use') : undefined,
      ),
    );
    await withClient(async (client) => {
      const create = (slot: string) => client.query(`CREATE_REPLICATION_SLOT ${slot} LOGICAL pgoutput`);
      await expect(create('full')).rejects.toMatchObject({ code: '53400' });
      expect((await create('other')).rows).toMatchObject([{ slot_name: 'other' }]);
    }, '?replication=database');
    expect(() => command('CREATE_SLOT' as 'SHOW', () => undefined)).toThrow(
      /no replication command: there are IDENTIFY/,
    );
  });

  it('refuse connections', async () => {
    server.use(connection(({ user }) => connection.error('28P01', `no, ${user}`), { once: true }));
    server.use(connection('connect', () => connection.disconnect('reset'), { once: true }));
    await expect(withClient(() => Promise.resolve())).rejects.toThrow(/ECONNRESET|terminated/);
    await expect(withClient(() => Promise.resolve())).rejects.toMatchObject({ code: '28P01', message: 'no, postgres' });
    await withClient(() => Promise.resolve());
  });

  it('are told from what is none', () => {
    expect(() => server.use([] as never)).toThrow(/one by one/);
    expect(() => server.use({} as never)).toThrow(/no handler: make one with scenario\(\)/);
  });
});

describe('scenario handlers', () => {
  it('take the place of others for one test', async () => {
    server.use(
      scenario(
        'scenario: other\nserver: { version: 13 }\ntables: { t: { columns: { a: int4 primary key } } }\nstream: [{ insert: t, row: { a: 1 } }]',
      ),
    );
    const consumer = await consume(server.url);
    await consumer.received('commit');
    expect(consumer.messages.at(2)).toMatchObject({ kind: 'insert', newTuple: ['1'] });
    await consumer.end();
    await withClient(async (client) => {
      expect((await client.query('show server_version')).rows[0]).toEqual({
        server_version: expect.stringMatching(/^13/),
      });
    });
    server.resetHandlers();
    await withClient(async (client) => {
      expect((await client.query('show server_version')).rows[0]).toEqual({
        server_version: expect.stringMatching(/^18/),
      });
    });
  });

  it('are databases of one server, the first one where no other is meant', async () => {
    const [one, two] = ['one', 'two'].map((name) =>
      scenario(`scenario: ${name}\ntables: { ${name}: { columns: { a: int4 primary key } } }`, {
        file: `${name}.yaml`,
      }),
    );
    await using own = await setupWalsender(one!, two!).listen();
    const url = new URL(own.url);
    expect(url.pathname).toBe('/one');
    const tablesOf = async (database: string): Promise<unknown> => {
      url.pathname = database;
      const client = new Client({ connectionString: url.href });
      await client.connect();
      const { rows } = await client.query("select tablename from pg_tables where schemaname = 'public'");
      await client.end();
      return rows;
    };
    expect(await tablesOf('two')).toEqual([{ tablename: 'two' }]);
    expect(await tablesOf('three')).toEqual([{ tablename: 'one' }]);
    const rows = table('two', { a: 'int4 primary key' });
    await own.publish(rows.insert({ a: 1 }), { database: 'two' });
    await expect(own.publish(rows.insert({ a: 1 }), { database: 'three' })).rejects.toThrow(
      /there is no database "three"/,
    );
  });

  it('that do not go together are told of when they are to be served', async () => {
    const error = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const own = await setupWalsender().listen();
    own.use(
      scenario('scenario: a\nserver: { version: 15 }', { file: 'a.yaml' }),
      scenario('scenario: b\nserver: { version: 16 }', { file: 'b.yaml' }),
    );
    await expect(own.publishStep('vacuum: [t]')).rejects.toThrow(/a.yaml and b.yaml: one server has one version/);
    await expect(consume(own.url)).rejects.toThrow();
    expect(error.mock.lastCall?.[0]).toMatch(/could not be served/);
    error.mockRestore();
    await own.close();
  });

  it('say how clients log in', async () => {
    const text = 'scenario: locked\nserver: { auth: scram-sha-256, users: { ann: secret } }';
    await using own = await setupWalsender(scenario(text)).listen();
    expect(new URL(own.url)).toMatchObject({ username: 'ann', password: 'secret' });
    const client = new Client({ connectionString: own.url });
    await client.connect();
    expect((await client.query('select current_user')).rows).toEqual([{ current_user: 'ann' }]);
    await client.end();
  });

  it('throw at once for what is wrong in them', () => {
    expect(() => scenario('scenario: x\nstreem: []')).toThrow(/did you mean `stream`/);
  });

  it('are preceded by handlers in what both answer', async () => {
    const text = "scenario: x\nanswers: [{ query: 'select f()', rows: [{ f: 1 }], types: { f: int4 } }]";
    server.use(scenario(text));
    await withClient(async (client) => {
      expect((await client.query('select f()')).rows).toEqual([{ f: 1 }]);
      server.use(query('select f()', () => query.rows([{ f: 2 }])));
      expect((await client.query('select f()')).rows).toEqual([{ f: 2 }]);
    });
  });
});

describe('tables', () => {
  it('are there from the start, with their rows', async () => {
    const users = table(
      'users',
      { id: 'bigserial primary key', name: { type: 'text not null', default: 'nobody' } },
      { rows: [{ name: 'Ann' }, {}] },
    );
    const own = setupWalsender(users);
    await own.listen();
    const client = new Client({ connectionString: own.url });
    await client.connect();
    expect((await client.query('select * from users')).rows).toEqual([
      { id: '1', name: 'Ann' },
      { id: '2', name: 'nobody' },
    ]);
    await client.end();
    await own.close();
  });
});

describe('a query that nobody can answer', () => {
  it('gets 0A000, and the console shows the nearest handler and one to paste', async () => {
    const error = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    server.use(query(/from pg_stat_kache/i, () => query.rows([])));
    await withClient(async (client) => {
      await expect(client.query('select xmlagg(x) from pg_stat_kcache')).rejects.toMatchObject({
        code: expect.stringMatching(/0A000|42P01/),
      });
      await expect(client.query("select xpath('/a', 'b')")).rejects.toMatchObject({ code: '0A000' });
    });
    const shown = String(error.mock.lastCall?.[0]);
    error.mockRestore();
    expect(shown).toContain("  query('select xpath(\\'/a\\', \\'b\\')', () => query.rows([{ column: 'value' }])),");
    expect(shown).toMatch(/user postgres, database db/);
  });
});
