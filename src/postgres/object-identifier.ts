/** oid, xid, cid, xid8: unsigned numbers. Their input functions are strtoul's, strict only from some major on. */
import { builtinType } from './pg-type.js';
import { compareIntegers, sendInt4, sendInt8 } from './integer.js';
import { invalidSyntax, valueOutOfRange } from './input-error.js';

const decimal = /^[ \t\n\v\f\r]*([+-]?)([0-9]+)/;
const anyBase = /^[ \t\n\v\f\r]*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)/;
const onlySpace = /^[ \t\n\v\f\r]*$/;
const largest = 2n ** 64n - 1n;

/** As C's strtoul reads it: modulo 2^64, a minus sign negates; what is larger is the largest. */
function readUnsigned(match: RegExpExecArray, base: 0 | 10): { value: bigint; overflow: boolean } {
  const [, sign, digits = ''] = match;
  const magnitude = BigInt(base === 0 && /^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
  if (magnitude > largest) return { value: largest, overflow: true };
  return { value: BigInt.asUintN(64, sign === '-' ? -magnitude : magnitude), overflow: false };
}

function inputStrict(text: string, bits: 32 | 64, typeName: string, form: RegExp): string {
  const match = form.exec(text);
  if (match === null) throw invalidSyntax(typeName, text);
  const { value, overflow } = readUnsigned(match, form === anyBase ? 0 : 10);
  const tooLarge = bits === 32 && value >= 2n ** 32n && value < 2n ** 64n - 2n ** 31n;
  if (overflow) throw valueOutOfRange(typeName, text);
  if (!onlySpace.test(text.slice(match[0].length))) throw invalidSyntax(typeName, text);
  if (tooLarge) throw valueOutOfRange(typeName, text);
  return BigInt.asUintN(bits, value).toString();
}

export function inputOid(text: string, _typeModifier: number, major: number): string {
  return inputStrict(text, 32, 'oid', major >= 16 ? anyBase : decimal);
}

/** Without an error until 15: what does not read as a number is 0. */
function inputLenient(bits: 32 | 64, typeName: string) {
  return (text: string, _typeModifier: number, major: number): string => {
    if (major >= 16) return inputStrict(text, bits, typeName, anyBase);
    const match = anyBase.exec(text);
    return match === null ? '0' : BigInt.asUintN(bits, readUnsigned(match, 0).value).toString();
  };
}

export const identifierTypes = [
  builtinType(26, 'oid', 4, 1028, { input: inputOid, send: sendInt4, compare: compareIntegers }),
  builtinType(28, 'xid', 4, 1011, { input: inputLenient(32, 'xid'), send: sendInt4 }),
  builtinType(29, 'cid', 4, 1012, { input: inputLenient(32, 'cid'), send: sendInt4 }),
  builtinType(5069, 'xid8', 8, 271, { input: inputLenient(64, 'xid8'), send: sendInt8, compare: compareIntegers }, 13),
];
