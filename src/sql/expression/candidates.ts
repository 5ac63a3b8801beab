/** Which of several functions or operators of one name is meant (manual chapter "Type Conversion", sections Operators and Functions). */
import { castMethod } from '../types/casts.js';
import { isConsistent } from './polymorphism.js';
import type { TypeSpace } from '../types/type-space.js';
import { typeOids } from '../types/type-oids.js';

export interface Candidate {
  /** Types of the parameters, those of this call's variadic part included. */
  readonly parameters: readonly number[];
}

/** Can an argument of type `from` be passed, as it is or by an implicit conversion? */
export function accepts(types: TypeSpace, from: number, to: number): boolean {
  if (from === typeOids.unknown || from === to) return true;
  const target = types.facts(to);
  if (target.kind !== 'p') return castMethod(types, from, to, 'implicit') !== undefined;
  const source = types.facts(types.baseOf(from));
  switch (target.name) {
    case 'any':
    case 'anyelement':
    case 'anycompatible':
      return true;
    case 'anynonarray':
    case 'anycompatiblenonarray':
      return source.category !== 'A';
    case 'anyarray':
    case 'anycompatiblearray':
      return types.elementOf(source.oid) !== 0;
    case 'anyenum':
      return source.kind === 'e';
    case 'anyrange':
      return source.kind === 'r';
    case 'anymultirange':
      return source.kind === 'm';
    case 'record':
      return source.kind === 'c';
    default:
      return false;
  }
}

function fits(types: TypeSpace, given: readonly number[], { parameters }: Candidate): boolean {
  return parameters.every((p, i) => accepts(types, given[i]!, p)) && isConsistent(types, given, parameters);
}

/** The best candidate; 'ambiguous' when several are equally good, undefined when none fits. */
export function selectCandidate<T extends Candidate>(
  types: TypeSpace,
  argumentTypes: readonly number[],
  candidates: readonly T[],
): T | 'ambiguous' | undefined {
  const given = argumentTypes.map((type) => types.baseOf(type));
  let left = candidates.filter((candidate) => fits(types, given, candidate));
  if (left.length <= 1) return left[0];
  left = mostOf(left, ({ parameters }) =>
    count(given, (type, i) => type !== typeOids.unknown && parameters[i] === type),
  );
  if (left.length === 1) return left[0];
  left = mostOf(left, ({ parameters }) =>
    count(
      given,
      (type, i) => type !== typeOids.unknown && (parameters[i] === type || isPreferred(types, parameters[i]!, type)),
    ),
  );
  if (left.length === 1) return left[0];
  left = byCategory(types, given, left);
  if (left.length === 1) return left[0];
  return byKnownType(types, given, left) ?? 'ambiguous';
}

function count(types: readonly number[], counts: (type: number, i: number) => boolean): number {
  return types.reduce((sum, type, i) => sum + (counts(type, i) ? 1 : 0), 0);
}

function mostOf<T>(items: readonly T[], score: (item: T) => number): T[] {
  const scores = items.map(score);
  const best = Math.max(...scores);
  return items.filter((_, i) => scores[i] === best);
}

function isPreferred(types: TypeSpace, type: number, of: number): boolean {
  const facts = types.facts(type);
  return facts.preferred && facts.category === types.facts(of).category;
}

/** Untyped arguments: strings if a candidate takes strings there, else the category that all candidates agree on. */
function byCategory<T extends Candidate>(types: TypeSpace, given: readonly number[], candidates: readonly T[]): T[] {
  let left = [...candidates];
  for (let i = 0; i < given.length; i++) {
    if (given[i] !== typeOids.unknown) continue;
    const facts = candidates.map(({ parameters }) => types.facts(parameters[i]!));
    const categories = new Set(facts.map(({ category }) => category));
    const category = categories.has('S') ? 'S' : categories.size === 1 ? [...categories][0] : undefined;
    if (category === undefined) return [...candidates];
    const preferred = facts.some((f) => f.category === category && f.preferred);
    const kept = left.filter(({ parameters }) => {
      const type = types.facts(parameters[i]!);
      return type.category === category && (!preferred || type.preferred);
    });
    if (kept.length > 0) left = kept;
  }
  return left;
}

/** If all typed arguments are of one type, the untyped ones are taken to be of it too. */
function byKnownType<T extends Candidate>(
  types: TypeSpace,
  given: readonly number[],
  candidates: readonly T[],
): T | undefined {
  const known = [...new Set(given.filter((type) => type !== typeOids.unknown))];
  if (known.length !== 1 || !given.includes(typeOids.unknown)) return undefined;
  const assumed = given.map(() => known[0]!);
  const left = candidates.filter((candidate) => fits(types, assumed, candidate));
  return left.length === 1 ? left[0] : undefined;
}
