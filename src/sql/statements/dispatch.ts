/** From a parsed statement to its plan. */
import type { Node } from 'libpg-query';
import { NotEmulated, sqlError } from '../failure.js';
import { kindOf } from '../nodes.js';
import type { Parameters } from '../query/parameters.js';
import { findRelation } from '../relations/relation-lookup.js';
import { action, type Plan } from '../session/plan.js';
import type { SessionState } from '../session/session-state.js';
import type { StatementStore } from '../session/statement-store.js';
import { planCopy } from './copy.js';
import { planClose, planDeclare, planFetch } from './cursors.js';
import { planDeallocate, planExecute, planPrepare } from './prepared.js';
import { dropPublications, planAlterPublication, planCreatePublication, renamePublication } from './publications.js';
import { planSelect } from './select.js';
import { planDiscard, planSet, planShow } from './settings.js';
import { planTransaction } from './transactions.js';

/** @throws SqlError, NotEmulated */
export function planStatement(
  node: Node,
  text: string,
  session: SessionState,
  store: StatementStore,
  parameters: Parameters,
): Plan {
  if ('SelectStmt' in node) return planSelect(node.SelectStmt, session, parameters);
  if ('VariableShowStmt' in node) return planShow(node.VariableShowStmt, session);
  if ('VariableSetStmt' in node) return planSet(node.VariableSetStmt, session);
  if ('TransactionStmt' in node) return planTransaction(node.TransactionStmt, session);
  if ('CopyStmt' in node) return planCopy(node.CopyStmt, session);
  if ('CreatePublicationStmt' in node) return planCreatePublication(node.CreatePublicationStmt, session);
  if ('AlterPublicationStmt' in node) return planAlterPublication(node.AlterPublicationStmt, session);
  if ('DropStmt' in node && node.DropStmt.removeType === 'OBJECT_PUBLICATION') {
    const drop = node.DropStmt;
    return { kind: 'action', run: () => dropPublications(drop, session) };
  }
  if ('RenameStmt' in node && node.RenameStmt.renameType === 'OBJECT_PUBLICATION') {
    const rename = node.RenameStmt;
    return action(() => renamePublication(rename, session));
  }
  if ('PrepareStmt' in node) return planPrepare(node.PrepareStmt, text, session, store);
  if ('ExecuteStmt' in node) return planExecute(node.ExecuteStmt, session, store);
  if ('DeallocateStmt' in node) return planDeallocate(node.DeallocateStmt, store);
  if ('DeclareCursorStmt' in node) return planDeclare(node.DeclareCursorStmt, text, session, store);
  if ('FetchStmt' in node) return planFetch(node.FetchStmt, store);
  if ('ClosePortalStmt' in node) return planClose(node.ClosePortalStmt, store);
  if ('DiscardStmt' in node) return planDiscard(node.DiscardStmt, session, () => store.clear());
  return planHarmless(node, session);
}

/** Statements that nothing here can tell from having been carried out. */
function planHarmless(node: Node, session: SessionState): Plan {
  if ('CheckPointStmt' in node) return action(() => 'CHECKPOINT');
  if ('UnlistenStmt' in node) return action(() => 'UNLISTEN');
  // Nobody can have asked to hear of it: LISTEN is refused.
  if ('NotifyStmt' in node) return action(() => 'NOTIFY');
  if ('LockStmt' in node) {
    const { relations = [] } = node.LockStmt;
    return action(() => {
      if (session.status !== 'block') throw sqlError('25P01', 'LOCK TABLE can only be used in transaction blocks');
      for (const relation of relations) {
        const { schemaname, relname = '' } = (relation as Extract<Node, { RangeVar: unknown }>).RangeVar;
        if (findRelation(session.context([]), schemaname, relname) !== undefined) continue;
        throw sqlError(
          '42P01',
          `relation "${schemaname === undefined ? '' : `${schemaname}.`}${relname}" does not exist`,
        );
      }
      return 'LOCK TABLE';
    });
  }
  throw new NotEmulated(wordsOf(kindOf(node)));
}

/** `CreateStmt` → `the statement CREATE`: near enough to what the client wrote. */
function wordsOf(kind: string): string {
  const words = kind
    .replace(/Stmt$/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase();
  return `the statement ${words}`;
}
