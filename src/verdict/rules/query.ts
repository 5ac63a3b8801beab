import {
  met,
  open,
  unmet,
  type ExpectationOf,
  type Follower,
  type Judgement,
  type Rule,
  type VerdictEvent,
} from '../follower.js';
import { formatTimes } from './counts.js';
import { formatPattern, matches } from './patterns.js';

type Query = ExpectationOf<'query'>;

/** What the consumer asks, on all of its connections: SQL and replication commands. */
export const query: Rule<Query> = {
  scope: 'scenario',
  expected: ({ matches: pattern, times, atMost }) => {
    const often =
      times !== undefined ? `exactly ${times}` : atMost !== undefined ? `at most ${atMost}` : 'at least once';
    return `query: ${formatPattern(pattern)} ${often}`;
  },
  follower: (expectation) => new QueryFollower(expectation),
};

class QueryFollower implements Follower {
  #count = 0;
  #at: number | null = null;
  readonly #min: number;
  readonly #max: number;

  constructor(private readonly expectation: Query) {
    const { times, atMost } = expectation;
    this.#min = times ?? (atMost === undefined ? 1 : 0);
    this.#max = times ?? atMost ?? Infinity;
  }

  follow(event: VerdictEvent, now: number): void {
    if (event.kind !== 'query' || !matches(event.text, this.expectation.matches)) return;
    this.#count++;
    this.#at = now;
  }

  judge(): Judgement {
    const seen = `it asked ${formatTimes(this.#count)}`;
    if (this.#count > this.#max) return unmet(seen, null, this.#at);
    return this.#count < this.#min ? open(seen) : met(seen, null, this.#at);
  }
}
