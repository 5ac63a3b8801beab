/** The built-in range and multirange types. */
import { dateTimeTypes } from './date-time.js';
import { integerTypes } from './integer.js';
import { multirangeType } from './multirange.js';
import { numericTypes } from './numeric.js';
import type { PgType } from './pg-type.js';
import { rangeType } from './range.js';

/** OID, name, OID of its array; the same of the multirange. */
const rows = [
  [3904, 'int4range', 3905, 4451, 'int4multirange', 6150, 'int4'],
  [3906, 'numrange', 3907, 4532, 'nummultirange', 6151, 'numeric'],
  [3908, 'tsrange', 3909, 4533, 'tsmultirange', 6152, 'timestamp'],
  [3910, 'tstzrange', 3911, 4534, 'tstzmultirange', 6153, 'timestamptz'],
  [3912, 'daterange', 3913, 4535, 'datemultirange', 6155, 'date'],
  [3926, 'int8range', 3927, 4536, 'int8multirange', 6157, 'int8'],
] as const;

const subtypes = new Map([...integerTypes, ...numericTypes, ...dateTimeTypes].map((type) => [type.name, type]));
const namespace = 'pg_catalog';

export const rangeTypes: readonly PgType[] = rows.flatMap(
  ([oid, name, arrayOid, multirangeOid, multirangeName, multirangeArrayOid, subtype]) => {
    const range = rangeType({ oid, namespace, name, arrayOid }, subtypes.get(subtype)!);
    const multirange = { oid: multirangeOid, namespace, name: multirangeName, arrayOid: multirangeArrayOid };
    return [range, multirangeType(multirange, range)];
  },
);
