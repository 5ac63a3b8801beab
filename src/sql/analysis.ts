/** Analysis of a statement: the entry that ties queries and expressions together. */
import type { Node, SelectStmt } from 'libpg-query';
import type { Table } from '../timeline/catalog.js';
import type { StatementContext } from './context.js';
import { analyzeExpression } from './expression/analyze.js';
import { coerceToBoolean } from './expression/coercion.js';
import { columnExpression } from './expression/expression.js';
import { parseExpression } from './parser.js';
import { analyzeQuery } from './query/analyze-query.js';
import { Parameters } from './query/parameters.js';
import type { Query } from './query/query.js';
import { Scope, type Analysis } from './query/scope.js';

export function createAnalysis(context: StatementContext, parameters: Parameters): Analysis {
  const analysis: Analysis = {
    context,
    parameters,
    expression: (node, scope) => analyzeExpression(node, scope, analysis),
    query: (statement, outer, ctes) => analyzeQuery(statement, outer, ctes ?? outer?.ctes ?? new Map(), analysis),
  };
  return analysis;
}

/** @throws SqlError, NotEmulated */
export function analyzeStatement(statement: SelectStmt, context: StatementContext, parameters: Parameters): Query {
  return createAnalysis(context, parameters).query(statement, null);
}

/** A scope in which a table's columns stand by their names. */
export function tableScope(table: Table): Scope {
  const scope = new Scope(null, new Map());
  scope.clause = 'where';
  table.columns.forEach(({ name, type, typeModifier }, index) => {
    const source = { depth: 0, index, name, table: table.name, tableOid: table.oid, attnum: table.attnums[index]! };
    scope.visible.push({
      name,
      hidden: false,
      expression: (depth, location) =>
        columnExpression({ ...source, depth }, { type: type.oid, typmod: typeModifier }, location),
    });
  });
  scope.width = table.columns.length;
  return scope;
}

/** A row filter as the server prints it back; as it stands where that is not known. */
export function printFilter(table: Table, text: string, context: StatementContext): string {
  const expression = analyzeFilter(parseExpression(text), table, context);
  return expression.print?.() ?? text;
}

/** A condition on a table's rows. */
export function analyzeFilter(node: Node, table: Table, context: StatementContext): ReturnType<Analysis['expression']> {
  const analysis = createAnalysis(context, new Parameters([], false));
  const condition = analysis.expression(node, tableScope(table));
  return coerceToBoolean(analysis, condition, 'PUBLICATION WHERE');
}
