/**
 * Functions, declared by signatures: `[14-]name(type, second type = default, variadic type) result`. In front stands the range of
 * majors; parameters may have names; a result is a type, `(name type, …)` for a row, with `setof` for any number of them.
 */
import type { StatementContext } from '../context.js';
import type { Value } from '../expression/expression.js';
import type { Accumulator } from '../query/scope.js';
import { linesOf } from '../system/lines.js';

/** What an implementation can see besides its arguments. */
export interface Call {
  readonly context: StatementContext;
  readonly argumentTypes: readonly number[];
  readonly resultType: number;
}

export interface ParameterDefinition {
  /** Empty for none. */
  readonly name: string;
  /** typname. */
  readonly type: string;
  /** The default, as a value; undefined for none. */
  readonly fallback: Value | undefined;
  readonly isVariadic: boolean;
}

export interface FieldDefinition {
  readonly name: string;
  readonly type: string;
}

export type ScalarBody = (call: Call, ...values: Value[]) => Value;
/** Rows of the fields' values, or values. */
export type SetBody = (call: Call, ...values: Value[]) => Iterable<Value | readonly Value[]>;
export type AggregateBody = (call: Call) => Accumulator;

export type FunctionBody =
  | { readonly kind: 'scalar'; readonly run: ScalarBody }
  /** One row. */
  | { readonly kind: 'row'; readonly run: (call: Call, ...values: Value[]) => readonly Value[] }
  | { readonly kind: 'set'; readonly run: SetBody }
  | { readonly kind: 'aggregate'; readonly start: AggregateBody }
  | { readonly kind: 'window' };

export interface FunctionDefinition {
  readonly name: string;
  readonly parameters: readonly ParameterDefinition[];
  /** typname; `record` where there are fields. */
  readonly result: string;
  readonly fields: readonly FieldDefinition[] | undefined;
  /** Name of the one column that it gives in FROM; undefined: its own. */
  readonly resultName: string | undefined;
  /** NULL among the arguments gives NULL (no rows) without a call; of aggregates: such rows do not count. */
  readonly isStrict: boolean;
  readonly isVolatile: boolean;
  /** The same arguments give the same result, always. */
  readonly isImmutable: boolean;
  readonly body: FunctionBody;
}

/** A group of functions that have something in common; read when a server of some major first needs them. */
export type FunctionGroup = (major: number) => FunctionDefinition[];

type StrictBody = (call: Call, ...values: string[]) => Value;
type StrictSetBody = (call: Call, ...values: string[]) => Iterable<Value | readonly Value[]>;
type StrictRowBody = (call: Call, ...values: string[]) => readonly Value[];
type RowBody = (call: Call, ...values: Value[]) => readonly Value[];

/** Strict functions of one value. The arguments are never NULL. */
export function functions(bodies: Readonly<Record<string, StrictBody>>): FunctionGroup {
  return group(bodies, (run) => ({ kind: 'scalar', run: run as ScalarBody }), { isStrict: true });
}

/** Functions whose results depend on the session, the catalogs or the time, too. */
export function stable(functions: FunctionGroup): FunctionGroup {
  return (major) => functions(major).map((definition) => ({ ...definition, isImmutable: false }));
}

/** Functions that are called with NULLs too. */
export function functionsOnNull(bodies: Readonly<Record<string, ScalarBody>>): FunctionGroup {
  return group(bodies, (run) => ({ kind: 'scalar', run }), { isStrict: false });
}

/** Strict functions that do something, or give something new each time. */
export function volatileFunctions(bodies: Readonly<Record<string, StrictBody>>): FunctionGroup {
  return group(bodies, (run) => ({ kind: 'scalar', run: run as ScalarBody }), { isStrict: true, isVolatile: true });
}

/** Functions of one row. */
export function rowFunctions(bodies: Readonly<Record<string, StrictRowBody>>): FunctionGroup {
  return group(bodies, (run) => ({ kind: 'row', run: run as RowBody }), { isStrict: true, isVolatile: true });
}

export function setFunctions(bodies: Readonly<Record<string, StrictSetBody>>): FunctionGroup {
  return group(bodies, (run) => ({ kind: 'set', run: run as SetBody }), { isStrict: true });
}

export function volatileSetFunctions(bodies: Readonly<Record<string, SetBody>>): FunctionGroup {
  return group(bodies, (run) => ({ kind: 'set', run }), { isStrict: false, isVolatile: true });
}

export function aggregates(bodies: Readonly<Record<string, AggregateBody>>, isStrict: boolean): FunctionGroup {
  return group(bodies, (start) => ({ kind: 'aggregate', start }), { isStrict });
}

export function windowFunctions(signatures: readonly string[]): FunctionGroup {
  const bodies = Object.fromEntries(signatures.map((signature) => [signature, null]));
  return group(bodies, () => ({ kind: 'window' }), { isStrict: false });
}

function group<B>(
  bodies: Readonly<Record<string, B>>,
  bodyOf: (body: B) => FunctionBody,
  { isStrict, isVolatile = false }: { isStrict: boolean; isVolatile?: boolean },
): FunctionGroup {
  return (major) => {
    const definitions: FunctionDefinition[] = [];
    for (const [text, body] of Object.entries(bodies)) {
      const [signature] = linesOf(text, major);
      if (signature === undefined) continue;
      definitions.push({
        ...parseSignature(signature),
        isStrict,
        isVolatile,
        isImmutable: !isVolatile,
        body: bodyOf(body),
      });
    }
    return definitions;
  };
}

type Signature = Pick<FunctionDefinition, 'name' | 'parameters' | 'result' | 'fields' | 'resultName'>;

function parseSignature(text: string): Signature {
  const match = /^(\w+)\((.*?)\) (?:setof )?(?:(\w+)|\((.*)\))$/.exec(text);
  if (match === null) throw new Error(`a function signature that does not read: ${text}`);
  const [, name, parameters, result, fields] = match;
  const columns = fields === undefined ? [] : listOf(fields).map(parseField);
  // A single output parameter makes no row.
  const only = columns.length === 1 ? columns[0] : undefined;
  return {
    name: name!,
    parameters: listOf(parameters!).map(parseParameter),
    result: result ?? only?.type ?? 'record',
    fields: columns.length > 1 ? columns : undefined,
    resultName: only?.name,
  };
}

function listOf(text: string): string[] {
  return text === '' ? [] : text.split(', ');
}

function parseField(text: string): FieldDefinition {
  const [name, type] = text.split(' ');
  return { name: name!, type: type! };
}

function parseParameter(text: string): ParameterDefinition {
  const [declaration, fallback] = text.split(' = ');
  const words = declaration!.split(' ');
  const isVariadic = words[0] === 'variadic';
  const [first, second] = isVariadic ? words.slice(1) : words;
  const value = fallback === 'null' ? null : fallback === "''" ? '' : fallback;
  return { name: second === undefined ? '' : first!, type: second ?? first!, fallback: value, isVariadic };
}
