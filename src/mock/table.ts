/** `table()`: typed tables, whose statements derive K, O and N from the replica identity as a server does. */
import {
  parseRowFilter,
  type DeleteStatement,
  type OpenTransaction,
  type ReplicaIdentityDeclaration,
  type TableDeclaration,
  type TableName,
  type TruncateOptions,
  type UpdateStatement,
  type Where,
} from '../database/index.js';
import { parseQualifiedName } from '../scenario/format/names.js';
import type { Catalog, Table } from '../timeline/catalog.js';
import {
  readColumn,
  type ColumnDefinitions,
  type InsertRow,
  type NewRow,
  type RowOfColumns,
  type SomeColumns,
  type SomeValues,
} from './column-definition.js';
import { datumOf, rowDatums } from './row-datums.js';
import { callerOf } from './source-line.js';
import { statement, type Statement } from './statement.js';
import { catalogTypes } from './type-scope.js';

/** Options of `table`. */
export interface TableOptions<C extends ColumnDefinitions> {
  /** Default: the columns marked `primary key`. */
  readonly primaryKey?: readonly (keyof C & string)[];
  /** REPLICA IDENTITY. Default `default`: the primary key. */
  readonly replicaIdentity?: ReplicaIdentityDeclaration;
  /** Unique indexes by name, for `replicaIdentity: { index }`. */
  readonly uniqueIndexes?: Readonly<Record<string, readonly (keyof C & string)[]>>;
  /** Pins the OID. */
  readonly oid?: number;
  /** What it holds before the stream: a snapshot shows them, the stream does not. */
  readonly rows?: readonly InsertRow<C>[];
}

/** Which rows: by equal values (null: IS NULL), or by a condition such as `id > 10`. */
export type WhereRows<C extends ColumnDefinitions> = SomeColumns<C> | string;

interface Neither {
  readonly where?: never;
  readonly set?: never;
  readonly old?: never;
  readonly key?: never;
  readonly new?: never;
}
type OnlyWith<T> = Omit<Neither, keyof T> & T;

/** What `update` of a table takes. */
export type UpdateOf<C extends ColumnDefinitions> =
  /** By the rows that the table holds. */
  | OnlyWith<{ readonly where: WhereRows<C>; readonly set: SomeValues<C> }>
  /** Both rows spelt out, O or K or neither by the replica identity. `unchanged` in `new` takes the value of `old`. */
  | OnlyWith<{ readonly old: InsertRow<C>; readonly new: NewRow<C> }>
  /** As seen on the wire with K: `key` holds the identity columns. */
  | OnlyWith<{ readonly key: SomeColumns<C>; readonly new: NewRow<C> }>
  /** As seen on the wire without an old tuple. */
  | OnlyWith<{ readonly new: NewRow<C> }>;

/** What `delete` of a table takes. */
export type DeleteOf<C extends ColumnDefinitions> =
  | OnlyWith<{ readonly where: WhereRows<C> }>
  | OnlyWith<{ readonly old: InsertRow<C> }>
  | OnlyWith<{ readonly key: SomeColumns<C> }>;

/** A table, whatever its columns. */
export interface AnyTable extends TableName {
  readonly kind: 'table';
  /** Where it was defined: `file:line:column`. */
  readonly source: string;
  readonly options: { readonly rows?: readonly object[] };
  /**
   * What the server is told of it.
   * @throws TypeNameError, StatementError
   * @internal
   */
  declarationFor(catalog: Catalog, major: number): TableDeclaration;
}

/** A table whose statements are typed: made by `table`. */
export interface MockTable<C extends ColumnDefinitions = ColumnDefinitions> extends AnyTable {
  /** One row, or several, each a change of its own. */
  insert(rows: InsertRow<C> | readonly InsertRow<C>[]): Statement;
  /** UPDATE: of the rows that `where` finds, or of one row as `old`, `key` and `new` give it. */
  update(change: UpdateOf<C>): Statement;
  /** DELETE: of the rows that `where` finds, or of one as `old` or `key` give it. */
  delete(rows: DeleteOf<C>): Statement;
  /** TRUNCATE of this table. */
  truncate(options?: TruncateOptions): Statement;
  /** For inference: its rows. */
  readonly rowType?: RowOfColumns<C>;
  readonly options: TableOptions<C>;
}

/**
 * A table. Given to `setupWalsender` it is there from the start; otherwise from its first statement on. Where a scenario has
 * declared a table of this name, that one is meant.
 *
 * @param name `public.users`, or `users` for one in schema public
 * @param columns name → `int8 primary key` and the like; they tell the compiler what the rows are
 * @throws TypeError for a name that is none
 */
export function table<const C extends ColumnDefinitions>(
  name: string,
  columns: C,
  options: TableOptions<C> = {},
): MockTable<C> {
  const qualified = parseQualifiedName(name);
  if (qualified === undefined) throw new TypeError(`${JSON.stringify(name)} is not the name of a table: schema.table`);
  const declarationFor = (catalog: Catalog, major: number): TableDeclaration =>
    declaration(qualified, columns, options, catalog, major);
  const self: MockTable<C> = {
    kind: 'table',
    source: callerOf(table),
    ...qualified,
    options,
    declarationFor,
    insert: (rows) =>
      run('INSERT', (transaction, found, major) => {
        for (const row of Array.isArray(rows) ? (rows as readonly object[]) : [rows]) {
          transaction.insert(qualified, rowDatums(found, row, major));
        }
      }),
    update: (change) =>
      run('UPDATE', (transaction, found, major) => {
        transaction.update(qualified, updateStatement(found, change, major));
      }),
    delete: (rows) =>
      run('DELETE', (transaction, found, major) => {
        transaction.delete(qualified, deleteStatement(found, rows, major));
      }),
    truncate: (truncateOptions) => run('TRUNCATE', (transaction) => transaction.truncate([qualified], truncateOptions)),
  };
  const run = (what: string, act: (transaction: OpenTransaction, found: Table, major: number) => void): Statement =>
    statement(`${what} ${name}`, [self], (transaction, major) =>
      act(transaction, findTable(transaction.catalog, qualified), major),
    );
  return self;
}

function declaration<C extends ColumnDefinitions>(
  name: TableName,
  columns: C,
  { primaryKey, replicaIdentity, uniqueIndexes = {}, oid }: TableOptions<C>,
  catalog: Catalog,
  major: number,
): TableDeclaration {
  const scope = catalogTypes(catalog);
  const read = Object.entries(columns).map(([column, definition]) => readColumn(column, definition, major, scope));
  const marked = read.filter((column) => column.primaryKey).map(({ declaration: { name: column } }) => column);
  const key = primaryKey ?? (marked.length > 0 ? marked : undefined);
  return {
    ...name,
    ...(oid !== undefined && { oid }),
    columns: read.map(({ declaration: column, default: value }) =>
      value === undefined ? column : { ...column, default: datumOf(column, value, major) },
    ),
    ...(key && { primaryKey: { columns: key } }),
    ...(replicaIdentity && { replicaIdentity }),
    indexes: Object.entries(uniqueIndexes).map(([index, of]) => ({ name: index, unique: true, columns: of })),
  };
}

function findTable(catalog: Catalog, { namespace, name }: TableName): Table {
  for (const found of catalog.tables.values()) if (found.namespace === namespace && found.name === name) return found;
  throw new TypeError(`table ${namespace}.${name} was not declared before its statement ran`);
}

function updateStatement(found: Table, change: object, major: number): UpdateStatement {
  const given = change as Partial<Record<'where' | 'set' | 'old' | 'key' | 'new', object | string>>;
  const row = (values: object | string): Record<string, never> => rowDatums(found, values as object, major) as never;
  if (given.key !== undefined && given.old !== undefined) {
    throw new TypeError(`an update of ${found.name} has K or O: give one of key and old`);
  }
  if (given.where !== undefined && given.set !== undefined) {
    return { where: whereOf(found, given.where, major), set: row(given.set) };
  }
  if (given.new === undefined) throw new TypeError(`an update of ${found.name} needs where and set, or new`);
  if (given.old !== undefined) return { old: row(given.old), new: row(given.new) };
  return given.key === undefined ? { new: row(given.new) } : { key: row(given.key), new: row(given.new) };
}

function deleteStatement(found: Table, rows: object, major: number): DeleteStatement {
  const given = rows as Partial<Record<'where' | 'old' | 'key', object | string>>;
  if (given.where !== undefined) return { where: whereOf(found, given.where, major) };
  if (given.key !== undefined && given.old !== undefined) {
    throw new TypeError(`a delete of ${found.name} has K or O: give one of key and old`);
  }
  if (given.old !== undefined) return { old: rowDatums(found, given.old as object, major) };
  if (given.key !== undefined) return { key: rowDatums(found, given.key as object, major) };
  throw new TypeError(`a delete of ${found.name} needs one of where, old and key`);
}

function whereOf(found: Table, where: object | string, major: number): Where {
  return typeof where === 'string' ? parseRowFilter(where, found.columns, major) : rowDatums(found, where, major);
}
