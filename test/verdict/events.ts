/** Events as sessions tell them, made by hand: what happened, and when in milliseconds. */
import { requireScenario, readScenario, type Scenario, type ScenarioStep } from '../../src/scenario/index.js';
import { WireError } from '../../src/values/wire-error.js';
import { Verdict, type Finding, type OwnerEvent } from '../../src/verdict/index.js';
import type { SessionEvent } from '../../src/walsender/events.js';

export type Timed = readonly [at: number, event: SessionEvent | OwnerEvent];

type EventOf<K extends SessionEvent['kind']> = Extract<SessionEvent, { readonly kind: K }>;

const pid = 10_000;
const slot = 's';

export const connection = (at: number, session = pid): Timed => [
  at,
  { kind: 'connection', pid: session, peer: { address: null, port: null } },
];

export const startup = (
  at: number,
  options: Partial<Pick<EventOf<'startup'>, 'pid' | 'database' | 'replication'>> & {
    readonly parameters?: Readonly<Record<string, string>>;
  } = {},
): Timed => [
  at,
  {
    ...{ kind: 'startup', pid, user: 'postgres', database: 'd', replication: 'logical', tls: false, ...options },
    parameters: new Map(Object.entries(options.parameters ?? {})),
  },
];

/** `options`: of START_REPLICATION. */
export const start = (
  at: number,
  lsns: Partial<Pick<EventOf<'replication:start'>, 'requestedLsn' | 'startLsn' | 'confirmedLsn' | 'slot' | 'pid'>> = {},
  options: Readonly<Record<string, string>> = {},
): Timed => [
  at,
  {
    ...{ kind: 'replication:start', pid, slot, requestedLsn: 0n, startLsn: 100n, confirmedLsn: 100n, ...lsns },
    options: Object.entries(options).map(([name, value]) => ({ name, value })),
  },
];

/** A transaction of one insert: its messages at their positions, the last at its end. */
export const transaction = (at: number, xid: number, first: bigint, commitLsn: bigint, endLsn: bigint): Timed[] => {
  const messages: [EventOf<'message:sent'>['message'], bigint][] = [
    [{ kind: 'begin', finalLsn: commitLsn, commitTime: 0n, xid }, first],
    [{ kind: 'insert', relationId: 1, newTuple: ['1'] }, first],
    [{ kind: 'commit', commitLsn, endLsn, commitTime: 0n }, endLsn],
  ];
  return messages.map(([message, lsn]) => [at, { kind: 'message:sent', pid, slot, message, lsn, xid }]);
};

export const caughtUp = (at: number, lsn: bigint): Timed => [at, { kind: 'replication:caughtUp', pid, slot, lsn }];

export const keepalive = (at: number, walEnd: bigint, replyRequested = false): Timed => [
  at,
  { kind: 'keepalive:sent', pid, slot, walEnd, replyRequested },
];

/** `flush` is 0/0 where it says nothing; write is ahead of it. */
export const feedback = (at: number, flush: bigint, write = flush): Timed => [
  at,
  { kind: 'feedback', pid, slot, writeLsn: write, flushLsn: flush, applyLsn: flush, replyRequested: false },
];

export const leave = (at: number, how: EventOf<'replication:leave'>['how']): Timed => [
  at,
  { kind: 'replication:leave', pid, slot, how },
];

export const end = (at: number, reason: EventOf<'replication:end'>['reason'] = 'disconnect'): Timed => [
  at,
  { kind: 'replication:end', pid, slot, reason },
];

export const fault = (at: number, step: ScenarioStep): Timed => [
  at,
  { kind: 'fault', pid, slot, step, lsn: 0n, did: 'as told' },
];

export const disconnect = (at: number, reason: string, session = pid): Timed => [
  at,
  { kind: 'disconnect', pid: session, reason },
];

export const query = (at: number, text: string, session = pid): Timed => [
  at,
  { kind: 'query', pid: session, text, protocol: 'simple' },
];

export const refusal = (at: number, code: string, session = pid): Timed => [
  at,
  { kind: 'error:sent', pid: session, error: new WireError({ code, message: `refused by ${code}` }) },
];

export const slotEvent = (at: number, kind: 'slot:create' | 'slot:drop'): Timed => [at, { kind, pid, slot }];

/** A scenario of its expectations and what else matters to them. The label `first` stands at 0/C8, which is 200. */
export function scenario(expect: string, stream = '- wait: 1ms', name = 'd'): Scenario {
  const yaml = `scenario: x\nserver: { lsn: 0/C8 }\nstream:\n  - label: first\n  ${stream}\nexpect:\n  ${expect}\n`;
  return requireScenario(readScenario(yaml, { file: `${name}.yaml` }));
}

export function follow(verdict: Verdict, events: readonly Timed[]): void {
  for (const [at, event] of events) {
    if ('pid' in event) verdict.follow(event, at);
    else verdict.followOwner(event, at);
  }
}

/** What has become of one expectation after these events. @param now the time of the last one, if left out */
export function judge(expect: string, events: readonly Timed[], now = events.at(-1)?.[0] ?? 0): Finding {
  const verdict = new Verdict([scenario(expect)]);
  follow(verdict, events);
  const [finding, ...others] = verdict.findings(now);
  if (!finding || others.length > 0) throw new Error(`one finding is expected, not ${others.length + 1}`);
  return finding;
}
