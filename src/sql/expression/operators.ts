/** Operators: which one is meant, and what it does. */
import type { StatementContext } from '../context.js';
import { NotEmulated, sqlError } from '../failure.js';
import type { Analysis } from '../query/scope.js';
import { arrayElements, arrayParts, printElements, printParts } from '../types/array-values.js';
import { outputText } from '../types/output.js';
import type { TypeSpace } from '../types/type-space.js';
import { typeOids } from '../types/type-oids.js';
import { arithmeticOperation, prefixOperation } from './arithmetic.js';
import { selectCandidate } from './candidates.js';
import { actualTypes, resultType } from './polymorphism.js';
import { coerceOrFail, typeName } from './coercion.js';
import { comparisonOf, equalityOf, isTextEquality, mixedComparison } from './comparison.js';
import { fromBoolean, type Expression, type Value } from './expression.js';
import { operatorsNamed, type OperatorSignature } from './operator-table.js';
import { likePattern, regularExpression } from './pattern.js';

/** Both operands are not NULL. */
export type Operation = (left: string, right: string, context: StatementContext) => Value;

export interface ResolvedOperator {
  readonly name: string;
  /** Types that the operands must be turned into; 0 for the left one of a prefix operator. */
  readonly left: number;
  readonly right: number;
  readonly result: number;
  readonly apply: Operation;
  /** For an operator that does not give NULL for NULL: array ||. */
  readonly applyToNull?: ((left: Value, right: Value, context: StatementContext) => Value) | undefined;
}

interface Choice {
  readonly signature: OperatorSignature;
  readonly parameters: readonly number[];
}

/** @param left undefined for a prefix operator. @throws SqlError 42883, 42725; NotEmulated */
export function resolveOperator(
  analysis: Analysis,
  name: string,
  left: number | undefined,
  right: number,
  location: number,
): ResolvedOperator {
  const { context } = analysis;
  const { types } = context;
  const given = left === undefined ? [right] : [left, right];
  const choices = operatorsNamed(context.major, name)
    .filter((signature) => (signature.left === '') === (left === undefined))
    .map((signature) => ({ signature, parameters: parametersOf(types, signature) }));
  const choice = exactChoice(types, given, choices) ?? selectCandidate(types, given, choices);
  const shown = (): string => given.map((type) => typeName(context, type)).join(` ${name} `);
  const operatorText = (): string => (left === undefined ? `${name} ${shown()}` : shown());
  if (choice === 'ambiguous') {
    throw sqlError('42725', `operator is not unique: ${operatorText()}`, location, {
      hint: `Could not choose a best candidate operator. You might need to add explicit type casts.`,
    });
  }
  if (choice === undefined) {
    const [types, casts] =
      left === undefined && context.major >= 11 ? ['type', 'an explicit type cast'] : ['types', 'explicit type casts'];
    const argument = context.major >= 11 ? types : 'type(s)';
    const hint = `No operator matches the given name and argument ${argument}. You might need to add ${casts}.`;
    throw sqlError('42883', `operator does not exist: ${operatorText()}`, location, { hint });
  }
  return resolved(analysis, name, given, choice, location);
}

function parametersOf(types: TypeSpace, { left, right }: OperatorSignature): number[] {
  const names = left === '' ? [right] : [left, right];
  return names.map((name) => types.byName('pg_catalog', name, [])!.oid);
}

/** A pair that fits exactly; an untyped operand is taken to be of the other one's type. */
function exactChoice(types: TypeSpace, given: readonly number[], choices: readonly Choice[]): Choice | undefined {
  const base = given.map((type) => types.baseOf(type));
  const other = base.find((type) => type !== typeOids.unknown);
  const assumed = base.map((type) => (type === typeOids.unknown && other !== undefined ? other : type));
  return choices.find(({ parameters }) => parameters.every((p, i) => p === assumed[i]));
}

function resolved(
  analysis: Analysis,
  name: string,
  given: readonly number[],
  choice: Choice,
  location: number,
): ResolvedOperator {
  const { context } = analysis;
  const { types } = context;
  const { signature } = choice;
  const actual = actualTypes(types, given, choice.parameters);
  const [left, right] = actual.length === 1 ? [0, actual[0]!] : [actual[0]!, actual[1]!];
  const declared = types.byName('pg_catalog', signature.result, [])!.oid;
  const result = resultType(types, declared, choice.parameters, actual);
  const apply = operationOf(context, name, signature, left, right);
  if (apply === undefined) {
    const names = actual.map((type) => typeName(context, type));
    throw new NotEmulated(`operator ${names.length === 1 ? '' : `${names[0]!} `}${name} ${names.at(-1)!}`, location);
  }
  return { name, left, right, result, apply, applyToNull: arrayConcatenationOfNull(name, signature, left, right) };
}

function operationOf(
  context: StatementContext,
  name: string,
  signature: OperatorSignature,
  left: number,
  right: number,
): Operation | undefined {
  if (signature.left === '') {
    const prefix = prefixOperation(name, signature.right);
    return prefix && ((_, right, context) => prefix(right, context));
  }
  return (
    comparisonOperation(context, name, left, right) ??
    arithmeticOperation(name, signature.left, signature.right, signature.result) ??
    matchOperation(name, signature.left) ??
    arrayOperation(context.types, name, signature, left, right) ??
    (name === '||' ? concatenation(signature, left, right) : undefined)
  );
}

const orderTests: Readonly<Record<string, (order: number) => boolean>> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function comparisonOperation(
  context: StatementContext,
  name: string,
  left: number,
  right: number,
): Operation | undefined {
  if (name === '=' || name === '<>') {
    const wanted = name === '=';
    if (left === right) {
      const equal = equalityOf(context.types, left);
      return (a, b) => fromBoolean(equal(a, b) === wanted);
    }
    const compare = mixedComparison(context, left, right);
    return (a, b) => fromBoolean((compare(a, b) === 0) === wanted);
  }
  const test = orderTests[name];
  if (test === undefined) return undefined;
  const compare = left === right ? comparisonOf(context.types, left) : mixedComparison(context, left, right);
  return (a, b) => fromBoolean(test(compare(a, b)));
}

function matchOperation(name: string, left: string): Operation | undefined {
  if (left === 'bytea') return undefined;
  const negated = name.startsWith('!');
  const plain = negated ? name.slice(1) : name;
  switch (plain) {
    case '~~':
    case '~~*':
      return (text, pattern) => fromBoolean(likePattern(pattern, plain === '~~*').test(text) !== negated);
    case '~':
    case '~*':
      return (text, pattern) => fromBoolean(regularExpression(pattern, plain === '~*').test(text) !== negated);
    case '^@':
      return (text, prefix) => fromBoolean(text.startsWith(prefix));
    default:
      return undefined;
  }
}

function arrayOperation(
  types: TypeSpace,
  name: string,
  signature: OperatorSignature,
  left: number,
  right: number,
): Operation | undefined {
  if (!signature.left.endsWith('array') || !['@>', '<@', '&&'].includes(name)) return undefined;
  const equal = equalityOf(types, types.elementOf(left));
  const has = (elements: readonly Value[], wanted: Value): boolean =>
    wanted !== null && elements.some((e) => e !== null && equal(e, wanted));
  return (a, b) => {
    const [x, y] = [arrayElements(types, left, a), arrayElements(types, right, b)];
    if (name === '&&') return fromBoolean(x.some((element) => has(y, element)));
    const [all, within] = name === '@>' ? [y, x] : [x, y];
    return fromBoolean(all.every((element) => has(within, element)));
  };
}

function concatenation(signature: OperatorSignature, left: number, right: number): Operation | undefined {
  if (signature.result === 'text') {
    return (a, b, context) => outputText(context, left, a) + outputText(context, right, b);
  }
  if (signature.result === 'bytea') return (a, b) => a + b.slice(2);
  if (!signature.result.endsWith('array')) return undefined;
  const [leftIsArray, rightIsArray] = [signature.left.endsWith('array'), signature.right.endsWith('array')];
  return (a, b, { types }) => {
    if (!leftIsArray) return printElements(types, right, [a, ...arrayElements(types, right, b)]);
    if (!rightIsArray) return printElements(types, left, [...arrayElements(types, left, a), b]);
    const [x, y] = [arrayParts(types, left, a), arrayParts(types, right, b)];
    if (x.elements.length === 0) return b;
    if (y.elements.length === 0) return a;
    if (x.lengths.length !== y.lengths.length) throw new NotEmulated('|| on arrays of unlike dimensions');
    const lengths = [x.lengths[0]! + y.lengths[0]!, ...x.lengths.slice(1)];
    return printParts(types, left, { lengths, lowerBounds: x.lowerBounds, elements: [...x.elements, ...y.elements] });
  };
}

/** A NULL array counts for nothing, a NULL element is one. */
function arrayConcatenationOfNull(
  name: string,
  signature: OperatorSignature,
  left: number,
  right: number,
): ResolvedOperator['applyToNull'] {
  if (name !== '||' || !signature.result.endsWith('array')) return undefined;
  const [leftIsArray, rightIsArray] = [signature.left.endsWith('array'), signature.right.endsWith('array')];
  if (leftIsArray && rightIsArray) return (a, b) => a ?? b;
  return (a, b, { types }) => {
    const [array, type] = leftIsArray ? [a, left] : [b, right];
    const elements = array === null ? [] : arrayElements(types, type, array);
    return printElements(types, type, leftIsArray ? [...elements, b] : [a, ...elements]);
  };
}

/** `left name right` (or `name right`), resolved and with its operands converted. NULL in, NULL out. */
export function operatorCall(
  analysis: Analysis,
  name: string,
  left: Expression | undefined,
  right: Expression,
  location: number,
): Expression {
  const operator = resolveOperator(analysis, name, left?.type, right.type, location);
  const b = coerceOrFail(analysis, right, operator.right, -1, 'implicit');
  const { apply, applyToNull } = operator;
  const common = { type: operator.result, typmod: -1, location, isPure: true };
  if (left === undefined) {
    return {
      ...common,
      key: `${name}(${b.key})`,
      children: [b],
      evaluate: (frame) => {
        const value = b.evaluate(frame);
        return value === null ? null : apply('', value, frame.context);
      },
      print: b.print && (() => `(${name} ${b.print!()})`),
    };
  }
  const a = coerceOrFail(analysis, left, operator.left, -1, 'implicit');
  const { types } = analysis.context;
  const isEquality = name === '=' && isTextEquality(types, operator.left) && isTextEquality(types, operator.right);
  return {
    ...common,
    equality: isEquality ? [a, b] : undefined,
    key: `(${a.key}${name}${b.key})`,
    children: [a, b],
    evaluate: (frame) => {
      const x = a.evaluate(frame);
      if (x === null && applyToNull === undefined) return null;
      const y = b.evaluate(frame);
      if (x !== null && y !== null) return apply(x, y, frame.context);
      return applyToNull === undefined ? null : applyToNull(x, y, frame.context);
    },
    print: a.print && b.print && (() => `(${a.print!()} ${name} ${b.print!()})`),
  };
}
