/** Builders of the messages about rows: named values become tuples in the order of the relation's columns. */
import { EncodeError } from './encode-error.js';
import { refuseOthers } from './field-legality.js';
import { checkKey } from './legality.js';
import type { Delete, Insert, MessageKind, Relation, Truncate, Unchanged, Update } from './messages.js';
import type { TypedRelation } from './relation-handle.js';
import { oldTupleOf, tupleOf } from './row-tuple.js';

/** A row's new values: those stored out of line can be `unchanged`. */
export type NewRow<Row> = { readonly [Column in keyof Row]: Row[Column] | Unchanged };

/** Old values as K: those of the key, and whatever else is given; the others are NULL. */
interface ByKey<Row> {
  readonly key: Partial<Row>;
  readonly old?: never;
  readonly before?: never;
}
/** Old values as O: the whole row. */
interface ByOldRow<Row> {
  readonly key?: never;
  readonly old: Row;
  readonly before?: never;
}
/** The whole old row, from which K, O or neither follows as from the relation's replica identity a server's would. */
interface ByRowBefore<Row> {
  readonly key?: never;
  readonly old?: never;
  readonly before: Row;
}
/** No old values. */
interface ByNothing {
  readonly key?: never;
  readonly old?: never;
  readonly before?: never;
}

/** What `delete` takes: old values as K, as O, or the whole row before. */
export type DeleteSpec<Row> = ByKey<Row> | ByOldRow<Row> | ByRowBefore<Row>;
/** What `update` takes: `new`, and one of the three kinds of old values, or none. */
export type UpdateSpec<Row> = (DeleteSpec<Row> | ByNothing) & { readonly new: NewRow<Row> };

/** What any change may have besides its row. */
export interface ChangeOptions {
  /** The (sub)transaction, of a change in a stream block. */
  readonly xid?: number;
}
/** The options of TRUNCATE: both are false when left out. */
export interface TruncateOptions extends ChangeOptions {
  readonly cascade?: boolean;
  readonly restartIdentity?: boolean;
}

/**
 * Insert (`I`).
 * @param row columns left out are NULL. `unchanged` is for an Insert that a row filter made of an update.
 * @throws EncodeError for a column that the relation does not have, or a value that is not of its column's type.
 */
export function insert<Row extends object>(
  relation: TypedRelation<Row>,
  row: Partial<NewRow<Row>>,
  options: ChangeOptions = {},
): Insert {
  const newTuple = tupleOf('insert', 'row', relation, row, 'partial');
  checkKey('insert', relation, newTuple, (i) => `row.${relation.columns[i]!.name}`);
  return { kind: 'insert', ...xidOf('insert', options), relationId: relation.relationId, newTuple };
}

/**
 * Update (`U`).
 * @param change `new`, all of it, and one of `key`, `old`, `before`, or none of them.
 * @throws EncodeError as insert; also when more than one of them was given.
 */
export function update<Row extends object>(
  relation: TypedRelation<Row>,
  change: UpdateSpec<Row>,
  options: ChangeOptions = {},
): Update {
  refuseOthers('update', null, change, ['key', 'old', 'before', 'new']);
  const newTuple = tupleOf('update', 'new', relation, change.new);
  checkKey('update', relation, newTuple, (i) => `new.${relation.columns[i]!.name}`);
  const oldTuple = oldTupleOf('update', relation, change, newTuple);
  return { kind: 'update', ...xidOf('update', options), relationId: relation.relationId, oldTuple, newTuple };
}

/**
 * Delete (`D`).
 * @param change one of `key`, `old`, `before`.
 * @throws EncodeError as update; also when the old tuple is to follow from a replica identity that gives none.
 */
export function delete_<Row extends object>(
  relation: TypedRelation<Row>,
  change: DeleteSpec<Row>,
  options: ChangeOptions = {},
): Delete {
  refuseOthers('delete', null, change, ['key', 'old', 'before']);
  const oldTuple = oldTupleOf('delete', relation, change, null);
  if (oldTuple === null) throw new EncodeError('delete', 'oldTuple', 'must be given: key, old or before');
  return { kind: 'delete', ...xidOf('delete', options), relationId: relation.relationId, oldTuple };
}

/**
 * Truncate (`T`).
 * @param relations one or more, as messages or by their OIDs
 * @throws EncodeError for an unknown option
 */
export function truncate(
  relations: Relation | number | readonly (Relation | number)[],
  options: TruncateOptions = {},
): Truncate {
  refuseOthers('truncate', null, options, ['cascade', 'restartIdentity', 'xid']);
  const { cascade = false, restartIdentity = false, xid } = options;
  const list: readonly (Relation | number)[] = isList(relations) ? relations : [relations];
  const relationIds = list.map((relation) => (typeof relation === 'number' ? relation : relation.relationId));
  return { kind: 'truncate', ...(xid === undefined ? {} : { xid }), relationIds, cascade, restartIdentity };
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value);
}

function xidOf(kind: MessageKind, options: ChangeOptions): ChangeOptions {
  refuseOthers(kind, null, options, ['xid']);
  return options.xid === undefined ? {} : { xid: options.xid };
}
