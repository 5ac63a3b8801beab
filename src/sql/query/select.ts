/** SELECT … FROM … WHERE … GROUP BY … HAVING … ORDER BY. */
import type { Node, SelectStmt } from 'libpg-query';
import { NotEmulated, sqlError } from '../failure.js';
import { coerceToBoolean, resolveUntyped } from '../expression/coercion.js';
import { rowKeyOf } from '../expression/comparison.js';
import {
  checkConstants,
  isTrue,
  isUntyped,
  isVolatile,
  type Expression,
  type Frame,
  type Value,
} from '../expression/expression.js';
import { kindOf, stringOf } from '../nodes.js';
import { newFrame } from './analyze-query.js';
import { analyzeFrom } from './from.js';
import { isVolatileItem } from './from-items.js';
import { checkGrouped, groupedRows, isGrouped } from './grouping.js';
import { conjunctsOf, joinSource, type RowSource } from './join.js';
import { limited } from './limit.js';
import type { Environment, Query, QueryColumn } from './query.js';
import { Scope, type Analysis, type Clause, type CommonTable, type SortKey } from './scope.js';
import { compareBy, sortKeysOf, sortValues, targetOf } from './sort-keys.js';
import { analyzeTargets, type Target } from './targets.js';
import { windowedRows } from './windows.js';

interface SelectParts {
  readonly scope: Scope;
  readonly source: RowSource;
  readonly targets: readonly Target[];
  readonly groups: readonly Expression[];
  readonly having: Expression | undefined;
  readonly order: readonly SortKey[];
  /** DISTINCT ON expressions; empty for plain DISTINCT; undefined for none. */
  readonly distinct: readonly Expression[] | undefined;
}

export function analyzeSelect(
  statement: SelectStmt,
  outer: Scope | null,
  ctes: ReadonlyMap<string, CommonTable>,
  analysis: Analysis,
  keepUntyped: boolean,
): Query {
  const scope = new Scope(outer, ctes);
  const within = <T>(clause: Clause, analyze: () => T): T => {
    scope.clause = clause;
    return analyze();
  };
  const items = analyzeFrom(statement.fromClause ?? [], scope, analysis);
  scope.windowDefinitions = (statement.windowClause ?? []).map(
    (node) => (node as Extract<Node, { WindowDef: unknown }>).WindowDef,
  );
  const targets = within('select', () => analyzeTargets(statement.targetList ?? [], scope, analysis, keepUntyped));
  const where = within('where', () => condition(statement.whereClause, 'WHERE', scope, analysis));
  const having = within('having', () => condition(statement.havingClause, 'HAVING', scope, analysis));
  const order = within('order by', () => sortKeysOf(statement.sortClause ?? [], targets, scope, analysis));
  const groups = within('group by', () =>
    (statement.groupClause ?? []).map((node) => groupOf(node, targets, scope, analysis)),
  );
  const distinct = distinctOf(statement.distinctClause, targets, order, scope, analysis);
  if (isGrouped(scope, groups, having)) {
    for (const expression of [...targets, ...order, { expression: having }].map((part) => part.expression)) {
      if (expression !== undefined) checkGrouped(expression, groups, scope);
    }
  }
  const source = joinSource(items, conjunctsOf(where));
  const parts: SelectParts = { scope, source, targets, groups, having, order, distinct };
  const columns = targets.map(({ name, expression }): QueryColumn => {
    const { column, origin = column, type, typmod, fields, location } = expression;
    return { name, type, typmod, fields, tableOid: origin?.tableOid ?? 0, attnum: origin?.attnum ?? 0, location };
  });
  const all = [...targets.map((t) => t.expression), ...(where ? [where] : [])];
  const rows = limited(statement, scope, analysis, runner(parts, analysis));
  return {
    columns,
    literals: targets.map(({ expression }) => (isUntyped(expression) ? expression.constant?.value : undefined)),
    isCorrelated: scope.isCorrelated,
    check: (context) => all.forEach((expression) => checkConstants(expression, context)),
    isVolatile: all.some(isVolatile) || items.some(isVolatileItem),
    rows,
  };
}

function condition(node: Node | undefined, word: string, scope: Scope, analysis: Analysis): Expression | undefined {
  return node && coerceToBoolean(analysis, analysis.expression(node, scope), word);
}

/** A column of FROM comes before an output column of that name. */
function groupOf(node: Node, targets: readonly Target[], scope: Scope, analysis: Analysis): Expression {
  if (kindOf(node) === 'GroupingSet') throw new NotEmulated('grouping sets');
  const reference = 'ColumnRef' in node && node.ColumnRef.fields?.length === 1 ? node.ColumnRef : undefined;
  const fromTable = reference && scope.column(stringOf(reference.fields![0]!), reference.location ?? 0);
  return resolveUntyped(analysis, fromTable ?? targetOf(node, targets, 'GROUP BY') ?? analysis.expression(node, scope));
}

function distinctOf(
  clause: readonly Node[] | undefined,
  targets: readonly Target[],
  order: readonly SortKey[],
  scope: Scope,
  analysis: Analysis,
): readonly Expression[] | undefined {
  if (clause === undefined) return undefined;
  // Plain DISTINCT is a list with one empty node.
  if (clause.length === 1 && kindOf(clause[0]!) === 'nothing') {
    const keys = new Set(targets.map(({ expression }) => expression.key));
    const other = order.find(({ expression }) => !keys.has(expression.key));
    if (other !== undefined) {
      const message = 'for SELECT DISTINCT, ORDER BY expressions must appear in select list';
      throw sqlError('42P10', message, other.expression.location);
    }
    return [];
  }
  return clause.map((node) => targetOf(node, targets, 'SELECT DISTINCT ON') ?? analysis.expression(node, scope));
}

/** How the query runs: rows of FROM, grouped, with windows, projected, then distinct and sorted. */
function runner(parts: SelectParts, analysis: Analysis): Query['rows'] {
  const { scope, groups, having, order, distinct, targets } = parts;
  const grouped = isGrouped(scope, groups, having);
  const keyTypes = (distinct?.length ? distinct : targets.map((t) => t.expression)).map((e) => e.type);
  const keyOf = rowKeyOf(analysis.context.types, keyTypes);
  return function* (environment: Environment, outer: Frame | null) {
    const frame = newFrame(environment, outer, scope);
    let rows: Iterator<void> = parts.source(frame);
    if (grouped) rows = groupedRows(rows, frame, scope, groups, analysis.context.types);
    if (having !== undefined) rows = filtered(rows, having, frame);
    if (scope.windows.length > 0) rows = windowedRows(rows, frame, scope);
    if (scope.sets.length > 0) rows = expanded(rows, frame, scope);
    const projected = project(rows, frame, parts);
    if (order.length === 0) {
      yield* distinct === undefined ? rowsOnly(projected) : rowsOnly(withoutDuplicates(projected, keyOf));
      return;
    }
    const sorted = [...projected].sort((a, b) => compareBy(order, a.by, b.by));
    yield* rowsOnly(distinct === undefined ? sorted : withoutDuplicates(sorted, keyOf));
  };
}

function* filtered(rows: Iterator<void>, condition: Expression, frame: Frame): Generator<void> {
  while (rows.next().done !== true) if (isTrue(condition.evaluate(frame))) yield;
}

/** Set-returning functions of the select list: as many rows as the longest of them gives. */
function* expanded(rows: Iterator<void>, frame: Frame, scope: Scope): Generator<void> {
  while (rows.next().done !== true) {
    const sets = scope.sets.map((set) => ({ slot: set.slot, values: [...set.values(frame)] }));
    const length = Math.max(...sets.map(({ values }) => values.length));
    for (let i = 0; i < length; i++) {
      for (const { slot, values } of sets) frame.slots[slot] = values[i] ?? null;
      yield;
    }
  }
}

interface Projected {
  readonly row: Value[];
  /** Values to sort by. */
  readonly by: Value[];
  /** Values that must differ. */
  readonly distinctBy: Value[];
}

function* project(rows: Iterator<void>, frame: Frame, { targets, order, distinct }: SelectParts): Generator<Projected> {
  while (rows.next().done !== true) {
    const row = targets.map(({ expression }) => expression.evaluate(frame));
    const distinctBy = distinct?.length ? distinct.map((expression) => expression.evaluate(frame)) : row;
    yield { row, by: sortValues(order, frame), distinctBy };
  }
}

function* withoutDuplicates(
  rows: Iterable<Projected>,
  keyOf: (values: readonly Value[]) => string,
): Generator<Projected> {
  const seen = new Set<string>();
  for (const projected of rows) {
    const key = keyOf(projected.distinctBy);
    if (seen.has(key)) continue;
    seen.add(key);
    yield projected;
  }
}

function* rowsOnly(rows: Iterable<Projected>): Generator<Value[]> {
  for (const { row } of rows) yield row;
}
