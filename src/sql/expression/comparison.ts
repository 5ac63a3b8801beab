/** Equality and order of values, by type. */
import type { StatementContext } from '../context.js';
import { NotEmulated } from '../failure.js';
import { arrayElements } from '../types/array-values.js';
import { typeByOid } from '../../postgres/index.js';
import { isObjectIdentifier, type TypeSpace } from '../types/type-space.js';
import { timeOf, fromLocal, isInfinite } from '../types/time-values.js';
import { typeOids } from '../types/type-oids.js';

export type Comparison = (a: string, b: string) => number;

const compareIntegers = typeByOid(typeOids.int8)!.compare!;
const compareText = typeByOid(typeOids.text)!.compare!;

const integerTypes = new Set<number>([
  typeOids.int2,
  typeOids.int4,
  typeOids.int8,
  typeOids.oid,
  typeOids.xid,
  typeOids.xid8,
  29,
]);

/** Types whose equal values can have different texts. */
const looseEquality = new Set<number>([
  typeOids.numeric,
  typeOids.float4,
  typeOids.float8,
  typeOids.bpchar,
  typeOids.interval,
  typeOids.timetz,
  typeOids.jsonb,
]);

/** The order of two values of one type (pg_lsn, text as in collation C …). @throws NotEmulated */
export function comparisonOf(types: TypeSpace, oid: number): Comparison {
  const type = types.baseOf(oid);
  if (integerTypes.has(type) || isObjectIdentifier(types.facts(type))) return compareIntegers;
  const element = types.elementOf(type);
  if (element !== 0) {
    const compare = comparisonOf(types, element);
    return (a, b) => compareElements(arrayElements(types, type, a), arrayElements(types, type, b), compare);
  }
  const compare = types.pgType(type).compare;
  if (compare === undefined) throw new NotEmulated(`comparing values of type ${types.format(type, -1, [])}`);
  return compare;
}

function compareElements(a: readonly (string | null)[], b: readonly (string | null)[], compare: Comparison): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareNullsLast(a[i]!, b[i]!, compare);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

export function compareNullsLast(a: string | null, b: string | null, compare: Comparison): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  return compare(a, b);
}

/** Equal values of this type have equal texts: then they can be found in a map. */
export function isTextEquality(types: TypeSpace, oid: number): boolean {
  const type = types.baseOf(oid);
  const element = types.elementOf(type);
  if (element !== 0) return isTextEquality(types, element);
  const { kind } = types.facts(type);
  return !looseEquality.has(type) && (kind === 'b' || kind === 'e');
}

export function equalityOf(types: TypeSpace, oid: number): (a: string, b: string) => boolean {
  if (isTextEquality(types, oid)) return (a, b) => a === b;
  const compare = comparisonOf(types, oid);
  return (a, b) => compare(a, b) === 0;
}

const timeTypes = new Set<number>([typeOids.date, typeOids.timestamp, typeOids.timestamptz]);
const floatTypes = new Set<number>([typeOids.float4, typeOids.float8]);
const stringTypes = new Set<number>([typeOids.text, typeOids.name, typeOids.varchar, typeOids.bpchar]);

/** The order of values of two types that the server has comparison operators for. */
export function mixedComparison(context: StatementContext, left: number, right: number): Comparison {
  if (left === right) return comparisonOf(context.types, left);
  if (integerTypes.has(left) && integerTypes.has(right)) return compareIntegers;
  if (stringTypes.has(left) && stringTypes.has(right)) return compareText;
  if (floatTypes.has(left) && floatTypes.has(right)) return comparisonOf(context.types, typeOids.float8);
  if (timeTypes.has(left) && timeTypes.has(right)) {
    const zone = context.session.outputSettings.timeZone;
    return (a, b) => {
      const [x, y] = [instant(a, left, zone), instant(b, right, zone)];
      return x < y ? -1 : x > y ? 1 : 0;
    };
  }
  throw new NotEmulated(
    `comparing types ${context.types.format(left, -1, [])} and ${context.types.format(right, -1, [])}`,
  );
}

/** Times of unlike types compare as instants. */
function instant(value: string, type: number, zone: string): bigint {
  if (isInfinite(value)) return value.startsWith('-') ? -(2n ** 63n) : 2n ** 63n;
  if (type === typeOids.timestamptz) return timeOf(value);
  return timeOf(fromLocal(type === typeOids.date ? `${value} 00:00:00` : value, zone));
}

/** A text that equal values of the type have in common: for GROUP BY, DISTINCT, UNION. */
export function equalityKey(types: TypeSpace, oid: number): (value: string) => string {
  switch (types.baseOf(oid)) {
    case typeOids.numeric:
      return (value) => (value.includes('.') ? value.replace(/\.?0+$/, '') : value);
    case typeOids.float4:
    case typeOids.float8:
      return (value) => (value === '-0' ? '0' : value);
    case typeOids.bpchar:
      return (value) => value.replace(/ +$/, '');
    default:
      return (value) => value;
  }
}

/** Of several values together; NULLs are the same. */
export function rowKeyOf(
  types: TypeSpace,
  columnTypes: readonly number[],
): (values: readonly (string | null)[]) => string {
  const keys = columnTypes.map((type) => equalityKey(types, type));
  return (values) => keys.map((key, i) => (values[i] === null ? '\0n' : `v${key(values[i]!)}`)).join('\0');
}
