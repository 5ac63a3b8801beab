/** The built-in types that tables have, and the arrays of them. */
import { arrayOf } from './array.js';
import { bitStringTypes } from './bit-string.js';
import { booleanTypes } from './boolean.js';
import { byteaTypes } from './bytea.js';
import { characterTypes } from './character.js';
import { dateTimeTypes } from './date-time.js';
import { floatTypes } from './float.js';
import { geometricTypes } from './geometric.js';
import { integerTypes } from './integer.js';
import { intervalTypes } from './interval.js';
import { jsonPathTypes } from './json-path.js';
import { jsonTypes } from './json.js';
import { macAddressTypes } from './mac-address.js';
import { moneyTypes } from './money.js';
import { networkTypes } from './network.js';
import { numericTypes } from './numeric.js';
import { identifierTypes } from './object-identifier.js';
import { objectNameTypes } from './object-name.js';
import type { PgType } from './pg-type.js';
import { rangeTypes } from './range-types.js';
import { systemTypes } from './system.js';
import { tsqueryTypes } from './tsquery.js';
import { tsvectorTypes } from './tsvector.js';
import { uuidTypes } from './uuid.js';
import { xmlTypes } from './xml.js';

const byOid = new Map<number, PgType>();
const byName = new Map<string, PgType>();

function register(type: PgType): void {
  byOid.set(type.oid, type);
  byName.set(type.name, type);
}

const families = [
  ...[bitStringTypes, booleanTypes, byteaTypes, characterTypes, dateTimeTypes, floatTypes, geometricTypes],
  ...[
    identifierTypes,
    integerTypes,
    intervalTypes,
    jsonPathTypes,
    jsonTypes,
    macAddressTypes,
    moneyTypes,
    networkTypes,
    numericTypes,
  ],
  ...[objectNameTypes(typeByName), rangeTypes, systemTypes, tsqueryTypes, tsvectorTypes, uuidTypes, xmlTypes],
];
for (const type of families.flat()) {
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
