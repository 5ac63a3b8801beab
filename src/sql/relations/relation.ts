/** Tables and views that queries can read. */
import type { StatementContext } from '../context.js';
import type { Value } from '../expression/expression.js';

export interface RelationColumn {
  readonly name: string;
  readonly type: number;
  readonly typmod: number;
  readonly attnum: number;
  /** A system column: found by name, but not part of `*`. */
  readonly hidden: boolean;
}

export interface Relation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** relkind. */
  readonly kind: string;
  readonly columns: readonly RelationColumn[];
  /** OID of its row type. */
  readonly rowType: number;
  /** Positions in `columns`; undefined for none. */
  readonly primaryKey: readonly number[] | undefined;
  /**
   * Its rows, values in the order of `columns`.
   * @param only without those of inheriting tables (ONLY)
   */
  rows(context: StatementContext, only: boolean): Iterable<readonly Value[]>;
}

/** A row of a system catalog, by column name. Columns that the major lacks are left over. */
export type CatalogRow = Readonly<Record<string, Value>>;

export type CatalogRows = (context: StatementContext) => Iterable<CatalogRow>;

/** By qualified name: `pg_catalog.pg_class`. */
export type CatalogBuilders = Readonly<Record<string, CatalogRows>>;

export function bool(value: boolean): Value {
  return value ? 't' : 'f';
}
