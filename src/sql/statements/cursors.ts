/** DECLARE, FETCH, MOVE, CLOSE: cursors that read forward. */
import type { ClosePortalStmt, DeclareCursorStmt, FetchStmt } from 'libpg-query';
import { NotEmulated, sqlError } from '../failure.js';
import { Parameters } from '../query/parameters.js';
import { action, type Plan } from '../session/plan.js';
import { Portal } from '../session/portal.js';
import type { SessionState } from '../session/session-state.js';
import type { StatementStore } from '../session/statement-store.js';
import { planSelect } from './select.js';

const binary = 0x0001;
const hold = 0x0020;

export function planDeclare(
  statement: DeclareCursorStmt,
  text: string,
  session: SessionState,
  store: StatementStore,
): Plan {
  const { portalname = '', options = 0, query } = statement;
  if ((options & (binary | hold)) !== 0) throw new NotEmulated('a cursor that is BINARY or WITH HOLD');
  if (query === undefined || !('SelectStmt' in query)) throw new NotEmulated('a cursor of what is no SELECT');
  const select = query.SelectStmt;
  return action(() => {
    if (session.status !== 'block') throw sqlError('25P01', 'DECLARE CURSOR can only be used in transaction blocks');
    const plan = planSelect(select, session, new Parameters([], false));
    store.addPortal(new Portal(portalname, plan, [], [], text, session.host.now()));
    return 'DECLARE CURSOR';
  });
}

/** @throws SqlError 34000 */
function cursor(name: string, store: StatementStore): Portal {
  const found = store.portals.get(name);
  if (found === undefined) throw sqlError('34000', `cursor "${name}" does not exist`);
  return found;
}

export function planFetch({ portalname = '', howMany, direction, ismove }: FetchStmt, store: StatementStore): Plan {
  const portal = cursor(portalname, store);
  const { plan } = portal;
  if (plan.kind !== 'rows') throw new NotEmulated('FETCH from what returns no rows');
  const count = Number(howMany ?? 0);
  if (direction !== 'FETCH_FORWARD' || count < 0) throw new NotEmulated('a cursor that goes back');
  if (ismove === true) return action(() => `MOVE ${[...portal.take(count)].length}`);
  return { ...plan, rows: () => portal.take(count), tag: (rows) => `FETCH ${rows}` };
}

export function planClose({ portalname }: ClosePortalStmt, store: StatementStore): Plan {
  return action(() => {
    if (portalname === undefined) {
      store.closePortals();
      return 'CLOSE CURSOR ALL';
    }
    cursor(portalname, store);
    store.closePortal(portalname);
    return 'CLOSE CURSOR';
  });
}
