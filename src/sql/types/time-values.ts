/** Dates and times as numbers: microseconds since 2000 for calculation, canonical text (ISO, UTC) as values. */
import { timeZone } from '../../postgres/time-zone.js';
import { NotEmulated } from '../failure.js';
import { formatTimestamp, parseTimestamp } from '../../values/timestamp.js';

const secondsTo2000 = 946_684_800n;
export const microsPerSecond = 1_000_000n;
export const microsPerDay = 86_400n * microsPerSecond;

/** `2026-01-01 00:00:00.5+00`. */
export function printTimestamptz(time: bigint): string {
  return `${printTimestamp(time)}+00`;
}

/** `2026-01-01 00:00:00.5`. */
export function printTimestamp(time: bigint): string {
  const iso = formatTimestamp(time);
  if (!/^\d/.test(iso)) throw new NotEmulated('a year outside 0 to 9999');
  const [seconds, fraction = ''] = iso.slice(0, -1).replace('T', ' ').split('.');
  const digits = fraction.replace(/0+$/, '');
  return digits === '' ? seconds! : `${seconds!}.${digits}`;
}

/** Canonical timestamptz, timestamp (as if in UTC) or date. */
export function timeOf(canonical: string): bigint {
  if (!/^\d{4}-\d\d-\d\d/.test(canonical) || canonical.endsWith('BC'))
    throw new NotEmulated(`calculation with the time ${canonical}`);
  const zoned =
    canonical.length === 10 ? `${canonical} 00:00:00+00` : /[+-]\d\d$/.test(canonical) ? canonical : `${canonical}+00`;
  return parseTimestamp(zoned);
}

export function isInfinite(canonical: string): boolean {
  return canonical === 'infinity' || canonical === '-infinity';
}

/** Microseconds to add to UTC for what clocks in `zone` show at `time`. */
export function zoneOffset(zone: string, time: bigint): bigint {
  const found = timeZone(zone);
  if (found === undefined) throw new NotEmulated(`time zone ${zone}`);
  return BigInt(found.offsetAt(Number(time / microsPerSecond + secondsTo2000))) * microsPerSecond;
}

/** timestamptz → timestamp. */
export function toLocal(canonical: string, zone: string): string {
  if (isInfinite(canonical)) return canonical;
  const time = timeOf(canonical);
  return printTimestamp(time + zoneOffset(zone, time));
}

/** timestamp → timestamptz; a time that clocks skip or show twice is taken with the offset before the change. */
export function fromLocal(canonical: string, zone: string): string {
  if (isInfinite(canonical)) return canonical;
  const local = timeOf(canonical);
  const before = zoneOffset(zone, local - microsPerDay);
  const guess = local - before;
  return printTimestamptz(zoneOffset(zone, guess) === before ? guess : local - zoneOffset(zone, guess));
}
