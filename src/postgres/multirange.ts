/** Multirange literals and types (from 14): ranges in order, those that overlap or touch merged. */
import { concatBytes, int32Bytes, pushSized } from './big-endian.js';
import type { UserTypeFields } from './composite.js';
import { definePgType, ValueError, type PgType } from './pg-type.js';
import { compareRanges, compareUppers, parseRange, printRange, type RangeParts } from './range.js';

function malformed(text: string): ValueError {
  return new ValueError('22P02', `malformed multirange literal: "${text}"`);
}

/** One member: `empty`, or brackets around anything in which brackets are quoted. */
const member = /(?:empty|[[(](?:[^\])"\\]|\\.|"(?:[^"\\]|\\.)*")*[\])])/isy;

/**
 * The texts of the ranges in it.
 * @param convert is called for each of them as soon as it is read
 * @throws ValueError
 */
export function splitMultirange(text: string, convert: (range: string) => string = (range) => range): string[] {
  const members: string[] = [];
  let at = skipSpace(text, 0);
  if (text[at] !== '{') throw malformed(text);
  at = skipSpace(text, at + 1);
  if (text[at] !== '}') {
    for (;;) {
      member.lastIndex = at;
      const match = member.exec(text);
      if (match === null) throw malformed(text);
      members.push(convert(match[0]));
      at = skipSpace(text, member.lastIndex);
      if (text[at] !== ',') break;
      at = skipSpace(text, at + 1);
    }
  }
  if (text[at] !== '}' || skipSpace(text, at + 1) !== text.length) throw malformed(text);
  return members;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/[ \t\n\v\f\r]/.test(text[at] ?? '')) at++;
  return at;
}

function printMultirange(members: readonly string[]): string {
  return `{${members.join(',')}}`;
}

/** @param range a range type */
export function multirangeType(type: UserTypeFields, range: PgType): PgType {
  const compare = range.element!.compare!;
  const outputRange = range.output;
  return definePgType({
    ...type,
    kind: 'multirange',
    since: 14,
    element: range,
    length: -1,
    input: (text, _typeModifier, major) => {
      const ranges = splitMultirange(text, (part) => range.input(part, -1, major)).map(parseRange);
      const merged = merge(
        ranges.filter((part) => part !== null),
        compare,
      );
      return printMultirange(merged.map(printRange));
    },
    output:
      outputRange &&
      ((canonical, settings) => printMultirange(splitMultirange(canonical, (part) => outputRange(part, settings)))),
    send:
      range.send &&
      ((canonical, settings) => {
        const members = splitMultirange(canonical);
        const parts = [int32Bytes(members.length)];
        for (const part of members) pushSized(parts, range.send!(part, settings));
        return concatBytes(parts);
      }),
    compare: (a, b) => compareMultiranges(splitMultirange(a), splitMultirange(b), range.compare!),
  });
}

type Compare = NonNullable<PgType['compare']>;

function merge(ranges: RangeParts[], compare: Compare): RangeParts[] {
  ranges.sort((a, b) => compareRanges(a, b, compare));
  const merged: RangeParts[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last === undefined || leavesGap(last, range, compare)) {
      merged.push(range);
    } else if (compareUppers(last.upper, range.upper, compare) < 0) {
      merged[merged.length - 1] = { lower: last.lower, upper: range.upper };
    }
  }
  return merged;
}

/** Whether something lies between two ranges in order: `1)` and `(1` leave out 1, `1)` and `[1` touch. */
function leavesGap(first: RangeParts, second: RangeParts, compare: Compare): boolean {
  if (first.upper.value === null || second.lower.value === null) return false;
  const order = compare(first.upper.value, second.lower.value);
  return order < 0 || (order === 0 && !first.upper.inclusive && !second.lower.inclusive);
}

function compareMultiranges(a: readonly string[], b: readonly string[], compare: Compare): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compare(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}
