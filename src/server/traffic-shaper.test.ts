import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { NetworkConditions } from '../walsender/wire.js';
import { TrafficShaper } from './traffic-shaper.js';

const unchanged: NetworkConditions = {
  chunk: undefined,
  delayMilliseconds: undefined,
  bandwidth: undefined,
  coalesce: undefined,
};

interface Left {
  readonly at: number;
  readonly text: string;
}

/** Lets time pass to each moment at which something leaves, until nothing is held. */
function drain(shaper: TrafficShaper, start = 0): Left[] {
  const left: Left[] = [];
  for (let now = start; shaper.dueAt !== null;) {
    now = Math.max(now, shaper.dueAt);
    const segment = shaper.take(now);
    if (segment !== null) left.push({ at: now, text: Buffer.from(segment).toString('latin1') });
  }
  return left;
}

function shaper(conditions: Partial<NetworkConditions>): TrafficShaper {
  const made = new TrafficShaper();
  made.change({ ...unchanged, ...conditions });
  return made;
}

describe('a traffic shaper', () => {
  it('has nothing to plan without conditions, and again when they are taken back', () => {
    const plan = new TrafficShaper();
    expect(plan.idle).toBe(true);
    plan.change({ ...unchanged, chunk: 1, coalesce: true, bandwidth: 10, delayMilliseconds: 5 });
    expect(plan.idle).toBe(false);
    plan.change({ chunk: Infinity, coalesce: false, bandwidth: Infinity, delayMilliseconds: 0 });
    expect(plan.idle).toBe(true);
  });

  it('splits into chunks, the rest of each buffer by itself', () => {
    const plan = shaper({ chunk: 3 });
    plan.push(Buffer.from('abcdefgh'), 0);
    plan.push(Buffer.from('ij'), 0);
    expect(plan.held).toBe(10);
    expect(drain(plan).map(({ text }) => text)).toEqual(['abc', 'def', 'gh', 'ij']);
    expect(plan.held).toBe(0);
  });

  it('lets what was sent before a change travel as it did', () => {
    const plan = shaper({ chunk: 1 });
    plan.push(Buffer.from('ab'), 0);
    plan.change({ ...unchanged, chunk: Infinity });
    plan.push(Buffer.from('cd'), 0);
    expect(drain(plan).map(({ text }) => text)).toEqual(['a', 'b', 'cd']);
  });

  it('delays each byte by as much', () => {
    const plan = shaper({ delayMilliseconds: 20 });
    plan.push(Buffer.from('a'), 100);
    plan.push(Buffer.from('b'), 105);
    expect(drain(plan)).toEqual([
      { at: 120, text: 'a' },
      { at: 125, text: 'b' },
    ]);
  });

  it('takes the time that a line of that bandwidth takes, the delay besides', () => {
    const plan = shaper({ bandwidth: 1000, delayMilliseconds: 50 });
    plan.push(Buffer.alloc(25, 'x'), 0);
    expect(drain(plan).map(({ at, text }) => [at, text.length])).toEqual([
      [60, 10],
      [70, 10],
      [75, 5],
    ]);
  });

  it('gathers what comes within ten milliseconds', () => {
    const plan = shaper({ coalesce: true });
    plan.push(Buffer.from('ab'), 0);
    plan.push(Buffer.from('cd'), 9);
    plan.push(Buffer.from('ef'), 11);
    expect(plan.dueAt).toBe(10);
    expect(Buffer.from(plan.take(10)!).toString()).toBe('abcd');
    expect(drain(plan, 10)).toEqual([{ at: 21, text: 'ef' }]);
  });

  it('gathers, then splits', () => {
    const plan = shaper({ coalesce: true, chunk: 3 });
    for (const text of ['a', 'bcdefg', 'h']) plan.push(Buffer.from(text), 0);
    expect(drain(plan).map(({ text }) => text)).toEqual(['abc', 'def', 'gh']);
  });

  it('holds what is sent from now on, not what was sent before', () => {
    const plan = shaper({ chunk: 2 });
    plan.push(Buffer.from('ab'), 0);
    plan.holdUntil(500);
    plan.push(Buffer.from('cd'), 1);
    expect(drain(plan)).toEqual([
      { at: 0, text: 'ab' },
      { at: 500, text: 'cd' },
    ]);
  });

  it('gives everything away at once when there is no more time', () => {
    const plan = shaper({ chunk: 2, delayMilliseconds: 1000 });
    plan.push(Buffer.from('abc'), 0);
    plan.push(Buffer.from('d'), 0);
    plan.take(1000);
    expect(Buffer.concat(plan.takeAll()).toString()).toBe('cd');
    expect([plan.held, plan.dueAt]).toEqual([0, null]);
  });

  it('keeps every byte in its order, never early, never faster than the line', () => {
    const conditions = fc.record({
      chunk: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
      delayMilliseconds: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
      bandwidth: fc.option(fc.integer({ min: 1, max: 5000 }), { nil: undefined }),
      coalesce: fc.option(fc.boolean(), { nil: undefined }),
    });
    const sends = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 100 })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(conditions, sends, (how, buffers) => {
        const plan = shaper(how);
        let now = 0;
        let sent = '';
        const sentAt: number[] = [];
        for (const [later, length] of buffers) {
          now += later;
          const text = Array.from({ length }, (_, i) => String.fromCharCode((sent.length + i) % 256)).join('');
          plan.push(Buffer.from(text, 'latin1'), now);
          sent += text;
          for (let i = 0; i < length; i++) sentAt.push(now);
        }
        expect(plan.held).toBe(sent.length);
        const left = drain(plan);
        expect(left.map(({ text }) => text).join('')).toBe(sent);
        let position = 0;
        for (const { at, text } of left) {
          expect(text.length).toBeGreaterThan(0);
          expect(text.length).toBeLessThanOrEqual(how.chunk ?? Infinity);
          position += text.length;
          expect(at - sentAt[position - 1]!).toBeGreaterThanOrEqual(how.delayMilliseconds ?? 0);
          if (how.bandwidth !== undefined) {
            expect((position / how.bandwidth) * 1000).toBeLessThanOrEqual(at + 1e-6);
          }
        }
      }),
    );
  });
});
