/** Stored generated columns: worked out from the rest of their row, as the table declares them. */
import type { SqlTarget } from '../../scenario/sql-support.js';
import type { Column, Table } from '../../timeline/catalog.js';
import { tableScope } from '../analysis.js';
import type { Expression, Value } from '../expression/expression.js';
import { NotEmulated } from '../failure.js';
import { parseExpression } from '../parser.js';
import type { Analysis } from '../query/scope.js';
import { assign } from './assignment.js';
import { frameOf } from './insert-source.js';

export interface GeneratedColumns {
  readonly columns: readonly Column[];
  /** @param row - values of all of the table's columns; those of the generated ones count for nothing */
  evaluate(row: readonly Value[]): readonly Value[];
}

/** @throws NotEmulated for an expression that is not known, or cannot be computed */
export function generatedColumns(
  table: Table,
  target: SqlTarget,
  analysis: Analysis,
  location: number,
): GeneratedColumns {
  const columns = table.columns.filter((column) => column.generated === 'stored');
  const scope = tableScope(table);
  const expressions = columns.map((column) => expressionOf(column, table, target, analysis, location));
  const frame = frameOf(scope, analysis);
  return {
    columns,
    evaluate(row) {
      frame.values = [...row];
      return expressions.map((expression) => expression.evaluate(frame));
    },
  };
}

function expressionOf(
  column: Column,
  table: Table,
  target: SqlTarget,
  analysis: Analysis,
  location: number,
): Expression {
  const text = target.generatedAs(table, column.name);
  const what = `the value of generated column ${column.name}`;
  if (text === undefined) throw new NotEmulated(what, location);
  try {
    return assign(analysis, analysis.expression(parseExpression(text), tableScope(table)), column);
  } catch (error) {
    // Where in its expression is no place in this text.
    throw new NotEmulated(`${what}, ${text} (${(error as Error).message}),`, location);
  }
}
