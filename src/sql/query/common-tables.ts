/** WITH: queries that have a name for the length of a statement. */
import type { CommonTableExpr, SelectStmt, WithClause } from 'libpg-query';
import { NotEmulated, sqlError } from '../failure.js';
import type { Value } from '../expression/expression.js';
import { rowKeyOf } from '../expression/comparison.js';
import { stringsOf } from '../nodes.js';
import { analyzeQuery } from './analyze-query.js';
import type { Environment, Query } from './query.js';
import type { Analysis, CommonTable, Scope } from './scope.js';
import { unified } from './set-operation.js';

export function withTables(
  clause: WithClause,
  outer: Scope | null,
  ctes: ReadonlyMap<string, CommonTable>,
  analysis: Analysis,
): ReadonlyMap<string, CommonTable> {
  const tables = new Map(ctes);
  const names = new Set<string>();
  for (const node of clause.ctes ?? []) {
    const cte = (node as { CommonTableExpr: CommonTableExpr }).CommonTableExpr;
    const name = cte.ctename!;
    if (names.has(name)) throw sqlError('42712', `WITH query name "${name}" specified more than once`, cte.location);
    names.add(name);
    const select = cte.ctequery !== undefined && 'SelectStmt' in cte.ctequery ? cte.ctequery.SelectStmt : undefined;
    if (select === undefined) throw new NotEmulated('a WITH query that changes data', cte.location);
    if (cte.search_clause !== undefined || cte.cycle_clause !== undefined)
      throw new NotEmulated('SEARCH and CYCLE', cte.location);
    const columnNames = stringsOf(cte.aliascolnames);
    const query =
      clause.recursive === true && refersTo(select, name)
        ? recursiveQuery(select, name, columnNames, outer, tables, analysis)
        : analysis.query(select, outer, tables);
    tables.set(name, { name, query, columnNames, isWorkingTable: false });
  }
  return tables;
}

/** Somewhere in the tree a table of that name is read. */
function refersTo(tree: unknown, name: string): boolean {
  if (typeof tree !== 'object' || tree === null) return false;
  if ('RangeVar' in tree && (tree.RangeVar as { relname?: string }).relname === name) return true;
  return Object.values(tree).some((value) => refersTo(value, name));
}

/** `start UNION [ALL] step`: the step runs on the rows that the last round brought, until it brings no more. */
function recursiveQuery(
  select: SelectStmt,
  name: string,
  columnNames: readonly string[],
  outer: Scope | null,
  tables: ReadonlyMap<string, CommonTable>,
  analysis: Analysis,
): Query {
  if (select.op !== 'SETOP_UNION')
    throw sqlError(
      '42P19',
      `recursive query "${name}" does not have the form non-recursive-term UNION [ALL] recursive-term`,
    );
  const start = analyzeQuery(select.larg!, outer, tables, analysis);
  const working = {};
  const workingTable: Query = {
    columns: start.columns,
    isCorrelated: false,
    // Its rows change from round to round: nothing may remember them.
    isVolatile: true,
    rows: (environment) => environment.cache.get(working) as Value[][],
  };
  const withSelf = new Map(tables).set(name, { name, query: workingTable, columnNames, isWorkingTable: true });
  const step = unified([start, analyzeQuery(select.rarg!, outer, withSelf, analysis)], 'UNION', analysis)[1]!;
  const keyOf = rowKeyOf(
    analysis.context.types,
    start.columns.map(({ type }) => type),
  );
  return {
    columns: start.columns,
    isCorrelated: start.isCorrelated || step.isCorrelated,
    isVolatile: false,
    rows: function* (environment: Environment, frame) {
      const seen = new Set<string>();
      const isNew = (row: Value[]): boolean => {
        const { size } = seen;
        return select.all === true || seen.add(keyOf(row)).size > size;
      };
      let rows = [...start.rows(environment, frame)].filter(isNew);
      while (rows.length > 0) {
        yield* rows;
        environment.cache.set(working, rows);
        rows = [...step.rows(environment, frame)].filter(isNew);
      }
    },
  };
}
