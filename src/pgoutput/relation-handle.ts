import type { BinaryForm, CellValue } from './cell-value.js';
import { oidOfType, type ColumnType, type ValueOf } from './column-types.js';
import { EncodeError } from './encode-error.js';
import { refuseOthers } from './field-legality.js';
import type { Relation, RelationColumn, ReplicaIdentity } from './messages.js';

/** A column of `relation()`. */
export interface ColumnSpec {
  readonly name: string;
  readonly type: ColumnType;
  /** Belongs to the replica identity. With replica identity full all columns do, without saying. */
  readonly key?: boolean;
}

/** What `relation()` takes: the Relation message's properties (or their SQL names), types by name. */
export type RelationSpec<C extends readonly ColumnSpec[] = readonly ColumnSpec[]> = OneOf<'relationId', 'oid', number> &
  OneOf<'name', 'table', string> &
  /** `public` when left out. */
  Partial<OneOf<'namespace', 'schema', string>> & {
    /** `default` when left out. */
    readonly replicaIdentity?: ReplicaIdentity;
    readonly columns: C;
    /** Of a Relation message in a stream block. */
    readonly xid?: number;
  };

/** A property by either of two names. */
type OneOf<A extends string, B extends string, T> =
  | ({ readonly [P in A]: T } & { readonly [P in B]?: never })
  | ({ readonly [P in B]: T } & { readonly [P in A]?: never });

/** The rows of a relation with these columns: the values' types follow from the columns'. */
export type RowOf<C extends readonly ColumnSpec[]> = {
  readonly [Column in C[number] as Column['name']]: ValueOf<Column['type']> | BinaryForm | null;
};

/** Rows of a relation of which only the message is known, not the column types. */
export type AnyRow = Readonly<Record<string, CellValue>>;

declare const rowType: unique symbol;

/** A Relation message that knows, at compile time, what its rows look like. */
export interface TypedRelation<Row = AnyRow> extends Relation {
  readonly [rowType]?: Row;
}

/**
 * Relation (`R`): a table as a Relation message, to be sent as it is, and to build rows from.
 * @throws EncodeError for a type name that is not known, two columns of one name, or no name or OID.
 */
export function relation<const C extends readonly ColumnSpec[]>(spec: RelationSpec<C>): TypedRelation<RowOf<C>> {
  refuseOthers('relation', null, spec, specNames);
  const { replicaIdentity = 'default', columns, xid } = spec;
  const namespace = either('namespace', spec.namespace, spec.schema) ?? 'public';
  return {
    kind: 'relation',
    ...(xid === undefined ? {} : { xid }),
    relationId: either('relationId', spec.relationId, spec.oid) ?? missing('relationId'),
    namespace: namespace === 'pg_catalog' ? '' : namespace,
    name: either('name', spec.name, spec.table) ?? missing('name'),
    replicaIdentity,
    columns: columns.map((column, i) => columnOf(column, i, columns, replicaIdentity)),
  };
}

const specNames = ['relationId', 'oid', 'namespace', 'schema', 'name', 'table', 'replicaIdentity', 'columns', 'xid'];

function columnOf(
  { name, type, key = false }: ColumnSpec,
  index: number,
  columns: readonly ColumnSpec[],
  replicaIdentity: ReplicaIdentity,
): RelationColumn {
  const path = `columns[${index}]`;
  refuseOthers('relation', path, columns[index]!, ['name', 'type', 'key']);
  if (columns.findIndex((other) => other.name === name) !== index) {
    throw new EncodeError('relation', `${path}.name`, `there is a column ${name} already`);
  }
  const typeOid = typeof type === 'string' ? oidOfType(type) : type.oid;
  if (typeOid === undefined) {
    throw new EncodeError(
      'relation',
      `${path}.type`,
      `there is no built-in type ${JSON.stringify(type)}: give { oid, typmod }`,
    );
  }
  const typeModifier = (typeof type === 'string' ? undefined : type.typmod) ?? -1;
  return { key: key || replicaIdentity === 'full', name, typeOid, typeModifier };
}

/** The value that was given by one of two names, if any. */
function either<T>(name: string, value: T | undefined, alias: T | undefined): T | undefined {
  if (value !== undefined && alias !== undefined) throw new EncodeError('relation', name, 'is given by two names');
  return value ?? alias;
}

function missing(name: string): never {
  throw new EncodeError('relation', name, 'must be given');
}
