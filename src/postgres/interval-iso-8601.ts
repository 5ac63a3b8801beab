/** ISO 8601 durations: with designators (`P1Y2M3DT4H5M6S`) and the alternative format (`P0001-02-03T04:05:06`). */
import { IntervalSum, type IntervalUnit } from './interval-sum.js';
import type { Interval } from './interval-text.js';

const dateUnits: Readonly<Record<string, IntervalUnit>> = { Y: 'year', M: 'month', W: 'week', D: 'day' };
const timeUnits: Readonly<Record<string, IntervalUnit>> = { H: 'hour', M: 'minute', S: 'second' };
const number = '-?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?';

/** Undefined for text that is none. */
export function readIso8601(text: string, major: number): Interval | undefined {
  const match = /^P([^T]*)(?:T(.*))?$/.exec(text);
  if (match === null || text.length < 2) return undefined;
  const [, date = '', time] = match;
  const sum = new IntervalSum(text, major);
  const read = addDesignated(sum, date, dateUnits) || addAlternativeDate(sum, date);
  if (!read) return undefined;
  if (time === undefined) return sum.result();
  if (!addDesignated(sum, time, timeUnits) && !addAlternativeTime(sum, time, major)) return undefined;
  return sum.result();
}

function addNumber(sum: IntervalSum, unit: IntervalUnit, text: string): void {
  const value = Number(text);
  if (Math.abs(value) > 1e15) throw sum.fieldOverflow();
  const whole = Math.trunc(value);
  sum.add(unit, BigInt(whole), value - whole);
}

function addDesignated(sum: IntervalSum, text: string, units: Readonly<Record<string, IntervalUnit>>): boolean {
  const letters = Object.keys(units).join('');
  if (!new RegExp(`^(?:${number}[${letters}])*$`).test(text)) return false;
  for (const [, value = '', letter = ''] of text.matchAll(new RegExp(`(${number})([${letters}])`, 'g'))) {
    addNumber(sum, units[letter]!, value);
  }
  return true;
}

/** `yyyymmdd`, or years, months and days between hyphens. */
function addAlternativeDate(sum: IntervalSum, text: string): boolean {
  const basic = /^(-?)(\d{4})(\d\d)(\d\d)(\.\d*)?$/.exec(text);
  if (basic !== null) {
    const sign = basic[1]!;
    addNumber(sum, 'year', sign + basic[2]!);
    addNumber(sum, 'month', sign + basic[3]!);
    addNumber(sum, 'day', sign + basic[4]! + (basic[5] ?? ''));
    return true;
  }
  const extended = new RegExp(`^(${number})(?:-(${number})(?:-(${number}))?)?$`).exec(text);
  if (extended === null) return false;
  addNumber(sum, 'year', extended[1]!);
  if (extended[2] !== undefined) addNumber(sum, 'month', extended[2]);
  if (extended[3] !== undefined) addNumber(sum, 'day', extended[3]);
  return true;
}

/** `hhmmss`, or hours, minutes and seconds between colons. */
function addAlternativeTime(sum: IntervalSum, text: string, major: number): boolean {
  const basic = /^(-?)(\d\d)(\d\d)(\d\d)(\.\d*)?$/.exec(text);
  if (basic !== null) {
    const sign = basic[1]!;
    addNumber(sum, 'hour', sign + basic[2]!);
    addNumber(sum, 'minute', sign + basic[3]!);
    // From 15 a fraction counts as microseconds here: it is lost.
    addNumber(sum, 'second', sign + basic[4]! + (major < 15 ? (basic[5] ?? '') : ''));
    return true;
  }
  const extended = new RegExp(`^(${number})(?::(${number})(?::(${number}))?)?$`).exec(text);
  if (extended === null) return false;
  addNumber(sum, 'hour', extended[1]!);
  if (extended[2] !== undefined) addNumber(sum, 'minute', extended[2]);
  if (extended[3] !== undefined) addNumber(sum, 'second', extended[3]);
  return true;
}
