/** Everything that one scenario expects, followed. */
import type { Expectation, Scenario, ScenarioStep } from '../scenario/index.js';
import type { SourcePosition } from '../timeline/timeline.js';
import { open, type Follower, type Judgement, type Rule, type VerdictEvent } from './follower.js';
import { ruleOf } from './rules/index.js';
import { SlotProgress } from './slot-progress.js';
import { expectedWait, WaitForFollower } from './wait-for.js';

/** What has become of one expectation, for one slot where it is about slots. */
export interface Finding extends Judgement {
  readonly scenario: Scenario;
  readonly source: SourcePosition;
  /** Null: about no slot, or about a slot that was not used. */
  readonly slot: string | null;
  /** As the scenario says it: `flushed: end within 10 s`. */
  readonly expected: string;
  /** With its subject: `slot s confirmed 0/1500140 after 12 ms`. */
  readonly seen: string;
}

/** One expectation, with its followers by slot; what is about no slot has one for null. */
interface Entry {
  readonly source: SourcePosition;
  readonly expected: string;
  /** Undefined: for every slot used. */
  readonly slot: string | undefined;
  readonly followers: Map<string | null, Follower>;
  /** Undefined: it is about no slot. */
  readonly makeFollower: (() => Follower) | undefined;
  readonly unused: Judgement;
}

type SentError = Extract<VerdictEvent, { readonly kind: 'error:sent' }>['error'];

/** After everything is settled, what the consumer says last is still heard for so long. */
const quiet = 250;

export class ScenarioVerdict {
  readonly #entries: Entry[] = [];
  readonly #slots = new Map<string, SlotProgress>();
  readonly needsMessages: boolean;
  /** Since when nothing was left to wait for. */
  #doneAt: number | undefined;
  /** Why no slot was used, as far as it shows: the last error that was sent, before the server itself ended connections. */
  #lastError: SentError | undefined;
  #isClosing = false;
  #exitStatus: number | undefined;

  constructor(readonly scenario: Scenario) {
    let needsMessages = false;
    for (const step of scenario.steps) {
      if (step.kind !== 'waitFor') continue;
      const source = step.source ?? { file: scenario.file, line: 1, column: 1 };
      this.#entries.push(entry(source, expectedWait(step), new WaitForFollower(step)));
    }
    for (const expectation of scenario.expectations) {
      const rule = ruleOf(expectation);
      needsMessages ||= rule.needsMessages?.(expectation) ?? false;
      this.#entries.push(this.#entryOf(expectation, rule));
    }
    this.needsMessages = needsMessages;
  }

  /** @param now monotonic milliseconds */
  follow(event: VerdictEvent, now: number): void {
    if (event.kind === 'replication:start') this.#use(event.slot);
    else if (event.kind === 'server:closing') this.#isClosing = true;
    else if (event.kind === 'consumer:exit') this.#exitStatus = event.status;
    else if (event.kind === 'error:sent' && !this.#isClosing) this.#lastError = event.error;
    const slot = 'slot' in event ? event.slot : undefined;
    if (slot !== undefined) this.#slots.get(slot)?.follow(event, now);
    for (const { followers, makeFollower } of this.#entries) {
      if (!makeFollower) followers.get(null)!.follow(event, now);
      else if (concernsAll(event)) for (const follower of followers.values()) follower.follow(event, now);
      else if (slot !== undefined) followers.get(slot)?.follow(event, now);
    }
  }

  /** In the order of the scenario, waits before expectations. */
  findings(now: number): Finding[] {
    const { scenario } = this;
    return this.#entries.flatMap(({ source, expected, followers, unused }) => {
      if (followers.size === 0)
        return [{ ...unused, seen: this.#withCause(unused), scenario, source, slot: null, expected }];
      return [...followers].map(([slot, follower]) => {
        const judgement = follower.judge(now);
        const seen = slot === null ? judgement.seen : `slot ${slot} ${judgement.seen}`;
        return { ...judgement, seen, scenario, source, slot, expected };
      });
    });
  }

  /**
   * Nothing can change any more for the better, and what must never happen has had its chance to:
   *
   * - no expectation waits for anything: those that are still open can only be decided by the end of the consumer (`shutdown`,
   *   `slot_dropped`) or by whoever runs it (`check`), and a gap in time has had the time to show;
   * - each slot used, of which there is at least one, has been sent everything, and has confirmed it or has let 10 s pass;
   * - and since then a quarter of a second has passed. What happens until the consumer has ended is judged all the same.
   */
  settled(now: number): boolean {
    if (!this.isDone(now)) this.#doneAt = undefined;
    else this.#doneAt ??= now;
    return this.#doneAt !== undefined && now - this.#doneAt >= quiet;
  }

  /** As `settled`, without the moment of quiet. */
  isDone(now: number): boolean {
    return (
      this.#slots.size > 0 &&
      [...this.#slots.values()].every((slot) => slot.isDone(now)) &&
      this.findings(now).every(({ waits }) => !waits)
    );
  }

  #withCause({ status, seen }: Judgement): string {
    if (status !== 'open') return seen;
    const error = this.#lastError && `; the last error sent was ${this.#lastError.code}: ${this.#lastError.message}`;
    const exit = this.#exitStatus === undefined ? '' : `; the consumer ended with status ${this.#exitStatus}`;
    return seen + (error ?? exit);
  }

  #entryOf(expectation: Expectation, rule: Rule): Entry {
    const { source, slot } = expectation;
    const expected = rule.expected(expectation) + (slot === undefined ? '' : `, slot ${slot}`);
    const makeFollower = (): Follower => rule.follower(expectation, { scenario: this.scenario });
    if (rule.scope === 'scenario') return entry(source, expected, makeFollower());
    const unused = open(slot === undefined ? 'no slot was used' : `slot ${slot} was not used`);
    return {
      source,
      expected,
      slot,
      followers: new Map(),
      makeFollower,
      unused: rule.unused?.(expectation) ?? unused,
    };
  }

  /** A slot is used from its first START_REPLICATION on. */
  #use(slot: string): void {
    if (this.#slots.has(slot)) return;
    this.#slots.set(slot, new SlotProgress());
    for (const one of this.#entries) {
      if (one.makeFollower && (one.slot ?? slot) === slot) one.followers.set(slot, one.makeFollower());
    }
  }
}

function entry(source: SourcePosition, expected: string, follower: Follower): Entry {
  return {
    source,
    expected,
    slot: undefined,
    followers: new Map([[null, follower]]),
    makeFollower: undefined,
    unused: open(''),
  };
}

/** What no session sees, and what is done to the server as a whole, on whichever slot's connection. */
function concernsAll(event: VerdictEvent): boolean {
  return !('pid' in event) || (event.kind === 'fault' && serverWide.has(event.step.kind));
}

const serverWide: ReadonlySet<string> = new Set<ScenarioStep['kind']>([
  'dropSlot',
  'recreateSlot',
  'shutdown',
  'failover',
]);
