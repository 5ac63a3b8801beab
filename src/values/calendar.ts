/** The proleptic Gregorian calendar as days since 2000-01-01, with years counted astronomically (1 BC is 0). Exact as numbers. */

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
