/** float4 and float8. Canonical text is the shortest that reads back as the same value, as majors from 12 print it. */
import { float4Bytes, float8Bytes } from './big-endian.js';
import { invalidSyntax } from './input-error.js';
import { builtinType, ValueError, type OutputSettings } from './pg-type.js';

/** What strtod reads: white space, then a decimal or hexadecimal number, NaN or infinity. */
const number =
  /[ \t\n\v\f\r]*(?:([+-]?)(?:0x(?=\.?[0-9a-f])([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?\d+))?|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|nan|inf(?:inity)?))/iy;
const shortInteger = /^(?:0|-?[1-9][0-9]{0,5})$/;

interface FloatRead {
  readonly value: number;
  /** The number without the white space before it. */
  readonly text: string;
  readonly end: number;
  /** False for one that is too large or too small for a double. */
  readonly inRange: boolean;
}

/** The longest number at `start`; undefined when there is none. */
export function readFloat8(text: string, start = 0): FloatRead | undefined {
  number.lastIndex = start;
  const match = number.exec(text);
  if (match === null) return undefined;
  const digits = match[0].trimStart();
  const value = match[2] === undefined ? readDecimal(digits) : readHexadecimal(match);
  return { value, text: digits, end: number.lastIndex, inRange: isExact(digits, value) };
}

function readDecimal(text: string): number {
  if (/nan$/i.test(text)) return NaN;
  if (/inf/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return Number(text);
}

function readHexadecimal([, sign, whole = '', fraction = '', exponent = '0']: RegExpExecArray): number {
  const value = Number(`0x${whole}${fraction}`) * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}

/** Whether a text that reads as 0 or infinity means just that, and not a number too small or too large. */
function isExact(text: string, value: number): boolean {
  if (value === 0) return /^[^1-9a-f]*(?:[ep]|$)/i.test(text.replace(/0x/i, ''));
  return Number.isFinite(value) || /inf|nan/i.test(text);
}

function inputFloat8(text: string): string {
  if (shortInteger.test(text)) return text;
  const read = readFloat8(text);
  if (read === undefined) throw invalidSyntax('double precision', text);
  if (!read.inRange) throw new ValueError('22003', `"${read.text}" is out of range for type double precision`);
  if (!onlySpace(text, read.end)) throw invalidSyntax('double precision', text);
  return printFloat8(read.value);
}

function onlySpace(text: string, start: number): boolean {
  return /^[ \t\n\v\f\r]*$/.test(text.slice(start));
}

function inputFloat4(text: string, _typeModifier: number, major: number): string {
  if (shortInteger.test(text)) return text;
  const read = readFloat8(text);
  if (read === undefined) throw invalidSyntax('real', text);
  const value = major < 12 ? Math.fround(read.value) : narrow(read.value, read.text);
  const fits = isExact(read.text, value);
  // From 12 on this is seen before what follows; until 15 all of the text is shown.
  if (!fits && (major >= 12 || !read.inRange)) {
    const shown = major >= 16 ? read.text : text;
    throw new ValueError('22003', `"${shown}" is out of range for type real`);
  }
  if (!onlySpace(text, read.end)) throw invalidSyntax('real', text);
  if (!fits) throw new ValueError('22003', `value out of range: ${value === 0 ? 'underflow' : 'overflow'}`);
  return printFloat4(value);
}

/** The float nearest to the number that is `text`, of which `double` is the nearest double. */
function narrow(double: number, text: string): number {
  const float = Math.fround(double);
  if (float === double || !Number.isFinite(float) || Number.isNaN(double)) return float;
  const other = neighbouringFloat(float, Math.abs(double) > Math.abs(float) ? 1 : -1);
  // Only halfway between two floats the digits that the double lost can decide.
  if ((float + other) / 2 !== double) return float;
  const order = compareExactly(text, Math.abs(double));
  if (order === 0) return float;
  return order > 0 === Math.abs(other) > Math.abs(float) ? other : float;
}

/** @param direction 1: away from zero */
function neighbouringFloat(value: number, direction: 1 | -1): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  view.setUint32(0, view.getUint32(0) + direction);
  return view.getFloat32(0);
}

/** The magnitude of a decimal number against a positive double, without rounding. */
function compareExactly(text: string, double: number): number {
  const [mantissa = '', exponent = '0'] = text.replace(/^[+-]/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const tens = Number(exponent) - fraction.length;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, double);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const twos = Math.max(biased, 1) - 1075;
  const significand = (bits & 0xf_ffff_ffff_ffffn) | (biased === 0 ? 0n : 1n << 52n);
  const left = BigInt(whole + fraction) * power(10n, tens) * power(2n, -twos);
  const right = significand * power(10n, -tens) * power(2n, twos);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** 1 for negative exponents. */
function power(base: bigint, exponent: number): bigint {
  return exponent > 0 ? base ** BigInt(exponent) : 1n;
}

export function printFloat8(value: number): string {
  if (!Number.isFinite(value)) return printSpecial(value);
  if (Math.abs(value) >= 2 ** 53) return printDigits(toShortest(value), 15);
  return printDigits(value.toExponential(), 15, Object.is(value, -0));
}

export function printFloat4(value: number): string {
  if (!Number.isFinite(value)) return printSpecial(value);
  return printDigits(toShortest4(value), 6, Object.is(value, -0));
}

function printSpecial(value: number): string {
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
}

/** `1.25e+3` as printf's %g prints it: fixed for exponents from -4 to below `limit`. */
function printDigits(exponential: string, limit: number, negativeZero = false): string {
  const [mantissa = '', exponentText = '0'] = exponential.split('e');
  const exponent = Number(exponentText);
  const sign = negativeZero || mantissa.startsWith('-') ? '-' : '';
  const digits = mantissa.replace(/[-.]/g, '');
  if (exponent < -4 || exponent >= limit) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    const power = String(Math.abs(exponent)).padStart(2, '0');
    return `${sign}${digits[0]!}${fraction}e${exponent < 0 ? '-' : '+'}${power}`;
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, '0');
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/**
 * JavaScript's shortest form may lie exactly halfway between two doubles (1e23 does) and relies on ties going to the
 * even one; the server's never does, and takes more digits. Only doubles from 2^53 up have such forms.
 */
function toShortest(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, Math.abs(value));
  const ulp = 1n << BigInt((view.getUint16(0) >> 4) - 1075);
  const shortest = value.toExponential();
  if (!isHalfway(shortest, value, ulp)) return shortest;
  for (let digits = 1; ; digits++) {
    const longer = value.toExponential(digits);
    if (Number(longer) === value && !isHalfway(longer, value, ulp)) return longer;
  }
}

function isHalfway(exponential: string, value: number, ulp: bigint): boolean {
  const distance = exactInteger(exponential) - BigInt(value);
  return 2n * (distance < 0n ? -distance : distance) === ulp;
}

/** `1.25e+3` → 1250n */
function exactInteger(exponential: string): bigint {
  const [mantissa = '', exponent = ''] = exponential.split('e+');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction.padEnd(Number(exponent), '0'));
}

/** The fewest digits strictly between the midpoints to the neighbouring floats (exact as doubles). */
function toShortest4(value: number): string {
  if (value === 0) return '0e+0';
  const magnitude = Math.abs(value);
  const low = (neighbouringFloat(magnitude, -1) + magnitude) / 2;
  const above = neighbouringFloat(magnitude, 1);
  const high = above === Infinity ? magnitude + (magnitude - low) : (magnitude + above) / 2;
  for (let digits = 0; ; digits++) {
    const text = magnitude.toExponential(digits);
    if (compareExactly(text, low) > 0 && compareExactly(text, high) < 0) return (value < 0 ? '-' : '') + text;
  }
}

/**
 * Output function of a double under extra_float_digits. Up to 11 always %.{15 + n}g; from 12 that only for 0 and below.
 * @param baseDigits 15 for float8, 6 for float4
 */
function printWithExtraDigits(value: number, baseDigits: 15 | 6, settings: OutputSettings): string {
  const digits = Math.max(baseDigits + settings.extraFloatDigits, 1);
  if (!Number.isFinite(value)) return printSpecial(value);
  const exponential = roundHalfEven(value, digits).replace(/\.?0+e/, 'e');
  return printDigits(exponential, digits, Object.is(value, -0));
}

/** As printf rounds: exactly halfway goes to the even digit (toExponential goes away from zero). */
function roundHalfEven(value: number, digits: number): string {
  const rounded = value.toExponential(digits - 1);
  const longer = value.toExponential(Math.min(digits + 40, 100));
  const tail = longer.slice(0, longer.indexOf('e')).replace(/[-.]/g, '').slice(digits);
  if (!/^50*$/.test(tail)) return rounded;
  const last = rounded.charCodeAt(rounded.indexOf('e') - 1);
  if (last % 2 === 0) return rounded;
  // Away from zero made it odd: the even neighbour is what stands before the tail.
  const [mantissa = '', exponent = ''] = longer.split('e');
  const kept = mantissa.slice(0, mantissa.length - tail.length).replace(/\.$/, '');
  return `${kept}e${exponent}`;
}

function isCanonical(settings: OutputSettings): boolean {
  return settings.extraFloatDigits > 0 && settings.major >= 12;
}

export function outputFloat8(canonical: string, settings: OutputSettings): string {
  return isCanonical(settings) ? canonical : printWithExtraDigits(Number(canonical), 15, settings);
}

function outputFloat4(canonical: string, settings: OutputSettings): string {
  return isCanonical(settings) ? canonical : printWithExtraDigits(narrow(Number(canonical), canonical), 6, settings);
}

function sendFloat8(canonical: string): Uint8Array {
  return float8Bytes(Number(canonical));
}

function sendFloat4(canonical: string): Uint8Array {
  return float4Bytes(narrow(Number(canonical), canonical));
}

/** NaN is above everything, equal to itself; -0 equals 0. */
function compareFloats(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  if (Number.isNaN(x) || Number.isNaN(y)) return (Number.isNaN(x) ? 1 : 0) - (Number.isNaN(y) ? 1 : 0);
  return x < y ? -1 : x > y ? 1 : 0;
}

export const floatTypes = [
  builtinType(700, 'float4', 4, 1021, {
    input: inputFloat4,
    output: outputFloat4,
    send: sendFloat4,
    compare: compareFloats,
  }),
  builtinType(701, 'float8', 8, 1022, {
    input: inputFloat8,
    output: outputFloat8,
    send: sendFloat8,
    compare: compareFloats,
  }),
];
