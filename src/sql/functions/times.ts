/** Functions on dates and times (manual chapter "Date/Time Functions and Operators"). */
import { printFloat } from '../expression/arithmetic.js';
import { NotEmulated, sqlError } from '../failure.js';
import { calculate } from '../types/decimal.js';
import { intervalMicros, parseInterval } from '../types/interval-values.js';
import {
  fromLocal,
  isInfinite,
  microsPerDay,
  microsPerSecond,
  printTimestamp,
  printTimestamptz,
  timeOf,
  toLocal,
} from '../types/time-values.js';
import { typeOids } from '../types/type-oids.js';
import { functions, stable, volatileFunctions, type Call } from './definition.js';

const zoneOf = ({ context }: Call): string => context.session.outputSettings.timeZone;
const epoch = timeOf('1970-01-01 00:00:00+00');

/** Microseconds as seconds with six decimals. */
function seconds(micros: bigint): string {
  const absolute = (micros < 0n ? -micros : micros).toString().padStart(7, '0');
  return `${micros < 0n ? '-' : ''}${absolute.slice(0, -6)}.${absolute.slice(-6)}`;
}

/** A field of a time, as numeric text; undefined for a field that is not known here. @param local what clocks show */
function timeField(field: string, local: bigint, absolute: bigint): string | undefined {
  const day = local - (((local % microsPerDay) + microsPerDay) % microsPerDay);
  const inDay = local - day;
  const [year, month, date] = printTimestamp(day).slice(0, 10).split('-').map(Number) as [number, number, number];
  const weekday = Number((((day / microsPerDay + 6n) % 7n) + 7n) % 7n);
  switch (field) {
    case 'epoch':
      return seconds(absolute - epoch);
    case 'year':
      return String(year);
    case 'month':
      return String(month);
    case 'day':
      return String(date);
    case 'hour':
      return String(inDay / (3600n * microsPerSecond));
    case 'minute':
      return String((inDay / (60n * microsPerSecond)) % 60n);
    case 'second':
      return seconds(inDay % (60n * microsPerSecond));
    case 'milliseconds':
      return calculate('/', String(inDay % (60n * microsPerSecond)), '1000');
    case 'microseconds':
      return String(inDay % (60n * microsPerSecond));
    case 'dow':
      return String(weekday);
    case 'isodow':
      return String(weekday === 0 ? 7 : weekday);
    case 'quarter':
      return String(Math.ceil(month / 3));
    default:
      return undefined;
  }
}

function intervalField(field: string, text: string): string | undefined {
  const interval = parseInterval(text);
  const { months, days, micros } = interval;
  switch (field) {
    case 'epoch':
      return seconds(intervalMicros(interval));
    case 'year':
      return String(Math.trunc(months / 12));
    case 'month':
      return String(months % 12);
    case 'day':
      return String(days);
    case 'hour':
      return String(micros / (3600n * microsPerSecond));
    case 'minute':
      return String((micros / (60n * microsPerSecond)) % 60n);
    case 'second':
      return seconds(micros % (60n * microsPerSecond));
    default:
      return undefined;
  }
}

function extracted(
  call: Call,
  field: string,
  value: string,
  type: 'date' | 'timestamp' | 'timestamptz' | 'interval',
): string {
  if (isInfinite(value)) throw new NotEmulated(`extracting from ${value}`);
  const name = field.toLowerCase();
  const result =
    type === 'interval'
      ? intervalField(name, value)
      : timeField(name, timeOf(type === 'timestamptz' ? toLocal(value, zoneOf(call)) : value), timeOf(value));
  if (result === undefined) throw new NotEmulated(`extracting ${field}`);
  // A date has no part of a second.
  return type === 'date' && name === 'epoch' ? result.replace(/\.0+$/, '') : result;
}

/** date_part gives float8 where extract gives numeric. */
function datePart(
  type: 'date' | 'timestamp' | 'timestamptz' | 'interval',
): (call: Call, field: string, value: string) => string {
  return (call, field, value) => printFloat(Number(extracted(call, field, value, type)), typeOids.float8, call.context);
}

const truncations: Readonly<Record<string, (local: string) => string>> = {
  second: (local) => local.slice(0, 19),
  minute: (local) => `${local.slice(0, 16)}:00`,
  hour: (local) => `${local.slice(0, 13)}:00:00`,
  day: (local) => `${local.slice(0, 10)} 00:00:00`,
  month: (local) => `${local.slice(0, 7)}-01 00:00:00`,
  year: (local) => `${local.slice(0, 4)}-01-01 00:00:00`,
};

function truncated(field: string, local: string): string {
  const truncate = truncations[field.toLowerCase()];
  if (truncate === undefined) throw new NotEmulated(`date_trunc to ${field}`);
  return truncate(local);
}

function requireZone(zone: string): string {
  if (zone === '') throw sqlError('22023', `time zone "${zone}" not recognized`);
  return zone;
}

export const timeFunctions = [
  functions({
    'date_part(text, date) float8': datePart('date'),
    'date_part(text, timestamp) float8': datePart('timestamp'),
    'date_part(text, timestamptz) float8': datePart('timestamptz'),
    'date_part(text, interval) float8': datePart('interval'),
    '[14-]extract(text, date) numeric': (call, field, value) => extracted(call, field, value, 'date'),
    '[14-]extract(text, timestamp) numeric': (call, field, value) => extracted(call, field, value, 'timestamp'),
    '[14-]extract(text, timestamptz) numeric': (call, field, value) => extracted(call, field, value, 'timestamptz'),
    '[14-]extract(text, interval) numeric': (call, field, value) => extracted(call, field, value, 'interval'),
    'date_trunc(text, timestamp) timestamp': (_, field, value) => truncated(field, value),
    'date_trunc(text, timestamptz) timestamptz': (call, field, value) =>
      fromLocal(truncated(field, toLocal(value, zoneOf(call))), zoneOf(call)),
    'timezone(text, timestamptz) timestamp': (_, zone, value) => toLocal(value, requireZone(zone)),
    'timezone(text, timestamp) timestamptz': (_, zone, value) => fromLocal(value, requireZone(zone)),
    'to_timestamp(float8) timestamptz': (_, value) => printTimestamptz(BigInt(Math.round(Number(value) * 1e6)) + epoch),
    'isfinite(timestamptz) bool': (_, value) => (isInfinite(value) ? 'f' : 't'),
    'isfinite(timestamp) bool': (_, value) => (isInfinite(value) ? 'f' : 't'),
    'isfinite(date) bool': (_, value) => (isInfinite(value) ? 'f' : 't'),
  }),
  stable(
    functions({
      'now() timestamptz': ({ context }) => printTimestamptz(context.session.transactionTime),
      'transaction_timestamp() timestamptz': ({ context }) => printTimestamptz(context.session.transactionTime),
      'statement_timestamp() timestamptz': ({ context }) => printTimestamptz(context.statementTime),
    }),
  ),
  volatileFunctions({
    'clock_timestamp() timestamptz': ({ context }) => printTimestamptz(context.host.now()),
    'pg_sleep(float8) void': ({ context }, value) => {
      const microseconds = BigInt(Math.max(Math.round(Number(value) * 1e6), 0));
      if (microseconds > 0n) context.session.wait({ kind: 'sleep', microseconds }, 'pg_sleep');
      return '';
    },
  }),
];
