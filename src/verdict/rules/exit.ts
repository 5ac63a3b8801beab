import { met, open, unmet, type ExpectationOf, type Rule } from '../follower.js';

/** The consumer command ends by itself; after a restart the last time counts. */
export const exit: Rule<ExpectationOf<'exit'>> = {
  scope: 'scenario',
  expected: ({ status }) => `exit: ${status}`,
  follower: ({ status: expected }) => {
    let result = open('it did not end by itself');
    return {
      follow(event, now) {
        if (event.kind !== 'consumer:exit') return;
        const { status } = event;
        const isMet =
          expected === 'success' ? status === 0 : expected === 'failure' ? status !== 0 : status === expected;
        const seen = `it ended with status ${status}`;
        result = isMet ? met(seen, null, now) : unmet(seen, null, now);
      },
      judge: () => result,
    };
  },
};
