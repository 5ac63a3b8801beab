/** atttypmod of each built-in type that takes modifiers: made from the numbers in a type name, and printed back. */
import { TypeNameError } from './type-name-error.js';

/** Of types with a length or numeric's precision, the size of a varlena header is added. */
const headerSize = 4;
const maxCharacters = 10_485_760;
const maxBits = 83_886_080;
const maxPrecision = 1000;

function badModifier(message: string): TypeNameError {
  return new TypeNameError('22023', message);
}

/** @param name varchar and bpchar count characters, bit and varbit bits */
export function lengthModifier(name: 'varchar' | 'bpchar' | 'bit' | 'varbit', values: readonly number[]): number {
  const [length] = values;
  if (values.length !== 1 || length === undefined) throw badModifier('invalid type modifier');
  const isBits = name === 'bit' || name === 'varbit';
  const shown = name === 'bpchar' ? 'char' : name;
  if (length < 1) throw badModifier(`length for type ${shown} must be at least 1`);
  const max = isBits ? maxBits : maxCharacters;
  if (length > max) throw badModifier(`length for type ${shown} cannot exceed ${max}`);
  return isBits ? length : length + headerSize;
}

export function numericTypeModifier(values: readonly number[], major: number): number {
  const [precision, scale = 0] = values;
  if (precision === undefined || values.length > 2) throw badModifier('invalid NUMERIC type modifier');
  if (precision < 1 || precision > maxPrecision) {
    throw badModifier(`NUMERIC precision ${precision} must be between 1 and ${maxPrecision}`);
  }
  if (major >= 15 && (scale < -maxPrecision || scale > maxPrecision)) {
    throw badModifier(`NUMERIC scale ${scale} must be between -${maxPrecision} and ${maxPrecision}`);
  }
  if (major < 15 && (scale < 0 || scale > precision)) {
    throw badModifier(`NUMERIC scale ${scale} must be between 0 and precision ${precision}`);
  }
  return ((precision << 16) | (scale & 0x7ff)) + headerSize;
}

/** Digits of seconds; more than six are six (the server warns). */
export function precisionModifier(values: readonly number[]): number {
  const [precision] = values;
  if (values.length !== 1 || precision === undefined || precision < 0) throw badModifier('invalid type modifier');
  return Math.min(precision, 6);
}

const intervalFields: Readonly<Record<string, number>> = {
  year: 1 << 2,
  month: 1 << 1,
  day: 1 << 3,
  hour: 1 << 10,
  minute: 1 << 11,
  second: 1 << 12,
};
const order = ['year', 'month', 'day', 'hour', 'minute', 'second'];
const fullRange = 0x7fff;
const fullPrecision = 0xffff;
/** `a to b` as the grammar has them; the range includes what lies between. */
const intervalRanges = new Map(
  [
    ...order.map((field) => [field]),
    ['year', 'month'],
    ...['hour', 'minute', 'second'].map((to) => ['day', to]),
    ...['minute', 'second'].map((to) => ['hour', to]),
    ['minute', 'second'],
  ].map((ends) => [ends.join(' to '), rangeBits(ends)]),
);

function rangeBits(ends: readonly string[]): number {
  const covered = order.slice(order.indexOf(ends[0]!), order.indexOf(ends.at(-1)!) + 1);
  return covered.reduce((bits, field) => bits | intervalFields[field]!, 0);
}

/** @param fields the words after `interval`: ['day', 'to', 'second'] */
export function intervalModifier(fields: readonly string[], values: readonly number[]): number {
  const words = fields.join(' ');
  const range = words === '' ? fullRange : intervalRanges.get(words);
  if (range === undefined) throw new TypeNameError('42601', `syntax error at or near "${words}" after interval`);
  if (values.length > 0 && words !== '' && !words.endsWith('second')) {
    throw new TypeNameError('42601', 'syntax error at or near "("');
  }
  const precision = values.length === 0 ? fullPrecision : precisionModifier(values);
  return range * 0x10000 + precision;
}

/** Range bits (0x7fff for all) and digits of seconds (undefined for all) of an interval's atttypmod. */
export function intervalModifierParts(typeModifier: number): { range: number; precision: number | undefined } {
  if (typeModifier < 0) return { range: fullRange, precision: undefined };
  const precision = typeModifier & fullPrecision;
  return { range: (typeModifier >> 16) & fullRange, precision: precision === fullPrecision ? undefined : precision };
}

/** What a number without a unit counts: the last field of the range. `a:b` is minutes and seconds in one range only. */
export function intervalUnitOfRange(range: number): {
  unit: 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';
  minuteToSecond: boolean;
} {
  const unit = (['second', 'minute', 'hour', 'day', 'month', 'year'] as const).find(
    (field) => (range & intervalFields[field]!) !== 0,
  );
  return { unit: unit ?? 'second', minuteToSecond: range === rangeBits(['minute', 'second']) };
}

/** ` day to second(3)`, as the typmod output function prints it. */
export function printIntervalModifier(typeModifier: number): string {
  const { range, precision } = intervalModifierParts(typeModifier);
  const words = [...intervalRanges].find(([, bits]) => bits === range)?.[0];
  return (words === undefined ? '' : ` ${words}`) + (precision === undefined ? '' : `(${precision})`);
}

/** `(10,2)` */
export function printNumericModifier(typeModifier: number, major: number): string {
  const bits = typeModifier - headerSize;
  const scale = major >= 15 ? ((bits & 0x7ff) ^ 0x400) - 0x400 : bits & 0xffff;
  return `(${(bits >> 16) & 0xffff},${scale})`;
}

/** `(20)` of varchar(20) and char(20), `(5)` of bit(5) and varbit(5). */
export function printLengthModifier(name: string, typeModifier: number): string {
  return `(${name === 'bit' || name === 'varbit' ? typeModifier : typeModifier - headerSize})`;
}
