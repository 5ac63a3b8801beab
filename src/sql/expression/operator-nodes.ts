/** A_Expr: operators, and constructs that the grammar has in common with them. */
import type { A_Expr, Node } from 'libpg-query';
import { NotEmulated, sqlError } from '../failure.js';
import { kindOf, stringsOf } from '../nodes.js';
import type { Analysis, Scope } from '../query/scope.js';
import { arrayElements } from '../types/array-values.js';
import { typeOids } from '../types/type-oids.js';
import type { Handlers } from './analyze.js';
import { coerce, coerceToCommon, coerceOrFail } from './coercion.js';
import { equalityOf } from './comparison.js';
import { fromBoolean, isUntyped, type Expression, type Value } from './expression.js';
import { junction, negation } from './logic.js';
import { operatorCall, resolveOperator } from './operators.js';
import { rowComparison, rowEquality } from './row-comparison.js';

function operatorNode(node: A_Expr, scope: Scope, analysis: Analysis): Expression {
  const location = node.location ?? 0;
  const names = stringsOf(node.name);
  const name = names.at(-1)!;
  if (names.length > 1 && names[0] !== 'pg_catalog') throw new NotEmulated(`operator ${names.join('.')}`, location);
  switch (node.kind) {
    case 'AEXPR_OP': {
      const isRow = node.lexpr !== undefined && kindOf(node.lexpr) === 'RowExpr' && kindOf(node.rexpr!) === 'RowExpr';
      if (isRow) return rowComparison(name, node.lexpr!, node.rexpr!, location, scope, analysis);
      const left = node.lexpr && analysis.expression(node.lexpr, scope);
      return operatorCall(analysis, name, left, analysis.expression(node.rexpr!, scope), location);
    }
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE':
      return operatorCall(
        analysis,
        name,
        analysis.expression(node.lexpr!, scope),
        analysis.expression(node.rexpr!, scope),
        location,
      );
    case 'AEXPR_OP_ANY':
    case 'AEXPR_OP_ALL':
      return arrayComparison(node, name, node.kind === 'AEXPR_OP_ANY', scope, analysis);
    case 'AEXPR_IN':
      return inList(node, name === '=', scope, analysis);
    case 'AEXPR_DISTINCT':
    case 'AEXPR_NOT_DISTINCT':
      return distinctness(node, node.kind === 'AEXPR_DISTINCT', scope, analysis);
    case 'AEXPR_NULLIF':
      return nullIf(node, scope, analysis);
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN':
    case 'AEXPR_BETWEEN_SYM':
    case 'AEXPR_NOT_BETWEEN_SYM':
      return between(node, scope, analysis);
    case 'AEXPR_SIMILAR':
      throw new NotEmulated('SIMILAR TO', location);
    default:
      throw new NotEmulated('this expression', location);
  }
}

/** `value = ANY (array)`. */
function arrayComparison(node: A_Expr, name: string, any: boolean, scope: Scope, analysis: Analysis): Expression {
  const { types } = analysis.context;
  const location = node.location ?? 0;
  let value = analysis.expression(node.lexpr!, scope);
  let array = analysis.expression(node.rexpr!, scope);
  if (isUntyped(array)) {
    const base = isUntyped(value) ? typeOids.text : value.type;
    array = coerceOrFail(analysis, array, types.facts(types.baseOf(base)).array, -1, 'implicit');
  }
  const element = types.elementOf(array.type);
  if (element === 0) throw sqlError('42809', 'op ANY/ALL (array) requires array on right side', location);
  const operator = resolveOperator(analysis, name, value.type, element, location);
  if (operator.result !== typeOids.bool)
    throw sqlError('42809', 'op ANY/ALL (array) requires operator to yield boolean', location);
  value = coerceOrFail(analysis, value, operator.left, -1, 'implicit');
  if (operator.right !== element) {
    const wanted = types.facts(operator.right).array;
    array = coerce(analysis, array, wanted, -1, 'implicit') ?? array;
  }
  return anyOrAll(analysis, operator.name, value, array, operator.apply, any, location);
}

function anyOrAll(
  analysis: Analysis,
  name: string,
  value: Expression,
  array: Expression,
  apply: ReturnType<typeof resolveOperator>['apply'],
  any: boolean,
  location: number,
): Expression {
  const { types } = analysis.context;
  const word = any ? 'ANY' : 'ALL';
  const fixed = array.constant?.value;
  const fixedElements = fixed === undefined || fixed === null ? undefined : arrayElements(types, array.type, fixed);
  return {
    type: typeOids.bool,
    typmod: -1,
    key: `(${value.key}${name}${word}${array.key})`,
    children: [value, array],
    evaluate: (frame) => {
      const text = fixed ?? array.evaluate(frame);
      if (text === null) return null;
      const elements = fixedElements ?? arrayElements(types, array.type, text);
      const left = value.evaluate(frame);
      if (elements.length === 0) return fromBoolean(!any);
      if (left === null) return null;
      let result: Value = fromBoolean(!any);
      for (const element of elements) {
        const one = element === null ? null : apply(left, element, frame.context);
        if (one === fromBoolean(any)) return one;
        if (one === null) result = null;
      }
      return result;
    },
    print: value.print && array.print && (() => `(${value.print!()} ${name} ${word} (${array.print!()}))`),
    location,
  };
}

/** `value IN (a, b)`. */
function inList(node: A_Expr, isIn: boolean, scope: Scope, analysis: Analysis): Expression {
  const location = node.location ?? 0;
  const items = (node.rexpr as Extract<Node, { List: unknown }>).List.items ?? [];
  const left = node.lexpr!;
  if (kindOf(left) === 'RowExpr') {
    const tests = items.map((item) => rowEquality(left, item, location, scope, analysis));
    const any = junction('or', tests, location);
    return isIn ? any : negation(any, location);
  }
  const value = analysis.expression(left, scope);
  const list = items.map((item) => analysis.expression(item, scope));
  const tests = list.map((item) => operatorCall(analysis, isIn ? '=' : '<>', value, item, location));
  const test = tests.length === 1 ? tests[0]! : junction(isIn ? 'or' : 'and', tests, location);
  return { ...test, print: test.print && (() => printInList(analysis, value, list, isIn, location)) };
}

/** The server makes an array of a list of constants. */
function printInList(
  analysis: Analysis,
  value: Expression,
  list: readonly Expression[],
  isIn: boolean,
  location: number,
): string {
  const name = isIn ? '=' : '<>';
  if (list.length === 1) return operatorCall(analysis, name, value, list[0]!, location).print!();
  const { coerced } = coerceToCommon(analysis, [value, ...list], 'IN');
  const items = coerced.slice(1).map((item) => item.print!());
  return `(${coerced[0]!.print!()} ${name} ${isIn ? 'ANY' : 'ALL'} (ARRAY[${items.join(', ')}]))`;
}

function distinctness(node: A_Expr, isDistinct: boolean, scope: Scope, analysis: Analysis): Expression {
  const location = node.location ?? 0;
  const equal = operatorCall(
    analysis,
    '=',
    analysis.expression(node.lexpr!, scope),
    analysis.expression(node.rexpr!, scope),
    location,
  );
  const [a, b] = equal.children as [Expression, Expression];
  const same = a.type === b.type ? equalityOf(analysis.context.types, a.type) : undefined;
  return {
    ...equal,
    equality: undefined,
    key: `(${a.key} distinct${isDistinct} ${b.key})`,
    evaluate: (frame) => {
      const [x, y] = [a.evaluate(frame), b.evaluate(frame)];
      const equalValues =
        x === null || y === null ? x === y : same !== undefined ? same(x, y) : equal.evaluate(frame) === 't';
      return fromBoolean(equalValues !== isDistinct);
    },
    print: a.print && b.print && (() => `(${a.print!()} IS ${isDistinct ? '' : 'NOT '}DISTINCT FROM ${b.print!()})`),
  };
}

function nullIf(node: A_Expr, scope: Scope, analysis: Analysis): Expression {
  const location = node.location ?? 0;
  const equal = operatorCall(
    analysis,
    '=',
    analysis.expression(node.lexpr!, scope),
    analysis.expression(node.rexpr!, scope),
    location,
  );
  const value = equal.children[0]!;
  return {
    type: value.type,
    typmod: value.typmod,
    key: `nullif${equal.key}`,
    children: equal.children,
    evaluate: (frame) => (equal.evaluate(frame) === 't' ? null : value.evaluate(frame)),
    print:
      value.print && equal.children[1]!.print && (() => `NULLIF(${value.print!()}, ${equal.children[1]!.print!()})`),
    location,
  };
}

function between(node: A_Expr, scope: Scope, analysis: Analysis): Expression {
  const location = node.location ?? 0;
  const [low, high] = (node.rexpr as Extract<Node, { List: unknown }>).List.items!.map((item) =>
    analysis.expression(item, scope),
  );
  const value = analysis.expression(node.lexpr!, scope);
  const within = (from: Expression, to: Expression): Expression =>
    junction(
      'and',
      [operatorCall(analysis, '>=', value, from, location), operatorCall(analysis, '<=', value, to, location)],
      location,
    );
  const isSymmetric = node.kind!.endsWith('_SYM');
  const test = isSymmetric ? junction('or', [within(low!, high!), within(high!, low!)], location) : within(low!, high!);
  return node.kind!.includes('NOT') ? negation(test, location) : test;
}

export const operatorNodes: Handlers = { A_Expr: operatorNode };
