/** Each kind of expectation, met and unmet, by events made by hand. */
import { describe, expect, it } from '@jest/globals';
import {
  caughtUp,
  connection,
  disconnect,
  end,
  fault,
  feedback,
  judge,
  keepalive,
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
import { Verdict } from '../../src/verdict/index.js';

const sent = [start(0), ...transaction(10, 750, 100n, 180n, 200n), caughtUp(10, 200n)];

describe('flushed', () => {
  it('is met by flush at or beyond the end of what was sent, in time', () => {
    expect(judge('- { flushed: end, within: 1s }', [...sent, feedback(510, 200n)])).toMatchObject({
      status: 'met',
      seen: 'slot s confirmed 0/C8 after 500 ms',
      slot: 's',
      lsn: 200n,
      at: 510,
      expected: 'flushed: end within 1 s',
      source: { file: 'd.yaml', line: 7, column: 5 },
    });
  });

  it('is met by a label or an LSN, from when that was sent', () => {
    const within = '- { flushed: first, within: 100ms }';
    expect(judge(within, [start(0), ...transaction(900, 750, 100n, 180n, 200n), feedback(990, 200n)]).status).toBe(
      'met',
    );
    expect(judge('- flushed: 0/B4', [start(0), feedback(5, 180n)]).status).toBe('met');
  });

  it('takes only flush for a confirmation, and 0/0 for none', () => {
    const finding = judge('- flushed: end', [...sent, feedback(20, 100n, 200n), feedback(30, 0n)]);
    expect(finding).toMatchObject({ status: 'open', seen: 'slot s confirmed 0/64, not 0/C8' });
  });

  it('is unmet for good once its time is over', () => {
    const late = '- { flushed: end, within: 1s }';
    expect(judge(late, sent, 1010).status).toBe('open');
    expect(judge(late, sent, 1011)).toMatchObject({
      status: 'unmet',
      seen: 'slot s confirmed 0/0, not 0/C8 within 1 s',
    });
    expect(judge(late, [...sent, feedback(1500, 200n)])).toMatchObject({
      status: 'unmet',
      seen: 'slot s confirmed 0/C8 after 1.49 s, not within 1 s',
    });
  });

  it('moves its end on with a stream that goes on', () => {
    const more = [...sent, feedback(20, 200n), ...transaction(30, 751, 200n, 280n, 300n), caughtUp(30, 300n)];
    expect(judge('- flushed: end', more).status).toBe('open');
    expect(judge('- flushed: end', [...more, feedback(40, 300n)]).status).toBe('met');
    // What a second connection had nothing to send for does not take anything back.
    expect(judge('- flushed: end', [...sent, feedback(20, 200n), end(30), start(40), caughtUp(41, 0n)]).status).toBe(
      'met',
    );
  });

  it('does not count slots that their clients drop, unless it is about just that one', () => {
    const pass: Timed[] = [...sent, end(20), [21, { kind: 'slot:drop', pid: 10_000, slot: 's' }]];
    expect(judge('- flushed: end', pass)).toMatchObject({ status: 'met', seen: 'slot s was dropped by its client' });
    expect(judge('- { flushed: end, slot: s }', pass).status).toBe('open');
    expect(judge('- flushed: end', [...pass, [22, { kind: 'slot:create', pid: 10_000, slot: 's' }]]).status).toBe(
      'open',
    );
  });

  it('counts those that were dropped when it was too late: a temporary slot goes with its connection', () => {
    const drop: Timed = [2_000, { kind: 'slot:drop', pid: 10_000, slot: 's' }];
    expect(judge('- { flushed: end, within: 1s }', [...sent, drop], 2_000).status).toBe('unmet');
  });

  it('is open without a slot, and while there is more to be sent', () => {
    expect(judge('- flushed: end', [])).toMatchObject({ status: 'open', seen: 'no slot was used', slot: null });
    expect(judge('- { flushed: end, slot: other }', sent)).toMatchObject({ seen: 'slot other was not used' });
    expect(judge('- flushed: end', [start(0)]).seen).toBe('slot s had not been sent everything');
  });

  it('says why, as far as it shows: the last error sent, or that the consumer ended', () => {
    const exit: Timed = [3, { kind: 'consumer:exit', status: 1 }];
    const refused = [connection(0), startup(1), refusal(2, '28P01'), refusal(2, '42704'), exit];
    const seen = (expectation: string, events: readonly Timed[]): string => judge(expectation, events).seen;
    const error = 'the last error sent was 42704: refused by 42704';
    expect(seen('- flushed: end', refused)).toBe(`no slot was used; ${error}`);
    expect(seen('- { flushed: end, slot: t }', [...refused, start(4)])).toBe(`slot t was not used; ${error}`);
    expect(seen('- connections: { max: 3 }', refused)).toBe('no slot was used');
    expect(seen('- flushed: end', [exit])).toBe('no slot was used; the consumer ended with status 1');
    const everything = 'slot s had not been sent everything';
    expect(seen('- flushed: end', [start(0), exit])).toBe(`${everything}; the consumer ended with status 1`);
    expect(seen('- flushed: end', [start(0), exit, start(4)])).toBe(everything);
    // What the server's own end makes of idle connections is no cause.
    const closed: Timed[] = [[1, { kind: 'server:closing' }], refusal(2, '57P01')];
    expect(seen('- flushed: end', closed)).toBe('no slot was used');
  });
});

describe('connections', () => {
  it('counts streams', () => {
    const expectation = '- connections: { min: 2, max: 3 }';
    const streams = (count: number): Timed[] => Array.from({ length: count }, (_, i) => start(i));
    expect(judge(expectation, streams(1))).toMatchObject({ status: 'open', seen: 'slot s was streamed once' });
    expect(judge(expectation, streams(3)).status).toBe('met');
    expect(judge(expectation, streams(4))).toMatchObject({ status: 'unmet', at: 3 });
    expect(judge('- connections: { max: 3 }', [])).toMatchObject({ status: 'met', seen: 'no slot was used' });
  });
});

describe('reconnect', () => {
  const expectation = '- reconnect: { within: 1s, start_lsn: { at_least: 0/64, at_most: first } }';

  it('is met by who comes back in time and where it should', () => {
    expect(judge(expectation, [start(0), end(100), start(600, { requestedLsn: 200n })])).toMatchObject({
      status: 'met',
      seen: 'slot s came back after 500 ms at 0/C8',
    });
    // 0/0 is where the slot stands.
    expect(judge(expectation, [start(0), end(100), start(600, { startLsn: 120n })]).lsn).toBe(120n);
  });

  it('is unmet by who does not, or too late, or elsewhere', () => {
    expect(judge(expectation, [start(0), end(100)], 1100).status).toBe('open');
    expect(judge(expectation, [start(0), end(100)], 1101).status).toBe('unmet');
    expect(judge(expectation, [start(0), end(100), start(1200)])).toMatchObject({ status: 'unmet' });
    expect(judge(expectation, [start(0), end(100), start(200, { requestedLsn: 201n })])).toMatchObject({
      status: 'unmet',
      seen: 'slot s came back after 100 ms at 0/C9, beyond first (0/C8)',
    });
    expect(judge(expectation, [start(0), end(100), start(200, { requestedLsn: 99n })]).seen).toMatch(/before 0\/64$/);
  });

  it('counts from the silence of a half-open connection', () => {
    const halfOpen = fault(100, { kind: 'disconnect', how: 'half-open' });
    const back = [start(0), halfOpen, leave(900, 'reset'), end(900), start(1000)];
    expect(judge(expectation, back)).toMatchObject({ status: 'met', seen: 'slot s came back after 900 ms at 0/64' });
    expect(judge(expectation, [start(0), halfOpen], 1101).status).toBe('unmet');
  });

  it('is not owed by who left, nor to a server that closes', () => {
    const back = [start(0), end(100), start(200)];
    expect(judge(expectation, [...back, leave(300, 'copyDone'), end(301, 'copyDone')], 9999).status).toBe('met');
    expect(judge(expectation, [...back, [300, { kind: 'server:closing' }], end(301)], 9999).status).toBe('met');
  });

  it('is open for who lost nothing, and not met by who leaves for good', () => {
    expect(judge(expectation, [start(0)])).toMatchObject({
      status: 'open',
      seen: 'slot s did not lose its connection',
    });
    const left = [start(0), leave(300, 'close'), end(300)];
    expect(judge(expectation, left, 400).status).toBe('open');
    expect(judge(expectation, left, 9999)).toMatchObject({
      status: 'unmet',
      seen: 'slot s was left by the consumer, which did not come back within 1 s',
    });
    expect(judge(expectation, [...left, start(500)]).status).toBe('met');
  });
});

describe('attempts', () => {
  const refused = (at: number, pid: number): Timed[] => [
    connection(at, pid),
    startup(at + 1, { pid }),
    refusal(at + 2, '53300', pid),
    disconnect(at + 3, 'sorry', pid),
  ];

  it('counts replication connections, refused ones too, but no others', () => {
    const tries = [
      ...refused(0, 1),
      ...refused(100, 2),
      connection(200, 3),
      startup(201, { pid: 3, replication: 'off' }),
    ];
    expect(judge('- attempts: { min: 2, max: 2 }', tries)).toMatchObject({ status: 'met', seen: 'it tried 2 times' });
    expect(judge('- attempts: { max: 1 }', tries).status).toBe('unmet');
    expect(judge('- attempts: { min: 3 }', tries).status).toBe('open');
  });

  it('counts what was refused before it could say what it wanted', () => {
    const tries = [connection(0, 1), refusal(1, '08P01', 1), disconnect(1, 'x', 1)];
    expect(judge('- attempts: { min: 1 }', tries).status).toBe('met');
  });

  it('counts each further START_REPLICATION on one connection', () => {
    const again = (at: number): Timed => query(at, 'START_REPLICATION SLOT "s" LOGICAL 0/0', 1);
    const tries = [connection(0, 1), startup(0, { pid: 1 }), again(1), refusal(2, '55006', 1), again(3)];
    expect(judge('- attempts: { min: 2, max: 2 }', tries).status).toBe('met');
    expect(judge('- attempts: { spacing: { at_least: 500ms } }', tries)).toMatchObject({
      status: 'unmet',
      seen: 'it tried again after 1 ms, sooner than 500 ms',
    });
  });

  it('measures the pause after what was refused or lost', () => {
    const spaced = '- attempts: { spacing: { at_least: 50ms, at_most: 1s } }';
    expect(judge(spaced, [...refused(0, 1), ...refused(100, 2)]).status).toBe('met');
    expect(judge(spaced, [...refused(0, 1), ...refused(40, 2)]).status).toBe('unmet');
    expect(judge(spaced, [...refused(0, 1), ...refused(1100, 2)])).toMatchObject({ seen: /later than 1 s$/ });
    // Two connections at a time are no retries.
    const both = [connection(0, 1), startup(0, { pid: 1 }), connection(1, 2), startup(1, { pid: 2 })];
    expect(judge(spaced, both).status).toBe('met');
    expect(
      judge(spaced, [...both, disconnect(2, 'fault: reset', 1), connection(3, 3), startup(3, { pid: 3 })]).status,
    ).toBe('unmet');
    expect(
      judge(spaced, [...both, disconnect(2, 'terminate', 1), connection(3, 3), startup(3, { pid: 3 })]).status,
    ).toBe('met');
  });
});

describe('startup', () => {
  it('looks at the parameters of every replication connection', () => {
    const expectation = '- startup: { DateStyle: ISO }';
    const given = startup(0, { parameters: { datestyle: 'ISO' } });
    expect(judge(expectation, []).status).toBe('open');
    expect(judge(expectation, [given]).status).toBe('met');
    expect(judge(expectation, [given, startup(1)])).toMatchObject({ status: 'unmet', seen: 'DateStyle was not given' });
    expect(judge(expectation, [startup(1, { parameters: { DateStyle: 'German' } })]).seen).toBe(
      'DateStyle was German, not ISO',
    );
    expect(judge(expectation, [given, startup(1, { replication: 'off' })]).status).toBe('met');
  });
});

describe('start_replication', () => {
  const expectation = '- start_replication: { proto_version: "2", publication_names: [app, "P q"] }';

  it('takes names as the server reads them, in any order', () => {
    const options = { proto_version: '2', publication_names: '"P q", APP', binary: 'true' };
    expect(judge(expectation, [start(0, {}, options)]).status).toBe('met');
  });

  it('is unmet by another value, or none', () => {
    expect(judge(expectation, [start(0, {}, { proto_version: '1', publication_names: 'app,"P q"' })])).toMatchObject({
      status: 'unmet',
      seen: 'slot s asked for proto_version 1, not 2',
    });
    expect(judge(expectation, [start(0, {}, { proto_version: '2' })]).seen).toBe(
      'slot s did not ask for publication_names app, P q',
    );
    expect(
      judge('- start_replication: { publication_names: [P] }', [start(0, {}, { publication_names: 'P' })]).status,
    ).toBe('unmet');
  });
});

describe('replies_to_keepalive', () => {
  const expectation = '- replies_to_keepalive: { within: 1s }';

  it('is met by a status update after each that asks', () => {
    const asked = [start(0), keepalive(10, 200n), keepalive(100, 200n, true)];
    expect(judge(expectation, asked).status).toBe('open');
    expect(judge(expectation, [...asked, feedback(400, 0n)])).toMatchObject({
      status: 'met',
      seen: 'slot s replied after 300 ms',
    });
    expect(judge(expectation, [...asked, feedback(400, 0n), keepalive(500, 200n, true), end(600)]).status).toBe('met');
  });

  it('is unmet without one in time, and open if nobody asked', () => {
    const asked = [start(0), keepalive(100, 200n, true)];
    expect(judge(expectation, asked, 1101).status).toBe('unmet');
    expect(judge(expectation, [...asked, feedback(1101, 0n)], 1101).status).toBe('unmet');
    expect(judge(expectation, [start(0), keepalive(100, 200n)]).status).toBe('open');
  });
});

describe('shutdown', () => {
  const through = [...sent, feedback(20, 200n)];

  it('is clean after a status update and CopyDone', () => {
    expect(judge('- shutdown: clean', through)).toMatchObject({ status: 'open', waits: false });
    expect(judge('- shutdown: clean', [...through, leave(30, 'copyDone'), leave(31, 'close')]).status).toBe('met');
  });

  it('is not without one of them', () => {
    expect(judge('- shutdown: clean', [...sent, leave(30, 'copyDone')])).toMatchObject({
      status: 'unmet',
      seen: 'slot s was left with CopyDone, but without a status update after the last message',
    });
    expect(judge('- shutdown: clean', [...through, leave(30, 'terminate')]).status).toBe('unmet');
    expect(judge('- shutdown: clean', [...through, leave(30, 'copyFail')]).status).toBe('unmet');
  });

  it('is judged by the last stream', () => {
    const second = [...through, leave(30, 'reset'), end(30), start(40), feedback(50, 200n), leave(60, 'copyDone')];
    expect(judge('- shutdown: clean', second).status).toBe('met');
  });
});

describe('slot_dropped', () => {
  it('is what is so at the end', () => {
    expect(judge('- slot_dropped: true', [start(0)])).toMatchObject({ status: 'open', waits: false });
    expect(judge('- slot_dropped: true', [start(0), slotEvent(9, 'slot:drop')]).status).toBe('met');
    expect(judge('- slot_dropped: false', [start(0)]).status).toBe('met');
    expect(judge('- slot_dropped: false', [start(0), slotEvent(9, 'slot:drop')]).status).toBe('open');
  });
});

describe('never', () => {
  /** Two transactions with a keepalive between them: ends at 200 and 300, idle at 220. */
  const stream = [
    ...[...sent, keepalive(20, 220n)],
    ...[...transaction(30, 751, 240n, 280n, 300n), caughtUp(30, 300n)],
  ];
  const confirming = (what: string, ...flushed: bigint[]): [string, string] => {
    const { status, seen } = judge(`- never: ${what}`, [...stream, ...flushed.map((lsn, i) => feedback(40 + i, lsn))]);
    return [status, seen];
  };

  it('confirmed_unsent: beyond the highest position that was sent, and one more', () => {
    expect(confirming('confirmed_unsent', 0n, 200n, 300n, 301n)[0]).toBe('met');
    expect(confirming('confirmed_unsent', 302n)).toEqual([
      'unmet',
      'slot s confirmed 0/12E, but nothing beyond 0/12C had been sent',
    ]);
    // Where a client asks to start is not where it was sent anything.
    expect(
      judge('- never: confirmed_unsent', [start(0, { requestedLsn: 900n, startLsn: 900n }), feedback(1, 900n)]).status,
    ).toBe('unmet');
  });

  it('off_by_one: one beyond a position, where none was', () => {
    expect(confirming('off_by_one', 200n, 220n, 300n, 0n, 1n)[0]).toBe('met');
    expect(confirming('off_by_one', 301n)).toEqual([
      'unmet',
      'slot s confirmed 0/12D, one beyond 0/12C, which was sent',
    ]);
    const neighbours = [start(0), keepalive(1, 200n), keepalive(2, 201n), feedback(3, 201n)];
    expect(judge('- never: off_by_one', neighbours).status).toBe('met');
  });

  it('confirmed_mid_transaction: after what is before it, and before its end', () => {
    expect(confirming('confirmed_mid_transaction', 100n, 200n, 201n, 210n, 220n, 300n, 999n)[0]).toBe('met');
    expect(confirming('confirmed_mid_transaction', 150n)).toEqual([
      'unmet',
      'slot s confirmed 0/96, inside of transaction 750, which ends at 0/C8',
    ]);
    // The commit record's start is not its end: the transaction would come again.
    expect(confirming('confirmed_mid_transaction', 280n)[0]).toBe('unmet');
    const begun = [start(0), ...transaction(1, 750, 120n, 180n, 200n).slice(0, 2), feedback(2, 120n)];
    expect(judge('- never: confirmed_mid_transaction', begun)).toMatchObject({
      status: 'unmet',
      seen: 'slot s confirmed 0/78, inside of transaction 750, which was not complete',
    });
  });

  it('confirmed_mid_transaction: changes of transactions overlap, their ends do not', () => {
    // The second one began before the first one ended.
    const overlapping = [...sent, ...transaction(20, 751, 110n, 290n, 300n), feedback(30, 200n), feedback(31, 300n)];
    expect(judge('- never: confirmed_mid_transaction', overlapping).status).toBe('met');
  });

  it('lsn_went_back: on any connection, but 0/0 and 0/1 say nothing', () => {
    expect(confirming('lsn_went_back', 200n, 0n, 1n, 200n, 300n)[0]).toBe('met');
    expect(confirming('lsn_went_back', 300n, 200n)).toEqual(['unmet', 'slot s confirmed 0/C8, after 0/12C']);
    const again = [start(0), feedback(1, 300n), end(2), start(3), feedback(4, 200n)];
    expect(judge('- never: lsn_went_back', again).status).toBe('unmet');
    const anew = [start(0), feedback(1, 300n), end(2), slotEvent(2, 'slot:drop'), start(3), feedback(4, 200n)];
    expect(judge('- never: lsn_went_back', anew).status).toBe('met');
    const failedOver = [
      start(0),
      feedback(1, 300n),
      fault(2, { kind: 'failover', timeline: 2 }),
      start(3),
      feedback(4, 200n),
    ];
    expect(judge('- never: lsn_went_back', failedOver).status).toBe('met');
  });

  it('copy_fail', () => {
    expect(judge('- never: copy_fail', [start(0), leave(1, 'copyDone')]).status).toBe('met');
    expect(judge('- never: copy_fail', [start(0), leave(1, 'copyFail')]).status).toBe('unmet');
  });

  it('feedback_gap: between status updates, from the start on, while it streams', () => {
    const gap = '- never: { feedback_gap: 1s }';
    expect(judge(gap, [start(0), feedback(900, 0n), feedback(1900, 0n), end(2000), start(9000)], 9500)).toMatchObject({
      status: 'met',
      seen: 'slot s was silent for 1 s at most',
    });
    expect(judge(gap, [start(0)], 1001)).toMatchObject({ status: 'unmet', at: 1001 });
    expect(judge(gap, [start(0), feedback(1, 0n), feedback(1002, 0n)]).status).toBe('unmet');
    // It is to be watched for as long as a gap takes to show.
    expect(judge(gap, [start(0), feedback(500, 0n)], 900)).toMatchObject({ status: 'met', waits: true });
    expect(judge(gap, [start(0), feedback(500, 0n)], 1100)).toMatchObject({ status: 'met', waits: false });
  });

  it('flushed: at the position, or beyond', () => {
    expect(judge('- never: { flushed: first }', [start(0), feedback(1, 199n), feedback(2, 0n)]).status).toBe('met');
    expect(judge('- never: { flushed: first }', [start(0), feedback(1, 200n)])).toMatchObject({
      status: 'unmet',
      seen: 'slot s confirmed 0/C8, which reaches first (0/C8)',
    });
  });

  it('error', () => {
    expect(judge('- never: { error: "08P01" }', [refusal(1, '42710')]).status).toBe('met');
    expect(judge('- never: { error: "08P01" }', [refusal(1, '08P01')])).toMatchObject({
      status: 'unmet',
      seen: 'it got 08P01: refused by 08P01',
    });
  });

  it('cannot be said of a slot that nobody used', () => {
    expect(judge('- never: confirmed_unsent', [])).toMatchObject({ status: 'open', seen: 'no slot was used' });
  });
});

describe('query', () => {
  const asked = [query(1, 'SELECT 1'), query(2, 'select * from PG_PUBLICATION')];

  it('matches a part of the text or a pattern', () => {
    expect(judge('- query: { matches: PG_PUB }', asked)).toMatchObject({ status: 'met', at: 2 });
    expect(judge('- query: { matches: /^select/gi, times: 2 }', asked).status).toBe('met');
    expect(judge('- query: { matches: /^select/, times: 2 }', asked).status).toBe('open');
  });

  it('counts', () => {
    expect(judge('- query: { matches: /select/i, times: 1 }', asked).status).toBe('unmet');
    expect(judge('- query: { matches: /select/i, at_most: 2 }', asked).status).toBe('met');
    expect(judge('- query: { matches: /select/i, at_most: 1 }', asked).status).toBe('unmet');
    expect(judge('- query: { matches: nothing, at_most: 0 }', asked).status).toBe('met');
  });
});

describe('what only the owner of the consumer sees', () => {
  it('check', () => {
    expect(judge('- check: { command: x }', [])).toMatchObject({ status: 'open', waits: false });
    const checked = scenario('- check: { command: x }');
    const verdict = new Verdict([checked]);
    const tell = (met: boolean): void =>
      verdict.followOwner({ kind: 'check', expectation: checked.expectations[0]!, met, text: 'it ended' }, 5);
    tell(false);
    expect(verdict.findings(5)).toMatchObject([{ status: 'unmet', seen: 'it ended', at: 5 }]);
    tell(true);
    expect(verdict.findings(5)).toMatchObject([{ status: 'met' }]);
  });

  it('output', () => {
    const printed = (text: string): Timed => [1, { kind: 'consumer:output', text }];
    expect(judge('- output: { matches: "42704" }', [printed('error 427'), printed('04\n')]).status).toBe('met');
    expect(judge('- output: { matches: "42704" }', [printed('error')]).status).toBe('open');
  });

  it('exit', () => {
    const exited = (status: number): Timed => [1, { kind: 'consumer:exit', status }];
    expect(judge('- exit: failure', []).status).toBe('open');
    expect(judge('- exit: failure', [exited(3)]).status).toBe('met');
    expect(judge('- exit: failure', [exited(0)]).status).toBe('unmet');
    expect(judge('- exit: success', [exited(3), exited(0)]).status).toBe('met');
    expect(judge('- exit: 4', [exited(3)])).toMatchObject({ status: 'unmet', seen: 'it ended with status 3' });
  });
});
