// A consumer on pg-logical-replication, tested without a database: key change, unchanged TOAST, reconnect.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fault, setupWalsender, slot, table, toasted, tx } from 'fake-walsender';
import { matchers } from 'fake-walsender/jest';
import { UserMirror } from './user-mirror.js';

expect.extend(matchers);

const users = table('public.users', { id: 'int8 primary key', email: 'text', bio: 'text' });

const server = setupWalsender(users);
let mirror: UserMirror;
let running: Promise<void>;

beforeAll(() => server.listen({ onUnhandledQuery: 'error' }));
beforeEach(() => {
  mirror = new UserMirror(server.url);
});
afterEach(async () => {
  await mirror.stop();
  await running;
  await server.reset();
});
afterAll(() => server.close());

describe('UserMirror', () => {
  test('moves a row whose key changes', async () => {
    running = mirror.run();
    await server.publish(users.insert({ id: 1n, email: 'a@b.c' }));
    const commit = await server.publish(users.update({ where: { id: 1n }, set: { id: 2n } }));

    await expect(server).toHaveConfirmed(commit.endLsn, { slot: 'mirror' });
    expect([...mirror.users.values()]).toEqual([{ id: '2', email: 'a@b.c', bio: null }]);
    expect(server).toHaveStartedReplication({ protoVersion: 1, publicationNames: ['mirror'] });
  });

  test('keeps a value that is stored out of line and did not change', async () => {
    running = mirror.run();
    const commit = await server.publish(
      tx([
        users.insert({ id: 1n, email: 'a@b.c', bio: toasted('a long story') }),
        users.update({ where: { id: 1n }, set: { email: 'x@y.z' } }),
      ]),
    );

    await expect(server).toHaveConfirmed(commit.endLsn, { slot: 'mirror' });
    expect(mirror.users.get('1')).toEqual({ id: '1', email: 'x@y.z', bio: 'a long story' });
  });

  test('goes on where it was when the connection is lost', async () => {
    server.use(
      slot('mirror', function* () {
        yield users.insert({ id: 1n, email: 'before' });
        yield [
          users.insert({ id: 2n, email: 'within' }),
          fault.disconnect('reset'),
          users.delete({ where: { id: 1n } }),
        ];
      }),
    );
    running = mirror.run();
    await server.events.next('fault');
    const commit = await server.publish(users.insert({ id: 3n, email: 'after' }), { slot: 'mirror' });

    await expect(server).toHaveConfirmed(commit.endLsn, { slot: 'mirror' });
    expect([...mirror.users.keys()]).toEqual(['2', '3']);
    expect(mirror.connections).toBe(2);
  });

  test('answers when the server asks whether it is still there', async () => {
    running = mirror.run();
    await server.connected();
    await server.clock.advance('5min');
    expect(server.history.filter(({ kind }) => kind === 'disconnect')).toEqual([]);
  });
});
