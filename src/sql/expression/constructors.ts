/** ARRAY[…] and ROW(…). */
import type { A_ArrayExpr, Node, RowExpr } from 'libpg-query';
import { printComposite } from '../../postgres/index.js';
import { NotEmulated, sqlError } from '../failure.js';
import { kindOf } from '../nodes.js';
import type { Analysis, Scope } from '../query/scope.js';
import { arrayParts, printParts } from '../types/array-values.js';
import { typeOids } from '../types/type-oids.js';
import type { Handlers } from './analyze.js';
import { coerceToCommon, resolveUntyped } from './coercion.js';
import { constant, isUntyped, type Expression } from './expression.js';

function arrayOf(node: A_ArrayExpr, scope: Scope, analysis: Analysis): Expression {
  const location = node.location ?? 0;
  const items = (node.elements ?? []).map((element) => analysis.expression(element, scope));
  // Where it stands alone an empty array has no type; a cast around it gives one.
  if (items.length === 0) return constant('{}', typeOids.unknown, location);
  const { types } = analysis.context;
  const { type, coerced } = coerceToCommon(analysis, items, 'ARRAY');
  const isNested =
    types.elementOf(type) !== 0 && (node.elements ?? []).every((element) => kindOf(element) === 'A_ArrayExpr');
  const array = isNested ? type : types.facts(type).array;
  if (array === 0)
    throw sqlError('42704', `could not find array type for data type ${types.format(type, -1, [])}`, location);
  return {
    type: array,
    typmod: -1,
    key: `array(${coerced.map((e) => e.key).join()})`,
    children: coerced,
    evaluate: (frame) => {
      const values = coerced.map((e) => e.evaluate(frame));
      if (!isNested) return printParts(types, array, { lengths: [values.length], lowerBounds: [1], elements: values });
      const parts = values.map((value) => (value === null ? null : arrayParts(types, type, value)));
      const first = parts[0];
      if (!first || parts.some((p) => p?.lengths.join() !== first.lengths.join())) {
        throw sqlError('2202E', 'multidimensional arrays must have array expressions with matching dimensions');
      }
      return printParts(types, array, {
        lengths: [values.length, ...first.lengths],
        lowerBounds: [1, ...first.lowerBounds],
        elements: parts.flatMap((p) => p!.elements),
      });
    },
    print: coerced.every((e) => e.print) ? () => `ARRAY[${coerced.map((e) => e.print!()).join(', ')}]` : undefined,
    location,
  };
}

function rowOf(node: RowExpr, scope: Scope, analysis: Analysis): Expression {
  const args: readonly Node[] = node.args ?? [];
  if (args.some((arg) => 'ColumnRef' in arg && arg.ColumnRef.fields?.some((field) => kindOf(field) === 'A_Star'))) {
    throw new NotEmulated('* in ROW()', node.location);
  }
  const items = args
    .map((arg) => analysis.expression(arg, scope))
    .map((item) => (isUntyped(item) ? resolveUntyped(analysis, item) : item));
  return {
    type: typeOids.record,
    typmod: -1,
    key: `row(${items.map((item) => item.key).join()})`,
    children: items,
    evaluate: (frame) => printComposite(items.map((item) => item.evaluate(frame))),
    print: undefined,
    fields: items.map(({ type, typmod }, i) => ({ name: `f${i + 1}`, type, typmod })),
    location: node.location ?? 0,
  };
}

export const constructorNodes: Handlers = { A_ArrayExpr: arrayOf, RowExpr: rowOf };
