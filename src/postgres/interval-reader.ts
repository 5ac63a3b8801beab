/**
 * Reads interval literals: the verbose and SQL forms, from the right so that units come before their numbers, and
 * ISO 8601 durations. Manual section "Interval Input".
 */
import { roundHalfEven } from './calendar.js';
import { splitFields, type Field } from './date-time-fields.js';
import { dateTimeWord } from './date-time-words.js';
import { IntervalSum, type IntervalUnit } from './interval-sum.js';
import { readIso8601 } from './interval-iso-8601.js';
import type { Interval } from './interval-text.js';
import { ValueError } from './pg-type.js';
import { intervalModifierParts, intervalUnitOfRange } from './type-modifier.js';

const units = new Map<string, IntervalUnit>();
for (const [unit, names] of [
  ['microsecond', 'microsecon us usec usecs useconds'],
  ['millisecond', 'millisecon ms msec msecs mseconds'],
  ['second', 's sec secs second seconds'],
  ['minute', 'm min mins minute minutes'],
  ['hour', 'h hr hrs hour hours'],
  ['day', 'd day days'],
  ['week', 'w week weeks'],
  ['month', 'mon mons month months'],
  ['year', 'y yr yrs year years'],
  ['decade', 'dec decs decade decades'],
  ['century', 'c cent century centuries'],
  ['millennium', 'mil mils millennium millennia'],
] as const) {
  for (const name of names.split(' ')) units.set(name.slice(0, 10), unit);
}

/** A finite interval, or an infinity (from 17). */
export function readInterval(text: string, typeModifier: number, major: number): Interval | 'infinity' | '-infinity' {
  if (text.startsWith('P')) {
    const iso = readIso8601(text, major);
    if (iso === undefined) throw badFormat(text);
    return iso;
  }
  const range = intervalUnitOfRange(intervalModifierParts(typeModifier).range);
  const fields = splitFields(text, (word) => dateTimeWord(word, major) !== undefined);
  if (fields === undefined) throw badFormat(text);
  return new IntervalReader(text, fields, range, major).read();
}

function badFormat(text: string): ValueError {
  return new ValueError('22007', `invalid input syntax for type interval: "${text}"`);
}

/** What `04:05:06` is, so that none of it can come again. */
const timeParts = ['hour', 'minute', 'second', 'millisecond', 'microsecond'] as const;

class IntervalReader {
  private readonly sum: IntervalSum;
  /** Units that there were: none may come twice. */
  private readonly seen = new Set<IntervalUnit>();
  /** The unit that the next number to the left has; undefined: what the type's range says; none: it must be given. */
  private unit: IntervalUnit | 'none' | undefined;
  /** A unit was read whose number has not come yet. */
  private unitPending = false;
  private ago = false;

  constructor(
    private readonly text: string,
    private readonly fields: readonly Field[],
    /** Unit of a lone number, and whether `a:b` is minutes and seconds. */
    private readonly range: { readonly unit: IntervalUnit; readonly minuteToSecond: boolean },
    private readonly major: number,
  ) {
    this.sum = new IntervalSum(text, major);
  }

  read(): Interval | 'infinity' | '-infinity' {
    for (let i = this.fields.length - 1; i >= 0; i--) {
      const infinity = this.field(this.fields[i]!, i);
      if (infinity !== undefined) {
        // Nothing may stand beside it.
        if (this.fields.length > 1 || this.major < 17) throw badFormat(this.text);
        return infinity;
      }
    }
    if (this.seen.size === 0 || (this.unitPending && this.major >= 17)) throw badFormat(this.text);
    return this.sum.result(this.ago);
  }

  private field({ kind, text }: Field, at: number): 'infinity' | '-infinity' | undefined {
    switch (kind) {
      case 'time':
        this.time(text, '');
        return undefined;
      case 'signed':
        if (text.includes(':')) this.time(text.slice(1), text[0]!);
        else this.number(text);
        return undefined;
      case 'date':
      case 'number':
        this.number(text);
        return undefined;
      case 'word':
      case 'special':
        return this.word(text, at);
    }
  }

  private mark(part: IntervalUnit): void {
    if (this.seen.has(part)) throw badFormat(this.text);
    this.seen.add(part);
  }

  private word(text: string, at: number): 'infinity' | '-infinity' | undefined {
    if (this.unitPending && this.major >= 17) throw badFormat(this.text);
    const unit = units.get(text.slice(0, 10));
    if (unit !== undefined) {
      this.unit = unit;
      this.unitPending = true;
    } else if (text === 'ago') {
      if (at !== this.fields.length - 1 && this.major >= 17) throw badFormat(this.text);
      this.ago = true;
      this.unit = 'none';
    } else if (text === 'infinity' || text === '+infinity' || text === '-infinity') {
      return text === '-infinity' ? text : 'infinity';
    } else if (text !== 'at' && text !== 'on') {
      throw badFormat(this.text);
    }
    return undefined;
  }

  /** `04:05`, `04:05:06.7`; a number to its left is days. */
  private time(text: string, sign: string): void {
    for (const part of timeParts) this.mark(part);
    const match = /^(\d+):(\d*)(?::(\d*))?(\.\d*)?$/.exec(text);
    if (match === null) throw badFormat(this.text);
    const [, first = '', second = '', third, fraction] = match;
    const minuteToSecond = third === undefined && (fraction !== undefined || this.range.minuteToSecond);
    const [hours, minutes, seconds] = minuteToSecond ? ['0', first, second] : [first, second, third ?? '0'];
    const micros = fraction === undefined || fraction === '.' ? 0 : roundHalfEven(Number(fraction) * 1_000_000);
    const parts = [hours, minutes, seconds, micros].map(BigInt) as [bigint, bigint, bigint, bigint];
    if (!this.sum.addTime(parts, sign === '-')) {
      // With a sign it is then tried as a number, which it is not.
      const isNumber = sign === '' || (this.major < 15 && parts[0] > 2_147_483_647n);
      throw isNumber ? this.sum.fieldOverflow() : badFormat(this.text);
    }
    this.unit = 'day';
    this.unitPending = false;
  }

  private number(text: string): void {
    let unit = this.unit ?? this.range.unit;
    if (unit === 'none') throw badFormat(this.text);
    const yearMonth = /^([+-]?)(\d+)-(\d*)$/.exec(text);
    const plain = /^([+-]?\d*)(\.\d*)?$/.exec(text);
    if (yearMonth !== null) {
      unit = 'month';
      if (Number(yearMonth[3]) > 11) throw this.sum.fieldOverflow();
      const months = BigInt(yearMonth[2]!) * 12n + BigInt(yearMonth[3]!);
      this.sum.add('month', yearMonth[1] === '-' ? -months : months, 0);
    } else if (plain !== null) {
      const negative = text.startsWith('-');
      const fraction = plain[2] === undefined || plain[2] === '.' ? 0 : Number(plain[2]);
      const whole = /\d/.test(plain[1]!) ? BigInt(plain[1]!.replace('+', '')) : 0n;
      this.sum.add(unit, whole, negative ? -fraction : fraction);
      if (unit === 'second' && fraction !== 0) this.markSubseconds();
    } else {
      throw badFormat(this.text);
    }
    this.mark(unit);
    this.unit = unit === 'hour' ? 'day' : unit;
    this.unitPending = false;
  }

  private markSubseconds(): void {
    this.mark('millisecond');
    this.mark('microsecond');
  }
}
