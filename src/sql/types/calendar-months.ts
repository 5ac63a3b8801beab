/** Months on the calendar. */
import { timestampFromDate } from '../../values/timestamp.js';

/** `time` (microseconds since 2000) some months later; a day that the month lacks becomes its last. */
export function addMonths(time: bigint, months: number): bigint {
  if (months === 0) return time;
  const micros = ((time % 1000n) + 1000n) % 1000n;
  const date = new Date(Number((time - micros) / 1000n) + Date.UTC(2000, 0, 1));
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return timestampFromDate(date) + micros;
}
