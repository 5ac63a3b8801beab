/** LIMIT and OFFSET. */
import type { SelectStmt } from 'libpg-query';
import { NotEmulated, sqlError } from '../failure.js';
import { coerceOrFail } from '../expression/coercion.js';
import type { Expression, Frame, Value } from '../expression/expression.js';
import { typeOids } from '../types/type-oids.js';
import type { Environment, Query } from './query.js';
import type { Analysis, Scope } from './scope.js';

export function limited(statement: SelectStmt, scope: Scope, analysis: Analysis, rows: Query['rows']): Query['rows'] {
  if (statement.limitOption === 'LIMIT_OPTION_WITH_TIES') throw new NotEmulated('WITH TIES');
  const { clause } = scope;
  scope.clause = 'limit';
  const count =
    statement.limitCount &&
    coerceOrFail(analysis, analysis.expression(statement.limitCount, scope), typeOids.int8, -1, 'assignment');
  const offset =
    statement.limitOffset &&
    coerceOrFail(analysis, analysis.expression(statement.limitOffset, scope), typeOids.int8, -1, 'assignment');
  scope.clause = clause;
  if (count === undefined && offset === undefined) return rows;
  return function* (environment, outer) {
    const most = evaluate(count, environment, outer, 'LIMIT', '2201W') ?? Infinity;
    let skip = evaluate(offset, environment, outer, 'OFFSET', '2201X') ?? 0;
    let given = 0;
    if (most === 0) return;
    for (const row of rows(environment, outer)) {
      if (skip-- > 0) continue;
      yield row;
      if (++given >= most) return;
    }
  };
}

function evaluate(
  expression: Expression | undefined,
  environment: Environment,
  outer: Frame | null,
  word: string,
  code: string,
): number | null {
  if (expression === undefined) return null;
  const frame: Frame = { ...environment, values: [], slots: [], memo: new Map(), outer };
  const value: Value = expression.evaluate(frame);
  if (value !== null && Number(value) < 0) throw sqlError(code, `${word} must not be negative`);
  return value === null ? null : Number(value);
}
