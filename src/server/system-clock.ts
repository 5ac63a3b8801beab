import { timestampFromDate } from '../values/timestamp.js';
import type { Clock } from '../walsender/wire.js';

/** The computer's. Its microseconds come from the monotonic clock, as Date has none. */
const startedAt = timestampFromDate(new Date());
const startedMonotonic = performance.now();

export const systemClock: Clock = {
  monotonic: () => performance.now(),
  now: () => startedAt + BigInt(Math.round((performance.now() - startedMonotonic) * 1000)),
};
