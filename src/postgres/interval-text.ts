/** Intervals in the forms of the four IntervalStyles; `postgres` is the canonical one. */
import { printFraction, twoDigits } from './calendar.js';
import type { OutputSettings } from './pg-type.js';

/** The three counts that an interval is stored as: none can be converted into another. */
export interface Interval {
  readonly months: number;
  readonly days: number;
  readonly micros: bigint;
}

/** Years, months and days and the parts of the time, all with the sign of the count they come from. */
interface Parts {
  readonly years: number;
  readonly months: number;
  readonly days: number;
  readonly hours: bigint;
  readonly minutes: number;
  readonly seconds: number;
  readonly fraction: number;
}

const microsPerMinute = 60_000_000n;
const microsPerHour = 3_600_000_000n;

function partsOf({ months, days, micros }: Interval): Parts {
  const rest = Number(micros % microsPerMinute);
  return {
    years: Math.trunc(months / 12),
    months: months % 12,
    days,
    hours: micros / microsPerHour,
    minutes: Number((micros % microsPerHour) / microsPerMinute),
    seconds: Math.trunc(rest / 1_000_000),
    fraction: rest % 1_000_000,
  };
}

export function printInterval(interval: Interval, style: OutputSettings['intervalStyle'] = 'postgres'): string {
  const parts = partsOf(interval);
  switch (style) {
    case 'postgres':
      return printPostgres(parts, interval.micros);
    case 'postgres_verbose':
      return printVerbose(parts);
    case 'sql_standard':
      return printSqlStandard(parts, interval);
    case 'iso_8601':
      return printIso8601(parts);
  }
}

/** `6.789` without a sign, at least `width` digits before the point. */
function printSeconds({ seconds, fraction }: Parts, width: 1 | 2): string {
  const whole = Math.abs(seconds);
  return (width === 2 ? twoDigits(whole) : String(whole)) + printFraction(Math.abs(fraction));
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** `1 year -2 mons +3 days -04:05:06`: a + where the part before was negative. */
function printPostgres(parts: Parts, micros: bigint): string {
  const words: string[] = [];
  let afterNegative = false;
  for (const [value, unit] of [
    [parts.years, 'year'],
    [parts.months, 'mon'],
    [parts.days, 'day'],
  ] as const) {
    if (value === 0) continue;
    words.push(`${afterNegative && value > 0 ? '+' : ''}${value} ${unit}${value === 1 ? '' : 's'}`);
    afterNegative = value < 0;
  }
  if (micros !== 0n || words.length === 0) {
    const sign = micros < 0n ? '-' : afterNegative ? '+' : '';
    const hours = String(magnitude(parts.hours)).padStart(2, '0');
    words.push(`${sign}${hours}:${twoDigits(Math.abs(parts.minutes))}:${printSeconds(parts, 2)}`);
  }
  return words.join(' ');
}

/** `@ 1 year 2 mons -3 days ago`: the first part decides about `ago`. */
function printVerbose(parts: Parts): string {
  const words: string[] = [];
  let ago: boolean | undefined;
  for (const [value, unit] of [
    [BigInt(parts.years), 'year'],
    [BigInt(parts.months), 'mon'],
    [BigInt(parts.days), 'day'],
    [parts.hours, 'hour'],
    [BigInt(parts.minutes), 'min'],
  ] as const) {
    if (value === 0n) continue;
    ago ??= value < 0n;
    const shown = ago ? -value : value;
    words.push(`${shown} ${unit}${shown === 1n ? '' : 's'}`);
  }
  if (parts.seconds !== 0 || parts.fraction !== 0) {
    const negative = parts.seconds < 0 || parts.fraction < 0;
    ago ??= negative;
    const plural = Math.abs(parts.seconds) === 1 && parts.fraction === 0 ? '' : 's';
    words.push(`${negative === ago ? '' : '-'}${printSeconds(parts, 1)} sec${plural}`);
  }
  if (words.length === 0) return '@ 0';
  return `@ ${words.join(' ')}${ago === true ? ' ago' : ''}`;
}

/** `1-2`, `3 4:05:06`, or with a sign before each of the three counts. */
function printSqlStandard(parts: Parts, { months, days, micros }: Interval): string {
  const time = `${magnitude(parts.hours)}:${twoDigits(Math.abs(parts.minutes))}:${printSeconds(parts, 2)}`;
  const yearMonth = `${Math.abs(parts.years)}-${Math.abs(parts.months)}`;
  const negative = months < 0 || days < 0 || micros < 0n;
  const positive = months > 0 || days > 0 || micros > 0n;
  if (!negative && !positive) return '0';
  const hasYearMonth = months !== 0;
  const hasDayTime = days !== 0 || micros !== 0n;
  if ((negative && positive) || (hasYearMonth && hasDayTime)) {
    const sign = (isNegative: boolean): string => (isNegative ? '-' : '+');
    return `${sign(months < 0)}${yearMonth} ${sign(days < 0)}${Math.abs(days)} ${sign(micros < 0n)}${time}`;
  }
  const sign = negative ? '-' : '';
  if (hasYearMonth) return sign + yearMonth;
  return days !== 0 ? `${sign}${Math.abs(days)} ${time}` : sign + time;
}

/** `P1Y2M3DT4H5M6.789S` */
function printIso8601(parts: Parts): string {
  const count = (value: number | bigint, unit: string): string => (Number(value) === 0 ? '' : `${value}${unit}`);
  const date = count(parts.years, 'Y') + count(parts.months, 'M') + count(parts.days, 'D');
  let time = count(parts.hours, 'H') + count(parts.minutes, 'M');
  if (parts.seconds !== 0 || parts.fraction !== 0) {
    time += `${parts.seconds < 0 || parts.fraction < 0 ? '-' : ''}${printSeconds(parts, 1)}S`;
  }
  if (date === '' && time === '') return 'PT0S';
  return `P${date}${time === '' ? '' : `T${time}`}`;
}

/** Reads the canonical text of a finite interval. */
export function parseCanonicalInterval(text: string): Interval {
  const form =
    /^(?:([+-]?\d+) years?)? ?(?:([+-]?\d+) mons?)? ?(?:([+-]?\d+) days?)? ?(?:([+-]?)(\d+):(\d\d):(\d\d)(?:\.(\d+))?)?$/;
  const match = form.exec(text)!;
  const [, years = '0', months = '0', days = '0', sign, hours, minutes, seconds, fraction = ''] = match;
  let micros = 0n;
  if (hours !== undefined) {
    micros = BigInt(hours) * microsPerHour + BigInt(minutes!) * microsPerMinute;
    micros += BigInt(seconds! + fraction.padEnd(6, '0'));
  }
  return { months: Number(years) * 12 + Number(months), days: Number(days), micros: sign === '-' ? -micros : micros };
}
