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
import { formatRange, formatTimes } from './counts.js';

type Connections = ExpectationOf<'connections'>;

/** How many START_REPLICATIONs were accepted. */
export const connections: Rule<Connections> = {
  scope: 'slot',
  expected: ({ min, max }) => `connections: ${formatRange(min, max)}`,
  follower: (expectation) => new ConnectionsFollower(expectation),
  unused: ({ min }) => (min === 0 ? met('no slot was used') : open('no slot was used')),
};

class ConnectionsFollower implements Follower {
  #count = 0;
  #lsn = 0n;
  #at = 0;

  constructor(private readonly expectation: Connections) {}

  follow(event: VerdictEvent, now: number): void {
    if (event.kind !== 'replication:start' || this.#count > this.expectation.max) return;
    this.#count++;
    this.#lsn = event.startLsn;
    this.#at = now;
  }

  judge(): Judgement {
    const { min, max } = this.expectation;
    const seen = `was streamed ${formatTimes(this.#count)}`;
    if (this.#count < min) return open(seen);
    return this.#count > max ? unmet(`${seen}, more than ${max}`, this.#lsn, this.#at) : met(seen, this.#lsn, this.#at);
  }
}
