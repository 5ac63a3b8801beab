import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  assertConfirmed,
  assertDecodesAs,
  assertReceivedQuery,
  assertStartedReplication,
  setupWalsender,
  table,
} from '../../src/index.js';
import { matchers } from '../../src/mock/jest.js';
import { consume } from './consumer.js';

expect.extend(matchers);

const users = table('users', { id: 'int8 primary key' });

/** The message of what it throws, without colors. */
async function failure(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    return (error as Error).message.replace(/\u001b\[\d+m/g, '');
  }
  throw new Error('it did not fail');
}

describe('matchers of a server', () => {
  const server = setupWalsender(users);
  beforeAll(() => server.listen());
  afterAll(() => server.close());

  it('tell what consumers have done, and what they have not', async () => {
    await expect(server).not.toHaveConfirmed(1n);
    expect(await failure(() => expect(server).toHaveConfirmed(1n, { timeout: 1 }))).toMatch(
      /expected a slot to have confirmed 0\/1, but no slot is used/,
    );
    expect(await failure(() => expect(server).toHaveStartedReplication())).toMatch(/started: never/);

    const options = `proto_version '2', publication_names 'p, "q r"', streaming 'on'`;
    const consumer = await consume(server.url, { options });
    const commit = await server.publish(users.insert({ id: 1n }));
    await consumer.received('commit');
    expect(server).toHaveStartedReplication({ protoVersion: 2, slot: 's', startLsn: '0/0' });
    expect(server).toHaveStartedReplication({ publicationNames: expect.arrayContaining(['q r']) as never });
    expect(server).not.toHaveStartedReplication({ protoVersion: 1 });
    expect(server).toHaveReceivedQuery(/^START_REPLICATION SLOT s/);
    expect(server).not.toHaveReceivedQuery('IDENTIFY_SYSTEM');
    expect(await failure(() => expect(server).toHaveReceivedQuery('IDENTIFY_SYSTEM'))).toMatch(
      /expect\(server\)\.toHaveReceivedQuery\(pattern\)\n\nexpected a query 'IDENTIFY_SYSTEM'\n\nreceived:\n {2}START_REPL/,
    );

    const late = await failure(() => expect(server).toHaveConfirmed(commit.endLsn, { timeout: 1 }));
    expect(late).toMatch(/slot "s" has confirmed 0\/1500000 only: it did not confirm 0\/\w+ within 1 ms/);
    expect(late).toMatch(/^0\/\w+ insert \{.* newTuple: \[ '1' \].*│ $/m);
    const confirmed = expect(server).toHaveConfirmed(commit.endLsn, { slot: 's' });
    consumer.confirm(commit.endLsn);
    await confirmed;
    await expect(server).toHaveConfirmed(commit.endLsn);
    expect(await failure(() => expect(server).not.toHaveConfirmed(commit.endLsn))).toMatch(/│ flushed 0\/\w+$/);
    await consumer.end();
  });

  it('are for servers only', async () => {
    expect(await failure(() => expect({}).toHaveReceivedQuery('x'))).toMatch(/what setupWalsender\(\) returned/);
  });

  it('are there as plain functions', async () => {
    const consumer = await consume(server.url, { slot: 'plain' });
    const commit = await server.publish(users.insert({ id: 2n }));
    await consumer.received('commit');
    assertStartedReplication(server, { slot: 'plain', protoVersion: 1 });
    assertReceivedQuery(server, /SLOT plain/);
    const confirmed = assertConfirmed(server, commit.endLsn, { slot: 'plain' });
    consumer.confirm(commit.endLsn);
    await confirmed;
    expect(await failure(() => assertConfirmed(server, 'F/0', { slot: 'plain', timeout: 1 }))).toMatch(/│ flushed/);
    expect(await failure(() => assertStartedReplication(server, { slot: 'no' }))).toMatch(/started: \{/);
    expect(await failure(() => assertReceivedQuery(server, 'x'))).toMatch(/received:/);
    await consumer.end();
  });
});

describe('assertDecodesAs', () => {
  // Commit by the manual: C, flags, the commit's LSN and end LSN, and its time, all of them 64 bits.
  const commit = Buffer.from('4300' + '0000000000000010' + '0000000000000040' + '0000000000000000', 'hex');

  it('shows both side by side when they differ', async () => {
    assertDecodesAs(commit, { kind: 'commit', endLsn: 0x40n });
    expect(await failure(() => assertDecodesAs(commit, { kind: 'commit', endLsn: 0x41n }))).toMatch(
      /expected +decoded\n.*endLsn: '0\/41'.* ≠ .*endLsn: '0\/40'/s,
    );
    expect(await failure(() => assertDecodesAs(commit.subarray(1), { kind: 'commit' }))).toMatch(/no message/);
  });
});
