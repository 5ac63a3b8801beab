import { met, open, unmet, type ExpectationOf, type Rule } from '../follower.js';
import { formatLimit } from '../durations.js';

/** A command that looks at what the consumer did. Whoever started the consumer carries it out and tells how it ended. */
export const check: Rule<ExpectationOf<'check'>> = {
  scope: 'scenario',
  expected: ({ command, withinMilliseconds }) => `check: ${command}${formatLimit(withinMilliseconds)}`,
  follower: (expectation) => {
    let result = open('it was not carried out, which `run` does', { waits: false });
    return {
      follow(event, now) {
        if (event.kind !== 'check' || event.expectation !== expectation) return;
        result = event.met ? met(event.text, null, now) : unmet(event.text, null, now);
      },
      judge: () => result,
    };
  },
};
