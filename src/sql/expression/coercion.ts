/** Expressions of one type made to be of another (manual chapter "Type Conversion"). */
import type { StatementContext } from '../context.js';
import { sqlError, SqlError } from '../failure.js';
import type { Analysis } from '../query/scope.js';
import { ValueError } from '../../postgres/index.js';
import { castMethod, type CastContext } from '../types/casts.js';
import { convertValue, inputValue } from '../types/convert.js';
import { typeOids } from '../types/type-oids.js';
import { constant, isUntyped, type Expression } from './expression.js';

/** The type's name as messages have it. */
export function typeName(context: StatementContext, type: number, typmod = -1): string {
  return context.types.format(type, typmod, context.session.searchPath(context.catalog));
}

export function canCoerce(analysis: Analysis, from: number, to: number, context: CastContext): boolean {
  return from === to || castMethod(analysis.context.types, from, to, context) !== undefined;
}

/** Undefined where there is no such conversion. */
export function coerce(
  analysis: Analysis,
  expression: Expression,
  type: number,
  typmod: number,
  context: CastContext,
  location = expression.location,
): Expression | undefined {
  if (expression.type === type && (typmod === -1 || typmod === expression.typmod)) return expression;
  if (isUntyped(expression)) {
    const typed = typeUntyped(analysis, expression, type, typmod);
    if (typed !== undefined) return typed;
  }
  const method = castMethod(analysis.context.types, expression.type, type, context);
  if (method === undefined) return undefined;
  const conversion = { from: expression.type, to: type, typmod, method, context };
  const printed = (): string => `(${expression.print!()})::${typeName(analysis.context, type, typmod)}`;
  if (method === 'relabel' && typmod === -1) {
    return {
      ...expression,
      type,
      typmod,
      key: `${expression.key}::${type}`,
      children: [expression],
      print: expression.print && printed,
      column: undefined,
      isPure: true,
      location,
    };
  }
  return {
    type,
    typmod,
    key: `${expression.key}::${type},${typmod}`,
    children: [expression],
    evaluate: (frame) => {
      const value = expression.evaluate(frame);
      return value === null ? null : convertValue(frame.context, value, conversion);
    },
    print: expression.print && printed,
    isPure: true,
    location,
  };
}

/** A string literal is read by the type's input function now, a parameter gets the type. */
function typeUntyped(analysis: Analysis, expression: Expression, type: number, typmod: number): Expression | undefined {
  const { context } = analysis;
  if (expression.parameter !== undefined) {
    const typed = analysis.parameters.assign(expression.parameter, type, expression.location, (t) =>
      typeName(context, t),
    );
    return typmod === -1 ? typed : coerce(analysis, typed, type, typmod, 'explicit');
  }
  if (expression.constant === undefined) return undefined;
  // A length is applied as a cast of its own, which may cut.
  if (typmod !== -1 && type !== typeOids.interval) {
    return coerce(analysis, typeUntyped(analysis, expression, type, -1)!, type, typmod, 'explicit');
  }
  const { value } = expression.constant;
  if (value === null)
    return constant(null, type, expression.location, typmod, () => `NULL::${typeName(context, type)}`);
  let read: string;
  try {
    read = inputValue(context, value, type, typmod);
  } catch (error) {
    if (error instanceof ValueError) throw sqlError(error.sqlState, error.message, expression.location);
    if (error instanceof SqlError && error.location === undefined)
      throw new SqlError(error.fields, expression.location);
    throw error;
  }
  const literal = constant(read, type, expression.location, typmod);
  const quoted = (): string =>
    literal.print!().startsWith("'") && !literal.print!().includes('::')
      ? `${literal.print!()}::${typeName(context, type)}`
      : literal.print!();
  return { ...literal, print: quoted };
}

/** @throws SqlError 42804 or 42846 */
export function coerceOrFail(
  analysis: Analysis,
  expression: Expression,
  type: number,
  typmod: number,
  context: CastContext,
  location = expression.location,
): Expression {
  const coerced = coerce(analysis, expression, type, typmod, context, location);
  if (coerced !== undefined) return coerced;
  const from = typeName(analysis.context, expression.type);
  throw sqlError('42846', `cannot cast type ${from} to ${typeName(analysis.context, type)}`, location);
}

/** A condition. @param what `WHERE`, `AND` …, for the message */
export function coerceToBoolean(analysis: Analysis, expression: Expression, what: string): Expression {
  const coerced = coerce(analysis, expression, typeOids.bool, -1, 'assignment');
  if (coerced !== undefined) return coerced;
  const type = typeName(analysis.context, expression.type);
  throw sqlError('42804', `argument of ${what} must be type boolean, not type ${type}`, expression.location);
}

/** What stays untyped to the end is text. */
export function resolveUntyped(analysis: Analysis, expression: Expression): Expression {
  return isUntyped(expression) ? coerce(analysis, expression, typeOids.text, -1, 'implicit')! : expression;
}

/**
 * The type that branches of one construct have in common: the first one that others can be turned into, preferred types first.
 * @throws SqlError 42804
 */
export function commonType(analysis: Analysis, expressions: readonly Expression[], what: string): number {
  const { types } = analysis.context;
  let chosen: number = typeOids.unknown;
  for (const expression of expressions) {
    const type = types.baseOf(expression.type);
    if (type === typeOids.unknown || type === chosen) continue;
    if (chosen === typeOids.unknown) {
      chosen = type;
      continue;
    }
    const [current, next] = [types.facts(chosen), types.facts(type)];
    if (current.category !== next.category) {
      const names = `${typeName(analysis.context, chosen)} and ${typeName(analysis.context, type)}`;
      throw sqlError('42804', `${what} types ${names} cannot be matched`, expression.location);
    }
    if (
      !current.preferred &&
      canCoerce(analysis, chosen, type, 'implicit') &&
      !canCoerce(analysis, type, chosen, 'implicit')
    ) {
      chosen = type;
    }
  }
  return chosen === typeOids.unknown ? typeOids.text : chosen;
}

/** All of one type. @throws SqlError 42804, 42846 */
export function coerceToCommon(
  analysis: Analysis,
  expressions: readonly Expression[],
  what: string,
): { type: number; coerced: Expression[] } {
  const type = commonType(analysis, expressions, what);
  const coerced = expressions.map((expression) => {
    const result = coerce(analysis, expression, type, -1, 'implicit');
    if (result !== undefined) return result;
    const [from, to] = [typeName(analysis.context, expression.type), typeName(analysis.context, type)];
    throw sqlError('42846', `${what} could not convert type ${from} to ${to}`, expression.location);
  });
  return { type, coerced };
}
