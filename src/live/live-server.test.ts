import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { requireScenario, readScenario } from '../scenario/index.js';
import { createLiveServer, VirtualClock, type LiveServer, type LiveServerOptions } from './index.js';

const usersScenario = `
scenario: users
tables:
  users: { columns: { id: int8 primary key, name: text } }
stream:
  - transaction: { changes: [{ insert: users, row: { id: 1, name: Ann } }] }
`;

async function withServer(
  use: (server: LiveServer) => Promise<void>,
  options: Partial<LiveServerOptions> = {},
): Promise<void> {
  const scenario = requireScenario(readScenario(usersScenario, { file: 'users.yaml' }));
  const server = await createLiveServer({ scenarios: [scenario], ...options });
  await server.listen();
  try {
    await use(server);
  } finally {
    await server.close({ grace: 0 });
  }
}

async function withReplication(server: LiveServer, use: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: `${server.url}?replication=database` });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await use(client);
  } finally {
    await client.end();
  }
}

function start(client: Client): void {
  const options = `proto_version '1', publication_names 'pub'`;
  client.query(`START_REPLICATION SLOT s LOGICAL 0/0 (${options})`).catch(() => undefined);
}

describe('LiveServer', () => {
  it('tells in order what happens, commands as what they say', async () => {
    await withServer(async (server) => {
      const ended = server.events.next('disconnect');
      await withReplication(server, async (client) => {
        await client.query('IDENTIFY_SYSTEM');
        await client.query('SELECT 1');
      });
      await ended;
      expect(server.history.map(({ kind }) => kind)).toEqual(['connection', 'startup', 'query', 'query', 'disconnect']);
      const queries = server.history.filter((event) => event.kind === 'query');
      expect(queries.map(({ text, command }) => [text, command])).toEqual([
        ['IDENTIFY_SYSTEM', { kind: 'identifySystem' }],
        ['SELECT 1', null],
      ]);
    });
  });

  it('publishes to whoever streams, and waits for confirmations', async () => {
    await withServer(async (server) => {
      await withReplication(server, async (client) => {
        start(client);
        await server.events.next('replication:caughtUp');
        const sent = server.events.next('message:sent', ({ message }) => message.kind === 'commit');
        server.publish((database) => {
          const transaction = database.begin();
          transaction.insert({ namespace: 'public', name: 'users' }, { id: '2', name: 'Bob' });
          return transaction.commit();
        });
        const { message } = await sent;
        const inserted = server.history.filter((event) => event.kind === 'message:sent').map((event) => event.message);
        expect(inserted).toContainEqual(expect.objectContaining({ kind: 'insert', newTuple: ['2', 'Bob'] }));
        if (message.kind !== 'commit') throw new TypeError('not a commit');
        await expect(server.confirmed('s', message.endLsn, { timeout: 1 })).rejects.toThrow(
          /slot "s" has confirmed 0\/1500000 only: it did not confirm 0\/\w+ within 1 ms/,
        );
        const reason = new Error('enough');
        const aborted = server.confirmed('s', message.endLsn, { signal: AbortSignal.abort(reason) });
        await expect(aborted).rejects.toBe(reason);
      });
    });
  });

  it('is as just started after a reset', async () => {
    await withServer(async (server) => {
      await withReplication(server, async (client) => {
        start(client);
        await server.events.next('replication:caughtUp');
        const ended = new Promise((resolve) => client.once('end', resolve));
        server.reset();
        await ended;
        expect(server.history).toEqual([]);
        expect([...server.server.cluster.slots]).toEqual([]);
      });
      await withReplication(server, async (client) => {
        start(client);
        await server.events.next('replication:caughtUp');
        const kinds = server.history
          .filter((event) => event.kind === 'message:sent')
          .map(({ message }) => message.kind);
        expect(kinds).toEqual(['begin', 'relation', 'insert', 'commit']);
      });
    });
  });
});

describe('slots that are kept in a file', () => {
  const slot = { name: 's', plugin: 'pgoutput', database: 'users', temporary: false, twoPhase: false, failover: false };
  const birth = { lsn: 0x150_0000n, nextXid: 750, time: 0n };

  it('are gone after a reset, those of the same moment too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fake-walsender-'));
    const state = join(folder, 'slots.json');
    const written = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
    try {
      await withServer(
        async (server) => {
          const make = (): unknown => server.server.cluster.slots.create({ ...slot, reserveWal: false, pid: 0 }, birth);
          make();
          server.reset();
          await written();
          expect(existsSync(state)).toBe(false);
          make();
          await written();
          expect(existsSync(state)).toBe(true);
        },
        { state },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('need a folder that can be written to', async () => {
    const state = join(tmpdir(), 'no', 'such', 'folder', 'slots.json');
    await expect(withServer(() => Promise.resolve(), { state })).rejects.toThrow(
      `${state}: slots cannot be kept there`,
    );
  });
});

describe('VirtualClock', () => {
  it('asks a silent client after half of wal_sender_timeout, and gives it up after all of it', async () => {
    const clock = new VirtualClock();
    await withServer(
      async (server) => {
        await withReplication(server, async (client) => {
          start(client);
          await server.events.next('replication:caughtUp');
          const keepalives = () =>
            server.history.filter((event) => event.kind === 'keepalive:sent' && event.replyRequested).length;
          await clock.advance('29s');
          expect(keepalives()).toBe(0);
          await clock.advance('2s');
          expect(keepalives()).toBe(1);
          await clock.advance('30s');
          expect(server.history.at(-1)).toMatchObject({ kind: 'disconnect', reason: 'wal_sender_timeout' });
        });
      },
      { clock },
    );
  });

  it('stands still while it is paused', async () => {
    const clock = new VirtualClock();
    clock.pause();
    const before = clock.monotonic();
    const woken: number[] = [];
    clock.at(before + 1, () => woken.push(clock.monotonic() - before));
    clock.at(before + 5, () => woken.push(clock.monotonic() - before));
    await new Promise((resolve) => setImmediate(resolve));
    expect([clock.monotonic(), woken]).toEqual([before, []]);
    await clock.advance(3);
    expect(woken.map(Math.round)).toEqual([1]);
    clock.resume();
  });

  it('refuses what is no duration', async () => {
    await expect(new VirtualClock().advance('soon' as '1s')).rejects.toThrow(/"soon" is not a duration/);
  });
});
