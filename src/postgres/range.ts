/** Range literals and types. Ranges over integers and dates are canonical: closed lower bound, open upper bound. */
import { concatBytes, pushSized } from './big-endian.js';
import { lastDay } from './calendar.js';
import type { UserTypeFields } from './composite.js';
import { parseCanonical, printDate } from './date-time-text.js';
import { definePgType, ValueError, type PgType } from './pg-type.js';

export interface Bound {
  /** Null for none. */
  readonly value: string | null;
  readonly inclusive: boolean;
}

export interface RangeParts {
  readonly lower: Bound;
  readonly upper: Bound;
}

function malformed(text: string): ValueError {
  return new ValueError('22P02', `malformed range literal: "${text}"`);
}

/** Null for an empty range. @throws ValueError as range_in does */
export function parseRange(text: string): RangeParts | null {
  if (/^\s*empty\s*$/i.test(text)) return null;
  const open = /^\s*([[(])/.exec(text);
  if (open === null) throw malformed(text);
  const lower = readBound(text, open[0].length);
  if (text[lower.end] !== ',') throw malformed(text);
  const upper = readBound(text, lower.end + 1);
  const close = text[upper.end];
  if (close === ',' || !/^\s*$/.test(text.slice(upper.end + 1))) throw malformed(text);
  return {
    lower: { value: lower.value, inclusive: open[1] === '[' && lower.value !== null },
    upper: { value: upper.value, inclusive: close === ']' && upper.value !== null },
  };
}

function readBound(text: string, start: number): { value: string | null; end: number } {
  let value = '';
  let quoted = false;
  for (let at = start; ; at++) {
    const character = text[at];
    if (character === undefined) throw malformed(text);
    if (!quoted && /[,)\]]/.test(character)) return { value: at === start ? null : value, end: at };
    if (character === '\\') {
      at++;
      if (at >= text.length) throw malformed(text);
      value += text[at]!;
    } else if (character !== '"') value += character;
    else if (quoted && text[at + 1] === '"') value += text[++at]!;
    else quoted = !quoted;
  }
}

export function printRange(range: RangeParts | null): string {
  if (range === null) return 'empty';
  const { lower, upper } = range;
  return `${lower.inclusive ? '[' : '('}${quote(lower.value)},${quote(upper.value)}${upper.inclusive ? ']' : ')'}`;
}

function quote(value: string | null): string {
  if (value === null) return '';
  return value === '' || /["\\()[\], \t\n\v\f\r]/.test(value) ? `"${value.replace(/["\\]/g, '$&$&')}"` : value;
}

/** The next value of a subtype that has one: what an exclusive lower or inclusive upper bound becomes. */
type Successor = (canonical: string) => string;

function integerSuccessor(max: bigint, sqlName: string): Successor {
  return (canonical) => {
    const next = BigInt(canonical) + 1n;
    if (next > max) throw new ValueError('22003', `${sqlName} out of range`);
    return next.toString();
  };
}

const successors: ReadonlyMap<string, Successor> = new Map([
  ['int4range', integerSuccessor(2n ** 31n - 1n, 'integer')],
  ['int8range', integerSuccessor(2n ** 63n - 1n, 'bigint')],
  ['daterange', nextDate],
]);

function nextDate(canonical: string): string {
  const day = parseCanonical(canonical)?.days;
  if (day === undefined) return canonical;
  if (day >= lastDay) throw new ValueError('22008', 'date out of range');
  return printDate(day + 1);
}

/** A range type over `subtype`, which must have an order. Text is ordered as in collation C. */
export function rangeType(type: UserTypeFields, subtype: PgType): PgType {
  const compare = subtype.compare;
  if (compare === undefined) {
    throw new ValueError('42704', `data type ${subtype.name} has no default operator class for access method "btree"`);
  }
  const successor = type.namespace === 'pg_catalog' ? successors.get(type.name) : undefined;
  const outputBound = subtype.output;
  return definePgType({
    ...type,
    kind: 'range',
    element: subtype,
    length: -1,
    input: (text, _typeModifier, major) => {
      const range = parseRange(text);
      if (range === null) return 'empty';
      const lower = mapBound(range.lower, (value) => subtype.input(value, -1, major));
      const upper = mapBound(range.upper, (value) => subtype.input(value, -1, major));
      return printRange(normalize({ lower, upper }, compare, successor));
    },
    output:
      outputBound &&
      ((canonical, settings) => {
        const range = parseRange(canonical);
        const output = (value: string): string => outputBound(value, settings);
        return printRange(range && { lower: mapBound(range.lower, output), upper: mapBound(range.upper, output) });
      }),
    send:
      subtype.send &&
      ((canonical, settings) => sendRange(parseRange(canonical), (value) => subtype.send!(value, settings))),
    compare: (a, b) => compareRanges(parseRange(a), parseRange(b), compare),
  });
}

function mapBound(bound: Bound, change: (value: string) => string): Bound {
  return bound.value === null ? bound : { ...bound, value: change(bound.value) };
}

type Compare = NonNullable<PgType['compare']>;

function normalize(range: RangeParts, compare: Compare, successor: Successor | undefined): RangeParts | null {
  if (isEmpty(range, compare)) return null;
  if (successor === undefined) return range;
  const { lower, upper } = range;
  const closed = {
    lower: lower.inclusive ? lower : step(lower, true, successor),
    upper: upper.inclusive ? step(upper, false, successor) : upper,
  };
  return isEmpty(closed, compare) ? null : closed;
}

function step(bound: Bound, inclusive: boolean, successor: Successor): Bound {
  // Infinite dates have no neighbours: their bounds stay as they are.
  if (bound.value === null || bound.value.endsWith('infinity')) return bound;
  return { value: successor(bound.value), inclusive };
}

function isEmpty({ lower, upper }: RangeParts, compare: Compare): boolean {
  if (lower.value === null || upper.value === null) return false;
  const order = compare(lower.value, upper.value);
  if (order > 0) throw new ValueError('22000', 'range lower bound must be less than or equal to range upper bound');
  return order === 0 && !(lower.inclusive && upper.inclusive);
}

const flag = { empty: 1, lowerInclusive: 2, upperInclusive: 4, lowerInfinite: 8, upperInfinite: 16 };

/** A byte of flags, then the bounds that there are, each with its Int32 length. */
function sendRange(range: RangeParts | null, sendBound: (value: string) => Uint8Array): Uint8Array {
  if (range === null) return Uint8Array.of(flag.empty);
  const { lower, upper } = range;
  const flags =
    (lower.value === null ? flag.lowerInfinite : 0) |
    (upper.value === null ? flag.upperInfinite : 0) |
    (lower.inclusive ? flag.lowerInclusive : 0) |
    (upper.inclusive ? flag.upperInclusive : 0);
  const parts = [Uint8Array.of(flags)];
  if (lower.value !== null) pushSized(parts, sendBound(lower.value));
  if (upper.value !== null) pushSized(parts, sendBound(upper.value));
  return concatBytes(parts);
}

/** Empty ranges first, then by lower, then by upper bound. */
export function compareRanges(a: RangeParts | null, b: RangeParts | null, compare: Compare): number {
  if (a === null || b === null) return (a === null ? 0 : 1) - (b === null ? 0 : 1);
  return compareLowers(a.lower, b.lower, compare) || compareUppers(a.upper, b.upper, compare);
}

function compareLowers(a: Bound, b: Bound, compare: Compare): number {
  if (a.value === null || b.value === null) return (a.value === null ? 0 : 1) - (b.value === null ? 0 : 1);
  return compare(a.value, b.value) || Number(b.inclusive) - Number(a.inclusive);
}

export function compareUppers(a: Bound, b: Bound, compare: Compare): number {
  if (a.value === null || b.value === null) return (a.value === null ? 1 : 0) - (b.value === null ? 1 : 0);
  return compare(a.value, b.value) || Number(a.inclusive) - Number(b.inclusive);
}
