/** int2, int4, int8: decimal; from 16 also hexadecimal, octal, binary, and underscores between digits. */
import { int16Bytes, int32Bytes, int64Bytes } from './big-endian.js';
import { invalidSyntax, valueOutOfRange } from './input-error.js';
import { builtinType, ValueError } from './pg-type.js';

const decimal = /^[ \t\n\v\f\r]*([+-]?)([0-9]+)/;
const anyRadix = /^[ \t\n\v\f\r]*([+-]?)(0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|[0-9](?:_?[0-9])*)/;
const onlySpace = /^[ \t\n\v\f\r]*$/;
/** By bits: texts that are canonical, and that have too few digits to be out of range. */
const surelyFits = {
  16: /^(?:0|-?[1-9][0-9]{0,3})$/,
  32: /^(?:0|-?[1-9][0-9]{0,8})$/,
  64: /^(?:0|-?[1-9][0-9]{0,17})$/,
};

function inputInteger(sqlName: 'smallint' | 'integer' | 'bigint', bits: 16 | 32 | 64) {
  const max = 2n ** BigInt(bits - 1) - 1n;
  const min = -max - 1n;
  const short = surelyFits[bits];
  return (text: string, _typeModifier: number, major: number): string => {
    if (short.test(text)) return text;
    const match = (major >= 16 ? anyRadix : decimal).exec(text);
    if (match !== null) {
      const digits = match[2]!.replaceAll('_', '');
      const magnitude = BigInt(digits);
      const value = match[1] === '-' ? -magnitude : magnitude;
      const fits = value >= min && value <= max;
      const isAll = onlySpace.test(text.slice(match[0].length));
      // Too large is found before what follows the digits; from 16 only where the last digit is not what makes it so.
      const foundFirst = major < 16 || magnitude / radixOf(digits) > -min / radixOf(digits);
      if (!fits && (isAll || foundFirst)) throw valueOutOfRange(sqlName, text);
      if (isAll) return value.toString();
    }
    // Until 11 all three call themselves "integer", and not "type integer".
    if (major < 12) throw new ValueError('22P02', `invalid input syntax for integer: "${text}"`);
    throw invalidSyntax(sqlName, text);
  };
}

export function sendInt2(canonical: string): Uint8Array {
  return int16Bytes(Number(canonical));
}

/** Also oid, xid and cid: unsigned texts wrap. */
export function sendInt4(canonical: string): Uint8Array {
  return int32Bytes(Number(canonical));
}

/** Also xid8. */
export function sendInt8(canonical: string): Uint8Array {
  return int64Bytes(BigInt(canonical));
}

/** For all integer-like types. Numbers where they are exact: bigints are slow. */
export function compareIntegers(a: string, b: string): number {
  if (a.length < 16 && b.length < 16) return Number(a) - Number(b);
  const [x, y] = [BigInt(a), BigInt(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

function radixOf(digits: string): bigint {
  return { '0x': 16n, '0o': 8n, '0b': 2n }[digits.slice(0, 2).toLowerCase()] ?? 10n;
}

export const inputInt2 = inputInteger('smallint', 16);

export const integerTypes = [
  builtinType(20, 'int8', 8, 1016, { input: inputInteger('bigint', 64), send: sendInt8, compare: compareIntegers }),
  builtinType(21, 'int2', 2, 1005, { input: inputInt2, send: sendInt2, compare: compareIntegers }),
  builtinType(23, 'int4', 4, 1007, { input: inputInteger('integer', 32), send: sendInt4, compare: compareIntegers }),
];
