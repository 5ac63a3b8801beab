/** UNION, INTERSECT, EXCEPT. */
import type { SelectStmt } from 'libpg-query';
import { NotEmulated, sqlError } from '../failure.js';
import { coerceToCommon } from '../expression/coercion.js';
import { rowKeyOf } from '../expression/comparison.js';
import { constant, columnExpression, type Expression, type Frame, type Value } from '../expression/expression.js';
import { analyzeQuery, newFrame } from './analyze-query.js';
import { limited } from './limit.js';
import type { Environment, Query } from './query.js';
import { Scope, type Analysis, type CommonTable } from './scope.js';
import { compareBy, sortKeysOf, sortValues } from './sort-keys.js';

const words: Readonly<Record<string, string>> = {
  SETOP_UNION: 'UNION',
  SETOP_INTERSECT: 'INTERSECT',
  SETOP_EXCEPT: 'EXCEPT',
};

export function analyzeSetOperation(
  statement: SelectStmt,
  outer: Scope | null,
  ctes: ReadonlyMap<string, CommonTable>,
  analysis: Analysis,
): Query {
  const word = words[statement.op!];
  if (word === undefined) throw new NotEmulated(statement.op!);
  const branches = [statement.larg!, statement.rarg!].map((branch) =>
    analyzeQuery(branch, outer, ctes, analysis, true),
  );
  const [left, right] = unified(branches, word, analysis) as [Query, Query];
  const keyOf = rowKeyOf(
    analysis.context.types,
    left.columns.map(({ type }) => type),
  );
  const combine = combination(statement.op!, statement.all === true, left, right, keyOf);
  const combined: Query = {
    columns: left.columns,
    isCorrelated: left.isCorrelated || right.isCorrelated,
    isVolatile: left.isVolatile || right.isVolatile,
    rows: combine,
  };
  return sorted(statement, combined, outer, ctes, analysis);
}

/** Columns of common types, named as the first query's. @throws SqlError 42601, 42804 */
export function unified(queries: readonly Query[], word: string, analysis: Analysis): Query[] {
  const [first] = queries;
  const width = first!.columns.length;
  const other = queries.find((query) => query.columns.length !== width);
  if (other !== undefined) {
    const [column] = other.columns;
    throw sqlError('42601', `each ${word} query must have the same number of columns`, column?.location);
  }
  const conversions = queries.map((): Expression[] => []);
  const columns = first!.columns.map((column, i) => {
    const sources = queries.map((query) => branchColumn(query, i));
    const { type, coerced } = coerceToCommon(analysis, sources, word);
    coerced.forEach((expression, branch) => conversions[branch]!.push(expression));
    return { name: column.name, type, typmod: -1, tableOid: 0, attnum: 0 };
  });
  return queries.map((query, branch) => ({ ...query, columns, rows: converted(query, conversions[branch]!) }));
}

/** A branch's column as an expression over its row. Untyped literals are still there to be read as another type. */
function branchColumn(query: Query, index: number): Expression {
  const column = query.columns[index]!;
  const location = column.location ?? -1;
  const literal = query.literals?.[index];
  if (literal !== undefined) return constant(literal, column.type, location);
  return columnExpression({ depth: 0, index, name: column.name, table: '', tableOid: 0, attnum: 0 }, column, location);
}

function converted(query: Query, conversions: readonly Expression[]): Query['rows'] {
  if (conversions.every((e, i) => e.column?.index === i)) return query.rows.bind(query);
  return function* (environment, outer) {
    const frame: Frame = { ...environment, values: [], slots: [], memo: new Map(), outer };
    for (const row of query.rows(environment, outer)) {
      frame.values = row;
      yield conversions.map((expression) => expression.evaluate(frame));
    }
  };
}

function combination(
  op: string,
  all: boolean,
  left: Query,
  right: Query,
  keyOf: (row: Value[]) => string,
): Query['rows'] {
  return function* (environment: Environment, outer: Frame | null) {
    if (op === 'SETOP_UNION') {
      const seen = new Set<string>();
      for (const branch of [left, right]) {
        for (const row of branch.rows(environment, outer)) {
          if (!all && seen.has(keyOf(row))) continue;
          if (!all) seen.add(keyOf(row));
          yield row;
        }
      }
      return;
    }
    const counts = new Map<string, number>();
    for (const row of right.rows(environment, outer)) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
    const given = new Set<string>();
    for (const row of left.rows(environment, outer)) {
      const key = keyOf(row);
      const count = counts.get(key) ?? 0;
      if (all && count > 0) counts.set(key, count - 1);
      if (count > 0 !== (op === 'SETOP_INTERSECT') || (!all && given.has(key))) continue;
      given.add(key);
      yield row;
    }
  };
}

/** ORDER BY and LIMIT after a set operation: by output columns alone. */
function sorted(
  statement: SelectStmt,
  query: Query,
  outer: Scope | null,
  ctes: ReadonlyMap<string, CommonTable>,
  analysis: Analysis,
): Query {
  const scope = new Scope(outer, ctes);
  const targets = query.columns.map(({ name }, index) => ({ name, expression: branchColumn(query, index) }));
  const keys = sortKeysOf(statement.sortClause ?? [], targets, scope, analysis);
  const sortedRows: Query['rows'] = function* (environment, outerFrame) {
    const frame = newFrame(environment, outerFrame, scope);
    const all = Array.from(query.rows(environment, outerFrame), (row) => {
      frame.values = row;
      return { row, by: sortValues(keys, frame) };
    });
    all.sort((a, b) => compareBy(keys, a.by, b.by));
    for (const { row } of all) yield row;
  };
  const rows: Query['rows'] = keys.length === 0 ? (environment, frame) => query.rows(environment, frame) : sortedRows;
  return { ...query, rows: limited(statement, scope, analysis, rows) };
}
