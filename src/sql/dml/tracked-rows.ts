/** The SQL evaluator's view of an open transaction: its catalogs and rows, and nothing else of a server. */
import type { OpenTransaction } from '../../database/index.js';
import type { ServerSettings } from '../../scenario/settings.js';
import type { Row } from '../../timeline/datum.js';
import type { StatementContext } from '../context.js';
import type { SessionOptions } from '../engine.js';
import { NotEmulated } from '../failure.js';
import type { SqlHost } from '../host.js';
import { AdvisoryLocks } from '../session/advisory-locks.js';
import type { SessionSettings } from '../session/session-settings.js';
import { SessionState } from '../session/session-state.js';
import { startSettings } from '../session/start-settings.js';
import { admitExact } from './exact-calls.js';

const user = 'postgres';

/** Settings are the same for all statements on a server: `SET` is none of the statements. */
const settingsOf = new WeakMap<ServerSettings, SessionSettings>();

export function trackedContext(transaction: OpenTransaction, server: ServerSettings): StatementContext {
  const options: SessionOptions = {
    host: hostOf(transaction, server),
    pid: 1,
    user,
    database: 'postgres',
    settings: new Map(),
  };
  let settings = settingsOf.get(server);
  if (settings === undefined) settingsOf.set(server, (settings = startSettings(options)));
  return { ...new SessionState(options, new AdvisoryLocks(), settings).context([]), admit: admitExact };
}

/** Asked for anything else, it says that the result is not determined. */
function hostOf(transaction: OpenTransaction, server: ServerSettings): SqlHost {
  const rows = new VisibleRows(transaction);
  const known: Partial<SqlHost> = {
    server,
    databases: ['postgres'],
    roles: [{ name: user, superuser: true, replication: true }],
    configuration: new Map(server.parameters.map(({ name, value }) => [name.toLowerCase(), value])),
    startedAt: server.clock,
    now: () => server.clock,
    walPosition: () => server.startLsn,
    catalog: () => transaction.catalog,
    tablesAt: () => rows,
  };
  return new Proxy(known as SqlHost, {
    get(target, key: keyof SqlHost) {
      if (key in target) return Reflect.get(target, key) as unknown;
      throw new NotEmulated(`the server's ${key}`);
    },
  });
}

/** Read when they are asked for: most statements need the rows of one table. */
class VisibleRows extends Map<number, readonly Row[]> {
  constructor(private readonly transaction: OpenTransaction) {
    super();
  }

  override get(oid: number): readonly Row[] {
    return this.transaction.rows(oid);
  }
}
