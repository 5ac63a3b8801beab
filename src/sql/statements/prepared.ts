/** PREPARE, EXECUTE, DEALLOCATE. */
import type { DeallocateStmt, ExecuteStmt, Node, PrepareStmt } from 'libpg-query';
import { createAnalysis } from '../analysis.js';
import { coerce, typeName } from '../expression/coercion.js';
import type { Frame } from '../expression/expression.js';
import { NotEmulated, sqlError } from '../failure.js';
import { Parameters } from '../query/parameters.js';
import { Scope } from '../query/scope.js';
import { action, type Plan } from '../session/plan.js';
import type { SessionState } from '../session/session-state.js';
import type { StatementStore } from '../session/statement-store.js';
import { resolveTypeName } from '../types/sql-type-name.js';
import { planSelect } from './select.js';

export function planPrepare(statement: PrepareStmt, text: string, session: SessionState, store: StatementStore): Plan {
  const name = statement.name!;
  const node = selectOf(statement.query!);
  const context = session.context([]);
  const declared = (statement.argtypes ?? []).map((type) => {
    return resolveTypeName(context, (type as Extract<Node, { TypeName: unknown }>).TypeName).oid;
  });
  return action(() => {
    const parameters = new Parameters(declared, true);
    planSelect(node.SelectStmt, session, parameters);
    const parameterTypes = parameters.resolved();
    store.addStatement({ name, text, node, parameterTypes, fromSql: true, preparedAt: session.host.now() });
    return 'PREPARE';
  });
}

function selectOf(node: Node): Extract<Node, { SelectStmt: unknown }> {
  if ('SelectStmt' in node) return node;
  throw new NotEmulated('PREPARE of a statement that is no SELECT');
}

export function planExecute(
  { name = '', params = [] }: ExecuteStmt,
  session: SessionState,
  store: StatementStore,
): Plan {
  const prepared = store.statement(name);
  const { parameterTypes } = prepared;
  if (params.length !== parameterTypes.length) {
    throw sqlError('42601', `wrong number of parameters for prepared statement "${name}"`, undefined, {
      detail: `Expected ${parameterTypes.length} parameters but got ${params.length}.`,
    });
  }
  if (prepared.node === undefined || !('SelectStmt' in prepared.node))
    throw new NotEmulated('EXECUTE of a statement that is no SELECT');
  const context = session.context([]);
  const analysis = createAnalysis(context, new Parameters([], false));
  const frame: Frame = {
    context,
    parameters: [],
    values: [],
    slots: [],
    outer: null,
    memo: new Map(),
    cache: new Map(),
  };
  const values = params.map((node, i) => {
    const given = analysis.expression(node, new Scope(null, new Map()));
    const type = parameterTypes[i]!;
    const coerced = coerce(analysis, given, type, -1, 'assignment');
    if (coerced !== undefined) return coerced.evaluate(frame);
    const [actual, wanted] = [typeName(context, given.type), typeName(context, type)];
    throw sqlError(
      '42804',
      `parameter $${i + 1} of type ${actual} cannot be coerced to the expected type ${wanted}`,
      given.location,
    );
  });
  const plan = planSelect(prepared.node.SelectStmt, session, new Parameters(parameterTypes, true));
  return { ...plan, rows: () => plan.rows(values) };
}

export function planDeallocate({ name, isall }: DeallocateStmt, store: StatementStore): Plan {
  return action(() => {
    if (isall === true) {
      store.statements.clear();
      return 'DEALLOCATE ALL';
    }
    store.statement(name!);
    store.statements.delete(name!);
    return 'DEALLOCATE';
  });
}
