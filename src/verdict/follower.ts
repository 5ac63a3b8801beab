/**
 * What every expectation is to the verdict: a rule, and for each slot that it concerns a follower, which sees the events one by one
 * and can be asked at any time how things stand.
 *
 * ```
 *            ┌──────→ met ──┐
 *   open ────┤        │     │ until the consumer has ended, what holds may still break
 *            └──────→ unmet ┘ for good; what is open at the end is unmet, too
 * ```
 */
import type { Expectation, Scenario } from '../scenario/index.js';
import type { SessionEvent } from '../walsender/events.js';

/** What no session sees: it comes from whoever runs the server and the consumer. */
export type OwnerEvent =
  /** The server is shut down, and connections that this ends are nobody's loss. */
  | { readonly kind: 'server:closing' }
  | { readonly kind: 'consumer:output'; readonly text: string }
  /** It ended by itself. */
  | { readonly kind: 'consumer:exit'; readonly status: number }
  /** A `check:` command has ended, or could not be run. */
  | { readonly kind: 'check'; readonly expectation: Expectation; readonly met: boolean; readonly text: string };

export type VerdictEvent = SessionEvent | OwnerEvent;

export interface Judgement {
  readonly status: 'open' | 'met' | 'unmet';
  /** What was seen. For a slot's follower without its subject, which is the slot. */
  readonly seen: string;
  /** The position it is about; null where it is about none. */
  readonly lsn: bigint | null;
  /** When it was seen, monotonic milliseconds; null: nothing was. */
  readonly at: number | null;
  /** Whether going on can change something for the better, or has to show something. Default: what is open waits. */
  readonly waits: boolean;
}

export interface Follower {
  /** @param now monotonic milliseconds */
  follow(event: VerdictEvent, now: number): void;
  judge(now: number): Judgement;
}

export interface FollowContext {
  readonly scenario: Scenario;
}

export type ExpectationOf<K extends Expectation['kind']> = Extract<Expectation, { readonly kind: K }>;

/** How one kind of expectation is judged. */
export interface Rule<E extends Expectation = Expectation> {
  /** slot: a follower for each slot used, which hears what happens on it. scenario: one, which hears everything. */
  readonly scope: 'slot' | 'scenario';
  /** As the scenario says it: `flushed: end within 10 s`. */
  expected(expectation: E): string;
  /** Without it, `message:sent` is not needed. */
  needsMessages?(expectation: E): boolean;
  follower(expectation: E, context: FollowContext): Follower;
  /** What holds where no slot was used at all. Default: it is open. */
  unused?(expectation: E): Judgement;
}

export function open(seen: string, { waits = true } = {}): Judgement {
  return { status: 'open', seen, lsn: null, at: null, waits };
}

export function met(
  seen: string,
  lsn: bigint | null = null,
  at: number | null = null,
  { waits = false } = {},
): Judgement {
  return { status: 'met', seen, lsn, at, waits };
}

export function unmet(seen: string, lsn: bigint | null = null, at: number | null = null): Judgement {
  return { status: 'unmet', seen, lsn, at, waits: false };
}
