/** The built-in types that tables have, and the arrays of them. */
import { arrayOf } from './array.js';
import { utf8 } from './big-endian.js';
import { inputBoolean, sendBoolean } from './boolean.js';
import { compareBytea, inputBytea, outputBytea, sendBytea } from './bytea.js';
import {
  compareBpchar,
  compareText,
  inputBpchar,
  inputChar,
  inputName,
  inputText,
  inputVarchar,
  sendChar,
} from './character.js';
import {
  compareFloats,
  inputFloat4,
  inputFloat8,
  outputFloat4,
  outputFloat8,
  sendFloat4,
  sendFloat8,
} from './float.js';
import { compareIntegers, inputInt2, inputInt4, inputInt8, sendInt2, sendInt4, sendInt8 } from './integer.js';
import { inputJson, inputJsonb, sendJsonb } from './json.js';
import { compareNumeric, inputNumeric, sendNumeric } from './numeric.js';
import { inputCid, inputOid, inputXid, inputXid8 } from './object-identifier.js';
import { definePgType, type PgType, type PgTypeFields } from './pg-type.js';
import { inputUuid, sendUuid } from './uuid.js';

const text = { input: inputText, send: utf8, compare: compareText };

const scalarTypes: readonly PgTypeFields[] = [
  { oid: 16, name: 'bool', length: 1, arrayOid: 1000, input: inputBoolean, send: sendBoolean, compare: compareText },
  {
    oid: 17,
    name: 'bytea',
    length: -1,
    arrayOid: 1001,
    input: inputBytea,
    output: outputBytea,
    send: sendBytea,
    compare: compareBytea,
  },
  { oid: 18, name: 'char', length: 1, arrayOid: 1002, input: inputChar, send: sendChar, compare: compareText },
  { oid: 19, name: 'name', length: 64, arrayOid: 1003, input: inputName, send: utf8, compare: compareText },
  { oid: 20, name: 'int8', length: 8, arrayOid: 1016, input: inputInt8, send: sendInt8, compare: compareIntegers },
  { oid: 21, name: 'int2', length: 2, arrayOid: 1005, input: inputInt2, send: sendInt2, compare: compareIntegers },
  { oid: 23, name: 'int4', length: 4, arrayOid: 1007, input: inputInt4, send: sendInt4, compare: compareIntegers },
  { oid: 25, name: 'text', length: -1, arrayOid: 1009, ...text },
  { oid: 26, name: 'oid', length: 4, arrayOid: 1028, input: inputOid, send: sendInt4, compare: compareIntegers },
  { oid: 28, name: 'xid', length: 4, arrayOid: 1011, input: inputXid, send: sendInt4 },
  { oid: 29, name: 'cid', length: 4, arrayOid: 1012, input: inputCid, send: sendInt4 },
  { oid: 114, name: 'json', length: -1, arrayOid: 199, input: inputJson, send: utf8 },
  {
    oid: 700,
    name: 'float4',
    length: 4,
    arrayOid: 1021,
    input: inputFloat4,
    output: outputFloat4,
    send: sendFloat4,
    compare: compareFloats,
  },
  {
    oid: 701,
    name: 'float8',
    length: 8,
    arrayOid: 1022,
    input: inputFloat8,
    output: outputFloat8,
    send: sendFloat8,
    compare: compareFloats,
  },
  { oid: 1042, name: 'bpchar', length: -1, arrayOid: 1014, input: inputBpchar, send: utf8, compare: compareBpchar },
  { oid: 1043, name: 'varchar', length: -1, arrayOid: 1015, input: inputVarchar, send: utf8, compare: compareText },
  {
    oid: 1700,
    name: 'numeric',
    length: -1,
    arrayOid: 1231,
    input: inputNumeric,
    send: sendNumeric,
    compare: compareNumeric,
  },
  { oid: 1790, name: 'refcursor', length: -1, arrayOid: 2201, input: inputText, send: utf8 },
  { oid: 2950, name: 'uuid', length: 16, arrayOid: 2951, input: inputUuid, send: sendUuid, compare: compareText },
  { oid: 3802, name: 'jsonb', length: -1, arrayOid: 3807, input: inputJsonb, send: sendJsonb },
  {
    oid: 5069,
    name: 'xid8',
    length: 8,
    arrayOid: 271,
    since: 13,
    input: inputXid8,
    send: sendInt8,
    compare: compareIntegers,
  },
];

const byOid = new Map<number, PgType>();
const byName = new Map<string, PgType>();

function register(type: PgType): void {
  byOid.set(type.oid, type);
  byName.set(type.name, type);
}

for (const fields of scalarTypes) {
  const type = definePgType(fields);
  register(type);
  if (type.arrayOid !== 0) register(arrayOf(type));
}

/** A built-in type, of any major (see `since`). */
export function typeByOid(oid: number): PgType | undefined {
  return byOid.get(oid);
}

/** By typname: `int4`, `_int4`. */
export function typeByName(name: string): PgType | undefined {
  return byName.get(name);
}

export function builtinTypes(): Iterable<PgType> {
  return byOid.values();
}
