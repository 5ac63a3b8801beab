/** What the fields of a message can hold. */
import { maxLsn } from '../values/lsn.js';
import { isUint32 } from '../values/uint32.js';
import type { Properties } from './codec.js';
import type { EncodeContext } from './context.js';
import { EncodeError } from './encode-error.js';
import type { Field } from './layout.js';
import {
  unchanged,
  type Cell,
  type Message,
  type MessageKind,
  type OldTuple,
  type RelationColumn,
} from './messages.js';

/** Columns of a table at most (MaxHeapAttributeNumber). */
const maxColumns = 1600;
/** Bytes of a gid at most (GIDSIZE without its NUL). */
const maxGidLength = 199;

const uint32 = 'an integer from 0 to 4294967295';
const lsn = 'a bigint from 0 to 2^64 - 1';
const time = 'a bigint from -2^63 to 2^63 - 1';

/** Throws an EncodeError: `must be ${expected}, is …`. */
export function refuse(kind: MessageKind, field: string, expected: string, value: unknown): never {
  throw new EncodeError(kind, field, `must be ${expected}, is ${show(value)}`);
}

/** Checks everything but the characters of texts. */
export function checkField({ name, kind, bits }: Field, message: Message, context: EncodeContext): void {
  const properties = message as unknown as Properties;
  const value = properties[name];
  switch (kind) {
    case 'streamXid': // depends on more than the field: see checkPlace
    case 'relationCount':
      break;
    case 'xid':
    case 'oid':
      if (!isUint32(value)) refuse(message.kind, name, uint32, value);
      break;
    case 'newTuple':
      checkTuple(message.kind, name, value, false);
      break;
    case 'oldTuple':
      checkOldTuple(message.kind, name, value);
      break;
    case 'oldTupleIfAny':
      if (value !== null) checkOldTuple(message.kind, name, value);
      break;
    case 'lsn':
      if (!isLsn(value)) refuse(message.kind, name, lsn, value);
      break;
    case 'time':
      if (!isTime(value)) refuse(message.kind, name, time, value);
      break;
    case 'abortLsn':
    case 'abortTime':
      if (context.streaming !== 'parallel') {
        if (value !== undefined) refuse(message.kind, name, 'absent except with streaming parallel', value);
      } else if (kind === 'abortLsn' ? !isLsn(value) : !isTime(value)) {
        refuse(message.kind, name, `with streaming parallel ${kind === 'abortLsn' ? lsn : time}`, value);
      }
      break;
    case 'text':
      checkText(message.kind, name, value);
      break;
    case 'content':
      if (!(value instanceof Uint8Array)) refuse(message.kind, name, 'a Uint8Array', value);
      break;
    case 'replicaIdentity':
      if (!/^(default|nothing|full|index)$/.test(String(value))) {
        refuse(message.kind, name, 'default, nothing, full or index', value);
      }
      break;
    case 'columns':
      checkColumns(message.kind, value, properties['replicaIdentity']);
      break;
    case 'flags':
      for (const bit of bits) {
        if (typeof properties[bit.name] !== 'boolean')
          refuse(message.kind, bit.name, 'a boolean', properties[bit.name]);
      }
      break;
    case 'relationIds':
      checkRelationIds(message.kind, value);
      break;
  }
}

function isLsn(value: unknown): boolean {
  return typeof value === 'bigint' && value >= 0n && value <= maxLsn;
}

function isTime(value: unknown): boolean {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
}

function checkText(kind: MessageKind, field: string, value: unknown): void {
  if (typeof value !== 'string') refuse(kind, field, 'a string', value);
  if (field === 'namespace' && value === 'pg_catalog') refuse(kind, field, 'empty for pg_catalog', value);
  if (field === 'gid' && new TextEncoder().encode(value).length > maxGidLength) {
    refuse(kind, field, `at most ${maxGidLength} bytes long`, value);
  }
}

function checkOldTuple(kind: MessageKind, field: string, value: unknown): void {
  const { marker, columns } = (value ?? {}) as Partial<OldTuple>;
  if (marker !== 'K' && marker !== 'O') refuse(kind, field, 'K or O and its columns', value);
  checkTuple(kind, field, columns, true);
}

function checkTuple(kind: MessageKind, field: string, tuple: unknown, isOld: boolean): void {
  if (!isArray(tuple) || tuple.length > maxColumns)
    refuse(kind, field, `an array of at most ${maxColumns} columns`, tuple);
  for (let i = 0; i < tuple.length; i++) {
    const cell = tuple[i] as Cell;
    if (typeof cell === 'string' || cell === null || (cell === unchanged && !isOld) || cell instanceof Uint8Array)
      continue;
    refuse(
      kind,
      `${field}[${i}]`,
      isOld ? 'a string, a Uint8Array or null' : 'a string, a Uint8Array, null or unchanged',
      cell,
    );
  }
}

function checkColumns(kind: MessageKind, columns: unknown, identity: unknown): void {
  if (!isArray(columns) || columns.length > maxColumns)
    refuse(kind, 'columns', `an array of at most ${maxColumns}`, columns);
  for (let i = 0; i < columns.length; i++) {
    const { key, name, typeOid, typeModifier } = columns[i] as Partial<RelationColumn>;
    const path = `columns[${i}]`;
    if (typeof key !== 'boolean') refuse(kind, `${path}.key`, 'a boolean', key);
    if (identity === 'full' && !key) refuse(kind, `${path}.key`, 'true with replica identity full', key);
    if (identity === 'nothing' && key) refuse(kind, `${path}.key`, 'false with replica identity nothing', key);
    checkText(kind, `${path}.name`, name);
    if (!isUint32(typeOid)) refuse(kind, `${path}.typeOid`, uint32, typeOid);
    if (typeof typeModifier !== 'number' || (typeModifier | 0) !== typeModifier) {
      refuse(kind, `${path}.typeModifier`, 'an integer from -2147483648 to 2147483647', typeModifier);
    }
  }
}

function checkRelationIds(kind: MessageKind, relationIds: unknown): void {
  if (!isArray(relationIds) || relationIds.length === 0)
    refuse(kind, 'relationIds', 'an array of at least one OID', relationIds);
  for (let i = 0; i < relationIds.length; i++) {
    if (!isUint32(relationIds[i])) refuse(kind, `relationIds[${i}]`, uint32, relationIds[i]);
  }
}

function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'object' && value !== null ? `a ${value.constructor.name}` : String(value);
}
