/** BEGIN, COMMIT, ROLLBACK, SAVEPOINT. */
import type { DefElem, TransactionStmt } from 'libpg-query';
import { WireError } from '../../values/wire-error.js';
import type { SqlOutput, TransactionState } from '../engine.js';
import { NotEmulated, sqlError } from '../failure.js';
import { integerConstant } from '../nodes.js';
import type { ActionPlan } from '../session/plan.js';
import type { SessionState } from '../session/session-state.js';

/** Those that end a failed transaction. */
export function endsFailedTransaction(kind: string): boolean {
  return ['TRANS_STMT_COMMIT', 'TRANS_STMT_ROLLBACK', 'TRANS_STMT_ROLLBACK_TO', 'TRANS_STMT_PREPARE'].includes(kind);
}

export function planTransaction(statement: TransactionStmt, session: SessionState): ActionPlan {
  return { kind: 'action', run: () => run(statement, session) };
}

function warning(code: string, message: string): SqlOutput {
  return { kind: 'notice', notice: new WireError({ severity: 'WARNING', code, message }) };
}

function* run(statement: TransactionStmt, session: SessionState): Generator<SqlOutput> {
  if (statement.chain === true) throw new NotEmulated('AND CHAIN');
  const name = statement.savepoint_name ?? '';
  switch (statement.kind) {
    case 'TRANS_STMT_BEGIN':
    case 'TRANS_STMT_START':
      if (session.status === 'block') yield warning('25001', 'there is already a transaction in progress');
      session.ensureTransaction();
      session.status = 'block';
      setTransaction(
        (statement.options ?? []).map((option) => (option as { DefElem: DefElem }).DefElem),
        session,
      );
      yield complete(statement.kind === 'TRANS_STMT_BEGIN' ? 'BEGIN' : 'START TRANSACTION');
      return;
    case 'TRANS_STMT_COMMIT':
    case 'TRANS_STMT_ROLLBACK': {
      const isRollback = statement.kind === 'TRANS_STMT_ROLLBACK' || session.status === 'failed';
      if (session.status === 'implicit') yield warning('25P01', 'there is no transaction in progress');
      if (isRollback) session.rollback();
      else session.commit();
      yield complete(isRollback ? 'ROLLBACK' : 'COMMIT');
      return;
    }
    case 'TRANS_STMT_SAVEPOINT':
      requireBlock(session, 'SAVEPOINT');
      session.transactionNow!.savepoint(name);
      session.settings.save();
      yield complete('SAVEPOINT');
      return;
    case 'TRANS_STMT_RELEASE': {
      requireBlock(session, 'RELEASE SAVEPOINT');
      const depth = session.transactionNow!.release(name);
      if (depth === 0) throw noSavepoint(name, session.major);
      for (let i = 0; i < depth; i++) session.settings.keep(false);
      yield complete('RELEASE');
      return;
    }
    case 'TRANS_STMT_ROLLBACK_TO': {
      requireBlock(session, 'ROLLBACK TO SAVEPOINT');
      const depth = session.transactionNow!.rollbackTo(name);
      if (depth === 0) throw noSavepoint(name, session.major);
      for (let i = 0; i < depth; i++) session.settings.restore();
      session.settings.save();
      session.status = 'block';
      yield complete('ROLLBACK');
      return;
    }
    default:
      throw new NotEmulated('a prepared transaction by SQL');
  }
}

function complete(tag: string): SqlOutput {
  return { kind: 'complete', tag };
}

function requireBlock(session: SessionState, what: string): void {
  if (session.status !== 'block' && session.status !== 'failed') {
    throw sqlError('25P01', `${what} can only be used in transaction blocks`);
  }
}

function noSavepoint(name: string, major: number): Error {
  return sqlError('3B001', major >= 11 ? `savepoint "${name}" does not exist` : 'no such savepoint');
}

/** ISOLATION LEVEL, READ ONLY, DEFERRABLE of the transaction that is open. */
export function setTransaction(options: readonly DefElem[], session: SessionState): void {
  const transaction = session.ensureTransaction();
  for (const { defname, arg } of options) {
    const isOn = integerConstant(arg!) === 1;
    if (defname === 'transaction_isolation') {
      const level = arg && 'A_Const' in arg ? (arg.A_Const.sval?.sval ?? '') : '';
      if (transaction.hasSnapshot && level !== transaction.isolation) {
        throw sqlError('25001', 'SET TRANSACTION ISOLATION LEVEL must be called before any query');
      }
      transaction.isolation = level as TransactionState['isolation'];
      session.settings.set('transaction_isolation', level, true);
    } else if (defname === 'transaction_read_only') {
      if (!isOn && transaction.readOnly && transaction.hasSnapshot) {
        throw sqlError('25001', 'transaction read-write mode must be set before any query');
      }
      transaction.readOnly = isOn;
      session.settings.set('transaction_read_only', isOn ? 'on' : 'off', true);
    } else if (defname === 'transaction_deferrable') {
      session.settings.set('transaction_deferrable', isOn ? 'on' : 'off', true);
    }
  }
}
