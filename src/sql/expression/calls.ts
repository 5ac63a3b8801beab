/** Function calls in expressions: of a value, an aggregate, a window function, or a set in the select list. */
import type { FuncCall } from 'libpg-query';
import { printComposite, quoteIdentifier } from '../../postgres/index.js';
import { NotEmulated, sqlError } from '../failure.js';
import type { Call } from '../functions/definition.js';
import { functionsNamed } from '../functions/registry.js';
import { stringsOf } from '../nodes.js';
import type { Analysis, Scope } from '../query/scope.js';
import { aggregateCall, windowCall } from './aggregate-calls.js';
import type { Handlers } from './analyze.js';
import type { Expression, Frame, Value } from './expression.js';
import { resolveCall, type ResolvedCall } from './function-resolution.js';

function functionCall(node: FuncCall, scope: Scope, analysis: Analysis): Expression {
  const location = node.location ?? 0;
  if (node.agg_within_group === true) throw new NotEmulated('WITHIN GROUP', location);
  const outerClause = scope.clause;
  const mayAggregate = functionsNamed(analysis.context.major, stringsOf(node.funcname).at(-1)!).some(
    (f) => f.body.kind === 'aggregate',
  );
  if (mayAggregate && node.over === undefined) scope.clause = 'aggregate';
  let call: ResolvedCall | Expression;
  try {
    call = resolveCall(node, scope, analysis);
  } finally {
    scope.clause = outerClause;
  }
  if (!('definition' in call)) return call;
  if (node.over !== undefined) return windowCall(call, node, scope, analysis);
  switch (call.definition.body.kind) {
    case 'aggregate':
      return aggregateCall(call, node, scope, analysis);
    case 'window':
      throw sqlError('42809', `window function ${call.definition.name} requires an OVER clause`, location);
    case 'set':
      return setCall(call, scope, location);
    default:
      return valueCall(call, location);
  }
}

/** A call as text, by the structure of its arguments. */
export function callKey(call: ResolvedCall): string {
  return `${call.definition.name}(${call.arguments.map((a) => a.key).join()})`;
}

/** Null where a strict function has a NULL among its arguments. */
export function argumentValues(call: ResolvedCall, frame: Frame): Value[] | null {
  const values: Value[] = [];
  for (const argument of call.arguments) {
    const value = argument.evaluate(frame);
    if (value === null && call.definition.isStrict) return null;
    values.push(value);
  }
  return values;
}

export function callInfo(call: ResolvedCall, frame: Frame): Call {
  return { context: frame.context, argumentTypes: call.arguments.map((a) => a.type), resultType: call.resultType };
}

function valueCall(call: ResolvedCall, location: number): Expression {
  const { definition } = call;
  const { body } = definition;
  const run = body.kind === 'scalar' ? body.run : undefined;
  const row = body.kind === 'row' ? body.run : undefined;
  return {
    type: call.resultType,
    typmod: -1,
    key: callKey(call),
    children: call.arguments,
    evaluate: (frame) => {
      const values = argumentValues(call, frame);
      if (values === null) return null;
      const info = callInfo(call, frame);
      return run !== undefined ? run(info, ...values) : printComposite(row!(info, ...values));
    },
    volatile: definition.isVolatile,
    isPure: definition.isImmutable,
    isMutable: !definition.isImmutable,
    print: call.arguments.every((a) => a.print) ? () => printCall(call) : undefined,
    fields: call.fields,
    location,
  };
}

function printCall(call: ResolvedCall): string {
  return `${quoteIdentifier(call.definition.name)}(${call.arguments.map((a) => a.print!()).join(', ')})`;
}

/** The values of a set-returning call for one row: rows as composite values. */
export function setValues(call: ResolvedCall, frame: Frame): Iterable<Value | readonly Value[]> {
  const { body } = call.definition;
  const values = argumentValues(call, frame);
  if (values === null) return [];
  if (body.kind === 'set') return body.run(callInfo(call, frame), ...values);
  if (body.kind === 'row') return [body.run(callInfo(call, frame), ...values)];
  return body.kind === 'scalar' ? [body.run(callInfo(call, frame), ...values)] : [];
}

function setCall(call: ResolvedCall, scope: Scope, location: number): Expression {
  if (scope.clause !== 'select' && scope.clause !== 'order by') {
    throw sqlError('0A000', `set-returning functions are not allowed in ${scope.clause.toUpperCase()}`, location);
  }
  const key = callKey(call);
  let slot = scope.sets.find((set) => set.key === key)?.slot;
  if (slot === undefined) {
    slot = scope.takeSlot();
    scope.sets.push({
      key,
      slot,
      values: function* (frame) {
        for (const value of setValues(call, frame)) {
          yield typeof value === 'object' && value !== null ? printComposite(value) : value;
        }
      },
    });
  }
  const at = slot;
  return {
    type: call.resultType,
    typmod: -1,
    key,
    children: call.arguments,
    evaluate: (frame) => frame.slots[at]!,
    volatile: call.definition.isVolatile,
    print: undefined,
    fields: call.fields,
    location,
  };
}

export const callNodes: Handlers = { FuncCall: functionCall };
