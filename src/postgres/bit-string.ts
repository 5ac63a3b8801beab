/** bit(n) and bit varying(n): binary digits, perhaps after b, or hexadecimal ones after x. */
import { concatBytes, int32Bytes } from './big-endian.js';
import { compareText } from './character.js';
import { builtinType, ValueError } from './pg-type.js';

function parseBits(text: string): string {
  const hexadecimal = /^[xX]/.test(text);
  const digits = /^[xXbB]/.test(text) ? text.slice(1) : text;
  const bad = (hexadecimal ? /[^0-9a-fA-F]/u : /[^01]/u).exec(digits)?.[0];
  if (bad !== undefined) {
    const kind = hexadecimal ? 'hexadecimal' : 'binary';
    throw new ValueError('22P02', `"${bad}" is not a valid ${kind} digit`);
  }
  if (!hexadecimal) return digits;
  return digits.replace(/./g, (digit) => parseInt(digit, 16).toString(2).padStart(4, '0'));
}

/** bit without a length is bit(1), which type names express; as a bare type it takes any. */
function inputBit(text: string, typeModifier: number): string {
  const bits = parseBits(text);
  if (typeModifier > 0 && bits.length !== typeModifier) {
    throw new ValueError('22026', `bit string length ${bits.length} does not match type bit(${typeModifier})`);
  }
  return bits;
}

function inputVarbit(text: string, typeModifier: number): string {
  const bits = parseBits(text);
  if (typeModifier > 0 && bits.length > typeModifier) {
    throw new ValueError('22001', `bit string too long for type bit varying(${typeModifier})`);
  }
  return bits;
}

/** Int32 count of bits, then the bits, zeros after the last. */
function sendBits(canonical: string): Uint8Array {
  const bytes = canonical.match(/.{1,8}/g) ?? [];
  return concatBytes([
    int32Bytes(canonical.length),
    Uint8Array.from(bytes, (bits) => parseInt(bits.padEnd(8, '0'), 2)),
  ]);
}

export const bitStringTypes = [
  builtinType(1560, 'bit', -1, 1561, { input: inputBit, send: sendBits, compare: compareText }),
  builtinType(1562, 'varbit', -1, 1563, { input: inputVarbit, send: sendBits, compare: compareText }),
];
