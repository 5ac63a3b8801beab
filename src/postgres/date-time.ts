/** date, time, timetz, timestamp and timestamptz. Text without a zone is read as UTC. */
import { concatBytes, int32Bytes, int64Bytes } from './big-endian.js';
import {
  firstDay,
  lastDay,
  microsPerDay,
  microsPerSecond,
  printOffset,
  printTimeOfDay,
  roundMicros,
  timestampEndDay,
} from './calendar.js';
import type { DateTime, DateTimeSqlName } from './date-time-parts.js';
import { DateTimeReader } from './date-time-reader.js';
import { parseCanonical, parseIso, printDate, printTimestamp, type DayTime } from './date-time-text.js';
import { builtinType, ValueError, type OutputSettings } from './pg-type.js';
import { timeZone } from './time-zone.js';

/** 1970-01-01 in days since 2000-01-01. */
const unixEpochDay = -10_957;
/** 2000-01-01 in seconds since 1970. */
const epochSeconds = 946_684_800;

function read(text: string, sqlName: DateTimeSqlName, major: number): DateTime {
  const iso = parseIso(text);
  return iso === undefined ? new DateTimeReader(text, sqlName, major).read() : { kind: 'time', ...iso };
}

function inputDate(text: string, _typeModifier: number, major: number): string {
  const { kind, days } = read(text, 'date', major);
  if (kind === 'epoch') return printDate(unixEpochDay);
  if (kind !== 'time') return kind;
  if (days < firstDay || days > lastDay) throw new ValueError('22008', `date out of range: "${text}"`);
  return printDate(days);
}

function inputTimestamp(text: string, typeModifier: number, major: number): string {
  return readTimestamp(text, typeModifier, major, 'timestamp');
}

function inputTimestamptz(text: string, typeModifier: number, major: number): string {
  return readTimestamp(text, typeModifier, major, 'timestamp with time zone');
}

function readTimestamp(text: string, typeModifier: number, major: number, sqlName: DateTimeSqlName): string {
  const zoned = sqlName === 'timestamp with time zone';
  const zone = zoned ? '+00' : '';
  const { kind, days, micros, offset } = read(text, sqlName, major);
  if (kind === 'epoch') return printTimestamp({ days: unixEpochDay, micros: 0 }, zone);
  if (kind !== 'time') return kind;
  const time = carry(days, zoned ? micros - offset * microsPerSecond : micros);
  const rounded = typeModifier < 0 ? time : carry(time.days, roundMicros(time.micros, typeModifier, time.days < 0));
  if (days < firstDay || rounded.days < firstDay || rounded.days >= timestampEndDay) {
    throw new ValueError('22008', `timestamp out of range: "${text}"`);
  }
  return printTimestamp(rounded, zone);
}

/** The same point with microseconds within a day. */
function carry(days: number, micros: number): DayTime {
  const over = Math.floor(micros / microsPerDay);
  return { days: days + over, micros: micros - over * microsPerDay };
}

function inputTime(text: string, typeModifier: number, major: number): string {
  const { micros } = new DateTimeReader(text, 'time', major).read();
  return printTimeOfDay(typeModifier < 0 ? micros : roundMicros(micros, typeModifier));
}

function inputTimetz(text: string, typeModifier: number, major: number): string {
  const { micros, offset } = new DateTimeReader(text, 'time with time zone', major).read();
  return printTimeOfDay(typeModifier < 0 ? micros : roundMicros(micros, typeModifier)) + printOffset(offset);
}

function outputDate(canonical: string, { dateStyle }: OutputSettings): string {
  if (dateStyle.format === 'ISO') return canonical;
  const time = parseCanonical(canonical);
  return time === undefined ? canonical : printDate(time.days, dateStyle);
}

function outputTimestamp(canonical: string, { dateStyle }: OutputSettings): string {
  if (dateStyle.format === 'ISO') return canonical;
  const time = parseCanonical(canonical);
  return time === undefined ? canonical : printTimestamp(time, '', dateStyle);
}

function outputTimestamptz(canonical: string, { dateStyle, timeZone: zoneName }: OutputSettings): string {
  if (zoneName === 'UTC' && dateStyle.format === 'ISO') return canonical;
  const time = parseCanonical(canonical);
  if (time === undefined) return canonical;
  const zone = timeZone(zoneName);
  if (zone === undefined) throw new ValueError('22023', `invalid value for parameter "TimeZone": "${zoneName}"`);
  const instant = time.days * 86_400 + Math.floor(time.micros / microsPerSecond) + epochSeconds;
  const offset = zone.offsetAt(instant);
  const local = carry(time.days, time.micros + offset * microsPerSecond);
  const shown = dateStyle.format === 'ISO' ? printOffset(offset) : ` ${zone.abbreviationAt(instant)}`;
  return printTimestamp(local, shown, dateStyle);
}

/** Int32 days since 2000-01-01; the infinities are the ends of the range. */
function sendDate(canonical: string): Uint8Array {
  const time = parseCanonical(canonical);
  if (time !== undefined) return int32Bytes(time.days);
  return int32Bytes(canonical === 'infinity' ? 0x7fffffff : 0x80000000);
}

/** Also timestamptz. Int64 microseconds since 2000-01-01; the infinities are the ends of the range. */
function sendTimestamp(canonical: string): Uint8Array {
  const time = parseCanonical(canonical);
  if (time !== undefined) return int64Bytes(BigInt(time.days) * BigInt(microsPerDay) + BigInt(time.micros));
  return int64Bytes(canonical === 'infinity' ? 0x7fff_ffff_ffff_ffffn : 0x8000_0000_0000_0000n);
}

interface TimeOfDay {
  readonly micros: number;
  /** Seconds east of Greenwich. */
  readonly offset: number;
}

function parseTime(canonical: string): TimeOfDay {
  const form = /^(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?)?$/;
  const [, hours, minutes, seconds, fraction = '', sign, ...zone] = form.exec(canonical)!;
  const micros = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * microsPerSecond;
  const [zoneHours = 0, zoneMinutes = 0, zoneSeconds = 0] = zone.map((part?: string) => Number(part ?? 0));
  const offset = (zoneHours * 60 + zoneMinutes) * 60 + zoneSeconds;
  return { micros: micros + Number(fraction.padEnd(6, '0')), offset: sign === '-' ? -offset : offset };
}

/** Int64 microseconds of the day. */
function sendTime(canonical: string): Uint8Array {
  return int64Bytes(BigInt(parseTime(canonical).micros));
}

/** Int64 microseconds of the day, Int32 seconds west of Greenwich. */
function sendTimetz(canonical: string): Uint8Array {
  const { micros, offset } = parseTime(canonical);
  return concatBytes([int64Bytes(BigInt(micros)), int32Bytes(-offset)]);
}

/** Also dates. */
function compareTimestamps(a: string, b: string): number {
  const [x, y] = [parseCanonical(a), parseCanonical(b)];
  if (x === undefined || y === undefined) return rank(a) - rank(b);
  return x.days - y.days || x.micros - y.micros;
}

function rank(canonical: string): number {
  return canonical === 'infinity' ? 1 : canonical === '-infinity' ? -1 : 0;
}

/** Also timetz: by the instant, then by the zone. */
function compareTimes(a: string, b: string): number {
  const [x, y] = [parseTime(a), parseTime(b)];
  const order = x.micros - x.offset * microsPerSecond - (y.micros - y.offset * microsPerSecond);
  return order !== 0 ? order : y.offset - x.offset;
}

export const dateTimeTypes = [
  builtinType(1082, 'date', 4, 1182, {
    input: inputDate,
    output: outputDate,
    send: sendDate,
    compare: compareTimestamps,
  }),
  builtinType(1083, 'time', 8, 1183, { input: inputTime, send: sendTime, compare: compareTimes }),
  builtinType(1114, 'timestamp', 8, 1115, {
    input: inputTimestamp,
    output: outputTimestamp,
    send: sendTimestamp,
    compare: compareTimestamps,
  }),
  builtinType(1184, 'timestamptz', 8, 1185, {
    input: inputTimestamptz,
    output: outputTimestamptz,
    send: sendTimestamp,
    compare: compareTimestamps,
  }),
  builtinType(1266, 'timetz', 12, 1270, { input: inputTimetz, send: sendTimetz, compare: compareTimes }),
];
