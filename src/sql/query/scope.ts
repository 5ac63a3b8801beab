/** The names that an expression can use: the tables of its query and of the queries around it. */
import type { Node, SelectStmt, WindowDef } from 'libpg-query';
import type { StatementContext } from '../context.js';
import { sqlError } from '../failure.js';
import {
  columnExpression,
  type Expression,
  type Frame,
  type RecordField,
  type Value,
} from '../expression/expression.js';
import type { Parameters } from './parameters.js';
import type { Query } from './query.js';

/** What one statement's analysis carries along. */
export interface Analysis {
  readonly context: StatementContext;
  readonly parameters: Parameters;
  expression(node: Node, scope: Scope): Expression;
  /** @param outer the scope around a subquery */
  query(statement: SelectStmt, outer: Scope | null, ctes?: ReadonlyMap<string, CommonTable>): Query;
}

/** A common table expression. Its rows are worked out once per statement. */
export interface CommonTable {
  readonly name: string;
  readonly query: Query;
  readonly columnNames: readonly string[];
  /** The rows of a recursive query's last round: other ones each time. */
  readonly isWorkingTable: boolean;
}

export interface ScopeColumn {
  readonly name: string;
  readonly type: number;
  readonly typmod: number;
  readonly tableOid: number;
  readonly attnum: number;
  /** A system column: found by name, but not part of `*`. */
  readonly hidden: boolean;
  /** What a record consists of. */
  readonly fields?: readonly RecordField[] | undefined;
}

/** Something in FROM with a name of its own. */
export interface ScopeTable {
  readonly alias: string;
  /** The table's own name. */
  readonly realName: string;
  /** Of a plain table, for `schema.table.column`. */
  readonly schema: string | undefined;
  readonly columns: readonly ScopeColumn[];
  /** Of its first column in the frame's `values`. */
  readonly offset: number;
  /** A function that gives one value: its name alone is that value. */
  readonly isScalar: boolean;
  /** OID of its row type; `record` for what has none. */
  readonly rowType: number;
  /** Position of its name in the statement's text. */
  readonly location: number;
  /** Primary key columns (positions), by which a GROUP BY determines all others. */
  readonly primaryKey: readonly number[] | undefined;
}

/** A name that stands alone: a column of a table, or one that JOIN … USING merged. */
export interface VisibleColumn {
  readonly name: string;
  readonly expression: (depth: number, location: number) => Expression;
  readonly hidden: boolean;
}

/** What the part of a query being analyzed may contain. */
export type Clause =
  'select' | 'from' | 'on' | 'where' | 'group by' | 'having' | 'order by' | 'limit' | 'values' | 'aggregate' | 'other';

export interface AggregateCall {
  readonly key: string;
  readonly slot: number;
  readonly arguments: readonly Expression[];
  readonly distinct: boolean;
  readonly order: readonly SortKey[];
  readonly filter: Expression | undefined;
  /** A fresh accumulator for each group. */
  readonly start: (frame: Frame) => Accumulator;
  /** Rows with a NULL argument do not count. */
  readonly strict: boolean;
}

export interface Accumulator {
  add(values: readonly Value[]): void;
  result(): Value;
}

export interface SortKey {
  readonly expression: Expression;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  readonly compare: (a: string, b: string) => number;
}

export interface WindowCall {
  readonly key: string;
  readonly slot: number;
  readonly partition: readonly Expression[];
  readonly order: readonly SortKey[];
  /** A window function by its name, or an aggregate over the rows up to each row's peers (without an order: all). */
  readonly function: 'row_number' | 'rank' | 'dense_rank' | WindowAggregate;
}

export interface WindowAggregate {
  readonly arguments: readonly Expression[];
  readonly strict: boolean;
  readonly start: (frame: Frame) => Accumulator;
}

/** A set-returning function in the select list: one output row for each of its values. */
export interface SetCall {
  readonly key: string;
  readonly slot: number;
  readonly values: (frame: Frame) => Iterable<Value>;
}

export class Scope {
  readonly tables: ScopeTable[] = [];
  readonly visible: VisibleColumn[] = [];
  /** Length of the frame's `values`. */
  width = 0;
  /** Length of the frame's `slots`. */
  slots = 0;
  clause: Clause = 'other';
  readonly aggregates: AggregateCall[] = [];
  readonly windows: WindowCall[] = [];
  readonly sets: SetCall[] = [];
  /** Named windows of the WINDOW clause. */
  windowDefinitions: readonly WindowDef[] = [];
  /** An expression of this query, or of one inside it, refers to a query around it. */
  isCorrelated = false;

  constructor(
    readonly outer: Scope | null,
    readonly ctes: ReadonlyMap<string, CommonTable>,
  ) {}

  takeSlot(): number {
    return this.slots++;
  }

  /** A bare name, here or further out. @throws SqlError 42702 */
  column(name: string, location: number, depth = 0): Expression | undefined {
    const found = this.visible.filter((column) => column.name === name);
    if (found.length > 1) throw sqlError('42702', `column reference "${name}" is ambiguous`, location);
    if (found.length === 1) return found[0]!.expression(depth, location);
    const outer = this.outer?.column(name, location, depth + 1);
    if (outer !== undefined) this.isCorrelated = true;
    return outer;
  }

  /** The table of `table.column`, `schema.table.column`. @throws SqlError 42P09 */
  table(
    schema: string | undefined,
    alias: string,
    location: number,
    depth = 0,
  ): { table: ScopeTable; depth: number } | undefined {
    const found = this.tables.filter((t) => t.alias === alias && (schema === undefined || t.schema === schema));
    if (found.length > 1) throw sqlError('42P09', `table reference "${alias}" is ambiguous`, location);
    if (found.length === 1) return { table: found[0]!, depth };
    const outer = this.outer?.table(schema, alias, location, depth + 1);
    if (outer !== undefined) this.isCorrelated = true;
    return outer;
  }

  tableColumn(table: ScopeTable, depth: number, position: number, location: number): Expression {
    const column = table.columns[position]!;
    const source = {
      depth,
      index: table.offset + position,
      name: column.name,
      table: table.alias,
      tableOid: column.tableOid,
      attnum: column.attnum,
    };
    return columnExpression(source, column, location);
  }
}
