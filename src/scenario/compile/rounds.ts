/** Rounds of a `repeat` that are played when the timeline is read, played ahead for what only they meet. */
import type { TimelineEvent } from '../../timeline/timeline.js';

/** The first so many rounds, and the last one. */
export const checkedRounds = 100;

/** @throws ScenarioError, StatementError */
export function playThrough(event: TimelineEvent): void {
  if (!('transaction' in event)) return;
  const changes = event.transaction.changes()[Symbol.iterator]();
  while (changes.next().done !== true);
}
