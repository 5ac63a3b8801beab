/** Comparisons of rows: `(a, b) = (1, 2)`, `(a, b) < (1, 2)`. */
import type { Node } from 'libpg-query';
import { NotEmulated, sqlError } from '../failure.js';
import type { Analysis, Scope } from '../query/scope.js';
import type { Expression } from './expression.js';
import { junction, negation } from './logic.js';
import { operatorCall } from './operators.js';

function itemsOf(node: Node): readonly Node[] {
  return 'RowExpr' in node ? (node.RowExpr.args ?? []) : [node];
}

function pairs(
  left: Node,
  right: Node,
  location: number,
  scope: Scope,
  analysis: Analysis,
): [Expression, Expression][] {
  const [a, b] = [itemsOf(left), itemsOf(right)];
  if (a.length !== b.length) throw sqlError('42601', 'unequal number of entries in row expressions', location);
  return a.map((item, i) => [analysis.expression(item, scope), analysis.expression(b[i]!, scope)]);
}

export function rowEquality(left: Node, right: Node, location: number, scope: Scope, analysis: Analysis): Expression {
  const tests = pairs(left, right, location, scope, analysis).map(([a, b]) =>
    operatorCall(analysis, '=', a, b, location),
  );
  return tests.length === 1 ? tests[0]! : junction('and', tests, location);
}

export function rowComparison(
  name: string,
  left: Node,
  right: Node,
  location: number,
  scope: Scope,
  analysis: Analysis,
): Expression {
  if (name === '=') return rowEquality(left, right, location, scope, analysis);
  if (name === '<>') return negation(rowEquality(left, right, location, scope, analysis), location);
  if (!/^[<>]=?$/.test(name)) throw new NotEmulated(`operator ${name} on rows`, location);
  // By the first pair that differs; the last pair decides whether equal rows count.
  const all = pairs(left, right, location, scope, analysis);
  const strict = name[0]!;
  const alternatives = all.map(([a, b], i) => {
    const before = all.slice(0, i).map(([x, y]) => operatorCall(analysis, '=', x, y, location));
    const last = operatorCall(analysis, i === all.length - 1 ? name : strict, a, b, location);
    return before.length === 0 ? last : junction('and', [...before, last], location);
  });
  return alternatives.length === 1 ? alternatives[0]! : junction('or', alternatives, location);
}
