import { timestampFromDate } from '../values/timestamp.js';
import type { Clock } from '../walsender/wire.js';

/** A clock that can wake somebody up: what the server's timers run on. */
export interface ServerClock extends Clock {
  /** Calls `wake` once, at or after this time of the monotonic clock; returns how to call it off. */
  at(time: number, wake: () => void): () => void;
}

/** The computer's. Its microseconds come from the monotonic clock, as Date has none. */
const startedAt = timestampFromDate(new Date());
const startedMonotonic = performance.now();
const longestTimer = 0x7fff_ffff;

export const systemClock: ServerClock = {
  monotonic: () => performance.now(),
  now: () => startedAt + BigInt(Math.round((performance.now() - startedMonotonic) * 1000)),
  at(time, wake) {
    const timer = setTimeout(wake, Math.min(Math.max(0, Math.ceil(time - performance.now())), longestTimer));
    return () => clearTimeout(timer);
  },
};
