// QA's scenario file, run against the same consumer; for one test it is another one.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { scenario, setupWalsender } from 'fake-walsender';
import { matchers } from 'fake-walsender/jest';
import { UserMirror } from './user-mirror.js';

expect.extend(matchers);

const server = setupWalsender(scenario('test/examples/users.yaml'));
beforeAll(() => server.listen());
afterEach(() => server.reset());
afterAll(() => server.close());

/** Runs the consumer until it has confirmed what there was. */
async function mirrored(): Promise<readonly unknown[]> {
  const mirror = new UserMirror(server.url);
  const running = mirror.run();
  try {
    const { lsn } = await server.events.next('replication:caughtUp', ({ lsn }) => lsn > 0n);
    await expect(server).toHaveConfirmed(lsn, { slot: 'mirror' });
    return [...mirror.users.values()];
  } finally {
    await mirror.stop();
    await running;
  }
}

describe('UserMirror', () => {
  test('ends with the rows that the scenario ends with', async () => {
    expect(await mirrored()).toEqual([
      { id: '1', email: 'ann@example.com', bio: null },
      { id: '12', email: 'bo@example.com', bio: 'likes rain' },
    ]);
  });

  test('cannot follow servers before 14: its library asks for an option that they do not know', async () => {
    server.use(scenario('test/examples/users.yaml', { serverVersion: '13' }));
    const refused = server.events.next('error:sent');
    const mirror = new UserMirror(server.url);
    const running = mirror.run();
    expect((await refused).error.message).toBe('unrecognized pgoutput option: messages');
    await mirror.stop();
    await running;
  });

  test('ends with nothing where nothing happens but a deletion', async () => {
    server.use(
      scenario(`
        scenario: Only a deletion
        tables:
          users: { columns: { id: bigint primary key, email: text, bio: text }, rows: [{ id: 1 }] }
        stream:
          - delete: users
            where: { id: 1 }
      `),
    );
    expect(await mirrored()).toEqual([]);
  });
});
