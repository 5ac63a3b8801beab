/** What holds for expectations of every kind: which events concern them, and when nothing can change any more. */
import { describe, expect, it } from '@jest/globals';
import { Verdict } from '../../src/verdict/index.js';
import {
  caughtUp,
  connection,
  disconnect,
  end,
  fault,
  feedback,
  follow,
  leave,
  query,
  refusal,
  scenario,
  slotEvent,
  start,
  startup,
  transaction,
  type Timed,
} from './events.js';

const stream = [start(0), ...transaction(10, 750, 100n, 180n, 200n), caughtUp(10, 200n)];

function after(expectations: string, events: readonly Timed[]): Verdict {
  const verdict = new Verdict([scenario(expectations)]);
  follow(verdict, events);
  return verdict;
}

describe('a verdict', () => {
  it('holds for every slot used, unless one is named', () => {
    const slots: Timed[] = [start(0), start(0, { slot: 't' }), feedback(1, 200n)];
    const every = after('- flushed: first', slots).findings(1);
    expect(every.map(({ slot, status }) => [slot, status])).toEqual([
      ['s', 'met'],
      ['t', 'open'],
    ]);
    const named = after('- { flushed: first, slot: t }', slots).findings(1);
    expect(named).toMatchObject([{ slot: 't', status: 'open', expected: 'flushed: first, slot t' }]);
  });

  it('gives each scenario of a server the sessions of its database', () => {
    const expectation = '- query: { matches: x, times: 1 }\n  - attempts: { max: 1 }';
    const verdict = new Verdict([scenario(expectation, undefined, 'a'), scenario(expectation, undefined, 'b')]);
    follow(verdict, [
      ...[connection(0, 1), startup(1, { pid: 1, database: 'b' }), query(2, 'x', 1)],
      ...[connection(3, 2), startup(4, { pid: 2, database: 'b' })],
      // Of no database at all.
      ...[connection(5, 3), refusal(6, '08P01', 3), disconnect(7, 'x', 3)],
    ]);
    expect(verdict.findings(9).map(({ scenario: { name }, status }) => [name, status])).toEqual([
      ['a', 'open'],
      ['a', 'met'],
      ['b', 'met'],
      ['b', 'unmet'],
    ]);
  });

  it('knows of waits in the stream', () => {
    const waiting = '- wait_for: { flushed: first, within: 1s }';
    const served = scenario('- connections: { min: 0 }', waiting);
    const [step] = served.steps.filter(({ kind }) => kind === 'waitFor');
    const wait = (events: readonly Timed[]): unknown => {
      const verdict = new Verdict([served]);
      follow(verdict, events);
      return verdict.findings(99)[0];
    };
    const met: Timed = [5, { kind: 'wait:met', pid: 10_000, slot: 's', step: { ...step! } }];
    expect(wait([start(0), met])).toMatchObject({ status: 'met', expected: 'wait_for: flushed first within 1 s' });
    expect(wait([start(0)])).toMatchObject({ status: 'open', seen: 'the stream did not get past it' });
    const unmet: Timed = [5, { kind: 'wait:unmet', pid: 10_000, slot: 's', step: { ...step! } }];
    expect(wait([start(0), unmet, met])).toMatchObject({ status: 'unmet', source: { line: 5 } });
  });

  it('needs to be told of messages only for what they decide', () => {
    const needs = (expectation: string): boolean => new Verdict([scenario(expectation)]).needsMessages;
    expect(needs('- flushed: end')).toBe(false);
    expect(needs('- { flushed: first, within: 1s }')).toBe(true);
    expect(needs('- never: confirmed_mid_transaction')).toBe(true);
    expect(needs('- never: lsn_went_back')).toBe(false);
  });
});

describe('settled', () => {
  const settledAt = (expectations: string, events: readonly Timed[], ...times: number[]): boolean[] => {
    const verdict = after(expectations, events);
    return times.map((now) => verdict.settled(now));
  };

  it('a quarter of a second after everything was sent, confirmed and met', () => {
    expect(settledAt('- flushed: end', [...stream, feedback(50, 200n)], 100, 349, 350)).toEqual([false, false, true]);
    expect(settledAt('- flushed: end', stream, 100, 5000)).toEqual([false, false]);
    expect(settledAt('- flushed: end', [], 0, 5000)).toEqual([false, false]);
  });

  it('not while something must still happen', () => {
    const done = [...stream, feedback(50, 200n)];
    expect(settledAt('- connections: { min: 2 }', done, 100, 5000)).toEqual([false, false]);
    const reconnected = [...done, end(60), start(70), caughtUp(71, 0n)];
    expect(settledAt('- connections: { min: 2 }', reconnected, 100, 350)).toEqual([false, true]);
    expect(settledAt('- never: { feedback_gap: 1s }', [...done, feedback(900, 200n)], 910, 1001, 1251)).toEqual([
      ...[false, false, true],
    ]);
  });

  it('also once what is missing can no longer come', () => {
    const late = [...stream, feedback(2000, 200n)];
    expect(settledAt('- { flushed: end, within: 1s }', late, 2000, 2250)).toEqual([false, true]);
  });

  it('not before what must not happen has had its chance', () => {
    // Everything is met from the start, but nothing is confirmed yet: that may be where it goes wrong.
    expect(settledAt('- never: confirmed_unsent', stream, 100, 10_009, 10_010, 10_260)).toEqual([
      ...[false, false, false, true],
    ]);
    expect(settledAt('- never: confirmed_unsent', [...stream, feedback(20, 200n)], 100, 350)).toEqual([false, true]);
  });

  it('without slots that are gone, unless they come back', () => {
    const lost = fault(20, { kind: 'invalidateSlot', reason: 'wal_removed' });
    const other = [start(30, { slot: 't' }), end(31)];
    expect(settledAt('- connections: { min: 1 }', [...stream, lost], 100, 350)).toEqual([false, true]);
    expect(settledAt('- connections: { min: 1 }', [...stream, slotEvent(20, 'slot:drop')], 100, 350)).toEqual([
      false,
      true,
    ]);
    expect(settledAt('- connections: { min: 1 }', [...stream, lost, start(40)], 100, 5000)).toEqual([false, false]);
    expect(settledAt('- connections: { min: 1 }', [...stream, lost, ...other], 100, 5000)).toEqual([false, false]);
  });

  it('without what only the end of the consumer decides', () => {
    const done = [...stream, feedback(20, 200n)];
    const expectations = '- shutdown: clean\n  - slot_dropped: true\n  - check: { command: x }';
    const verdict = after(expectations, done);
    expect([verdict.settled(100), verdict.settled(350)]).toEqual([false, true]);
    follow(verdict, [leave(400, 'close'), end(401)]);
    expect(verdict.findings(500).map(({ status }) => status)).toEqual(['unmet', 'open', 'open']);
  });
});
