/**
 * Times as the server keeps them: microseconds since 2000-01-01 00:00:00 UTC, a signed 64-bit bigint. Their text is
 * ISO 8601 in UTC with six decimals and Z. Dates are worked out here rather than by Date, which has no microseconds and
 * does not reach as far as 64 bits do.
 */
import { dateOfDay, dayOfDate } from './calendar.js';

const microsPerMilli = 1_000n;
const microsPerMinute = 60_000_000n;
const microsPerDay = 86_400_000_000n;
/** 2000-01-01 in milliseconds since 1970. */
const postgresEpochMillis = 946_684_800_000n;

export function timestampFromDate(date: Date): bigint {
  return (BigInt(date.getTime()) - postgresEpochMillis) * microsPerMilli;
}

/** `2026-01-01T00:00:00.000000Z`; years outside 0000 to 9999 have a sign and at least six digits. */
export function formatTimestamp(time: bigint): string {
  const days = floorDivide(time, microsPerDay);
  const { year, month, day } = dateOfDay(Number(days));
  const inDay = Number(time - days * microsPerDay);
  const seconds = Math.floor(inDay / 1_000_000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map((part) =>
    digits(part, 2),
  );
  const yearText = year >= 0 && year <= 9999 ? digits(year, 4) : `${year < 0 ? '-' : '+'}${digits(Math.abs(year), 6)}`;
  return `${yearText}-${digits(month, 2)}-${digits(day, 2)}T${clock.join(':')}.${digits(inDay % 1_000_000, 6)}Z`;
}

const isoPattern =
  /^(\d{4}|[+-]\d{6})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(?:(Z)|([+-])(\d\d)(?::?(\d\d))?)$/i;

/**
 * Reads ISO 8601: a date, `T` or a space, hours and minutes, then seconds with up to six decimals if wanted, and `Z` or
 * an offset such as `+02:00`, which there must be: no time zone is assumed.
 * @throws SyntaxError for anything else, dates and times that do not exist included.
 */
export function parseTimestamp(text: string): bigint {
  const match = isoPattern.exec(text);
  if (match === null) throw notATime(text, 'expected ISO 8601 with Z or an offset, as 2026-01-01T00:00:00.000000Z');
  const [year, month, day, hours, minutes, seconds] = match
    .slice(1, 7)
    .map((part?: string) => Number(part ?? 0)) as SixNumbers;
  const days = dayOfDate(year, month, day);
  const date = dateOfDay(days);
  if (date.month !== month || date.day !== day) throw notATime(text, 'there is no such date');
  if (hours > 23 || minutes > 59 || seconds > 59) throw notATime(text, 'there is no such time of day');
  const micros = BigInt(days) * microsPerDay + BigInt((hours * 60 + minutes) * 60 + seconds) * 1_000_000n;
  const offset = BigInt(Number(match[10] ?? 0) * 60 + Number(match[11] ?? 0)) * microsPerMinute;
  return micros + BigInt((match[7] ?? '').padEnd(6, '0')) - (match[9] === '-' ? -offset : offset);
}

type SixNumbers = [number, number, number, number, number, number];

function notATime(text: string, why: string): SyntaxError {
  return new SyntaxError(`${JSON.stringify(text)} is not a time: ${why}`);
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0');
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}
