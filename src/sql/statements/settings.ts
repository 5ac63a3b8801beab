/** SET, RESET, SHOW, DISCARD. */
import type { DefElem, DiscardStmt, Node, VariableSetStmt, VariableShowStmt } from 'libpg-query';
import { WireError } from '../../values/wire-error.js';
import { NotEmulated, sqlError } from '../failure.js';
import { integerConstant } from '../nodes.js';
import { roleOid } from '../relations/roles.js';
import { action, column, type ActionPlan, type Plan, type RowsPlan } from '../session/plan.js';
import type { SessionState } from '../session/session-state.js';
import { listText, nameLists } from '../session/special-settings.js';
import { typeOids } from '../types/type-oids.js';
import { setTransaction } from './transactions.js';

export function planSet(statement: VariableSetStmt, session: SessionState): ActionPlan {
  const { kind, name = '' } = statement;
  return {
    kind: 'action',
    run: function* () {
      if (statement.is_local === true && session.status !== 'block') {
        const message = `SET ${name.startsWith('TRANSACTION') ? 'TRANSACTION' : 'LOCAL'} can only be used in transaction blocks`;
        yield { kind: 'notice', notice: new WireError({ severity: 'WARNING', code: '25P01', message }) };
      }
      if (kind === 'VAR_SET_MULTI') yield* setSeveral(statement, session);
      else apply(statement, session);
      yield { kind: 'complete', tag: kind === 'VAR_RESET' || kind === 'VAR_RESET_ALL' ? 'RESET' : 'SET' };
    },
  };
}

function apply(statement: VariableSetStmt, session: SessionState): void {
  const { settings } = session;
  const { kind, name = '' } = statement;
  const isLocal = statement.is_local === true;
  switch (kind) {
    case 'VAR_SET_VALUE':
      if (name === 'role' || name === 'session_authorization') requireRole(statement, session);
      settings.set(name, valueText(name, statement.args ?? []), isLocal);
      return;
    case 'VAR_SET_DEFAULT':
    case 'VAR_RESET':
      settings.reset(name, isLocal);
      return;
    case 'VAR_SET_CURRENT':
      settings.set(name, settings.value(name) ?? '', isLocal);
      return;
    case 'VAR_RESET_ALL':
      settings.resetAll();
      return;
    default:
      throw new NotEmulated(`SET of kind ${kind ?? ''}`);
  }
}

/** @throws SqlError 22023 */
function requireRole({ name, args }: VariableSetStmt, session: SessionState): void {
  const role = valueText(name!, args ?? []);
  if (name === 'role' && role === 'none') return;
  if (roleOid(session.context([]), role) === undefined) throw sqlError('22023', `role "${role}" does not exist`);
}

function valueText(name: string, args: readonly Node[]): string {
  const values = args.map((arg) => {
    if ('A_Const' in arg) {
      const { sval, fval, boolval } = arg.A_Const;
      const integer = integerConstant(arg);
      if (sval !== undefined) return sval.sval ?? '';
      if (fval !== undefined) return fval.fval ?? '0';
      if (boolval !== undefined) return boolval.boolval === true ? 'true' : 'false';
      if (integer !== undefined) return String(integer);
    }
    throw new NotEmulated(`this value for ${name}`);
  });
  if (values.length > 1 && !nameLists.has(name.toLowerCase())) {
    throw sqlError('22023', `SET ${name} takes only one argument`);
  }
  return nameLists.has(name.toLowerCase()) ? listText(name.toLowerCase(), values) : values[0]!;
}

/** SET TRANSACTION, SET SESSION CHARACTERISTICS. */
function* setSeveral({ name, args = [] }: VariableSetStmt, session: SessionState): Generator<never> {
  if (name === 'TRANSACTION SNAPSHOT') return importSnapshot(args, session);
  const options = args.map((arg) => (arg as { DefElem: DefElem }).DefElem);
  if (name === 'TRANSACTION') {
    setTransaction(options, session);
    return;
  }
  for (const { defname = '', arg } of options) {
    const value = valueText(defname, [arg!]);
    session.settings.set(
      `default_${defname}`,
      defname === 'transaction_isolation' ? value : value === '1' ? 'on' : 'off',
      false,
    );
  }
}

function importSnapshot(args: readonly Node[], session: SessionState): void {
  const name = valueText('TRANSACTION SNAPSHOT', args);
  const transaction = session.ensureTransaction();
  if (session.status !== 'block' || transaction.hasSnapshot) {
    throw sqlError('25001', 'SET TRANSACTION SNAPSHOT must be called before any query');
  }
  if (transaction.isolation !== 'repeatable read' && transaction.isolation !== 'serializable') {
    throw sqlError(
      '0A000',
      'a snapshot-importing transaction must have isolation level SERIALIZABLE or REPEATABLE READ',
    );
  }
  const lsn = session.host.importSnapshot(name);
  if (lsn === undefined) {
    throw session.major >= 17 && /^[0-9A-F-]+$/.test(name)
      ? sqlError('42704', `snapshot "${name}" does not exist`)
      : sqlError('22023', `invalid snapshot identifier: "${name}"`);
  }
  transaction.snapshotLsn = lsn;
  transaction.hasSnapshot = true;
}

export function planShow({ name = '' }: VariableShowStmt, session: SessionState): RowsPlan {
  if (name === 'all') return showAll(session);
  const shown = session.settings.show(name);
  return {
    kind: 'rows',
    columns: [column(shown.name, typeOids.text)],
    rows: () => [[session.settings.show(name).value]],
    tag: () => 'SHOW',
  };
}

function showAll(session: SessionState): RowsPlan {
  return {
    kind: 'rows',
    columns: ['name', 'setting', 'description'].map((name) => column(name, typeOids.text)),
    rows: () => {
      const names = [...session.settings.all()].map(({ definition }) => definition.name);
      names.sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
      return names.map((name) => [name, session.settings.show(name).value, null]);
    },
    tag: () => 'SHOW',
  };
}

const discards: Readonly<Record<string, string>> = {
  DISCARD_ALL: 'DISCARD ALL',
  DISCARD_PLANS: 'DISCARD PLANS',
  DISCARD_SEQUENCES: 'DISCARD SEQUENCES',
  DISCARD_TEMP: 'DISCARD TEMP',
};

/** @param forget lets go of prepared statements and cursors */
export function planDiscard({ target = 'DISCARD_ALL' }: DiscardStmt, session: SessionState, forget: () => void): Plan {
  const tag = discards[target]!;
  return action(() => {
    if (target !== 'DISCARD_ALL') return tag;
    if (session.status === 'block') throw sqlError('25001', 'DISCARD ALL cannot run inside a transaction block');
    forget();
    session.settings.resetAll();
    session.settings.touchAuthorization();
    session.locks.release(session.pid);
    return tag;
  });
}
