/** Rows of named values as tuples. */
import { cellOf, checkText, type CellValue } from './cell-value.js';
import { EncodeError } from './encode-error.js';
import { refuse, refuseOthers } from './field-legality.js';
import { checkKey } from './legality.js';
import { unchanged, type Cell, type MessageKind, type OldTuple, type Relation, type Tuple } from './messages.js';

/** The old row as one of three: K, O, or that from which either or neither follows. */
export interface OldRow {
  readonly key?: object | undefined;
  readonly old?: object | undefined;
  readonly before?: object | undefined;
}

/**
 * The row's values in the order of the relation's columns.
 * @param field what the row is called, for errors
 * @param extent partial: columns left out are NULL
 * @throws EncodeError
 */
export function tupleOf(
  kind: MessageKind,
  field: string,
  relation: Relation,
  row: object,
  extent: 'whole' | 'partial' = 'whole',
): Tuple {
  const names = relation.columns.map(({ name }) => name);
  refuseOthers(kind, field, row, names);
  const values = row as Readonly<Record<string, CellValue | undefined>>;
  return relation.columns.map((column): Cell => {
    const value = values[column.name];
    if (typeof value === 'string') checkText(kind, `${field}.${column.name}`, column, value);
    if (value !== undefined) return cellOf(kind, `${field}.${column.name}`, column, value);
    return extent === 'partial' ? null : refuse(kind, `${field}.${column.name}`, 'given (null for NULL)', value);
  });
}

/**
 * @param newTuple of an update; null for a delete.
 * @returns null when there is none.
 * @throws EncodeError
 */
export function oldTupleOf(
  kind: MessageKind,
  relation: Relation,
  { key, old, before }: OldRow,
  newTuple: Tuple | null,
): OldTuple | null {
  const given = [key, old, before].filter((row) => row !== undefined);
  if (given.length > 1) throw new EncodeError(kind, 'oldTuple', 'is K or O: give one of key, old and before');
  // A partition root's own identity counts for nothing, but rows of those are written as messages.
  if (relation.replicaIdentity === 'nothing') throw noIdentity(kind, relation);
  if (key !== undefined) return keyTuple(kind, relation, key);
  if (old !== undefined) return { marker: 'O', columns: oldValues(kind, 'old', relation, old) };
  return before === undefined
    ? null
    : loggedTuple(kind, relation, oldValues(kind, 'before', relation, before), newTuple);
}

function keyTuple(kind: MessageKind, relation: Relation, key: object): OldTuple {
  const columns = oldValues(kind, 'key', relation, key, 'partial');
  const missing = relation.columns.find((column) => column.key && !(column.name in key));
  if (missing !== undefined) throw new EncodeError(kind, `key.${missing.name}`, 'must be given: it belongs to the key');
  checkKey(kind, relation, columns, (i) => `key.${relation.columns[i]!.name}`);
  return { marker: 'K', columns };
}

function oldValues(
  kind: MessageKind,
  field: string,
  relation: Relation,
  row: object,
  extent: 'whole' | 'partial' = 'whole',
): Tuple {
  const tuple = tupleOf(kind, field, relation, row, extent);
  const at = tuple.indexOf(unchanged);
  if (at < 0) return tuple;
  return refuse(kind, `${field}.${relation.columns[at]!.name}`, 'the value: only new ones can be unchanged', unchanged);
}

/**
 * What a server logs of the old row (ExtractReplicaIdentity): all of it with replica identity full; else the key, of an
 * update only when it changed, or when part of it is stored out of line and so is not in the new row.
 */
function loggedTuple(kind: MessageKind, relation: Relation, before: Tuple, newTuple: Tuple | null): OldTuple | null {
  const { columns, replicaIdentity } = relation;
  if (replicaIdentity === 'full') return { marker: 'O', columns: before };
  if (!columns.some(({ key }) => key)) throw noIdentity(kind, relation, 'before');
  if (newTuple !== null && columns.every(({ key }, i) => !key || isSame(before[i]!, newTuple[i]!))) return null;
  return { marker: 'K', columns: before.map((cell, i) => (columns[i]!.key ? cell : null)) };
}

function noIdentity(kind: MessageKind, { name }: Relation, field: string | null = null): EncodeError {
  return new EncodeError(kind, field, `a server refuses this ${kind}: ${name} has no replica identity`);
}

/** Byte by byte, as the server compares. */
function isSame(before: Cell, after: Cell): boolean {
  if (!(before instanceof Uint8Array) || !(after instanceof Uint8Array)) return before === after;
  return before.length === after.length && before.every((byte, i) => byte === after[i]);
}
