/** The rules of a stream; transcripts named by major were taken from real servers. */
import { describe, expect, it } from '@jest/globals';
import type { Message } from '../../src/pgoutput/messages.js';
import { WireError } from '../../src/values/wire-error.js';
import {
  connected,
  ScriptedTimeline,
  testCluster,
  type ScriptItem,
  type TestClient,
  type TestClusterOptions,
  type TestStep,
} from './harness.js';
import type { Outline } from './outline.js';

const start = 0x150_0000n;
const options = `(proto_version '1', publication_names 'p')`;

/** Begin, so many inserts of a kilobyte, Commit; 0x100 bytes of WAL each. */
function transaction(number: number, inserts = 1): ScriptItem[] {
  const base = start + BigInt(number) * 0x100n;
  const item = (message: Message, lsn: bigint): ScriptItem => ({ message, lsn, xid: 700 + number });
  return [
    item({ kind: 'begin', finalLsn: base + 0x80n, commitTime: 0n, xid: 700 + number }, base),
    ...Array.from({ length: inserts }, () =>
      item({ kind: 'insert', relationId: 1, newTuple: ['x'.repeat(1000)] }, base),
    ),
    item({ kind: 'commit', commitLsn: base + 0x80n, endLsn: base + 0xb0n, commitTime: 0n }, base + 0xb0n),
  ];
}

function endOf(number: number): bigint {
  return start + BigInt(number) * 0x100n + 0xb0n;
}

/** `k` and its reply flag, `w` and the message's type; other messages by their type. */
function brief(outlines: readonly Outline[]): string {
  return outlines
    .map(([type, detail]) =>
      type === 'k' ? `k${String(detail)}` : type === 'w' ? `w${String(detail)[0]!}` : String(type),
    )
    .join(' ');
}

interface Setup extends TestClusterOptions {
  readonly script?: readonly ScriptItem[];
  readonly parameters?: Readonly<Record<string, string>>;
}

/** A client of a slot that another connection made; what START answered is in `answer`. */
function streaming({ script = [], parameters = {}, ...rest }: Setup = {}) {
  const timeline = rest.timeline ?? new ScriptedTimeline(rest.major ?? 17);
  timeline.script.push(...script);
  const server = testCluster({ ...rest, timeline });
  connected(server).query('CREATE_REPLICATION_SLOT s LOGICAL pgoutput NOEXPORT_SNAPSHOT');
  const client = connected(server, parameters);
  const answer = client.query(`START_REPLICATION SLOT s LOGICAL 0/0 ${options}`);
  return { ...server, client, answer: brief(answer), slot: server.cluster.slots.get('s') };
}

function restarted(client: TestClient, lsn = '0/0'): string {
  return brief(client.query(`START_REPLICATION SLOT s LOGICAL ${lsn} ${options}`));
}

describe('keepalives', () => {
  it.each([
    [12, 'W k0', 'k0 wB wI wC', 'k0', 'k0 k0'],
    [13, 'W k0', 'k0 wB wI wC k0', 'k0', 'k0 k0'],
    [18, 'W k0', 'k0 wB wI wC k0', 'k0', 'k0 k0'],
  ])('of %i tell positions that the client has not reported', (major, idle, commit, status, request) => {
    const { client, answer, timeline } = streaming({ major });
    expect(answer).toBe(idle);
    timeline.grow(...transaction(1));
    expect(brief(client.take())).toBe(commit);
    expect(brief(client.status(0n).take())).toBe(status);
    expect(brief(client.status(0n, { reply: true }).take())).toBe(request);
  });

  it.each([
    [12, 'W k0 wB wI wC'],
    [13, 'W k0 wB wI wC k0'],
  ])('of %i frame what is there at the start', (major, expected) => {
    expect(streaming({ major, script: transaction(1) }).answer).toBe(expected);
  });

  it('of 12 begin later on a connection that made a slot, as its recorded exchanges show', () => {
    const server = testCluster({ major: 12 });
    const client = connected(server);
    client.query('CREATE_REPLICATION_SLOT s LOGICAL pgoutput NOEXPORT_SNAPSHOT');
    expect(restarted(client)).toBe('W');
    expect(brief(client.message('c').take())).toBe('c C C Z');
  });

  it.each(['writeLsn', 'flushLsn'] as const)('stop once %s has reached the position', (field) => {
    const { client, timeline } = streaming({ script: transaction(1) });
    const lsn = endOf(1);
    client.status(field === 'flushLsn' ? lsn : 0n, { writeLsn: field === 'writeLsn' ? lsn : 0n, applyLsn: 0n });
    expect(brief(client.take())).toBe('');
    expect(brief(client.status(lsn, { reply: true }).take())).toBe('k0');
    timeline.grow(...transaction(2));
    expect(brief(client.take())).toBe('wB wI wC k0');
  });

  it('advance with WAL of which nothing is sent', () => {
    const { client, timeline } = streaming();
    timeline.grow({ skipped: endOf(3) });
    const bytes = client.takeBytes();
    expect(bytes.readBigUInt64BE(bytes.length - 17)).toBe(endOf(3));
  });

  it('report skipped transactions to a synchronous standby, confirmed or not, from 15 on', () => {
    const configuration = new Map([['synchronous_standby_names', 'x']]);
    for (const [major, expected] of [
      [14, ''],
      [15, 'k0'],
    ] as const) {
      const { client, timeline } = streaming({ major, configuration });
      client.status(endOf(9)).take();
      timeline.grow({ skipped: endOf(3) });
      expect(brief(client.take())).toBe(expected);
    }
  });

  it('ask for a reply after half of wal_sender_timeout, once, and end without a word after all of it', () => {
    const { client } = streaming({ parameters: { options: '-c wal_sender_timeout=1s' } });
    expect(brief(client.pass(499).take())).toBe('');
    expect(brief(client.pass(1).take())).toBe('k0 k1');
    expect(brief(client.pass(499).take())).toBe('');
    expect(client.closed).toBeUndefined();
    expect(brief(client.pass(1).take())).toBe('');
    expect(client.closed).toBe('reset');
  });

  it('take any message for a sign of life', () => {
    const { client } = streaming({ parameters: { options: '-c wal_sender_timeout=1s' } });
    for (let i = 0; i < 5; i++) client.pass(450).status(endOf(9));
    client.message('d', `h${'\0'.repeat(24)}`);
    expect(brief(client.take())).not.toContain('k1');
    expect(brief(client.pass(500).take())).toBe('k1');
  });

  it('are not asked for with wal_sender_timeout = 0', () => {
    const { client } = streaming({ parameters: { options: '-c wal_sender_timeout=0' } });
    expect(client.wakeTime).toBeNull();
  });

  it('answer a primary status request from 19 on', () => {
    const answered = streaming({ major: 19 });
    expect(brief(answered.client.message('d', `p${'\0'.repeat(8)}`).take())).toBe('d k0');
    const refused = streaming({ major: 18 });
    expect(brief(refused.client.message('d', `p${'\0'.repeat(8)}`).take())).toBe('');
    expect(refused.client.closed).toBe('end');
  });
});

describe('feedback', () => {
  it('moves the slot by flush alone, and never back from 13 on', () => {
    for (const [major, backwards] of [
      [12, endOf(1)],
      [13, endOf(2)],
    ] as const) {
      const { client, slot } = streaming({ major, script: [...transaction(1), ...transaction(2)] });
      client.status(0n, { writeLsn: endOf(2), applyLsn: endOf(2) });
      expect(slot.confirmedFlushLsn).toBe(start);
      client.status(endOf(2)).status(endOf(1)).status(0n);
      expect(slot.confirmedFlushLsn).toBe(backwards);
    }
  });

  it('is taken beyond what was sent, as servers do', () => {
    const { client, slot } = streaming();
    client.status(0xffff_ffff_ffffn);
    expect(slot.confirmedFlushLsn).toBe(0xffff_ffff_ffffn);
  });

  it('is seen in pg_stat_replication', () => {
    const { client, cluster } = streaming({ script: transaction(1) });
    client.status(endOf(1), { writeLsn: endOf(1) + 1n, applyLsn: 5n });
    expect(client.session.walsenderState()).toMatchObject({
      phase: 'streaming',
      sentLsn: endOf(1),
      writeLsn: endOf(1) + 1n,
      flushLsn: endOf(1),
      applyLsn: 5n,
      state: 'active',
    });
    expect(cluster.slots.get('s').activePid).toBe(client.session.pid);
  });

  it.each([
    ['empty', '', 'no data left in message'],
    ['short', 'r123', 'insufficient data left in message'],
    ['the 9.x form of hot standby feedback', `h${'\0'.repeat(16)}`, 'insufficient data left in message'],
  ])('that is %s ends the stream with an error', (_, body, message) => {
    const { client, cluster } = streaming();
    expect(client.message('d', body).take()).toEqual([
      ['E', { S: 'ERROR', V: 'ERROR', C: '08P01', M: message }],
      ['Z', 'I'],
    ]);
    expect(cluster.slots.get('s').activePid).toBeNull();
  });

  it('may have bytes after its end', () => {
    const { client } = streaming();
    expect(brief(client.message('d', `r${'\0'.repeat(50)}`).take())).toBe('k0');
  });
});

describe('the end of a stream', () => {
  it('comes with CopyDone; a second stream of the connection ends before it begins', () => {
    const { client, cluster, timeline } = streaming({ script: transaction(1) });
    expect(brief(client.message('c').take())).toBe('c k0 C C Z');
    expect(cluster.slots.get('s').activePid).toBeNull();
    expect(timeline.listenerCount).toBe(0);
    expect(client.query(`START_REPLICATION SLOT s LOGICAL 0/0 ${options}`)).toEqual([
      ['W', '000000'],
      ['C', 'COPY 0'],
      ['C', 'START_REPLICATION'],
      ['Z', 'I'],
    ]);
    expect(cluster.slots.get('s').activePid).toBeNull();
    expect(brief(client.message('d', 'x').message('c').message('f', 'x\0').query('SHOW wal_level'))).toBe('T D C Z');
  });

  it('comes after the rest of the transaction, which follows the CopyDone', () => {
    const { client } = streaming({ script: [...transaction(1, 2_000), ...transaction(2)] });
    client.reads = false;
    client.session.tick();
    client.take();
    client.message('c');
    client.reads = true;
    const sent: string[] = [];
    for (let turn = 0; turn < 50; turn++) sent.push(brief(client.drain().take()));
    const rest = sent.join(' ').trim();
    expect(rest).toMatch(/^(wI )*c (wI )+wC C C Z$/);
  });

  it('is an error after which the connection goes on, and streams again', () => {
    const { client, timeline, cluster } = streaming();
    timeline.grow({
      step: { kind: 'error', error: { code: '42704', message: 'publication "p" does not exist' } },
      lsn: endOf(1),
    });
    expect(brief(client.take())).toBe('E Z');
    expect(cluster.slots.get('s').activePid).toBeNull();
    expect(restarted(client)).toBe('W k0');
  });

  it('is 57014 after a CancelRequest with the right key', () => {
    const { client, cluster } = streaming();
    cluster.cancel(client.session.pid, Uint8Array.of(1, 2, 3, 4));
    expect(brief(client.take())).toBe('');
    cluster.cancel(client.session.pid, new Uint8Array(4).fill(7));
    expect(client.take()).toEqual([
      ['E', { S: 'ERROR', V: 'ERROR', C: '57014', M: 'canceling statement due to user request' }],
      ['Z', 'I'],
    ]);
    expect(restarted(client)).toBe('W k0');
  });

  it.each([
    ['Terminate', (client: TestClient) => client.message('X'), 'end'],
    ['the end of its bytes', (client: TestClient) => client.session.peerEnded(), 'end'],
    ['a broken connection', (client: TestClient) => client.session.peerLost('ECONNRESET'), 'reset'],
  ])('is %s', (_, act, how) => {
    const { client, cluster, timeline } = streaming();
    act(client);
    expect([brief(client.take()), client.closed]).toEqual(['', how]);
    expect(cluster.slots.get('s').activePid).toBeNull();
    expect(timeline.listenerCount).toBe(0);
    expect(cluster.sessions.size).toBe(1);
  });

  it.each(['Q', 'S', 'H', 'P', 'f', 'p', 'z'])('is FATAL after message %s', (type) => {
    const { client } = streaming();
    expect(client.message(type, 'x\0').take()).toEqual([
      ['E', { S: 'FATAL', V: 'FATAL', C: '08P01', M: `invalid standby message type "${type}"` }],
    ]);
    expect(client.closed).toBe('end');
  });
});

describe('resuming', () => {
  it('sends again from the first transaction that was not confirmed', () => {
    const { client, cluster, clock } = streaming({ script: [1, 2, 3].flatMap((number) => transaction(number)) });
    client.status(endOf(1));
    client.session.peerLost('killed');
    const again = connected({ cluster, clock });
    expect(restarted(again)).toBe('W k0 wB wI wC wB wI wC k0');
  });

  it('starts later than confirmed when asked to, without confirming', () => {
    const { client, slot } = streaming({ script: [1, 2].flatMap((number) => transaction(number)) });
    client.message('d', '').take();
    expect(restarted(client, '0/1500200')).toBe('W k0 wB wI wC k0');
    expect(slot.confirmedFlushLsn).toBe(start);
  });

  it('tells the emitter where to start, and what the session prints', () => {
    const { timeline } = streaming();
    expect(timeline.emitSessions).toEqual([
      {
        slotName: 's',
        options: expect.objectContaining({ protoVersion: 1, publicationNames: ['p'] }),
        settings: expect.objectContaining({ major: 17, timeZone: 'UTC' }),
        startLsn: start,
        twoPhase: false,
        twoPhaseAt: 0n,
        late: false,
      },
    ]);
  });

  it('keeps two_phase once it was asked for', () => {
    const { client, slot, timeline } = streaming();
    client.message('d', '').take();
    client.query(`START_REPLICATION SLOT s LOGICAL 0/0 (proto_version '3', publication_names 'p', two_phase 'on')`);
    client.message('d', '').take();
    restarted(client);
    expect(slot).toMatchObject({ twoPhase: true, twoPhaseAt: start });
    expect(timeline.emitSessions.map(({ twoPhase }) => twoPhase)).toEqual([false, true, true]);
  });
});

describe('backpressure', () => {
  it('holds a bounded amount for a client that does not read, and goes on when it does', () => {
    const script = Array.from({ length: 100 }, (_, number) => transaction(number, 100)).flat();
    const { client, timeline } = streaming({ script: [] });
    client.reads = false;
    timeline.grow(...script);
    const limit = (256 + 64 + 8) * 1024;
    expect(client.pending).toBeGreaterThan(0);
    expect(client.pending).toBeLessThan(limit);
    for (let turn = 0; turn < 1_000 && client.pending > 0; turn++) {
      expect(client.pending).toBeLessThan(limit);
      client.drain();
    }
    expect(client.take().filter(([type]) => type === 'w')).toHaveLength(100 * 102);
  });

  it('gives others a turn when one client reads fast', () => {
    const { client, timeline } = streaming();
    timeline.grow(...transaction(1, 3_000));
    expect(client.wantsAgain).toBe(true);
    const first = client.take().length;
    client.session.tick();
    expect(client.take().length).toBeGreaterThan(first / 2);
  });

  it('asks a client that does not read for a sign of life all the same', () => {
    const { client, timeline } = streaming({ parameters: { options: '-c wal_sender_timeout=1s' } });
    client.reads = false;
    timeline.grow(...transaction(1, 3_000));
    client.pass(1_000);
    expect(client.closed).toBe('reset');
  });
});

describe('errors of the output plugin', () => {
  it('are the client’s, in their place', () => {
    const { client, timeline } = streaming({
      createEmitter: () => ({
        position: start,
        inTransaction: false,
        next: () => {
          throw new WireError({ code: '42704', message: 'no such', where: 'slot "s"' });
        },
      }),
    });
    expect(timeline.listenerCount).toBe(0);
    expect(brief(client.query('SHOW wal_level'))).toBe('T D C Z');
  });

  it('that are this program’s own are XX000, never silence', () => {
    const events: string[] = [];
    const { answer } = streaming({
      observe: ({ kind }) => events.push(kind),
      createEmitter: () => ({
        position: start,
        inTransaction: false,
        next: () => {
          throw new TypeError('oops');
        },
      }),
    });
    expect(answer).toBe('W E Z');
    expect(events).toContain('internalError');
  });
});

describe('steps', () => {
  const wait = (milliseconds: number): ScriptItem => ({ step: { kind: 'wait', milliseconds }, lsn: endOf(1) });

  it('wait holds back what follows, for everybody at once', () => {
    const { client, cluster, clock } = streaming({ script: [...transaction(1), wait(500), ...transaction(2)] });
    expect(brief(client.pass(300).take())).toBe('');
    const other = connected({ cluster, clock });
    other.query('CREATE_REPLICATION_SLOT t LOGICAL pgoutput NOEXPORT_SNAPSHOT');
    expect(brief(other.query(`START_REPLICATION SLOT t LOGICAL 0/0 ${options}`))).toBe('W k0 wB wI wC k0');
    clock.milliseconds += 200;
    other.session.tick();
    client.session.tick();
    expect(brief(other.take())).toBe('k0 wB wI wC k0');
    expect(brief(client.take())).toBe('k0 wB wI wC k0');
  });

  it('wait goes on while WAL grows behind it', () => {
    const { client, timeline } = streaming({ script: [...transaction(1), wait(500)] });
    timeline.grow(...transaction(2));
    expect(brief(client.take())).toBe('');
    expect(brief(client.pass(500).take())).toBe('k0 wB wI wC k0');
  });

  it('waitFor ends with the confirmation, or with its time', () => {
    const step: TestStep = { kind: 'waitFor', flushed: endOf(1), withinMilliseconds: 500 };
    const script: ScriptItem[] = [...transaction(1), { step, lsn: endOf(1) }, ...transaction(2)];
    const { client } = streaming({ script });
    expect(brief(client.pass(400).take())).toBe('');
    expect(brief(client.status(endOf(1)).take())).toBe('wB wI wC k0');

    const events: string[] = [];
    const late = streaming({ script, observe: ({ kind }) => events.push(kind) });
    expect(brief(late.client.pass(500).take())).toBe('k0 wB wI wC k0');
    expect(events).toContain('wait:unmet');
  });

  it('faults happen once, so that a consumer that reconnects gets past them', () => {
    const step: TestStep = { kind: 'disconnect', how: 'reset' };
    const { client, cluster, clock } = streaming({
      script: [...transaction(1), { step, lsn: endOf(1) }, ...transaction(2)],
    });
    expect(client.closed).toBe('reset');
    expect(restarted(connected({ cluster, clock }))).toBe('W k0 wB wI wC wB wI wC k0');
  });

  it.each<['close' | 'reset' | 'terminate' | 'half-open', string, string | undefined]>([
    ['close', 'W k0 wB wI wC', 'end'],
    ['reset', 'W k0 wB wI wC', 'reset'],
    ['terminate', 'W k0 wB wI wC E', 'end'],
    ['half-open', 'W k0 wB wI wC', undefined],
  ])('disconnect: %s', (how, sent, closed) => {
    const step: TestStep = { kind: 'disconnect', how };
    const { client, answer } = streaming({ script: [...transaction(1), { step, lsn: endOf(1) }, ...transaction(2)] });
    expect([answer, client.closed]).toEqual([sent, closed]);
    if (how === 'half-open') expect(brief(client.status(0n, { reply: true }).pass(1_000_000).take())).toBe('');
  });

  it('happen to the slot that they name', () => {
    const step: TestStep = { kind: 'disconnect', how: 'reset', slot: 'other' };
    expect(streaming({ script: [{ step, lsn: endOf(1) }] }).client.closed).toBeUndefined();
  });

  it('stall sends nothing, or keepalives only', () => {
    for (const keepalives of [false, true]) {
      const step: TestStep = { kind: 'stall', milliseconds: 90_000, keepalives };
      const { client } = streaming({ script: [{ step, lsn: endOf(1) }, ...transaction(2)] });
      expect(brief(client.status(0n, { reply: true }).pass(59_000).take())).toBe(keepalives ? 'k0 k0 k0 k1' : '');
      client.status(0n);
      expect(brief(client.pass(31_000).take())).toMatch(/wB wI wC/);
    }
  });

  it('keepalive can ask for a reply', () => {
    const step: TestStep = { kind: 'keepalive', replyRequested: true };
    expect(streaming({ script: [{ step, lsn: endOf(1) }] }).answer).toBe('W k1');
  });

  it('labels are remembered', () => {
    const label: TestStep = { kind: 'label', name: 'here' };
    const { cluster, client } = streaming({ script: [{ step: label, lsn: endOf(1) }] });
    expect(cluster.mainDatabase.steps.labels.get('here')).toBe(endOf(1));
    expect(client.closed).toBeUndefined();
  });
});
