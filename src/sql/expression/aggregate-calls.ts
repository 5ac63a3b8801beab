/** Aggregates and window functions: their calls leave a slot that grouping fills before the expression is evaluated. */
import type { FuncCall, WindowDef } from 'libpg-query';
import { NotEmulated, sqlError } from '../failure.js';
import type { Analysis, Scope } from '../query/scope.js';
import { sortKeysOf } from '../query/sort-keys.js';
import { coerceToBoolean } from './coercion.js';
import { callInfo, callKey } from './calls.js';
import type { Expression, Frame } from './expression.js';
import type { ResolvedCall } from './function-resolution.js';

/** RANGE UNBOUNDED PRECEDING, given or not: all other frames are not emulated. */
const defaultFrames = new Set([1058, 1059]);

type Ranking = 'row_number' | 'rank' | 'dense_rank';

function slotExpression(
  call: ResolvedCall,
  key: string,
  slot: number,
  children: readonly Expression[],
  location: number,
): Expression {
  return {
    type: call.resultType,
    typmod: -1,
    key,
    children,
    evaluate: (frame) => frame.slots[slot]!,
    isAggregate: true,
    print: undefined,
    location,
  };
}

/** @throws SqlError 42803 where aggregates may not stand */
export function aggregateCall(call: ResolvedCall, node: FuncCall, scope: Scope, analysis: Analysis): Expression {
  const location = node.location ?? 0;
  const { body } = call.definition;
  if (body.kind !== 'aggregate') throw new Error(`${call.definition.name} is no aggregate`);
  checkClause(scope, location);
  const order = sortKeysOf(node.agg_order ?? [], [], scope, analysis);
  const filter = node.agg_filter && coerceToBoolean(analysis, analysis.expression(node.agg_filter, scope), 'FILTER');
  const parts = [...call.arguments, ...order.map(({ expression }) => expression), ...(filter ? [filter] : [])];
  const distinct = node.agg_distinct === true;
  const key = `${call.definition.name}${distinct ? ' distinct' : ''}(${parts.map((e) => e.key).join()}|${order.map((o) => o.descending).join()})`;
  let slot = scope.aggregates.find((aggregate) => aggregate.key === key)?.slot;
  if (slot === undefined) {
    slot = scope.takeSlot();
    scope.aggregates.push({
      key,
      slot,
      arguments: call.arguments,
      distinct,
      order,
      filter,
      strict: call.definition.isStrict,
      start: (frame) => body.start(callInfo(call, frame)),
    });
  }
  return slotExpression(call, key, slot, parts, location);
}

function checkClause(scope: Scope, location: number): void {
  switch (scope.clause) {
    case 'where':
    case 'group by':
    case 'limit':
    case 'values':
      throw sqlError('42803', `aggregate functions are not allowed in ${scope.clause.toUpperCase()}`, location);
    case 'on':
      throw sqlError('42803', 'aggregate functions are not allowed in JOIN conditions', location);
    case 'from':
      throw sqlError('42803', 'aggregate functions are not allowed in functions in FROM', location);
    case 'aggregate':
      throw sqlError('42803', 'aggregate function calls cannot be nested', location);
    default:
  }
}

export function windowCall(call: ResolvedCall, node: FuncCall, scope: Scope, analysis: Analysis): Expression {
  const location = node.location ?? 0;
  const { name, body, isStrict } = call.definition;
  if (body.kind !== 'window' && body.kind !== 'aggregate') {
    throw sqlError('42809', `OVER specified, but ${name} is not a window function nor an aggregate function`, location);
  }
  if (scope.clause !== 'select' && scope.clause !== 'order by') {
    throw sqlError('42P20', `window functions are not allowed in ${scope.clause.toUpperCase()}`, location);
  }
  const definition = definitionOf(node.over!, scope);
  const isUsual =
    defaultFrames.has(definition.frameOptions ?? 1058) && node.agg_filter === undefined && node.agg_distinct !== true;
  if (!isUsual) throw new NotEmulated('this window frame', location);
  const partition = (definition.partitionClause ?? []).map((item) => analysis.expression(item, scope));
  const order = sortKeysOf(definition.orderClause ?? [], [], scope, analysis);
  const parts = [...call.arguments, ...partition, ...order.map(({ expression }) => expression)];
  const key = `${callKey(call)} over(${partition.length}|${parts.map((e) => e.key).join()}|${order.map((o) => o.descending).join()})`;
  let slot = scope.windows.find((window) => window.key === key)?.slot;
  if (slot === undefined) {
    slot = scope.takeSlot();
    const what =
      body.kind === 'window'
        ? (name as Ranking)
        : { arguments: call.arguments, strict: isStrict, start: (frame: Frame) => body.start(callInfo(call, frame)) };
    scope.windows.push({ key, slot, partition, order, function: what });
  }
  return { ...slotExpression(call, key, slot, parts, location), isAggregate: false };
}

function definitionOf(over: WindowDef, scope: Scope): WindowDef {
  const name = over.name ?? over.refname;
  if (name === undefined) return over;
  const named = scope.windowDefinitions.find((window) => window.name === name);
  if (named === undefined) throw sqlError('42704', `window "${name}" does not exist`, over.location);
  return { ...named, ...over };
}
