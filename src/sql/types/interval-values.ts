/** Intervals as their three parts, which do not mix: months, days, microseconds. */
import { NotEmulated } from '../failure.js';
import { microsPerDay, microsPerSecond } from './time-values.js';

export interface Interval {
  readonly months: number;
  readonly days: number;
  readonly micros: bigint;
}

const pattern =
  /^(?:(-?\d+) years? ?)?(?:(-?\d+) mons? ?)?(?:(-?\d+) days? ?)?(?:(-?)(\d+):(\d\d):(\d\d)(?:\.(\d+))?)?$/;

/** Reads canonical text (IntervalStyle postgres): `1 year 2 mons -3 days 04:05:06.7`. */
export function parseInterval(canonical: string): Interval {
  const match = pattern.exec(canonical.replace(/\+(?=\d)/g, ''));
  if (match === null) throw new NotEmulated(`calculation with the interval ${canonical}`);
  const number = (i: number): number => Number(match[i] ?? 0);
  const seconds = BigInt((number(5) * 60 + number(6)) * 60 + number(7));
  const micros = seconds * microsPerSecond + BigInt((match[8] ?? '').padEnd(6, '0'));
  return { months: number(1) * 12 + number(2), days: number(3), micros: match[4] === '-' ? -micros : micros };
}

/** Text that interval's input function reads. */
export function printInterval({ months, days, micros }: Interval): string {
  const absolute = micros < 0n ? -micros : micros;
  const fraction = (absolute % microsPerSecond).toString().padStart(6, '0');
  return `${months} mons ${days} days ${micros < 0n ? '-' : ''}${absolute / microsPerSecond}.${fraction} secs`;
}

const secondsPerYear = 31_557_600n;

/** EXTRACT(EPOCH …) in microseconds: years of 365.25 days, months of 30. */
export function intervalMicros({ months, days, micros }: Interval): bigint {
  const years = BigInt(Math.trunc(months / 12));
  return years * secondsPerYear * microsPerSecond + BigInt((months % 12) * 30 + days) * microsPerDay + micros;
}
