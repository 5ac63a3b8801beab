import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { fault, setupWalsender, slot, table, tx, type Published } from '../../src/index.js';
import { consume } from './consumer.js';

const users = table('users', { id: 'int8 primary key', email: 'text' });

describe('slot handlers', () => {
  const runs: string[] = [];
  const server = setupWalsender(
    users,
    slot('live', async function* ({ slot: name, startLsn, options }) {
      await Promise.resolve();
      runs.push(`${name} ${startLsn.toString(16)} ${options.publicationNames.join()}`);
      const first: Published = yield tx([users.insert({ id: 1n, email: 'a' })]);
      yield fault.disconnect('reset');
      yield users.insert({ id: 2n, email: first.endLsn.toString() });
    }),
    slot(/^count_/, function* () {
      for (let id = 1n; ; id++) yield users.insert({ id });
    }),
  );
  beforeAll(() => server.listen());
  afterEach(async () => {
    runs.length = 0;
    await server.reset();
  });
  afterAll(() => server.close());

  it('are the WAL of their slot; who reconnects gets again what was not confirmed', async () => {
    const before = await consume(server.url, { slot: 'live' });
    await before.ended;
    expect(before.messages.filter(({ kind }) => kind === 'insert')).toMatchObject([{ newTuple: ['1', 'a'] }]);
    const after = await consume(server.url, { slot: 'live' });
    await after.received('commit', 2);
    const commit = after.messages.find((message) => message.kind === 'commit');
    expect(after.messages.filter(({ kind }) => kind === 'insert')).toMatchObject([
      { newTuple: ['1', 'a'] },
      { newTuple: ['2', String(commit?.endLsn)] },
    ]);
    expect(runs).toEqual(['live 1500000 pub']);
    await after.end();
  });

  it('get what is published, too', async () => {
    const live = await consume(server.url, { slot: 'live' });
    await live.ended;
    const again = await consume(server.url, { slot: 'live' });
    await again.received('commit', 2);
    const commit = await server.publish(users.update({ where: { id: 2n }, set: { email: 'now' } }), { slot: 'live' });
    await again.received('update');
    again.confirm(commit.endLsn);
    await server.confirmed('live', commit.endLsn);
    await again.end();
    await expect(server.publish(users.insert({ id: 9n }), { slot: 'none' })).rejects.toThrow(/"none" has no handler/);
  });

  it('are at the same LSNs in all of the slots that a transaction is published to', async () => {
    await using own = await setupWalsender(
      users,
      slot('a', function* () {
        // Only what is published.
      }),
      slot('b', function* () {
        yield users.insert({ id: 1n });
      }),
    ).listen();
    const [a, b] = [await consume(own.url, { slot: 'a' }), await consume(own.url, { slot: 'b' })];
    await b.received('commit');
    const commit = await own.publish(tx([users.insert({ id: 5n }), users.insert({ id: 6n })]));
    await Promise.all([a.received('commit'), b.received('commit', 2)]);
    const place = { kind: 'commit', commitLsn: commit.commitLsn, endLsn: commit.endLsn };
    expect([a.messages.at(-1), b.messages.at(-1)]).toMatchObject([place, place]);
    // Only b has row 1, and nobody row 7.
    await own.publish(users.update({ where: { id: 1n }, set: { email: 'x' } }));
    await b.received('update');
    await expect(own.publish(users.update({ where: { id: 7n }, set: { email: 'x' } }))).rejects.toThrow(/no row/i);
    const last = await own.publish(users.update({ where: { id: 5n }, set: { email: 'y' } }));
    await Promise.all([a.received('update'), b.received('update', 2)]);
    await Promise.all([a.received('commit', 2), b.received('commit', 4)]);
    expect(a.messages.at(-1)).toMatchObject({ kind: 'commit', endLsn: last.endLsn });
    expect(b.messages.at(-1)).toMatchObject({ kind: 'commit', endLsn: last.endLsn });
    await Promise.all([a.end(), b.end()]);
  });

  it('are asked for no more than the client takes', async () => {
    const count = await consume(server.url, { slot: 'count_1' });
    await count.received('insert', 500);
    const ended = server.events.next('disconnect');
    await count.end();
    await ended;
    const { length } = server.history.filter((event) => event.kind === 'message:sent');
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.history.filter((event) => event.kind === 'message:sent')).toHaveLength(length);
  });

  it('that throw are told of to the client and on the console', async () => {
    const error = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    server.use(
      slot('broken', function* () {
        yield users.delete({ where: { id: 77n } });
      }),
    );
    const consumer = await consume(server.url, { slot: 'broken' });
    expect(await consumer.error).toMatchObject({
      code: 'XX000',
      message: expect.stringMatching(/slot\('broken'\) failed: /),
    });
    expect(error.mock.lastCall?.[0]).toMatch(/slot\('broken'\) at .*slots\.test\.ts:\d+:\d+ failed:/);
    error.mockRestore();
    await consumer.end();
  });
});
