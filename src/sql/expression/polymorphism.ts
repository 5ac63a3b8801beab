/** Parameters of any type (manual chapter "Polymorphic Types"): what arguments they take together, and what they become. */
import type { TypeSpace } from '../types/type-space.js';
import { typeOids } from '../types/type-oids.js';

/** exact: arguments of the family have one element type; compatible: they are turned into a common one. */
type Family = 'exact' | 'compatible';

interface Polymorphic {
  readonly family: Family;
  readonly isArray: boolean;
}

const kinds: Readonly<Record<string, Polymorphic>> = {
  anyelement: { family: 'exact', isArray: false },
  anynonarray: { family: 'exact', isArray: false },
  anyenum: { family: 'exact', isArray: false },
  anyrange: { family: 'exact', isArray: false },
  anymultirange: { family: 'exact', isArray: false },
  anyarray: { family: 'exact', isArray: true },
  anycompatible: { family: 'compatible', isArray: false },
  anycompatiblenonarray: { family: 'compatible', isArray: false },
  anycompatiblearray: { family: 'compatible', isArray: true },
};

function polymorphic(types: TypeSpace, type: number): Polymorphic | undefined {
  const facts = types.byOid(type);
  return facts?.kind === 'p' ? kinds[facts.name] : undefined;
}

/** Element types of the typed arguments of one family. */
function elementsOf(
  types: TypeSpace,
  given: readonly number[],
  parameters: readonly number[],
  family: Family,
): readonly number[] {
  const elements = new Set<number>();
  parameters.forEach((parameter, i) => {
    const kind = polymorphic(types, parameter);
    const type = types.baseOf(given[i]!);
    if (kind?.family !== family || type === typeOids.unknown) return;
    elements.add(kind.isArray ? types.elementOf(type) : type);
  });
  return [...elements];
}

/** Do the arguments of each family agree? Ranges and their elements are not looked at. */
export function isConsistent(types: TypeSpace, given: readonly number[], parameters: readonly number[]): boolean {
  const hasRange = parameters.some((parameter) => /range$/.test(types.facts(parameter).name));
  if (!hasRange && elementsOf(types, given, parameters, 'exact').length > 1) return false;
  return commonElement(types, elementsOf(types, given, parameters, 'compatible')) !== undefined;
}

/** The type that all can be turned into, preferred ones first; undefined where there is none. */
function commonElement(types: TypeSpace, elements: readonly number[]): number | undefined {
  let [chosen = typeOids.unknown] = elements;
  for (const element of elements) {
    const [current, next] = [types.facts(chosen), types.facts(element)];
    if (current.category !== next.category) return undefined;
    if (!current.preferred && types.converts(chosen, element) && !types.converts(element, chosen)) chosen = element;
  }
  return chosen;
}

/** The types that arguments must be turned into; those of parameters that are not polymorphic are their own. */
export function actualTypes(types: TypeSpace, given: readonly number[], parameters: readonly number[]): number[] {
  const [exact = typeOids.text] = elementsOf(types, given, parameters, 'exact');
  const compatible = commonElement(types, elementsOf(types, given, parameters, 'compatible'));
  return parameters.map((parameter, i) => {
    const kind = polymorphic(types, parameter);
    const type = types.baseOf(given[i]!);
    if (kind === undefined) return parameter === typeOids.record && type !== typeOids.unknown ? type : parameter;
    if (type !== typeOids.unknown && kind.family === 'exact') return type;
    const found = kind.family === 'exact' ? exact : compatible;
    const element = found === undefined || found === typeOids.unknown ? typeOids.text : found;
    if (!kind.isArray) return element;
    // int2vector is an array of int2 as it is.
    return type !== typeOids.unknown && types.elementOf(type) === element ? type : types.facts(element).array;
  });
}

/** What a polymorphic result is, given what the arguments became. */
export function resultType(
  types: TypeSpace,
  result: number,
  parameters: readonly number[],
  actual: readonly number[],
): number {
  const wanted = polymorphic(types, result);
  if (wanted === undefined) return result;
  const at = parameters.findIndex((parameter) => polymorphic(types, parameter) !== undefined);
  if (at < 0) return typeOids.text;
  const { isArray } = polymorphic(types, parameters[at]!)!;
  const type = actual[at]!;
  if (isArray === wanted.isArray) return type;
  return isArray ? types.elementOf(type) : types.facts(type).array;
}
