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

type Startup = ExpectationOf<'startup'>;

/** Parameters that the consumer gives at the start of every replication connection. */
export const startup: Rule<Startup> = {
  scope: 'scenario',
  expected: ({ parameters }) => `startup: ${parameters.map(({ name, value }) => `${name} ${value}`).join(', ')}`,
  follower: (expectation) => new StartupFollower(expectation),
};

class StartupFollower implements Follower {
  #result: Judgement = open('no replication connection was made');

  constructor(private readonly expectation: Startup) {}

  follow(event: VerdictEvent, now: number): void {
    if (event.kind !== 'startup' || event.replication === 'off' || this.#result.status === 'unmet') return;
    // Settings have no case.
    const given = new Map([...event.parameters].map(([name, value]) => [name.toLowerCase(), value]));
    for (const { name, value } of this.expectation.parameters) {
      const actual = given.get(name.toLowerCase());
      if (actual === value) continue;
      const seen = actual === undefined ? `${name} was not given` : `${name} was ${actual}, not ${value}`;
      this.#result = unmet(seen, null, now);
      return;
    }
    this.#result = met('they were given', null, now);
  }

  judge(): Judgement {
    return this.#result;
  }
}
