/** Which function a call means, and how its arguments are passed. */
import type { FuncCall } from 'libpg-query';
import { NotEmulated, sqlError } from '../failure.js';
import type { FunctionDefinition, ParameterDefinition } from '../functions/definition.js';
import { functionsNamed } from '../functions/registry.js';
import { serverFunctions, type ServerFunction } from '../functions/server-functions.js';
import { stringsOf } from '../nodes.js';
import type { Analysis, Scope } from '../query/scope.js';
import { printElements } from '../types/array-values.js';
import type { TypeSpace } from '../types/type-space.js';
import { typeOids } from '../types/type-oids.js';
import { accepts, selectCandidate, type Candidate } from './candidates.js';
import { coerce, coerceOrFail, resolveUntyped, typeName } from './coercion.js';
import { constant, isUntyped, type Expression, type RecordField } from './expression.js';
import { actualTypes, resultType } from './polymorphism.js';

/** A function chosen for a call, with its arguments converted, defaults included. */
export interface ResolvedCall {
  readonly definition: FunctionDefinition;
  readonly arguments: readonly Expression[];
  readonly resultType: number;
  readonly fields: readonly RecordField[] | undefined;
}

interface Argument {
  readonly name: string | undefined;
  readonly expression: Expression;
}

/** One way to pass the arguments to one function. */
interface Choice extends Candidate {
  readonly definition: FunctionDefinition;
  /** For each parameter the argument's position; -1 for the default; a list for a variadic one. */
  readonly passing: readonly (number | readonly number[])[];
}

/** @throws SqlError 42883, 42725; NotEmulated */
export function resolveCall(node: FuncCall, scope: Scope, analysis: Analysis): ResolvedCall | Expression {
  const location = node.location ?? 0;
  const name = functionName(node, analysis);
  const args: Argument[] = (node.args ?? []).map((arg) =>
    'NamedArgExpr' in arg
      ? { name: arg.NamedArgExpr.name ?? '', expression: analysis.expression(arg.NamedArgExpr.arg!, scope) }
      : { name: undefined, expression: analysis.expression(arg, scope) },
  );
  const call = resolveFunction(name, args, { isVariadic: node.func_variadic === true, location }, analysis);
  if ('definition' in call) analysis.context.admit?.(call.definition, location);
  return call;
}

function functionName(node: FuncCall, analysis: Analysis): string {
  const names = stringsOf(node.funcname);
  const name = names.at(-1)!;
  const schema = names.length > 1 ? names.at(-2) : undefined;
  const isKnownSchema =
    schema === undefined || schema === 'pg_catalog' || (schema === 'information_schema' && name.startsWith('_pg_'));
  if (!isKnownSchema) {
    throw sqlError('42883', `function ${names.join('.')}(…) does not exist`, node.location);
  }
  // EXTRACT became a function of its own, of numeric results, in 14.
  return name === 'extract' && analysis.context.major < 14 ? 'date_part' : name;
}

interface CallForm {
  readonly isVariadic: boolean;
  readonly location: number;
}

function resolveFunction(
  name: string,
  args: readonly Argument[],
  form: CallForm,
  analysis: Analysis,
): ResolvedCall | Expression {
  const { context } = analysis;
  const { types } = context;
  const given = args.map(({ expression }) => expression.type);
  const choices = functionsNamed(context.major, name).flatMap((definition) =>
    waysToPass(definition, args, form.isVariadic, types),
  );
  const choice = exactChoice(types, given, choices) ?? selectCandidate(types, given, reordered(choices, args));
  const signature = (): string =>
    `${name}(${args.map((a) => (a.name === undefined ? '' : `${a.name} => `) + typeName(context, a.expression.type)).join(', ')})`;
  if (choice === 'ambiguous') {
    throw sqlError('42725', `function ${signature()} is not unique`, form.location, {
      hint: 'Could not choose a best candidate function. You might need to add explicit type casts.',
    });
  }
  if (choice !== undefined) return resolved(choice, args, analysis);
  const cast = castByName(name, args, form.location, analysis);
  if (cast !== undefined) return cast;
  const onServer = serverFunction(name, given, types);
  if (onServer !== undefined) return notEmulated(onServer, name, signature(), args, form, analysis);
  throw sqlError('42883', `function ${signature()} does not exist`, form.location, {
    hint: 'No function matches the given name and argument types. You might need to add explicit type casts.',
  });
}

/** What a server of this major would call, if it has a function that these arguments fit. */
function serverFunction(name: string, given: readonly number[], types: TypeSpace): ServerFunction | undefined {
  return serverFunctions(types.major, name).find(({ parameters, isVariadic }) => {
    if (isVariadic ? given.length < parameters.length - 1 : given.length > parameters.length) return false;
    // Fewer arguments than parameters: there may be defaults.
    return given.every((type, i) => {
      const isSpread = isVariadic && i >= parameters.length - 1;
      return isSpread || accepts(types, type, oidOf(types, parameters[i]!));
    });
  });
}

/** A call that has a type but no value: the query may well have no rows to evaluate it on. */
function notEmulated(
  { kind, result }: ServerFunction,
  name: string,
  signature: string,
  args: readonly Argument[],
  form: CallForm,
  { context }: Analysis,
): ResolvedCall {
  const refusal = new NotEmulated(`function ${signature}`, form.location);
  const resultType = oidOf(context.types, result);
  if (kind !== 'value' || context.types.facts(resultType).kind === 'p') throw refusal;
  const run = (): never => {
    throw refusal;
  };
  const traits = { isStrict: false, isVolatile: false, isImmutable: false };
  return {
    definition: {
      name,
      parameters: [],
      result,
      fields: undefined,
      resultName: undefined,
      ...traits,
      body: { kind: 'scalar', run },
    },
    arguments: args.map(({ expression }) => expression),
    resultType,
    fields: undefined,
  };
}

/** `text(x)`, `oid(x)`: a type's name converts to it. */
function castByName(
  name: string,
  args: readonly Argument[],
  location: number,
  analysis: Analysis,
): Expression | undefined {
  if (args.length !== 1 || args[0]!.name !== undefined) return undefined;
  const type = analysis.context.types.byName('pg_catalog', name, []);
  if (type === undefined || type.kind === 'p') return undefined;
  return coerce(analysis, args[0]!.expression, type.oid, -1, 'explicit', location);
}

function oidOf(types: TypeSpace, name: string): number {
  return types.byName('pg_catalog', name, [])!.oid;
}

function waysToPass(
  definition: FunctionDefinition,
  args: readonly Argument[],
  isVariadicCall: boolean,
  types: TypeSpace,
): Choice[] {
  const { parameters } = definition;
  const passing: (number | readonly number[])[] = parameters.map(() => -1);
  const parameterTypes: number[] = [];
  const last = parameters.at(-1);
  for (const [i, arg] of args.entries()) {
    const position =
      arg.name === undefined ? Math.min(i, parameters.length - 1) : parameters.findIndex((p) => p.name === arg.name);
    const parameter = parameters[position];
    if (parameter === undefined) return [];
    const spreads = parameter.isVariadic && !isVariadicCall && arg.name === undefined;
    if (!spreads) {
      if (i >= parameters.length && arg.name === undefined) return [];
      if (passing[position] !== -1 || (isVariadicCall && i === args.length - 1 && !parameter.isVariadic)) return [];
      passing[position] = i;
      parameterTypes.push(oidOf(types, parameter.type));
      continue;
    }
    const before = passing[position];
    passing[position] = typeof before === 'object' ? [...before, i] : [i];
    parameterTypes.push(
      parameter.type === 'any'
        ? typeOids.any
        : types.elementOf(oidOf(types, parameter.type)) || oidOf(types, 'anyelement'),
    );
  }
  const isComplete = parameters.every(
    (p, i) => passing[i] !== -1 || p.fallback !== undefined || (p.isVariadic && p === last && p.type === 'any'),
  );
  return isComplete ? [{ definition, passing, parameters: parameterTypes }] : [];
}

/** Candidates have the types in the order of the arguments. */
function reordered(choices: readonly Choice[], args: readonly Argument[]): readonly Choice[] {
  return choices.filter((choice) => choice.parameters.length === args.length);
}

function exactChoice(types: TypeSpace, given: readonly number[], choices: readonly Choice[]): Choice | undefined {
  return choices.find(
    ({ parameters }) => parameters.length === given.length && parameters.every((p, i) => p === types.baseOf(given[i]!)),
  );
}

function resolved(choice: Choice, args: readonly Argument[], analysis: Analysis): ResolvedCall {
  const { definition } = choice;
  const { types } = analysis.context;
  const given = args.map(({ expression }) => expression.type);
  const actual = actualTypes(types, given, choice.parameters);
  const passed = args.map(({ expression }, i) => {
    const wanted = actual[i]!;
    if (wanted === typeOids.any) return isUntyped(expression) ? resolveUntyped(analysis, expression) : expression;
    return coerceOrFail(analysis, expression, wanted, -1, 'implicit');
  });
  const values = definition.parameters.flatMap((parameter, i): Expression[] => {
    const from = choice.passing[i]!;
    if (typeof from === 'object') {
      const given = from.map((position) => passed[position]!);
      return parameter.type === 'any' ? given : [packed(given, oidOf(types, parameter.type), types)];
    }
    if (from >= 0) return [passed[from]!];
    return parameter.isVariadic && parameter.fallback === undefined ? [] : [defaultOf(parameter, types)];
  });
  const typeOf = (name: string): number => resultType(types, oidOf(types, name), choice.parameters, actual);
  return {
    definition,
    arguments: values,
    resultType: typeOf(definition.result),
    fields: definition.fields?.map(({ name, type }) => ({ name, type: typeOf(type), typmod: -1 })),
  };
}

/** The arguments of a variadic parameter as one array. */
function packed(items: readonly Expression[], type: number, types: TypeSpace): Expression {
  return {
    type,
    typmod: -1,
    key: `variadic(${items.map((item) => item.key).join()})`,
    children: items,
    evaluate: (frame) =>
      printElements(
        types,
        type,
        items.map((item) => item.evaluate(frame)),
      ),
    print: undefined,
    location: items[0]!.location,
  };
}

function defaultOf(parameter: ParameterDefinition, types: TypeSpace): Expression {
  return constant(parameter.fallback!, oidOf(types, parameter.type), -1);
}
