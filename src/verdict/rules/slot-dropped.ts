import { met, open, type ExpectationOf, type Rule } from '../follower.js';

/** Whether the consumer drops its slot before it ends, or leaves it behind. */
export const slotDropped: Rule<ExpectationOf<'slotDropped'>> = {
  scope: 'slot',
  expected: ({ dropped }) => `slot_dropped: ${dropped}`,
  follower: ({ dropped }) => {
    let isDropped = false;
    let changedAt: number | null = null;
    return {
      follow(event, now) {
        if (event.kind !== 'slot:create' && event.kind !== 'slot:drop') return;
        isDropped = event.kind === 'slot:drop';
        changedAt = now;
      },
      judge() {
        const seen = isDropped ? 'was dropped' : 'is still there';
        return isDropped === dropped ? met(seen, null, changedAt) : open(seen, { waits: false });
      },
    };
  },
};
