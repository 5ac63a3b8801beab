/** The rows of an INSERT: VALUES, a query, or nothing but defaults. */
import type { InsertStmt, Node, SelectStmt } from 'libpg-query';
import type { Column, Table } from '../../timeline/catalog.js';
import { columnExpression, constant, type Frame, type Value } from '../expression/expression.js';
import { NotEmulated, sqlError } from '../failure.js';
import { analyzeQuery, newFrame } from '../query/analyze-query.js';
import { Scope, type Analysis } from '../query/scope.js';
import { typeOids } from '../types/type-oids.js';
import { assign, assigned, columnNamed, locationOf } from './assignment.js';

/** One row: values by column; what it leaves out has its default. */
export type NewRow = ReadonlyMap<Column, Value>;

/** All rows, worked out before any of them is there. @throws SqlError, NotEmulated, ValueError */
export function rowsToInsert(statement: InsertStmt, table: Table, analysis: Analysis): NewRow[] {
  const named = statement.cols?.map((node) =>
    columnNamed((node as Extract<Node, { ResTarget: unknown }>).ResTarget, table),
  );
  if (statement.selectStmt === undefined) return [new Map()];
  const select = (statement.selectStmt as { SelectStmt: SelectStmt }).SelectStmt;
  const columns = named ?? table.columns;
  const isPlainValues =
    select.valuesLists !== undefined && select.sortClause === undefined && select.limitCount === undefined;
  return isPlainValues
    ? rowsOfValues(select.valuesLists!, columns, named !== undefined, analysis)
    : rowsOfQuery(select, columns, named !== undefined, analysis);
}

function rowsOfValues(
  lists: readonly Node[],
  columns: readonly Column[],
  areNamed: boolean,
  analysis: Analysis,
): NewRow[] {
  const scope = new Scope(null, new Map());
  scope.clause = 'values';
  const frame = frameOf(scope, analysis);
  return lists.map((list) => {
    const items = 'List' in list ? (list.List.items ?? []) : [];
    checkWidth(items.length, columns.length, areNamed, items[columns.length] && locationOf(items[columns.length]!));
    const row = new Map<Column, Value>();
    items.forEach((item, i) => {
      const expression = assigned(item, columns[i]!, scope, analysis);
      if (expression !== null) row.set(columns[i]!, expression.evaluate(frame));
    });
    return row;
  });
}

function rowsOfQuery(select: SelectStmt, columns: readonly Column[], areNamed: boolean, analysis: Analysis): NewRow[] {
  const query = analyzeQuery(select, null, new Map(), analysis, true);
  checkWidth(query.columns.length, columns.length, areNamed, query.columns[columns.length]?.location);
  const expressions = query.columns.map(({ name, type, typmod, location = 0 }, index) => {
    const literal = query.literals?.[index];
    const value =
      type === typeOids.unknown && literal !== undefined
        ? constant(literal, type, location)
        : columnExpression({ depth: 0, index, name, table: '', tableOid: 0, attnum: 0 }, { type, typmod }, location);
    if (columns[index]!.generated !== null) {
      throw sqlError('428C9', `cannot insert a non-DEFAULT value into column "${columns[index]!.name}"`, location);
    }
    return assign(analysis, value, columns[index]!);
  });
  const { context } = analysis;
  query.check?.(context);
  const rows = [...query.rows({ context, parameters: [], cache: new Map() }, null)];
  if (rows.length > 1 && !isOrdered(select)) {
    throw new NotEmulated('the order of these rows, which ORDER BY would say,', startOf(select));
  }
  const frame = frameOf(new Scope(null, new Map()), analysis);
  return rows.map((values) => {
    frame.values = values;
    return new Map(expressions.map((expression, i) => [columns[i]!, expression.evaluate(frame)]));
  });
}

/** Rows of one table come as they were stored; joins, groups and sets as the server's planner likes it. */
function isOrdered(select: SelectStmt): boolean {
  if (select.sortClause !== undefined || select.valuesLists !== undefined) return true;
  const { fromClause = [], groupClause, distinctClause, op = 'SETOP_NONE' } = select;
  const isScan = fromClause.every((item) => 'RangeVar' in item || 'RangeFunction' in item);
  return (
    op === 'SETOP_NONE' && fromClause.length < 2 && isScan && groupClause === undefined && distinctClause === undefined
  );
}

function startOf({ targetList = [] }: SelectStmt): number | undefined {
  return targetList[0] && locationOf(targetList[0]);
}

function checkWidth(given: number, wanted: number, areNamed: boolean, location: number | undefined): void {
  if (given > wanted) throw sqlError('42601', 'INSERT has more expressions than target columns', location);
  if (areNamed && given < wanted) throw sqlError('42601', 'INSERT has more target columns than expressions');
}

export function frameOf(scope: Scope, { context }: Analysis): Frame {
  return newFrame({ context, parameters: [], cache: new Map() }, null, scope);
}
