/** SELECT, VALUES, UNION and WITH. */
import type { SelectStmt } from 'libpg-query';
import { NotEmulated, sqlError } from '../failure.js';
import { coerceToCommon } from '../expression/coercion.js';
import type { Frame, Value } from '../expression/expression.js';
import { isVolatile } from '../expression/expression.js';
import { withTables } from './common-tables.js';
import { limited } from './limit.js';
import type { Environment, Query, QueryColumn } from './query.js';
import { Scope, type Analysis, type CommonTable } from './scope.js';
import { analyzeSelect } from './select.js';
import { analyzeSetOperation } from './set-operation.js';

/** @param keepUntyped literals of no type stay so, for the query around to decide */
export function analyzeQuery(
  statement: SelectStmt,
  outer: Scope | null,
  ctes: ReadonlyMap<string, CommonTable>,
  analysis: Analysis,
  keepUntyped = false,
): Query {
  if (statement.intoClause !== undefined) throw new NotEmulated('SELECT INTO');
  const tables = statement.withClause === undefined ? ctes : withTables(statement.withClause, outer, ctes, analysis);
  if (statement.op !== undefined && statement.op !== 'SETOP_NONE') {
    return analyzeSetOperation(statement, outer, tables, analysis);
  }
  if (statement.valuesLists !== undefined) return analyzeValues(statement, outer, tables, analysis);
  return analyzeSelect(statement, outer, tables, analysis, keepUntyped);
}

/** VALUES (…), (…): columns column1, column2 … */
function analyzeValues(
  statement: SelectStmt,
  outer: Scope | null,
  ctes: ReadonlyMap<string, CommonTable>,
  analysis: Analysis,
): Query {
  const scope = new Scope(outer, ctes);
  scope.clause = 'values';
  if (statement.sortClause !== undefined) throw new NotEmulated('ORDER BY on VALUES');
  const rows = statement.valuesLists!.map((list) => {
    const items = 'List' in list ? (list.List.items ?? []) : [];
    return items.map((item) => analysis.expression(item, scope));
  });
  const width = rows[0]!.length;
  if (rows.some((row) => row.length !== width)) throw sqlError('42601', 'VALUES lists must all be the same length');
  const columns = rows[0]!.map((_, i) =>
    coerceToCommon(
      analysis,
      rows.map((row) => row[i]!),
      'VALUES',
    ),
  );
  const expressions = columns.flatMap(({ coerced }) => coerced);
  const run = function* (environment: Environment, outerFrame: Frame | null): Generator<Value[]> {
    const frame = newFrame(environment, outerFrame, scope);
    for (let i = 0; i < rows.length; i++) yield columns.map(({ coerced }) => coerced[i]!.evaluate(frame));
  };
  return {
    columns: columns.map(({ type }, i): QueryColumn => ({
      name: `column${i + 1}`,
      type,
      typmod: -1,
      tableOid: 0,
      attnum: 0,
    })),
    isCorrelated: scope.isCorrelated,
    isVolatile: expressions.some(isVolatile),
    rows: limited(statement, scope, analysis, run),
  };
}

/** A fresh frame for one run of a query. */
export function newFrame(environment: Environment, outer: Frame | null, scope: Scope): Frame {
  return {
    context: environment.context,
    parameters: environment.parameters,
    cache: environment.cache,
    values: new Array<Value>(scope.width).fill(null),
    slots: new Array<Value>(scope.slots).fill(null),
    memo: new Map(),
    outer,
  };
}
