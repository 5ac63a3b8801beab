import { concatBytes, int32Bytes, int64Bytes } from './big-endian.js';
import { readInterval } from './interval-reader.js';
import { parseCanonicalInterval, printInterval, type Interval } from './interval-text.js';
import { builtinType, type OutputSettings } from './pg-type.js';
import { intervalModifierParts } from './type-modifier.js';

function inputInterval(text: string, typeModifier: number, major: number): string {
  const interval = readInterval(text, typeModifier, major);
  if (typeof interval === 'string') return interval;
  return printInterval(typeModifier < 0 ? interval : limitToModifier(interval, typeModifier));
}

const yearBit = 1 << 2;
const monthBit = 1 << 1;
const dayBit = 1 << 3;
const hourBit = 1 << 10;
const minuteBit = 1 << 11;
const secondBit = 1 << 12;

/** Cuts off the fields below the type's range; those above stay. Seconds are rounded to the precision. */
function limitToModifier(interval: Interval, typeModifier: number): Interval {
  const { range, precision } = intervalModifierParts(typeModifier);
  if ((range & secondBit) !== 0) {
    return precision === undefined
      ? interval
      : { ...interval, micros: roundTo(interval.micros, 10 ** (6 - precision)) };
  }
  const { months, days, micros } = interval;
  if ((range & minuteBit) !== 0) return { months, days, micros: truncateTo(micros, 60_000_000n) };
  if ((range & hourBit) !== 0) return { months, days, micros: truncateTo(micros, 3_600_000_000n) };
  if ((range & dayBit) !== 0) return { months, days, micros: 0n };
  if ((range & monthBit) !== 0) return { months, days: 0, micros: 0n };
  return { months: (range & yearBit) === 0 ? months : months - (months % 12), days: 0, micros: 0n };
}

function truncateTo(micros: bigint, unit: bigint): bigint {
  return micros - (micros % unit);
}

/** Halves away from zero. */
function roundTo(micros: bigint, unit: number): bigint {
  const half = BigInt(Math.floor(unit / 2));
  return truncateTo(micros < 0n ? micros - half : micros + half, BigInt(unit));
}

function outputInterval(canonical: string, { intervalStyle }: OutputSettings): string {
  if (intervalStyle === 'postgres' || canonical.endsWith('infinity')) return canonical;
  return printInterval(parseCanonicalInterval(canonical), intervalStyle);
}

/** Int64 microseconds, Int32 days, Int32 months; the infinities have all three at the ends of their ranges. */
function sendInterval(canonical: string): Uint8Array {
  if (canonical === 'infinity')
    return concatBytes([int64Bytes(2n ** 63n - 1n), int32Bytes(0x7fffffff), int32Bytes(0x7fffffff)]);
  if (canonical === '-infinity')
    return concatBytes([int64Bytes(-(2n ** 63n)), int32Bytes(0x80000000), int32Bytes(0x80000000)]);
  const { months, days, micros } = parseCanonicalInterval(canonical);
  return concatBytes([int64Bytes(micros), int32Bytes(days), int32Bytes(months)]);
}

/** By length, with months of 30 days and days of 24 hours. */
function compareIntervals(a: string, b: string): number {
  const [x, y] = [length(a), length(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function length(canonical: string): bigint | number {
  if (canonical.endsWith('infinity')) return canonical === 'infinity' ? Infinity : -Infinity;
  const { months, days, micros } = parseCanonicalInterval(canonical);
  return BigInt(months * 30 + days) * 86_400_000_000n + micros;
}

export const intervalTypes = [
  builtinType(1186, 'interval', 16, 1187, {
    input: inputInterval,
    output: outputInterval,
    send: sendInterval,
    compare: compareIntervals,
  }),
];
