/** Queries inside expressions: EXISTS, IN, ANY, ALL, ARRAY(…), and one value. */
import type { Node, SelectStmt, SubLink } from 'libpg-query';
import { NotEmulated, sqlError } from '../failure.js';
import { stringsOf } from '../nodes.js';
import { cachedRows, type Query } from '../query/query.js';
import type { Analysis, Scope } from '../query/scope.js';
import { printElements } from '../types/array-values.js';
import { typeOids } from '../types/type-oids.js';
import type { Handlers } from './analyze.js';
import { fromBoolean, type Expression, type Frame, type Value } from './expression.js';
import { junction } from './logic.js';
import { operatorCall } from './operators.js';

let lastKey = 0;

function subquery(node: SubLink, scope: Scope, analysis: Analysis): Expression {
  const location = node.location ?? 0;
  const select = (node.subselect as { SelectStmt?: SelectStmt } | undefined)?.SelectStmt;
  if (select === undefined) throw new NotEmulated('a subquery that is no SELECT', location);
  const query = analysis.query(select, scope);
  // Two subqueries are never taken for the same expression.
  const common = {
    typmod: -1,
    key: `subquery${++lastKey}`,
    children: [],
    print: undefined,
    location,
    volatile: query.isVolatile,
    isOpaque: query.isCorrelated,
    isSubquery: true,
  };
  switch (node.subLinkType) {
    case 'EXISTS_SUBLINK':
      return { ...common, type: typeOids.bool, evaluate: (frame) => fromBoolean(exists(query, frame)) };
    case 'EXPR_SUBLINK': {
      const column = onlyColumn(query, location);
      return { ...common, type: column.type, typmod: column.typmod, evaluate: (frame) => oneValue(query, frame) };
    }
    case 'ARRAY_SUBLINK': {
      const { types } = analysis.context;
      const column = onlyColumn(query, location);
      const array = types.facts(column.type).array;
      const evaluate = (frame: Frame): Value =>
        printElements(
          types,
          array,
          cachedRows(query, frame).map((row) => row[0]!),
        );
      return { ...common, type: array, evaluate };
    }
    case 'ANY_SUBLINK':
    case 'ALL_SUBLINK':
      return comparison(node, query, scope, analysis, common);
    default:
      throw new NotEmulated(`a subquery of kind ${node.subLinkType ?? ''}`, location);
  }
}

function onlyColumn(query: Query, location: number): { type: number; typmod: number } {
  if (query.columns.length === 1) return query.columns[0]!;
  throw sqlError('42601', 'subquery must return only one column', location);
}

function exists(query: Query, frame: Frame): boolean {
  if (!query.isCorrelated && !query.isVolatile) return cachedRows(query, frame).length > 0;
  return query.rows(frame, frame)[Symbol.iterator]().next().done !== true;
}

function oneValue(query: Query, frame: Frame): Value {
  const rows = cachedRows(query, frame);
  if (rows.length > 1) throw sqlError('21000', 'more than one row returned by a subquery used as an expression');
  return rows[0]?.[0] ?? null;
}

/** `x IN (SELECT …)`, `(x, y) IN (SELECT …)`, `x > ALL (SELECT …)`. */
function comparison(
  node: SubLink,
  query: Query,
  scope: Scope,
  analysis: Analysis,
  common: Omit<Expression, 'type' | 'evaluate'>,
): Expression {
  const { location } = common;
  const any = node.subLinkType === 'ANY_SUBLINK';
  const name = stringsOf(node.operName)[0] ?? '=';
  const left = leftSide(node.testexpr!).map((item) => analysis.expression(item, scope));
  if (left.length !== query.columns.length) {
    throw sqlError(
      '42601',
      `subquery has too ${left.length > query.columns.length ? 'few' : 'many'} columns`,
      location,
    );
  }
  // The row of the subquery that is compared, as columns of an expression.
  let row: readonly Value[] = [];
  const tests = left.map((value, i) => {
    const { type, typmod } = query.columns[i]!;
    const column: Expression = {
      type,
      typmod,
      key: `${common.key}.${i}`,
      children: [],
      evaluate: () => row[i]!,
      print: undefined,
      location,
    };
    return operatorCall(analysis, name, value, column, location);
  });
  const test = tests.length === 1 ? tests[0]! : junction(name === '<>' ? 'or' : 'and', tests, location);
  const decisive: Value = fromBoolean(any);
  return {
    ...common,
    type: typeOids.bool,
    children: left,
    evaluate: (frame) => {
      let result: Value = fromBoolean(!any);
      for (row of cachedRows(query, frame)) {
        const one = test.evaluate(frame);
        if (one === decisive) return decisive;
        if (one === null) result = null;
      }
      return result;
    },
  };
}

function leftSide(node: Node): readonly Node[] {
  return 'RowExpr' in node ? (node.RowExpr.args ?? []) : [node];
}

export const subqueryNodes: Handlers = { SubLink: subquery };
