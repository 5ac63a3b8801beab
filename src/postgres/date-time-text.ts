/** Dates and timestamps in the forms of the four DateStyles; ISO is the canonical one. */
import {
  dateOfDay,
  dayOfDate,
  dayOfWeek,
  daysInMonth,
  microsPerSecond,
  printTimeOfDay,
  twoDigits,
} from './calendar.js';
import type { OutputSettings } from './pg-type.js';

type DateStyle = OutputSettings['dateStyle'];

/** A point on the time line as days since 2000-01-01 and microseconds of that day. */
export interface DayTime {
  readonly days: number;
  readonly micros: number;
}

const canonicalForm = /^(\d+)-(\d\d)-(\d\d)(?: (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:\+00)?)?( BC)?$/;

/** Reads the canonical text of a date, timestamp or timestamptz; undefined for the infinities. */
export function parseCanonical(text: string): DayTime | undefined {
  const match = canonicalForm.exec(text);
  if (match === null) return undefined;
  const year = match[8] === undefined ? Number(match[1]) : 1 - Number(match[1]);
  const days = dayOfDate(year, Number(match[2]), Number(match[3]));
  if (match[4] === undefined) return { days, micros: 0 };
  const seconds = (Number(match[4]) * 60 + Number(match[5])) * 60 + Number(match[6]);
  return { days, micros: seconds * microsPerSecond + Number((match[7] ?? '').padEnd(6, '0')) };
}

function printYear(year: number): string {
  return String(year > 0 ? year : 1 - year).padStart(4, '0');
}

const iso: DateStyle = { format: 'ISO', order: 'MDY' };

export function printDate(days: number, style: DateStyle = iso): string {
  const { year, month, day } = dateOfDay(days);
  return printDateParts(printYear(year), twoDigits(month), twoDigits(day), style) + (year > 0 ? '' : ' BC');
}

function printDateParts(year: string, month: string, day: string, { format, order }: DateStyle): string {
  switch (format) {
    case 'ISO':
      return `${year}-${month}-${day}`;
    case 'SQL':
      return order === 'DMY' ? `${day}/${month}/${year}` : `${month}/${day}/${year}`;
    case 'GERMAN':
      return `${day}.${month}.${year}`;
    case 'POSTGRES':
      return order === 'DMY' ? `${day}-${month}-${year}` : `${month}-${day}-${year}`;
  }
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** @param zone what stands behind the time: `+00` in ISO, ` CEST` in the others, '' for none */
export function printTimestamp({ days, micros }: DayTime, zone = '', style: DateStyle = iso): string {
  const { year, month, day } = dateOfDay(days);
  const time = printTimeOfDay(micros);
  const era = year > 0 ? '' : ' BC';
  if (style.format === 'POSTGRES') {
    const date = [monthNames[month - 1]!, twoDigits(day)];
    if (style.order === 'DMY') date.reverse();
    return `${dayNames[dayOfWeek(days)]!} ${date.join(' ')} ${time} ${printYear(year)}${zone}${era}`;
  }
  const date = printDateParts(printYear(year), twoDigits(month), twoDigits(day), style);
  return `${date} ${time}${zone}${era}`;
}

const isoForm =
  /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?)?$/;

/**
 * Reads the ISO 8601 forms that most values have, without the work that all other forms need.
 * @returns undefined for other forms, and for dates and times that there are not
 */
export function parseIso(text: string): (DayTime & { readonly offset: number }) | undefined {
  const match = isoForm.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year === 0 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  const [hour, minute, second] = [Number(match[4] ?? 0), Number(match[5] ?? 0), Number(match[6] ?? 0)];
  const [zoneHours, zoneMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || zoneHours > 15 || zoneMinutes > 59) return undefined;
  const offset = (zoneHours * 60 + zoneMinutes) * 60;
  return {
    days: dayOfDate(year, month, day),
    micros: ((hour * 60 + minute) * 60 + second) * microsPerSecond + Number((match[7] ?? '').padEnd(6, '0')),
    offset: match[8] === '-' ? -offset : offset,
  };
}
