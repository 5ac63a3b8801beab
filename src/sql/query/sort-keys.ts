/** ORDER BY: what to sort by, and how. */
import type { Node } from 'libpg-query';
import { sqlError } from '../failure.js';
import { comparisonOf } from '../expression/comparison.js';
import { resolveUntyped } from '../expression/coercion.js';
import type { Expression, Frame, Value } from '../expression/expression.js';
import { integerConstant } from '../nodes.js';
import type { Analysis, Scope, SortKey } from './scope.js';

/** An output column that ORDER BY can mean by its name or number. */
export interface SortTarget {
  readonly name: string;
  readonly expression: Expression;
}

export function sortKeysOf(
  nodes: readonly Node[],
  targets: readonly SortTarget[],
  scope: Scope,
  analysis: Analysis,
): SortKey[] {
  return nodes.map((node) => {
    const sort = (node as Extract<Node, { SortBy: unknown }>).SortBy;
    const expression = resolveUntyped(
      analysis,
      targetOf(sort.node!, targets, 'ORDER BY') ?? analysis.expression(sort.node!, scope),
    );
    const descending = sort.sortby_dir === 'SORTBY_DESC';
    const nulls = sort.sortby_nulls;
    return {
      expression,
      descending,
      nullsFirst: nulls === 'SORTBY_NULLS_FIRST' || (nulls !== 'SORTBY_NULLS_LAST' && descending),
      compare: comparisonOf(analysis.context.types, expression.type),
    };
  });
}

/** A bare name that an output column has, or its number. @throws SqlError 42702, 42P10 */
export function targetOf(node: Node, targets: readonly SortTarget[], clause: string): Expression | undefined {
  if (targets.length === 0) return undefined;
  const position = 'A_Const' in node ? integerConstant(node) : undefined;
  if (position !== undefined) {
    const target = targets[position - 1];
    if (target !== undefined) return target.expression;
    const location = (node as Extract<Node, { A_Const: unknown }>).A_Const.location;
    throw sqlError('42P10', `${clause} position ${position} is not in select list`, location);
  }
  if (!('ColumnRef' in node) || node.ColumnRef.fields?.length !== 1) return undefined;
  const [field] = node.ColumnRef.fields;
  const name = 'String' in field! ? field.String.sval : undefined;
  const found = targets.filter((target) => target.name === name);
  if (new Set(found.map(({ expression }) => expression.key)).size > 1) {
    throw sqlError('42702', `${clause} "${name!}" is ambiguous`, node.ColumnRef.location);
  }
  return found[0]?.expression;
}

export function sortValues(keys: readonly SortKey[], frame: Frame): Value[] {
  return keys.map(({ expression }) => expression.evaluate(frame));
}

export function compareBy(keys: readonly SortKey[], a: readonly Value[], b: readonly Value[]): number {
  for (let i = 0; i < keys.length; i++) {
    const { compare, descending, nullsFirst } = keys[i]!;
    const [x = null, y = null] = [a[i], b[i]];
    if (x === null || y === null) {
      if (x === y) continue;
      return (x === null) === nullsFirst ? -1 : 1;
    }
    const order = compare(x, y);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}
