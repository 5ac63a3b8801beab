/** Parameters in binary: what the receive functions of the types that clients send so make of them. */
import { formatLsn } from '../../values/lsn.js';
import { sqlError, NotEmulated } from '../failure.js';
import { printElements, printParts } from './array-values.js';
import { microsPerDay, printTimestamp } from './time-values.js';
import { isObjectIdentifier, type TypeSpace } from './type-space.js';
import { typeOids } from './type-oids.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

type Receive = (view: DataView, bytes: Uint8Array) => string;

const asText: Receive = (_, bytes) => utf8.decode(bytes);
const unsigned: Receive = (view) => String(view.getUint32(0));
const infinity = (value: bigint, print: (value: bigint) => string): string => {
  if (value === 2n ** 63n - 1n) return 'infinity';
  return value === -(2n ** 63n) ? '-infinity' : print(value);
};

const receivers = new Map<number, Receive>([
  [typeOids.bool, (_, bytes) => (bytes[0] === 0 ? 'f' : 't')],
  [typeOids.int2, (view) => String(view.getInt16(0))],
  [typeOids.int4, (view) => String(view.getInt32(0))],
  [typeOids.int8, (view) => String(view.getBigInt64(0))],
  [typeOids.oid, unsigned],
  [typeOids.xid, unsigned],
  [typeOids.xid8, (view) => String(view.getBigUint64(0))],
  [typeOids.float4, (view) => String(view.getFloat32(0))],
  [typeOids.float8, (view) => String(view.getFloat64(0))],
  [typeOids.text, asText],
  [typeOids.varchar, asText],
  [typeOids.bpchar, asText],
  [typeOids.name, asText],
  [typeOids.char, asText],
  [typeOids.json, asText],
  [typeOids.unknown, asText],
  [typeOids.jsonb, (_, bytes) => utf8.decode(bytes.subarray(1))],
  [typeOids.bytea, (_, bytes) => `\\x${hex(bytes)}`],
  [typeOids.uuid, (_, bytes) => hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')],
  [typeOids.pgLsn, (view) => formatLsn(view.getBigUint64(0))],
  [typeOids.timestamp, (view) => infinity(view.getBigInt64(0), printTimestamp)],
  [typeOids.timestamptz, (view) => infinity(view.getBigInt64(0), (time) => `${printTimestamp(time)}+00`)],
  [typeOids.date, (view) => printTimestamp(BigInt(view.getInt32(0)) * microsPerDay).slice(0, 10)],
  [typeOids.numeric, receiveNumeric],
]);

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Sizes that must be right for the reads above. */
const lengths = new Map<number, number>([
  [typeOids.bool, 1],
  [typeOids.int2, 2],
  [typeOids.int4, 4],
  [typeOids.int8, 8],
  [typeOids.oid, 4],
  [typeOids.xid, 4],
  [typeOids.xid8, 8],
  [typeOids.float4, 4],
  [typeOids.float8, 8],
  [typeOids.uuid, 16],
  [typeOids.pgLsn, 8],
  [typeOids.timestamp, 8],
  [typeOids.timestamptz, 8],
  [typeOids.date, 4],
]);

/** Text that the type's input function reads. @throws SqlError 22P03, 08P01; NotEmulated */
export function receiveValue(types: TypeSpace, type: number, bytes: Uint8Array, number: number): string {
  const base = types.baseOf(type);
  const facts = types.facts(base);
  const wanted = lengths.get(base);
  if (wanted !== undefined && bytes.length !== wanted) {
    if (bytes.length < wanted) throw sqlError('08P01', 'insufficient data left in message');
    throw sqlError('22P03', `incorrect binary data format in bind parameter ${number}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const receive =
    receivers.get(base) ?? (isObjectIdentifier(facts) ? unsigned : facts.kind === 'e' ? asText : undefined);
  if (receive !== undefined) return receive(view, bytes);
  if (facts.category === 'A' && facts.element !== 0)
    return receiveArray(types, base, facts.element, view, bytes, number);
  throw new NotEmulated(`a binary parameter of type ${facts.name}`);
}

function receiveArray(
  types: TypeSpace,
  type: number,
  element: number,
  view: DataView,
  bytes: Uint8Array,
  number: number,
): string {
  const dimensions = view.getInt32(0);
  if (dimensions === 0) return printElements(types, type, []);
  const lengths: number[] = [];
  const lowerBounds: number[] = [];
  let at = 12;
  for (let i = 0; i < dimensions; i++, at += 8) {
    lengths.push(view.getInt32(at));
    lowerBounds.push(view.getInt32(at + 4));
  }
  const elements: (string | null)[] = [];
  while (at < bytes.length) {
    const length = view.getInt32(at);
    at += 4;
    elements.push(length < 0 ? null : receiveValue(types, element, bytes.subarray(at, at + length), number));
    at += Math.max(length, 0);
  }
  return printParts(types, type, { lengths, lowerBounds, elements });
}

/** Int16 count of base-10000 digits, weight, sign, display scale; then the digits. */
function receiveNumeric(view: DataView): string {
  const [count, weight, sign, scale] = [view.getInt16(0), view.getInt16(2), view.getUint16(4), view.getInt16(6)];
  if (sign === 0xc000) return 'NaN';
  if (sign === 0xd000 || sign === 0xf000) return sign === 0xd000 ? 'Infinity' : '-Infinity';
  const group = (i: number): string => String(i >= 0 && i < count ? view.getInt16(8 + 2 * i) : 0).padStart(4, '0');
  let whole = '';
  for (let i = 0; i <= weight; i++) whole += group(i);
  let fraction = '';
  for (let i = weight + 1; fraction.length < scale; i++) fraction += group(i);
  const digits = whole.replace(/^0+(?=.)/, '') || '0';
  return `${sign === 0x4000 ? '-' : ''}${digits}${scale > 0 ? `.${fraction.slice(0, scale)}` : ''}`;
}
