/**
 * The proleptic Gregorian calendar, with years counted astronomically (1 BC is 0), and the parts that dates and
 * timestamps are made of: days since 2000-01-01 and microseconds of the day, both exact as numbers.
 */

export const microsPerSecond = 1_000_000;
export const microsPerDay = 86_400_000_000;

/** Days since 2000-01-01 of the first and the last date: 4714-11-24 BC and 5874897-12-31. */
export const firstDay = -2_451_545;
export const lastDay = 2_145_031_948;
/** A timestamp's day is before this one, 294277-01-01. */
export const timestampEndDay = 106_751_983;

export { dateOfDay, dayOfDate } from '../values/calendar.js';

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** @param month 1 to 12 */
export function daysInMonth(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : monthLengths[month - 1]!;
}

/** 0 Sunday to 6 Saturday. */
export function dayOfWeek(days: number): number {
  return (((days + 6) % 7) + 7) % 7;
}

/** To the nearest integer, halves to the even one, as C's rint(). */
export function roundHalfEven(value: number): number {
  const rounded = Math.round(value);
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** `13:45:06.789` of microseconds of a day. */
export function printTimeOfDay(micros: number): string {
  const seconds = Math.floor(micros / microsPerSecond);
  const clock = `${twoDigits(Math.floor(seconds / 3600))}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`;
  return clock + printFraction(micros % microsPerSecond);
}

/** `.789` of microseconds below one second; nothing for 0. */
export function printFraction(micros: number): string {
  return micros === 0 ? '' : `.${String(micros).padStart(6, '0').replace(/0+$/, '')}`;
}

/** `+05:30`, `-03`, `-03:30:52` of seconds east of Greenwich. */
export function printOffset(offset: number): string {
  const seconds = Math.abs(offset);
  const hours = twoDigits(Math.floor(seconds / 3600));
  const minutes = Math.floor(seconds / 60) % 60;
  const rest = seconds % 60;
  const sign = offset < 0 ? '-' : '+';
  if (rest !== 0) return `${sign}${hours}:${twoDigits(minutes)}:${twoDigits(rest)}`;
  return minutes === 0 ? sign + hours : `${sign}${hours}:${twoDigits(minutes)}`;
}

/** Rounded to `precision` digits of a second, halves away from zero, counted from `negative ? the next day : 0`. */
export function roundMicros(micros: number, precision: number, negative = false): number {
  const unit = 10 ** (6 - precision);
  const half = Math.floor(unit / 2);
  return negative ? Math.ceil((micros - half) / unit) * unit : Math.floor((micros + half) / unit) * unit;
}
