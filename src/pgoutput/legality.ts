/**
 * What no server could send: the rules that `encode` keeps. Not among them, because real servers do send it: values of
 * non-key columns in a K tuple (published through a partition root, from a leaf with replica identity full), key columns
 * that are NULL in one (from a leaf with an identity of its own), and two-phase messages below protocol 3 (two-phase is
 * a property of the slot).
 */
import { isUint32 } from '../values/uint32.js';
import { relationOf, type EncodeContext } from './context.js';
import { EncodeError } from './encode-error.js';
import { checkFields, refuse } from './field-legality.js';
import type { Layout } from './layout.js';
import type { Delete, Insert, Message, MessageKind, Relation, Streamable, Tuple, Update } from './messages.js';

/**
 * Checks everything but texts and the values of rows: those are looked at while they are written (see value-legality.ts).
 * @throws EncodeError
 */
export function checkMessage(layout: Layout, message: Message, context: EncodeContext): void {
  checkNegotiated(layout, context);
  checkPlace(layout, message, context);
  checkFields(layout, message, context);
  if (context.relations !== undefined && 'relationId' in message && message.kind !== 'relation') {
    const relation = relationOf(context.relations, message.relationId);
    if (relation !== undefined) checkRow(message, relation);
  }
}

function checkNegotiated({ kind, place }: Layout, { protoVersion, streaming = 'off' }: EncodeContext): void {
  const first = streaming === 'off' ? 1 : streaming === 'on' ? 2 : 4;
  if (protoVersion !== undefined && !(protoVersion >= first && protoVersion <= 4)) {
    const rule =
      first === 1 ? 'protocol versions are 1 to 4' : `streaming ${streaming} needs protocol version ${first}`;
    throw new EncodeError(kind, null, `${rule}, the context says ${protoVersion}`);
  }
  if (streaming === 'off' && place === 'streamed') {
    throw new EncodeError(kind, null, 'is sent only with streaming on or parallel, the context says off');
  }
}

function checkPlace({ kind, place }: Layout, message: Message, context: EncodeContext): void {
  const xid = place === 'change' ? ((message as Streamable).xid ?? context.xid) : context.xid;
  const inStream = context.inStream ?? xid !== undefined;
  if (!inStream) {
    if (xid === undefined) return;
    throw new EncodeError(kind, 'xid', 'is sent only in a stream block, the context says inStream: false');
  }
  if ((context.streaming ?? 'off') === 'off') {
    throw new EncodeError(kind, xid === undefined ? null : 'xid', 'there are no stream blocks with streaming off');
  }
  if (place === 'outside' || (place === 'streamed' && kind !== 'streamStop'))
    throw new EncodeError(kind, null, 'never stands in a stream block');
  if (place === 'change' && !isUint32(xid))
    refuse(kind, 'xid', 'in a stream block an integer from 0 to 4294967295', xid);
  if (message.kind === 'message' && !message.transactional) {
    throw new EncodeError(
      kind,
      'transactional',
      'must be true in a stream block: others stand outside, without an xid',
    );
  }
}

function checkRow(row: Insert | Update | Delete, relation: Relation): void {
  const { name, replicaIdentity, columns } = relation;
  const oldTuple = row.kind === 'insert' ? null : row.oldTuple;
  if (oldTuple !== null && (oldTuple.marker === 'O') !== (replicaIdentity === 'full')) {
    const rule = `is O if and only if the replica identity is full; that of ${name} is ${replicaIdentity}`;
    throw new EncodeError(row.kind, 'oldTuple', rule);
  }
  for (const [field, tuple] of [
    ['oldTuple', oldTuple?.columns],
    ['newTuple', row.kind === 'delete' ? undefined : row.newTuple],
  ] as const) {
    if (tuple !== undefined && tuple.length !== columns.length) {
      throw new EncodeError(row.kind, field, `has ${tuple.length} columns, its relation ${name} has ${columns.length}`);
    }
  }
  if (row.kind !== 'delete') checkKey(row.kind, relation, row.newTuple, (i) => `newTuple[${i}]`);
}

/** Columns of a primary key or of an index that is a replica identity are NOT NULL. @throws EncodeError */
export function checkKey(
  kind: MessageKind,
  { name, replicaIdentity, columns }: Relation,
  tuple: Tuple,
  path: (index: number) => string,
): void {
  if (replicaIdentity !== 'default' && replicaIdentity !== 'index') return;
  for (let i = 0; i < columns.length; i++) {
    if (tuple[i] === null && columns[i]!.key) {
      throw new EncodeError(kind, path(i), `is NULL, which no column of the replica identity of ${name} can be`);
    }
  }
}
