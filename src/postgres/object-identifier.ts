/** oid, xid, cid, xid8: unsigned numbers. Their input functions are strtoul's, strict only from some major on. */
import { builtinType } from './pg-type.js';
import { compareIntegers, sendInt4, sendInt8 } from './integer.js';
import { invalidSyntax, trimSpace, valueOutOfRange } from './input-error.js';

const anyBase = /^([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)/;

function inputOid(text: string): string {
  return inputUnsigned(text, 32, 'oid');
}

/** The value modulo 2^bits; a minus sign negates. From 16 xid and cid are as strict as oid. */
function inputUnsigned(text: string, bits: 32 | 64, typeName: string): string {
  const match = /^([+-]?)([0-9]+)$/.exec(trimSpace(text));
  if (match === null) throw invalidSyntax(typeName, text);
  const value = BigInt(match[2]!) * (match[1] === '-' ? -1n : 1n);
  if (value >= 2n ** BigInt(bits) || value < -(2n ** BigInt(bits - 1))) throw valueOutOfRange(typeName, text);
  return BigInt.asUintN(bits, value).toString();
}

/** Without an error until 15: what does not read as a number (decimal, 0x, 0…) is 0. */
function inputLenient(bits: 32 | 64, typeName: string) {
  return (text: string, _typeModifier: number, major: number): string => {
    if (major >= 16) return inputUnsigned(text, bits, typeName);
    const match = anyBase.exec(trimSpace(text));
    if (match === null) return '0';
    const octal = /^0[0-7]+$/.test(match[2]!);
    const value = BigInt(octal ? `0o${match[2]!.slice(1)}` : match[2]!);
    return BigInt.asUintN(bits, match[1] === '-' ? -value : value).toString();
  };
}

export const identifierTypes = [
  builtinType(26, 'oid', 4, 1028, { input: inputOid, send: sendInt4, compare: compareIntegers }),
  builtinType(28, 'xid', 4, 1011, { input: inputLenient(32, 'xid'), send: sendInt4 }),
  builtinType(29, 'cid', 4, 1012, { input: inputLenient(32, 'cid'), send: sendInt4 }),
  builtinType(5069, 'xid8', 8, 271, { input: inputLenient(64, 'xid8'), send: sendInt8, compare: compareIntegers }, 13),
];
