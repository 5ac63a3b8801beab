/** A query after analysis. */
import type { StatementContext } from '../context.js';
import type { Frame, Value, RecordField } from '../expression/expression.js';

export interface QueryColumn extends RecordField {
  /** What a record consists of. */
  readonly fields?: readonly RecordField[] | undefined;
  /** Byte offset in the statement's text, where known. */
  readonly location?: number | undefined;
  /** The table's column that it shows unchanged; 0 otherwise. */
  readonly tableOid: number;
  readonly attnum: number;
}

export interface Query {
  readonly columns: readonly QueryColumn[];
  /** Columns of no type yet (in branches of a UNION): what the literal says, undefined for other columns. */
  readonly literals?: readonly (Value | undefined)[] | undefined;
  /** Its rows depend on the row of the query around it. */
  readonly isCorrelated: boolean;
  readonly isVolatile: boolean;
  /** Finds errors in what does not depend on its rows. */
  check?(context: StatementContext): void;
  /** Runs it. Rows may be pulled one by one; each is a fresh array. `outer` is the row around a subquery. */
  rows(environment: Environment, outer: Frame | null): Iterable<Value[]>;
}

/** What one execution has in common for all its queries. */
export type Environment = Pick<Frame, 'context' | 'parameters' | 'cache'>;

/** Rows of a query that depends on no row around it: worked out once per execution. */
export function cachedRows(query: Query, frame: Frame): readonly Value[][] {
  if (query.isCorrelated || query.isVolatile) return [...query.rows(frame, frame)];
  const known = frame.cache.get(query) as Value[][] | undefined;
  if (known !== undefined) return known;
  const rows = [...query.rows(frame, null)];
  frame.cache.set(query, rows);
  return rows;
}
