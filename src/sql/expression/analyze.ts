/** From the parser's expression nodes to typed expressions: one handler for each kind of node. */
import type { Node } from 'libpg-query';
import { NotEmulated } from '../failure.js';
import { kindOf } from '../nodes.js';
import type { Analysis, Scope } from '../query/scope.js';
import type { Expression } from './expression.js';
import { columnNodes } from './columns.js';
import { conditionNodes } from './conditions.js';
import { constantNodes } from './constants.js';
import { constructorNodes } from './constructors.js';
import { callNodes } from './calls.js';
import { operatorNodes } from './operator-nodes.js';
import { subqueryNodes } from './subqueries.js';

/** Node kinds by name, and what is under each. */
export type NodeContents = { [K in Kinds]: Extract<Node, Record<K, unknown>>[K] };
type Kinds = Node extends infer N ? (N extends unknown ? keyof N : never) : never;

export type Handler<K extends Kinds> = (node: NodeContents[K], scope: Scope, analysis: Analysis) => Expression;
export type Handlers = { readonly [K in Kinds]?: Handler<K> };

const handlers: Handlers = {
  ...constantNodes,
  ...columnNodes,
  ...operatorNodes,
  ...conditionNodes,
  ...constructorNodes,
  ...callNodes,
  ...subqueryNodes,
};

/** @throws SqlError, NotEmulated */
export function analyzeExpression(node: Node, scope: Scope, analysis: Analysis): Expression {
  const kind = kindOf(node) as Kinds;
  const handler = handlers[kind] as Handler<Kinds> | undefined;
  if (handler === undefined) throw new NotEmulated(`a ${kind} expression`);
  return handler((node as unknown as Record<string, never>)[kind]!, scope, analysis);
}
