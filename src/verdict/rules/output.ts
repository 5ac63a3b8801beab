import { met, open, type ExpectationOf, type Rule } from '../follower.js';
import { formatPattern, matches } from './patterns.js';

/** As many of the last characters as a match may begin in. */
const remembered = 64 * 1024;

/** What the consumer command prints. */
export const output: Rule<ExpectationOf<'output'>> = {
  scope: 'scenario',
  expected: ({ matches: pattern }) => `output: ${formatPattern(pattern)}`,
  follower: ({ matches: pattern }) => {
    let text = '';
    let result = open('its output did not say so');
    return {
      follow(event, now) {
        if (event.kind !== 'consumer:output' || result.status === 'met') return;
        text = (text + event.text).slice(-remembered);
        if (matches(text, pattern)) result = met('its output said so', null, now);
      },
      judge: () => result,
    };
  },
};
