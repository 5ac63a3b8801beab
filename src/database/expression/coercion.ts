/** Types of values in expressions: which two are compared as what, and how one becomes the other. */
import { formatType, typeByName } from '../../postgres/index.js';
import { ValueError, type PgType } from '../../postgres/pg-type.js';
import { isFinite, parseDecimal, printDecimal, roundDecimal } from './decimal.js';
import { expressionError, notAllowed } from './expression-error.js';

/** A part of an expression, ready to be evaluated. Values are canonical texts of its type; booleans `t` and `f`. */
export interface Compiled {
  /** Null: a string constant or NULL, whose type the context decides. */
  readonly type: PgType | null;
  readonly offset: number;
  /** Set for constants. */
  readonly constant?: string | null;
  evaluate(row: EvaluatedRow): string | null;
}

/** Canonical texts, one for each column of the table that is evaluated. */
export interface EvaluatedRow {
  text(position: number): string | null;
}

const builtin = (name: string): PgType => typeByName(name)!;
export const types = {
  bool: builtin('bool'),
  int4: builtin('int4'),
  int8: builtin('int8'),
  numeric: builtin('numeric'),
  float8: builtin('float8'),
  text: builtin('text'),
  timestamp: builtin('timestamp'),
} as const;

const numericRanks: Readonly<Record<string, number>> = { int2: 1, int4: 2, int8: 3, numeric: 4, float4: 5, float8: 6 };
const textTypes = ['text', 'varchar', 'bpchar', 'name'];

export function baseType(type: PgType): PgType {
  return type.kind === 'domain' ? baseType(type.element!) : type;
}

export function isNumber(type: PgType | null): boolean {
  return type !== null && baseType(type).name in numericRanks;
}

export function isText(type: PgType | null): boolean {
  return type !== null && textTypes.includes(baseType(type).name);
}

export function isInteger(type: PgType): boolean {
  return numericRanks[baseType(type).name]! <= 3;
}

export function constant(value: string | null, type: PgType | null, offset: number): Compiled {
  return { type, offset, constant: value, evaluate: () => value };
}

/** What two values are compared (or combined) as; undefined when no immutable operator takes both. */
export function commonType(a: PgType | null, b: PgType | null): PgType | undefined {
  if (a === null || b === null) return a ?? b ?? types.text;
  const [x, y] = [baseType(a), baseType(b)];
  if (x.oid === y.oid) return x;
  if (isNumber(x) && isNumber(y)) {
    const [low, high] = numericRanks[x.name]! < numericRanks[y.name]! ? [x, y] : [y, x];
    return high.name === 'float4' && low.name !== 'float4' ? types.float8 : high;
  }
  if (isText(x) && isText(y)) return types.text;
  const names = [x.name, y.name];
  return names.includes('date') && names.includes('timestamp') ? types.timestamp : undefined;
}

/** The same for any number of them. */
export function commonTypeOf(all: readonly (PgType | null)[]): PgType | undefined {
  let common: PgType | null = null;
  for (const type of all) {
    if (type === null) continue;
    const next = commonType(common, type);
    if (next === undefined) return undefined;
    common = next;
  }
  return common ?? types.text;
}

/** The value as another type, where SQL converts without being told to. */
export function coerce(value: Compiled, to: PgType, major: number): Compiled {
  return convertTo(value, { type: to, typeModifier: -1 }, major, false, value.offset);
}

/** @param at - where the cast begins */
export function cast(value: Compiled, to: { type: PgType; typeModifier: number }, major: number, at: number): Compiled {
  return convertTo(value, to, major, true, at);
}

function convertTo(
  value: Compiled,
  { type: to, typeModifier }: { type: PgType; typeModifier: number },
  major: number,
  explicit: boolean,
  at: number,
): Compiled {
  const { offset } = value;
  if (value.constant !== undefined && (value.type === null || value.constant === null)) {
    return constant(
      value.constant === null ? null : input(value.constant, to, typeModifier, major, offset),
      to,
      offset,
    );
  }
  const from = value.type!;
  const convert = conversion(baseType(from), baseType(to), typeModifier, major, explicit);
  if (convert === undefined) throw cannotCast(from, to, at);
  if (convert === 'throughText') throw notAllowed(at);
  if (convert === null) return { ...value, type: to };
  const known = value.constant;
  if (known !== undefined)
    return constant(
      located(() => convert(known), offset),
      to,
      offset,
    );
  return {
    type: to,
    offset,
    evaluate: (row) => {
      const text = value.evaluate(row);
      return text === null ? null : convert(text);
    },
  };
}

type Convert = (text: string) => string;

/** Null: the texts are the same; undefined: there is no such cast. */
function conversion(
  from: PgType,
  to: PgType,
  typeModifier: number,
  major: number,
  explicit: boolean,
): Convert | null | 'throughText' | undefined {
  const castText = (text: string): string => to.input(cut(text, to, typeModifier), typeModifier, major);
  if (from.oid === to.oid) return typeModifier < 0 ? null : castText;
  if (isNumber(from) && isNumber(to)) return numberConversion(from, to, typeModifier, major);
  if (isText(from) && isText(to)) {
    const trim = from.name === 'bpchar' ? (text: string) => text.replace(/ +$/, '') : (text: string) => text;
    return (text) => castText(trim(text));
  }
  if (from.name === 'date' && to.name === 'timestamp') return withMidnight;
  if (!explicit) return undefined;
  if (from.name === 'timestamp' && to.name === 'date') return withoutTime;
  if (from.name === 'bool' && to.name === 'int4') return (text) => (text === 't' ? '1' : '0');
  if (from.name === 'int4' && to.name === 'bool') return (text) => (text === '0' ? 'f' : 't');
  if (!isText(from) && !isText(to)) return undefined;
  // Casts through the text form are allowed to no row filter but those of constants, which are done by now.
  return from.name === 'bool' ? (text) => castText(text === 't' ? 'true' : 'false') : 'throughText';
}

function numberConversion(from: PgType, to: PgType, typeModifier: number, major: number): Convert | null {
  const [a, b] = [numericRanks[from.name]!, numericRanks[to.name]!];
  // An integer's text is a wider integer's and numeric's too.
  if (a < b && b <= 4 && typeModifier < 0) return null;
  if (b > 3) return (text) => to.input(text, typeModifier, major);
  return (text) => {
    const exact = from.name === 'numeric';
    if (exact && !isFinite(text)) {
      const shown = text === 'NaN' ? 'NaN' : 'infinity';
      throw new ValueError('0A000', `cannot convert ${shown} to ${formatType(to, -1)}`);
    }
    const whole = exact ? printDecimal(roundDecimal(parseDecimal(text), 0)) : printRounded(Number(text));
    return integer(whole, to, major);
  };
}

/** @throws ValueError 22003 */
export function integer(text: string, type: PgType, major: number): string {
  try {
    return type.input(text, -1, major);
  } catch {
    throw new ValueError('22003', `${formatType(type, -1)} out of range`);
  }
}

/** Half to even, as the processor rounds. */
function printRounded(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const floor = Math.floor(value);
  const fraction = value - floor;
  const up = fraction > 0.5 || (fraction === 0.5 && floor % 2 !== 0);
  return BigInt(up ? floor + 1 : floor).toString();
}

/** An explicit cast to varchar(n) or char(n) cuts without a word. */
function cut(text: string, to: PgType, typeModifier: number): string {
  if (typeModifier < 4 || !['varchar', 'bpchar'].includes(to.name)) return text;
  return Array.from(text)
    .slice(0, typeModifier - 4)
    .join('');
}

function withMidnight(date: string): string {
  if (date.endsWith('infinity')) return date;
  return date.endsWith(' BC') ? `${date.slice(0, -3)} 00:00:00 BC` : `${date} 00:00:00`;
}

function withoutTime(timestamp: string): string {
  return timestamp.replace(/ [\d:.]+/, '');
}

function input(text: string, type: PgType, typeModifier: number, major: number, offset: number): string {
  return located(() => type.input(text, typeModifier, major), offset);
}

/** A value that is wrong already in the text of the expression is an error there. */
function located(body: () => string, offset: number): string {
  try {
    return body();
  } catch (error) {
    if (error instanceof ValueError) throw expressionError(error.sqlState, error.message, offset);
    throw error;
  }
}

function cannotCast(from: PgType, to: PgType, offset: number): Error {
  return expressionError('42846', `cannot cast type ${formatType(from, -1)} to ${formatType(to, -1)}`, offset);
}
