/** What the fields of a message can hold. */
import { maxLsn } from '../values/lsn.js';
import { isUint32 } from '../values/uint32.js';
import type { EncodeContext } from './context.js';
import { EncodeError } from './encode-error.js';
import type { Layout, Properties } from './layout.js';
import type { Message, MessageKind, OldTuple, RelationColumn } from './messages.js';

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

/** Throws an EncodeError if the object has other properties: a misspelt one would otherwise be one left out. */
export function refuseOthers(kind: MessageKind, path: string | null, object: object, names: readonly string[]): void {
  const other = Object.keys(object).find((name) => !names.includes(name));
  if (other === undefined) return;
  throw new EncodeError(kind, path === null ? other : `${path}.${other}`, `is not known here, but ${names.join(', ')}`);
}

/** Checks everything but texts and values of rows, and but an xid's being there: that depends on more than the field. */
export function checkFields(layout: Layout, message: Message, context: EncodeContext): void {
  const properties = message as unknown as Unchecked<Properties>;
  const { fields } = layout;
  for (let i = 0; i < fields.length; i++) {
    const { name, kind, bits } = fields[i]!;
    switch (kind) {
      case 'streamXid':
      case 'relationCount':
        break;
      case 'relationId':
        if (!isUint32(properties.relationId)) refuse(message.kind, name, uint32, properties.relationId);
        break;
      case 'oldTupleIfAny':
        if (properties.oldTuple !== null) checkOldTuple(message.kind, properties.oldTuple);
        break;
      case 'oldTuple':
        checkOldTuple(message.kind, properties.oldTuple);
        break;
      case 'newTuple':
        checkTuple(message.kind, name, properties.newTuple);
        break;
      case 'xid':
      case 'oid':
        if (!isUint32(properties[name])) refuse(message.kind, name, uint32, properties[name]);
        break;
      case 'lsn':
        if (!isLsn(properties[name])) refuse(message.kind, name, lsn, properties[name]);
        break;
      case 'time':
        if (!isTime(properties[name])) refuse(message.kind, name, time, properties[name]);
        break;
      case 'text':
        checkText(message.kind, name, properties[name]);
        break;
      case 'abortLsn':
      case 'abortTime':
        checkAbortTail(message.kind, kind, properties[name], context);
        break;
      case 'content':
        if (!(properties.content instanceof Uint8Array)) refuse(message.kind, name, 'a Uint8Array', properties.content);
        break;
      case 'replicaIdentity':
        if (!/^(default|nothing|full|index)$/.test(String(properties.replicaIdentity))) {
          refuse(message.kind, name, 'default, nothing, full or index', properties.replicaIdentity);
        }
        break;
      case 'columns':
        checkColumns(message.kind, properties.columns, properties.replicaIdentity);
        break;
      case 'flags':
        for (const bit of bits) {
          if (typeof properties[bit.name] !== 'boolean')
            refuse(message.kind, bit.name, 'a boolean', properties[bit.name]);
        }
        break;
      case 'relationIds':
        checkRelationIds(message.kind, properties.relationIds);
        break;
    }
  }
}

/** JavaScript callers can pass anything. */
type Unchecked<T> = { readonly [P in keyof T]: unknown };

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

function checkAbortTail(
  kind: MessageKind,
  field: 'abortLsn' | 'abortTime',
  value: unknown,
  context: EncodeContext,
): void {
  if (context.streaming !== 'parallel') {
    if (value !== undefined) refuse(kind, field, 'absent except with streaming parallel', value);
  } else if (field === 'abortLsn' ? !isLsn(value) : !isTime(value)) {
    refuse(kind, field, `with streaming parallel ${field === 'abortLsn' ? lsn : time}`, value);
  }
}

function checkOldTuple(kind: MessageKind, value: unknown): void {
  const { marker, columns } = (value ?? {}) as Partial<OldTuple>;
  if (marker !== 'K' && marker !== 'O') {
    refuse(kind, 'oldTuple', `a tuple with marker K or O${kind === 'update' ? ', or null' : ''}`, value);
  }
  checkTuple(kind, 'oldTuple', columns);
}

function checkTuple(kind: MessageKind, field: string, tuple: unknown): void {
  if (!isArray(tuple) || tuple.length > maxColumns)
    refuse(kind, field, `an array of at most ${maxColumns} values`, tuple);
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
