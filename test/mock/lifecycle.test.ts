import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { query, setupWalsender, table } from '../../src/index.js';
import { consume } from './consumer.js';

const users = table('users', { id: 'int8 primary key' });

async function ask(url: string, text: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows[0] as unknown;
  } finally {
    await client.end();
  }
}

describe('boundary', () => {
  const server = setupWalsender(query('select who()', () => query.rows([{ who: 'all' }])));
  beforeAll(() => server.listen());
  afterAll(() => server.close());

  it('makes the server one of its own for what runs inside', async () => {
    const outer = server.url;
    const test = (name: string) =>
      server.boundary(async () => {
        server.use(query('select who()', () => query.rows([{ who: name }])));
        expect(server.url).not.toBe(outer);
        const consumer = await consume(server.url);
        await server.publish(users.insert({ id: 1n }));
        await consumer.received('commit');
        await consumer.end();
        expect(server.history.filter((event) => event.kind === 'startup')).toHaveLength(1);
        return await ask(server.url, 'select who()');
      });
    expect(await Promise.all([test('one')(), test('two')()])).toEqual([{ who: 'one' }, { who: 'two' }]);
    expect(await ask(outer, 'select who()')).toEqual({ who: 'all' });
    expect(server.history.filter((event) => event.kind === 'startup')).toHaveLength(1);
  });

  it('is what handlers see that run for it', async () => {
    server.use(
      query('who serves me', () => {
        return query.rows([{ url: server.url }]);
      }),
    );
    const seen = server.boundary(async () => [server.url, await ask(server.url, 'who serves me')] as const);
    const [url, answer] = await seen();
    expect(answer).toEqual({ url });
    server.resetHandlers();
  });

  it('passes arguments and errors on, and closes its port', async () => {
    let inner = '';
    const failing = server.boundary((reason: string) => {
      inner = server.url;
      throw new Error(reason);
    });
    await expect(failing('no')).rejects.toThrow('no');
    await expect(ask(inner, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
  });
});

describe('the clock', () => {
  it('makes a test of keepalives and timeouts take no time', async () => {
    await using server = await setupWalsender(users).listen();
    server.clock.pause();
    const consumer = await consume(server.url);
    await server.clock.advance('45s');
    const asked = () =>
      server.history.filter((event) => event.kind === 'keepalive:sent' && event.replyRequested).length;
    expect(asked()).toBe(1);
    await server.clock.advance('5min');
    expect(server.history.some(({ kind }) => kind === 'disconnect')).toBe(false);
    consumer.answers = false;
    await server.clock.advance('61s');
    await consumer.ended;
    expect(server.history.at(-1)).toMatchObject({ kind: 'disconnect', reason: 'wal_sender_timeout' });
  });
});

describe('listening', () => {
  it('is undone by close, and can be done again', async () => {
    const server = setupWalsender(users);
    expect(() => server.url).toThrow('the server does not listen: await server.listen() first');
    await server.listen();
    await expect(server.listen()).rejects.toThrow(/listens already/);
    const consumer = await consume(server.url);
    const url = server.url;
    await server.close();
    await consumer.ended;
    await expect(ask(url, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
    await server.listen({ serverVersion: '15' });
    expect(await ask(server.url, 'show server_version')).toEqual({ server_version: expect.stringMatching(/^15/) });
    await server.close();
    await server.close();
  });

  it('says why it cannot', async () => {
    await using server = await setupWalsender().listen();
    const port = Number(new URL(server.url).port);
    await expect(setupWalsender().listen({ port })).rejects.toThrow(/cannot listen on 127.0.0.1:\d+: .*EADDRINUSE/);
    await expect(setupWalsender().listen({ onUnhandledQuery: 'bypass' })).rejects.toThrow(/upstream/);
    await expect(setupWalsender().listen({ onUnhandledQuery: 'ignore' as 'warn' })).rejects.toThrow(/not "ignore"$/);
  });

  it('serves TLS', async () => {
    await using server = await setupWalsender().listen({ tls: true });
    const client = new Client({ connectionString: server.url, ssl: { rejectUnauthorized: false } });
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    expect(server.history.find((event) => event.kind === 'startup')).toMatchObject({ tls: true });
  });
});

describe('connectStream', () => {
  it('gives clients a connection without a port', async () => {
    await using server = await setupWalsender(users).listen();
    const stream = server.connectStream();
    // pg takes a stream that it connects itself.
    const socket = Object.assign(stream, {
      connect: () => void setImmediate(() => stream.emit('connect')),
      setNoDelay: () => stream,
      setKeepAlive: () => stream,
      ref: () => stream,
      unref: () => stream,
    });
    const client = new Client({ user: 'me', database: 'db', stream: () => socket });
    await client.connect();
    expect((await client.query('select current_user')).rows).toEqual([{ current_user: 'me' }]);
    await client.end();
  });
});

describe('waiting', () => {
  it('for consumers says what did not come', async () => {
    await using server = await setupWalsender(users).listen();
    await expect(server.connected({ timeout: 1 })).rejects.toThrow('no consumer started replication within 1 ms');
    const waited = server.connected({ slot: 's' });
    const consumer = await consume(server.url);
    expect(await waited).toMatchObject({ kind: 'replication:start', slot: 's' });
    expect(await server.connected()).toBe(await waited);
    const commit = await server.publish(users.insert({ id: 1n }));
    await expect(server.confirmed('s', commit.endLsn, { timeout: 1 })).rejects.toThrow(/has confirmed 0\/1500000 only/);
    await consumer.end();
  });
});
