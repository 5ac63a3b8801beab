import { formatLsn } from '../../values/lsn.js';
import { met, unmet, type ExpectationOf, type Rule } from '../follower.js';
import { describePosition, formatPosition, positionOf } from '../positions.js';

/** The consumer never confirms this position, or one beyond. */
export const neverFlushed: Rule<ExpectationOf<'neverFlushed'>> = {
  scope: 'slot',
  expected: ({ position }) => `never: flushed ${formatPosition(position)}`,
  follower: ({ position }, { scenario }) => {
    const limit = positionOf(position, scenario);
    let result = met('confirmed nothing');
    return {
      follow(event, now) {
        if (event.kind !== 'feedback' || event.flushLsn === 0n || limit === undefined || result.status === 'unmet')
          return;
        const seen = `confirmed ${formatLsn(event.flushLsn)}`;
        const isBeyond = event.flushLsn >= limit;
        result = isBeyond
          ? unmet(`${seen}, which reaches ${describePosition(position, scenario)}`, event.flushLsn, now)
          : met(`${seen} at last`, event.flushLsn, now);
      },
      judge: () => result,
    };
  },
};
