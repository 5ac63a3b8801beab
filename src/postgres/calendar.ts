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

interface CalendarDate {
  readonly year: number;
  /** 1 to 12 */
  readonly month: number;
  readonly day: number;
}

const daysPerEra = 146_097;
/** Days from 0000-03-01 to 2000-01-01. */
const epochDay = 730_425;

/** Months and days outside their range count on: day 0 is the last of the month before. */
export function dayOfDate(year: number, month: number, day: number): number {
  // Years begin in March, so that the leap day is the last of its year.
  const marchYear = month <= 2 ? year - 1 : year;
  const monthFromMarch = (month + 9) % 12;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * daysPerEra + dayOfEra - epochDay;
}

export function dateOfDay(days: number): CalendarDate {
  const shifted = days + epochDay;
  const era = Math.floor(shifted / daysPerEra);
  const dayOfEra = shifted - era * daysPerEra;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1,
  };
}

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
