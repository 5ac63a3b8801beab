/** Values of a program as cells of a row: what the column type's output function would print for them. */
import { printFloat4, printFloat8 } from '../postgres/float.js';
import { formatHex } from '../values/hex.js';
import { refuse } from './field-legality.js';
import { unchanged, type Cell, type MessageKind, type RelationColumn, type Unchanged } from './messages.js';

/** A value in its type's binary form (option `binary`): what the send function makes of it. */
export interface BinaryForm {
  readonly binary: Uint8Array;
}

/** What a column of any type can be given. A string is sent as it stands. */
export type CellValue = bigint | number | boolean | string | Uint8Array | BinaryForm | Unchanged | null;

const integerText = /^(?:0|-?[1-9]\d*)$/;
const floatText = /^(?:NaN|-?Infinity|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]\d+)?)$/;

/** How values look as text, by type: of those of which every text has one form. */
const textForms: ReadonlyMap<number, RegExp> = new Map([
  [16, /^[tf]$/],
  [20, integerText],
  [21, integerText],
  [23, integerText],
  [26, integerText],
  [28, integerText],
  [700, floatText],
  [701, floatText],
]);

function textOf(typeOid: number): string {
  if (typeOid === 16) return 'a boolean, or the text t or f';
  return typeOid === 700 || typeOid === 701 ? 'a number, or its text' : 'an integer, or its text';
}

/** @throws EncodeError for a text that the column's type does not print */
export function checkText(message: MessageKind, field: string, { typeOid }: RelationColumn, text: string): void {
  if (textForms.get(typeOid)?.test(text) === false) refuse(message, field, textOf(typeOid), text);
}

/** @throws EncodeError for a value of another type than the column's. */
export function cellOf(message: MessageKind, field: string, { typeOid }: RelationColumn, value: CellValue): Cell {
  if (value === null || typeof value === 'string' || value === unchanged) return value;
  if (typeof value === 'object' && 'binary' in value) return value.binary;
  switch (typeOid) {
    case 16: // bool
      return typeof value === 'boolean' ? (value ? 't' : 'f') : refuse(message, field, 'a boolean', value);
    case 17: // bytea
      return value instanceof Uint8Array ? `\\x${formatHex(value)}` : refuse(message, field, 'a Uint8Array', value);
    case 20: // int8
      return integer(message, field, value, -(2n ** 63n), 2n ** 63n - 1n);
    case 21: // int2
      return integer(message, field, value, -32768n, 32767n);
    case 23: // int4
      return integer(message, field, value, -2147483648n, 2147483647n);
    case 26: // oid
    case 28: // xid
      return integer(message, field, value, 0n, 4294967295n);
    case 700: // float4
      if (typeof value !== 'number' || Number.isFinite(value) !== Number.isFinite(Math.fround(value))) {
        return refuse(message, field, 'a number that a float4 can hold', value);
      }
      return printFloat4(Math.fround(value));
    case 701: // float8
      return typeof value === 'number' ? printFloat8(value) : refuse(message, field, 'a number', value);
    default:
      return refuse(message, field, "a string, the text form of the column's type", value);
  }
}

function integer(message: MessageKind, field: string, value: unknown, least: bigint, most: bigint): string {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) {
    if (value >= least && value <= most) return BigInt(value).toString();
  }
  return refuse(message, field, `an integer from ${least} to ${most}`, value);
}
