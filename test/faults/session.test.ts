/** Faults without sockets, by a clock that is set by hand: exact times, and what the wire is asked for. */
import { describe, expect, it } from '@jest/globals';
import type { Message } from '../../src/pgoutput/messages.js';
import type { SessionEvent } from '../../src/walsender/events.js';
import { Timelines } from '../../src/walsender/timelines.js';
import { connected, ScriptedTimeline, testCluster, type ScriptItem, type TestStep } from '../walsender/harness.js';

const start = 0x150_0000n;

/** Begin, Insert of a kilobyte, Commit. */
function transaction(number: number): ScriptItem[] {
  const base = start + BigInt(number) * 0x100n;
  const item = (message: Message, lsn: bigint): ScriptItem => ({ message, lsn });
  return [
    item({ kind: 'begin', finalLsn: base, commitTime: 0n, xid: 700 + number }, base),
    item({ kind: 'insert', relationId: 1, newTuple: ['x'.repeat(1000)] }, base),
    item({ kind: 'commit', commitLsn: base, endLsn: base + 8n, commitTime: 0n }, base + 8n),
  ];
}

function streaming(script: readonly (ScriptItem | TestStep)[], { timeout = '60s', reads = true } = {}) {
  const timeline = new ScriptedTimeline(17);
  timeline.script.push(...script.map((item) => ('kind' in item ? { step: item, lsn: start } : item)));
  const events: SessionEvent[] = [];
  const server = testCluster({
    timeline,
    database: { implicitSlots: true },
    observe: (event) => events.push(event),
    configuration: new Map([['wal_sender_timeout', timeout]]),
  });
  const client = connected(server);
  client.reads = reads;
  client.message('Q', `START_REPLICATION SLOT s LOGICAL 0/0 (proto_version '1', publication_names 'p')\0`);
  return { ...server, client, events };
}

/** `k`, `w` and the message's type, or the type. */
const brief = (outlines: readonly (readonly unknown[])[]): string =>
  outlines.map(([type, detail]) => (type === 'w' ? `w${String(detail)[0]!}` : String(type))).join(' ');

describe('times', () => {
  it('a stall ends when its time is over, not before', () => {
    const { client } = streaming([{ kind: 'stall', milliseconds: 500, keepalives: false }, ...transaction(1)]);
    expect(brief(client.take())).toBe('W');
    expect(brief(client.pass(499).take())).toBe('');
    expect(brief(client.pass(1).take())).toContain('wB wI wC');
  });

  it('keepalives come every so often, and data waits for the last of them', () => {
    const step: TestStep = { kind: 'keepalive', replyRequested: false, count: 3, everyMilliseconds: 1000 };
    const { client } = streaming([step, ...transaction(1)]);
    client.status(start);
    client.take();
    expect(brief(client.pass(999).take())).toBe('');
    expect(brief(client.pass(1).take())).toBe('k');
    expect(brief(client.pass(1000).take())).toMatch(/^k (k )?wB wI wC/);
  });

  it('one that fell silent gives its slot up with wal_sender_timeout, and tells nobody', () => {
    const { client, cluster } = streaming([{ kind: 'disconnect', how: 'half-open' }], { timeout: '10s' });
    client.take();
    client.pass(9_999);
    expect(cluster.slots.get('s').activePid).not.toBeNull();
    client.pass(1);
    expect(cluster.slots.get('s').activePid).toBeNull();
    expect(client.closed).toBe('keep');
    expect(client.takeBytes()).toHaveLength(0);
  });
});

describe('what the wire is asked for', () => {
  // A keepalive as the stream wakes up, Begin, Insert, Commit: headers of 30 bytes (5 and 18 for the keepalive) and payloads.
  const [keepalive, begin, insert, commit] = [23, 30 + 21, 30 + 1 + 4 + 1 + 2 + 5 + 1000, 30 + 26] as const;
  const chunk = (size: number): TestStep => {
    return { kind: 'network', chunk: size, delayMilliseconds: undefined, bandwidth: undefined, coalesce: undefined };
  };

  it('network conditions hold from their place on', () => {
    const { client } = streaming([chunk(1), ...transaction(1), chunk(2), ...transaction(2)]);
    const [first, second] = client.conditions;
    expect([first!.chunk, second!.chunk]).toEqual([1, 2]);
    expect(second!.after - first!.after).toBe(keepalive + begin + insert + commit);
  });

  it('a stall inside a message holds what comes after so many of its bytes', () => {
    const inside = { in: 'commit', at: 5 } as const;
    const step: TestStep = { kind: 'stall', milliseconds: 70, keepalives: false, inside };
    const { client } = streaming([chunk(1), step, ...transaction(1)]);
    const after = client.conditions[0]!.after + keepalive + begin + insert + 5;
    expect(client.holds).toEqual([{ after, milliseconds: 70 }]);
  });

  it('a reset waits until the peer’s system has everything, ten seconds at most', () => {
    for (const [ends, expected] of [
      ['drained', 'reset'],
      ['late', 'reset'],
      ['early', undefined],
    ]) {
      const { client } = streaming([...transaction(1), { kind: 'disconnect', how: 'reset' }], { reads: false });
      expect(client.closed).toBeUndefined();
      if (ends === 'drained') client.drain();
      else client.pass(ends === 'late' ? 10_000 : 9_999);
      expect(client.closed).toBe(expected);
    }
  });

  it('a flood keeps to what a client takes', () => {
    const step: TestStep = { kind: 'keepalive', replyRequested: false, count: 1_000_000 };
    const { client, events } = streaming([step], { reads: false });
    expect(client.pending).toBeLessThan(512 * 1024);
    client.status(0n).status(0n).status(0n);
    expect(client.pending).toBeLessThan(512 * 1024);
    const sent = (): number => events.filter(({ kind }) => kind === 'keepalive:sent').length;
    const before = sent();
    client.drain();
    expect(sent()).toBeGreaterThan(before);
  });
});

describe('timelines', () => {
  it('list those that the server has left, and where', () => {
    const timelines = new Timelines(2, 0x100n);
    expect(timelines.history(2)).toEqual([{ timeline: 1, end: 0x100n }]);
    timelines.promote(3, 0x200n);
    timelines.promote(5, 0x300n);
    expect(timelines.current).toBe(5);
    expect(timelines.history(5)).toEqual([
      { timeline: 1, end: 0x100n },
      { timeline: 2, end: 0x200n },
      { timeline: 3, end: 0x300n },
    ]);
    expect(timelines.history(3)).toEqual([
      { timeline: 1, end: 0x100n },
      { timeline: 2, end: 0x200n },
    ]);
    expect([timelines.history(1), timelines.history(4), timelines.history(6)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
