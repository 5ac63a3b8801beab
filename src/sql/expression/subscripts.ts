/** Elements and slices of arrays. */
import type { Node } from 'libpg-query';
import { NotEmulated, sqlError } from '../failure.js';
import type { Analysis, Scope } from '../query/scope.js';
import { arrayParts, printParts } from '../types/array-values.js';
import { typeOids } from '../types/type-oids.js';
import { coerceOrFail, typeName } from './coercion.js';
import type { Expression } from './expression.js';

/** @param nodes A_Indices, one for each dimension */
export function subscriptOf(array: Expression, nodes: readonly Node[], scope: Scope, analysis: Analysis): Expression {
  const { types } = analysis.context;
  const element = types.elementOf(array.type);
  if (element === 0) {
    const type = typeName(analysis.context, array.type);
    throw sqlError('42804', `cannot subscript type ${type} because it does not support subscripting`, array.location);
  }
  const index = (node: Node | undefined): Expression | undefined =>
    node && coerceOrFail(analysis, analysis.expression(node, scope), typeOids.int4, -1, 'assignment');
  const bounds = nodes.map((node) => {
    const { uidx, lidx, is_slice } = (node as Extract<Node, { A_Indices: unknown }>).A_Indices;
    return { upper: index(uidx), lower: index(lidx), isSlice: is_slice === true };
  });
  const children = [array, ...bounds.flatMap(({ upper, lower }) => [upper, lower].filter((e) => e !== undefined))];
  const key = `${array.key}[${children
    .slice(1)
    .map((child) => child.key)
    .join()}${bounds.some((b) => b.isSlice) ? ':' : ''}]`;
  const common = { typmod: -1, key, children, print: undefined, location: array.location };
  if (bounds.some((bound) => bound.isSlice)) {
    if (bounds.length > 1) throw new NotEmulated('a slice of several dimensions', array.location);
    const { upper, lower } = bounds[0]!;
    return {
      ...common,
      type: array.type,
      evaluate: (frame) => {
        const value = array.evaluate(frame);
        if (value === null) return null;
        const parts = arrayParts(types, array.type, value);
        const first = parts.lowerBounds[0] ?? 1;
        const from = lower === undefined ? first : Number(lower.evaluate(frame));
        const to = upper === undefined ? first + parts.elements.length - 1 : Number(upper.evaluate(frame));
        const elements = parts.elements.slice(Math.max(from - first, 0), Math.max(to - first + 1, 0));
        return printParts(types, array.type, { lengths: [elements.length], lowerBounds: [1], elements });
      },
    };
  }
  return {
    ...common,
    type: element,
    evaluate: (frame) => {
      const value = array.evaluate(frame);
      if (value === null) return null;
      const { lengths, lowerBounds, elements } = arrayParts(types, array.type, value);
      if (bounds.length !== lengths.length) return null;
      let position = 0;
      for (let i = 0; i < lengths.length; i++) {
        const subscript = bounds[i]!.upper!.evaluate(frame);
        const at = subscript === null ? -1 : Number(subscript) - lowerBounds[i]!;
        if (at < 0 || at >= lengths[i]!) return null;
        position = position * lengths[i]! + at;
      }
      return elements[position]!;
    },
  };
}
