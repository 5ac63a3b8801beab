/** `never:` with a word: each word's follower says at which event it happened. */
import { formatLsn } from '../../values/lsn.js';
import type { SessionEvent } from '../../walsender/events.js';
import {
  met,
  unmet,
  type ExpectationOf,
  type Follower,
  type Judgement,
  type Rule,
  type VerdictEvent,
} from '../follower.js';
import { ConfirmedMidTransaction } from './confirmed-mid-transaction.js';
import { ConfirmedUnsent } from './confirmed-unsent.js';
import { LsnWentBack } from './lsn-went-back.js';
import { OffByOne } from './off-by-one.js';

type Never = ExpectationOf<'never'>;
export type Feedback = Extract<SessionEvent, { readonly kind: 'feedback' }>;

/** Sees what is sent and confirmed. */
export interface Watch {
  /** Anything but feedback. */
  follow(event: VerdictEvent): void;
  /** What is wrong with it, without its subject; undefined: nothing. */
  feedback(event: Feedback): string | undefined;
}

/** Leaving by CopyFail is what a real walsender ends the connection for. */
class CopyFail implements Watch {
  readonly follow = (): void => undefined;
  readonly feedback = (): undefined => undefined;
}

const watches: Readonly<Record<Never['what'], () => Watch>> = {
  confirmed_unsent: () => new ConfirmedUnsent(),
  off_by_one: () => new OffByOne(),
  confirmed_mid_transaction: () => new ConfirmedMidTransaction(),
  lsn_went_back: () => new LsnWentBack(),
  copy_fail: () => new CopyFail(),
};

export const never: Rule<Never> = {
  scope: 'slot',
  expected: ({ what }) => `never: ${what}`,
  needsMessages: ({ what }) => what !== 'copy_fail' && what !== 'lsn_went_back',
  follower: ({ what }) => new NeverFollower(what, watches[what]()),
};

class NeverFollower implements Follower {
  #result: Judgement = met('did not');

  constructor(
    private readonly what: Never['what'],
    private readonly watch: Watch,
  ) {}

  follow(event: VerdictEvent, now: number): void {
    if (this.#result.status === 'unmet') return;
    if (event.kind === 'feedback') {
      const problem = this.watch.feedback(event);
      if (problem !== undefined)
        this.#result = unmet(`confirmed ${formatLsn(event.flushLsn)}, ${problem}`, event.flushLsn, now);
    } else if (event.kind === 'replication:leave' && event.how === 'copyFail' && this.what === 'copy_fail') {
      this.#result = unmet('was left with CopyFail', null, now);
    } else this.watch.follow(event);
  }

  judge(): Judgement {
    return this.#result;
  }
}
