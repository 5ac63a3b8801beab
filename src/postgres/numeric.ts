/** numeric: decimal digits of any number, with the scale as given; from 14 infinities, from 15 negative scales. */
import { int16Bytes, concatBytes } from './big-endian.js';
import { invalidSyntax, trimSpace } from './input-error.js';
import { builtinType, ValueError } from './pg-type.js';

const decimal = /^([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?/;
/** From 16: other radixes (no fraction), and underscores between digits. */
const radix = /^([+-]?)(0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+)$/;
const misplacedUnderscore = /^_|_$|__|_[^0-9]|[^0-9]_/;
const alreadyCanonical = /^(?:-?[1-9][0-9]{0,14}|0)(?:\.[0-9]{1,15})?$/;

const maxIntegerDigits = 131_072;
const maxScale = 16_383;
const maxExponent = 1_073_741_823;

/** Precision and scale of numeric(p,s) from its atttypmod; undefined for plain numeric. Scale is -1000 to 1000. */
function numericModifier(typeModifier: number): { precision: number; scale: number } | undefined {
  if (typeModifier < 4) return undefined;
  const bits = typeModifier - 4;
  return { precision: bits >>> 16, scale: ((bits & 0x7ff) ^ 0x400) - 0x400 };
}

export function inputNumeric(text: string, typeModifier: number, major: number): string {
  if (typeModifier === -1 && alreadyCanonical.test(text)) return text;
  const trimmed = trimSpace(text);
  const special = inputSpecial(trimmed, typeModifier, major);
  if (special !== undefined) return special;
  const value = parseDigits(trimmed, major);
  if (value === undefined) throw invalidSyntax('numeric', text);
  if (value.digits.length - value.scale > maxIntegerDigits || value.scale > maxScale) throw overflowsFormat();
  const modifier = numericModifier(typeModifier);
  if (modifier !== undefined) {
    round(value, modifier.scale);
    if (value.digits !== '' && value.digits.length - value.scale > modifier.precision - modifier.scale) {
      throw new ValueError('22003', 'numeric field overflow');
    }
  }
  return print(value);
}

function overflowsFormat(): ValueError {
  return new ValueError('22003', 'value overflows numeric format');
}

function inputSpecial(text: string, typeModifier: number, major: number): string | undefined {
  if (/^nan$/i.test(text)) return 'NaN';
  const infinity = /^([+-]?)inf(?:inity)?$/i.exec(text);
  if (infinity === null || major < 14) return undefined;
  if (typeModifier >= 4) throw new ValueError('22003', 'numeric field overflow');
  return infinity[1] === '-' ? '-Infinity' : 'Infinity';
}

/** Without leading zeros: 1.50 is digits 150, scale 2. `digits` is empty for zero; a negative scale means zeros follow. */
interface Decimal {
  negative: boolean;
  digits: string;
  scale: number;
}

function parseDigits(text: string, major: number): Decimal | undefined {
  let plain = text;
  if (major >= 16) {
    const integer = radix.exec(text);
    if (integer !== null) {
      const digits = BigInt(integer[2]!.replaceAll('_', '')).toString();
      return { negative: integer[1] === '-', digits: stripZeros(digits), scale: 0 };
    }
    if (text.includes('_') && !misplacedUnderscore.test(text)) plain = text.replaceAll('_', '');
  }
  const match = decimal.exec(plain)!;
  const [, sign, whole = '', fraction = '', exponentDigits] = match;
  if (whole === '' && fraction === '') return undefined;
  const exponent = Number(exponentDigits ?? 0);
  // Seen before what follows, and for zero, too.
  if (Math.abs(exponent) >= maxExponent + (major >= 16 ? 1 : 0)) throw overflowsFormat();
  if (match[0].length !== plain.length) return undefined;
  const digits = stripZeros(whole + fraction);
  const scale = fraction.length - exponent;
  if (digits !== '' && digits.length - scale > maxIntegerDigits) throw overflowsFormat();
  const padded = digits === '' || scale >= 0 ? digits : digits + '0'.repeat(-scale);
  return { negative: sign === '-', digits: padded, scale: Math.max(scale, 0) };
}

function stripZeros(digits: string): string {
  return digits.replace(/^0+/, '');
}

/** Half away from zero. A negative scale rounds before the decimal point. */
function round(value: Decimal, scale: number): void {
  if (value.scale <= scale) {
    if (value.digits !== '') value.digits += '0'.repeat(scale - value.scale);
    value.scale = scale;
    return;
  }
  const kept = value.digits.length - (value.scale - scale);
  const up = kept >= 0 && value.digits.charCodeAt(kept) >= 0x35;
  const digits = kept > 0 ? value.digits.slice(0, kept) : '';
  value.digits = up ? (BigInt(digits) + 1n).toString() : digits;
  value.scale = Math.max(scale, 0);
  if (scale < 0 && value.digits !== '') value.digits += '0'.repeat(-scale);
}

function print({ negative, digits, scale }: Decimal): string {
  const sign = negative && digits !== '' ? '-' : '';
  const padded = digits.padStart(scale + 1, '0');
  if (scale === 0) return sign + padded;
  return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
}

const signs = { '': 0x0000, '-': 0x4000 } as const;
const specials = new Map([
  ['NaN', 0xc000],
  ['Infinity', 0xd000],
  ['-Infinity', 0xf000],
]);

/** Int16 count of base-10000 digits, weight of the first, sign, display scale; then the digits. */
function sendNumeric(canonical: string): Uint8Array {
  const special = specials.get(canonical);
  if (special !== undefined) return concatBytes([0, 0, special, special === 0xc000 ? 0 : 0x20].map(int16Bytes));
  const sign = canonical.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = canonical.slice(sign.length).split('.');
  const aligned =
    whole.padStart(Math.ceil(whole.length / 4) * 4, '0') + fraction.padEnd(Math.ceil(fraction.length / 4) * 4, '0');
  const groups: number[] = [];
  for (let i = 0; i < aligned.length; i += 4) groups.push(Number(aligned.slice(i, i + 4)));
  let weight = Math.ceil(whole.length / 4) - 1;
  while (groups.length > 0 && groups[0] === 0) {
    groups.shift();
    weight--;
  }
  while (groups.length > 0 && groups.at(-1) === 0) groups.pop();
  if (groups.length === 0) weight = 0;
  return concatBytes([groups.length, weight, signs[sign], fraction.length, ...groups].map(int16Bytes));
}

/** NaN is above everything, equal to itself. Trailing zeros do not count. */
export function compareNumeric(a: string, b: string): number {
  const rankA = rank(a);
  const rankB = rank(b);
  if (rankA !== rankB || rankA !== 0) return rankA - rankB;
  const negativeA = a.startsWith('-');
  const negativeB = b.startsWith('-');
  if (negativeA !== negativeB) return negativeA ? -1 : 1;
  return negativeA ? compareMagnitudes(b.slice(1), a.slice(1)) : compareMagnitudes(a, b);
}

function rank(canonical: string): number {
  if (canonical === 'NaN') return 2;
  return canonical === 'Infinity' ? 1 : canonical === '-Infinity' ? -1 : 0;
}

function compareMagnitudes(a: string, b: string): number {
  const [wholeA = '', fractionA = ''] = a.split('.');
  const [wholeB = '', fractionB = ''] = b.split('.');
  if (wholeA.length !== wholeB.length) return wholeA.length - wholeB.length;
  const [x, y] = [wholeA + fractionA.replace(/0+$/, ''), wholeB + fractionB.replace(/0+$/, '')];
  return x < y ? -1 : x > y ? 1 : 0;
}

export const numericTypes = [
  builtinType(1700, 'numeric', -1, 1231, { input: inputNumeric, send: sendNumeric, compare: compareNumeric }),
];
