// What a test writes, breaks, waits for and looks at: the guide's examples (docs/testing.md).
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  block,
  commitPrepared,
  ddl,
  fault,
  message,
  nonTransactionalMessage,
  rollbackPrepared,
  savepoint,
  setupWalsender,
  slot,
  table,
  toasted,
  tx,
  unchanged,
} from 'fake-walsender';
import { matchers } from 'fake-walsender/jest';
import { UserMirror } from './user-mirror.js';

expect.extend(matchers);

const users = table('public.users', { id: 'int8 primary key', email: 'text', bio: 'text' });
const server = setupWalsender(users);
let mirror: UserMirror;
let running: Promise<void>;

beforeAll(() => server.listen());
beforeEach(async () => {
  mirror = new UserMirror(server.url);
  running = mirror.run();
  await server.connected();
});
afterEach(async () => {
  await mirror.stop(); // first the consumer, then the server that it would connect to again
  await running;
  await server.reset();
});
afterAll(() => server.close());

test('statements', async () => {
  await server.publish(users.insert({ id: 1n, email: 'a@b.c', bio: toasted('a long story') }));
  await server.publish(users.update({ where: { id: 1n }, set: { email: 'x@y.z' } }));
  await server.publish(users.update({ key: { id: 8n }, new: { id: 9n, email: 'seen', bio: unchanged } }));
  const { endLsn } = await server.publish(users.delete({ key: { id: 9n } }));

  await server.confirmed('mirror', endLsn);
  expect([...mirror.users.values()]).toEqual([{ id: '1', email: 'x@y.z', bio: 'a long story' }]);
});

test('transactions', async () => {
  const commit = await server.publish(
    tx(
      [
        users.insert([{ id: 1n }, { id: 2n }]),
        savepoint([users.delete({ where: { id: 1n } })], { rollback: true }),
        message('audit', 'two users'),
        ddl.addColumn(users, 'age', 'int4'),
      ],
      { xid: 7_000, origin: { name: 'other_node', lsn: 0x10n } },
    ),
  );
  expect(commit.xid).toBe(7_000);
  await expect(server).toHaveConfirmed(commit.endLsn);
});

test('messages and two-phase', async () => {
  await server.publish(nonTransactionalMessage('heartbeat', 'still here'));
  await server.publish(tx([users.insert({ id: 1n })], { gid: 'kept' }));
  await server.publish(tx([users.insert({ id: 2n })], { gid: 'dropped' }));
  await server.publish(rollbackPrepared('dropped'));
  const { endLsn } = await server.publish(commitPrepared('kept'));
  await server.confirmed('mirror', endLsn);
  expect([...mirror.users.keys()]).toEqual(['1']);
});

test('a transaction that the test keeps open', async () => {
  const open = await server.begin({ streamed: true });
  open.run(users.insert({ id: 1n }), block()); // to clients with streaming: Stream Start … Stream Stop
  await server.publish(users.insert({ id: 5n })); // another one, meanwhile
  const { endLsn } = open.run(users.insert({ id: 2n })).commit();
  await server.confirmed('mirror', endLsn);
  expect([...mirror.users.keys()]).toEqual(['5', '1', '2']);
});

test('steps of the scenario format', async () => {
  const { endLsn } = await server.publishStep('{ insert: users, row: { id: 4, email: yaml } }');
  await server.confirmed('mirror', endLsn);
});

test('a fault in its place', async () => {
  const { endLsn } = await server.publish([
    users.insert({ id: 1n }),
    fault.disconnect('reset'), // each client that comes to it is thrown out once, inside the transaction
    users.insert({ id: 2n }),
  ]);
  await server.confirmed('mirror', endLsn);
  expect(mirror.connections).toBe(2);
});

test('a fault now', async () => {
  const [done] = await server.inject(fault.disconnect('terminate'), { slot: 'mirror' });
  expect(done).toMatchObject({ slot: 'mirror' });
  await server.events.next('replication:start'); // it came back
  expect(mirror.connections).toBe(2);
});

test('only to one slot', async () => {
  server.use(
    slot('audit', function* () {
      yield users.insert({ id: 100n });
    }),
  );
  const audit = new UserMirror(server.url, 'audit');
  const auditing = audit.run();
  try {
    await server.connected({ slot: 'audit' });
    const { endLsn } = await server.publish(users.insert({ id: 101n }), { slot: 'audit' });
    await server.confirmed('audit', endLsn);
    expect(audit.users.has('101')).toBe(true);
    expect(mirror.users.size).toBe(0);
  } finally {
    await audit.stop();
    await auditing;
  }
});

test('what happened', async () => {
  const { endLsn } = await server.publish(users.insert({ id: 1n }));
  await server.confirmed('mirror', endLsn);

  const sent = server.history.filter((event) => event.kind === 'message:sent');
  expect(sent.map((event) => event.message.kind)).toEqual(['begin', 'relation', 'insert', 'commit']);
  const feedback = server.history.findLast((event) => event.kind === 'feedback');
  expect(feedback?.flushLsn).toBeGreaterThanOrEqual(endLsn);
});

test('time', async () => {
  server.clock.pause();
  await server.clock.advance('45s'); // more than half of wal_sender_timeout: the server asks
  expect(server.history).toContainEqual(expect.objectContaining({ kind: 'keepalive:sent', replyRequested: true }));
  await server.clock.advance('10min');
  expect(server.history.some(({ kind }) => kind === 'disconnect')).toBe(false); // and the consumer answered
  server.clock.resume();
});

const isolated = (id: bigint) =>
  server.boundary(async () => {
    const own = new UserMirror(server.url); // another port than outside
    const ownRun = own.run();
    try {
      const { endLsn } = await server.publish(users.insert({ id }));
      await server.confirmed('mirror', endLsn);
      return [...own.users.keys()];
    } finally {
      await own.stop();
      await ownRun;
    }
  });

test('at the same time', async () => {
  expect(await Promise.all([isolated(1n)(), isolated(2n)()])).toEqual([['1'], ['2']]);
});

test('a server for one test', async () => {
  await using own = await setupWalsender(users).listen({ serverVersion: '16' });
  expect(own.url).not.toBe(server.url);
});

test('matchers', async () => {
  const commit = await server.publish(users.insert({ id: 1n }));
  await expect(server).toHaveConfirmed(commit.endLsn, { slot: 'mirror', timeout: 5_000 });
  expect(server).toHaveStartedReplication({ slot: 'mirror', protoVersion: 1, publicationNames: ['mirror'] });
  expect(server).toHaveReceivedQuery(/^START_REPLICATION SLOT "mirror"/);
  expect(server).not.toHaveReceivedQuery('IDENTIFY_SYSTEM');
});
