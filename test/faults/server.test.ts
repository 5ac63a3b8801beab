/** Faults of slots and of the whole server: what the stream sees, and what is said afterwards. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeAll, FaultClient, fields, scenarioText, serve, walEnd, type Received } from './client.js';

afterEach(closeAll);

const insert = (id: number): string => `  - insert: t\n    row: { id: ${id}, v: x }`;

async function started(stream: string, server?: string, more?: string) {
  const served = await serve(scenarioText(stream, server, more));
  const client = await FaultClient.connect(served);
  return { served, client: client.start() };
}

/** SQLSTATE, severity and message of the last error. */
function lastError({ messages }: FaultClient): (string | undefined)[] {
  const { C, S, M } = fields(messages.filter(({ type }) => type === 'E').at(-1)!);
  return [C, S, M];
}

/** Values of a DataRow as text. */
function row(messages: readonly Received[]): (string | null)[] {
  const { bytes } = messages.find(({ type }) => type === 'D')!;
  let position = 7;
  return Array.from({ length: bytes.readInt16BE(5) }, () => {
    const length = bytes.readInt32BE(position);
    position += 4 + Math.max(length, 0);
    return length < 0 ? null : bytes.toString('utf8', position - length, position);
  });
}

describe('invalidate_slot', () => {
  const killed = ['57P01', 'FATAL', 'terminating connection due to administrator command'];

  it.each([
    [13, 'wal_removed', 'cannot read from logical replication slot "s"', 'W wB wR wI wC E'],
    [15, 'wal_removed', 'cannot read from logical replication slot "s"', 'W wB wR wI wC E'],
    [16, 'wal_removed', 'can no longer get changes from replication slot "s"', 'W wB wR wI wC E'],
    [18, 'idle_timeout', 'can no longer access replication slot "s"', 'W wB wR wI wC E'],
  ])('%i, %s: the walsender is killed, START says 55000 from then on', async (major, reason, message, outline) => {
    const { served, client } = await started(
      `${insert(1)}\n  - invalidate_slot: { reason: ${reason} }\n${insert(2)}`,
      `version: ${major}`,
    );
    expect(await client.end()).toBe('end');
    expect(client.outline).toBe(outline);
    expect(lastError(client)).toEqual(killed);
    const again = await FaultClient.connect(served);
    expect((await again.start().until((messages) => messages.at(-1)?.type === 'Z')).outline).toBe('E Z');
    expect(lastError(again)).toEqual(['55000', 'ERROR', message]);
    expect(served.done()).toEqual([`invalidated slot "s": ${reason}`]);
  });

  it.each([
    [16, 'rows_removed'],
    [18, 'wal_level_insufficient'],
  ])('%i, %s: the stream is cancelled as by recovery', async (major, reason) => {
    const { client } = await started(`${insert(1)}\n  - invalidate_slot: { reason: ${reason} }`, `version: ${major}`);
    await client.until((messages) => messages.at(-1)?.type === 'Z');
    expect(lastError(client)).toEqual(['40001', 'ERROR', 'canceling statement due to conflict with recovery']);
    await client.start().until((messages) => messages.at(-1)?.type === 'Z');
    expect(lastError(client)[0]).toBe('55000');
  });

  it('12: its WAL is just gone, which is noticed when it is to be read', async () => {
    const { client } = await started(`${insert(1)}\n  - invalidate_slot: { reason: wal_removed }`, 'version: 12');
    await client.until((messages) => messages.at(-1)?.type === 'Z');
    const removed = ['58P01', 'ERROR', 'requested WAL segment 000000010000000000000001 has already been removed'];
    expect(client.outline).toBe('W wB wR wI wC E Z');
    expect(lastError(client)).toEqual(removed);
    await client.start().until((messages) => messages.at(-1)?.type === 'Z');
    expect(client.outline).toBe('W E Z');
    expect(lastError(client)).toEqual(removed);
  });
});

describe('drop_slot and recreate_slot', () => {
  it('kill the walsender first; afterwards there is no slot', async () => {
    const { served, client } = await started(`${insert(1)}\n  - drop_slot: s\n${insert(2)}`);
    expect(await client.end()).toBe('end');
    expect(lastError(client)[0]).toBe('57P01');
    const again = await FaultClient.connect(served);
    await again.start().until((messages) => messages.at(-1)?.type === 'Z');
    expect(lastError(again)).toEqual(['42704', 'ERROR', 'replication slot "s" does not exist']);
    expect(served.done()).toEqual(['dropped slot "s"']);
  });

  it('may be about another slot than that of the stream', async () => {
    const served = await serve(scenarioText(`${insert(1)}\n  - drop_slot: other\n${insert(2)}`));
    const other = (await FaultClient.connect(served)).query(
      `CREATE_REPLICATION_SLOT other LOGICAL pgoutput NOEXPORT_SNAPSHOT`,
    );
    await other.until((messages) => messages.at(-1)?.type === 'Z');
    const client = await (await FaultClient.connect(served)).start().untilCommits(2);
    expect(client.outline).toBe('W wB wR wI wC wB wI wC');
    expect(served.server.cluster.slots.find('other')).toBeUndefined();
  });

  it('make it anew where it is: what came before is lost', async () => {
    const { served, client } = await started(`${insert(1)}\n  - recreate_slot: s\n${insert(2)}`);
    await client.end();
    const again = await (await FaultClient.connect(served)).start().untilCommits(1);
    expect(again.data.find(({ bytes }) => bytes[30] === 0x49)!.bytes.toString('latin1', 43, 44)).toBe('2');
  });

  it('make it anew where it is told to: behind what the consumer has seen', async () => {
    const { served, client } = await started(
      `  - label: old\n${insert(1)}\n${insert(2)}\n  - recreate_slot: s\n    lsn: old`,
    );
    await client.end();
    const again = await (await FaultClient.connect(served)).start().untilCommits(2);
    expect(again.outline).toBe('W wB wR wI wC wB wI wC');
    expect(served.done()).toEqual(['dropped and made slot "s" at 0/1500000']);
  });
});

describe('failover', () => {
  const slots = `slots:\n  s: { failover: true }\n  lost: { failover: false }`;

  it('drops every connection without a word; the new server is on another timeline', async () => {
    const served = await serve(
      scenarioText(`${insert(1)}\n  - failover: { timeline: 3 }\n${insert(2)}`, undefined, slots),
    );
    const idle = await FaultClient.connect(served);
    const client = (await FaultClient.connect(served)).start();
    expect([await client.end(), await idle.end()]).toEqual(['end', 'end']);
    expect(client.outline).toBe('W wB wR wI wC');
    const again = await FaultClient.connect(served);
    expect(row(await again.ask('IDENTIFY_SYSTEM')).slice(0, 2)).toEqual(['7429138812345678901', '3']);
    const end = client.data.at(-1)!.bytes.readBigUInt64BE(6);
    const lsn = `0/${end.toString(16).toUpperCase()}`;
    expect(row(await again.ask('TIMELINE_HISTORY 3'))).toEqual([
      '00000003.history',
      `1\t${lsn}\tno recovery target specified\n`,
    ]);
    await again.start({ slot: 'lost' }).until((messages) => messages.at(-1)?.type === 'Z');
    expect(lastError(again)[0]).toBe('42704');
    expect((await again.start().untilCommits(2)).outline).toBe('W wB wR wI wC wB wI wC');
  });

  it('16 synchronizes no slots', async () => {
    const { served, client } = await started(`${insert(1)}\n  - failover: { timeline: 2 }`, 'version: 16');
    await client.end();
    const again = (await FaultClient.connect(served)).start();
    await again.until((messages) => messages.at(-1)?.type === 'Z');
    expect(lastError(again)[0]).toBe('42704');
  });

  it('leaves slots behind where they had been synchronized to', async () => {
    const stream = `  - label: synced\n${insert(1)}\n  - wait_for: { flushed: 0/1500001, within: 5s }\n  - failover: { timeline: 2, synced_to: synced }`;
    const { served, client } = await started(stream, undefined, slots);
    await client.untilCommits(1);
    client.confirm(client.data.at(-1)!.bytes.readBigUInt64BE(6));
    await client.end();
    const again = await (await FaultClient.connect(served)).start().untilCommits(1);
    expect(again.outline).toBe('W wB wR wI wC');
  });

  it('refuses who comes too early', async () => {
    const { served, client } = await started(
      `${insert(1)}\n  - failover: { timeline: 2, down: 100ms }`,
      undefined,
      slots,
    );
    const begun = performance.now();
    await client.end();
    const refused = await FaultClient.connect(served);
    expect(lastError(refused)).toEqual(['57P03', 'FATAL', 'the database system is starting up']);
    let tried = refused;
    while (tried.messages.at(-1)?.type !== 'Z') tried = await FaultClient.connect(served);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(95);
  });
});

describe('shutdown', () => {
  it('waits for the confirmation of what was sent, and lets nobody in meanwhile', async () => {
    const { served, client } = await started(`${insert(1)}\n  - shutdown:\n${insert(2)}`);
    const isAsked = ({ type, bytes }: Received): boolean => type === 'k' && bytes[22] === 1;
    await client.until((messages) => messages.some(isAsked));
    const commit = client.data.at(-1)!.bytes.readBigUInt64BE(6);
    expect(walEnd(client.messages.find(isAsked)!)).toBe(commit);
    const refused = await FaultClient.connect(served);
    expect(lastError(refused)).toEqual(['57P03', 'FATAL', 'the database system is shutting down']);
    client.confirm(commit);
    expect(await client.end()).toBe('end');
    expect(client.outline).toBe('W wB wR wI wC C');
    const again = await (await FaultClient.connect(served)).start().untilCommits(1);
    expect(again.data.find(({ bytes }) => bytes[30] === 0x49)!.bytes.toString('latin1', 43, 44)).toBe('2');
  });

  it('lets a transaction end first', async () => {
    const { client } = await started(`  - transaction:
      changes:
        - insert: t
          row: { id: 1 }
        - shutdown: { down: 1s }
        - insert: t
          row: { id: 2 }
${insert(3)}`);
    await client.until((messages) => messages.some(({ type, bytes }) => type === 'k' && bytes[22] === 1));
    client.confirm(client.data.at(-1)!.bytes.readBigUInt64BE(6));
    await client.end();
    expect(client.outline).toBe('W wB wR wI wI wC C');
  });
});

describe('refuse', () => {
  it('keeps out who connects, in whatever way the connection ends', async () => {
    const { served, client } = await started(`${insert(1)}\n  - refuse: 80ms\n  - disconnect: { how: terminate }`);
    await client.end();
    let tried = await FaultClient.connect(served);
    expect(lastError(tried)).toEqual(['57P03', 'FATAL', 'the database system is starting up']);
    while (tried.messages.at(-1)?.type !== 'Z') tried = await FaultClient.connect(served);
    expect(served.done()).toEqual(['refuses connections for 80 ms', 'terminated the walsender']);
  });
});

describe('publication missing', () => {
  it('comes with DROP PUBLICATION in the stream', async () => {
    const { client } = await started(
      `${insert(1)}\n  - transaction: { changes: [{ drop_publication: p }] }\n${insert(2)}`,
      'version: 16',
      'publications: { p: { all_tables: true } }',
    );
    await client.until((messages) => messages.at(-1)?.type === 'Z');
    expect(client.outline).toBe('W wB wR wI wC E Z');
    expect(lastError(client).slice(0, 2)).toEqual(['42704', 'ERROR']);
  });
});

describe('inject', () => {
  it('performs a step on every stream, and tells when it did', async () => {
    const served = await serve(scenarioText(insert(1)));
    const [a, b] = await Promise.all(
      ['a', 'b'].map(async (slot) => (await FaultClient.connect(served)).start({ slot }).untilCommits(1)),
    );
    const { cluster } = served.server;
    const performed = await cluster.inject({ kind: 'disconnect', how: 'terminate' });
    expect(performed.map(({ slot, did }) => [slot, did])).toEqual([
      ['a', 'terminated the walsender'],
      ['b', 'terminated the walsender'],
    ]);
    expect([await a!.end(), await b!.end()]).toEqual(['end', 'end']);
    expect(lastError(b!)[0]).toBe('57P01');
  });

  it('performs a step that is about one slot on that one alone', async () => {
    const served = await serve(scenarioText(insert(1)));
    await Promise.all(
      ['a', 'b'].map(async (slot) => (await FaultClient.connect(served)).start({ slot }).untilCommits(1)),
    );
    const notice = { code: '00000', message: 'for b' };
    const performed = await served.server.cluster.inject({ kind: 'notice', notice, slot: 'b' });
    expect(performed.map(({ slot }) => slot)).toEqual(['b']);
  });

  it('waits for a stream of that slot, and for the message that the fault is about', async () => {
    const served = await serve(scenarioText(`${insert(1)}\n${insert(2)}`));
    const { cluster } = served.server;
    const cut = cluster.inject({ kind: 'cut', in: 'commit', at: 3 }, { slot: 'b' });
    const a = await (await FaultClient.connect(served)).start({ slot: 'a' }).untilCommits(2);
    expect(a.ended).toBeUndefined();
    const b = (await FaultClient.connect(served)).start({ slot: 'b' });
    expect(await b.end()).toBe('end');
    expect(b.rest).toHaveLength(3);
    expect(await cut).toMatchObject([{ slot: 'b', did: 'closed after 3 of the 56 bytes of commit' }]);
    await (await FaultClient.connect(served)).start({ slot: 'b' }).untilCommits(2);
  });

  it('comes between two messages, also from within what an event sets off', async () => {
    const served = await serve(scenarioText(`${insert(1)}\n${insert(2)}`));
    const { cluster } = served.server;
    const notice = { severity: 'NOTICE', code: '00000', message: 'now' } as const;
    const { push } = served.events;
    let injected: Promise<unknown> | undefined;
    served.events.push = (...events) => {
      const isInsert = events.some((event) => event.kind === 'message:sent' && event.message.kind === 'insert');
      if (isInsert) injected ??= cluster.inject({ kind: 'notice', notice });
      return push.apply(served.events, events);
    };
    const client = await (await FaultClient.connect(served)).start().untilCommits(2);
    expect(client.outline).toBe('W wB wR wI N wC wB wI wC');
    await injected;
  });

  it('ends the stream between two messages: nothing of it comes afterwards', async () => {
    const served = await serve(scenarioText(`${insert(1)}\n${insert(2)}`));
    const { push } = served.events;
    let injected: Promise<unknown> | undefined;
    served.events.push = (...events) => {
      const isInsert = events.some((event) => event.kind === 'message:sent' && event.message.kind === 'insert');
      if (isInsert) injected ??= served.server.cluster.inject({ kind: 'disconnect', how: 'copy_done' });
      return push.apply(served.events, events);
    };
    const client = (await FaultClient.connect(served)).start();
    await client.until((messages) => messages.at(-1)?.type === 'Z');
    expect(client.outline).toBe('W wB wR wI c C C Z');
    await injected;
  });

  it('hands what a stream did not come to on to the next', async () => {
    const served = await serve(scenarioText(insert(1)));
    const { cluster } = served.server;
    const client = await (await FaultClient.connect(served)).start().untilCommits(1);
    const skipped = cluster.inject({ kind: 'skip', message: 'relation' });
    client.socket.destroy();
    await served.happened('disconnect');
    const again = await (await FaultClient.connect(served)).start().untilCommits(1);
    expect(again.outline).toBe('W wB wI wC');
    expect(await skipped).toHaveLength(1);
  });

  it('sends again on demand, up to where the stream stands', async () => {
    const served = await serve(scenarioText(`${insert(1)}\n${insert(2)}`));
    const client = await (await FaultClient.connect(served)).start().untilCommits(2);
    await served.server.cluster.inject({ kind: 'resend', from: 0x150_0000n });
    await client.untilCommits(4);
    expect(client.outline).toBe('W wB wR wI wC wB wI wC wB wR wI wC wB wI wC');
  });

  it('performs once what happens to the server as a whole', async () => {
    const served = await serve(scenarioText(insert(1)));
    const clients = await Promise.all(
      ['a', 'b'].map(async (slot) => (await FaultClient.connect(served)).start({ slot }).untilCommits(1)),
    );
    const { cluster } = served.server;
    expect(await cluster.inject({ kind: 'failover', timeline: 2 })).toMatchObject([
      { did: 'failed over to timeline 2' },
    ]);
    await Promise.all(clients.map((client) => client.end()));
    expect(cluster.timelines.current).toBe(2);
    expect((await (await FaultClient.connect(served)).start({ slot: 'c' }).untilCommits(1)).outline).toBe(
      'W wB wR wI wC',
    );
  });

  it('finds a stream that another performance has ended, and hands on to the next', async () => {
    const served = await serve(scenarioText(insert(1)));
    const client = await (await FaultClient.connect(served)).start().untilCommits(1);
    const { cluster } = served.server;
    const both = [
      cluster.inject({ kind: 'disconnect', how: 'close' }),
      cluster.inject({ kind: 'skip', message: 'relation' }),
    ];
    await client.end();
    expect((await (await FaultClient.connect(served)).start().untilCommits(1)).outline).toBe('W wB wI wC');
    expect((await Promise.all(both)).map(({ length }) => length)).toEqual([1, 1]);
  });

  it('ends with the server, performed or not', async () => {
    const served = await serve(scenarioText(insert(1)));
    const performed = served.server.cluster.inject({ kind: 'cut', in: 'begin', at: 2 });
    await served.server.close({ grace: 0 });
    expect(await performed).toEqual([]);
  });

  it('comes during a stall and a wait, which go on', async () => {
    const served = await serve(scenarioText(`${insert(1)}\n  - wait: 100ms\n${insert(2)}`));
    const client = await (await FaultClient.connect(served)).start().untilCommits(1);
    await served.server.cluster.inject({ kind: 'parameter', parameters: [{ name: 'a', value: 'b' }] });
    await client.untilCommits(2);
    expect(client.outline).toBe('W wB wR wI wC S wB wI wC');
  });

  it('counts `times` over streams to come', async () => {
    const served = await serve(scenarioText(insert(1)));
    const performed = served.server.cluster.inject({ kind: 'cut', in: 'begin', at: 2, times: 2 });
    for (const ends of [true, true, false]) {
      const client = (await FaultClient.connect(served)).start();
      if (ends) await client.end();
      else await client.untilCommits(1);
    }
    expect(await performed).toHaveLength(2);
  });
});
