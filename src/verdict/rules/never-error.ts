import { met, unmet, type ExpectationOf, type Rule } from '../follower.js';

/** The consumer never does what gets it this error. */
export const neverError: Rule<ExpectationOf<'neverError'>> = {
  scope: 'scenario',
  expected: ({ code }) => `never: error ${code}`,
  follower: ({ code }) => {
    let result = met('it did not get that error');
    return {
      follow(event, now) {
        if (event.kind !== 'error:sent' || event.error.code !== code || result.status === 'unmet') return;
        result = unmet(`it got ${code}: ${event.error.message}`, null, now);
      },
      judge: () => result,
    };
  },
};
