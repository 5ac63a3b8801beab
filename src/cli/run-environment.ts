import { join } from 'node:path';
import type { LiveServer } from '../live/index.js';
import type { Terminal } from './terminal.js';

type Environment = Terminal['environment'];

/**
 * How a consumer finds its server, in the variables that libpq and most drivers read, and a file of its own.
 * @param folder that the scenario has to itself
 */
export function consumerEnvironment(
  { url, mainScenario }: LiveServer,
  folder: string,
  outer: Environment,
): Environment {
  const { hostname, port, pathname } = new URL(url);
  const [user] = mainScenario.server.users;
  return {
    STATE_FILE: join(folder, 'state.json'),
    ...outer,
    DATABASE_URL: url,
    PGHOST: hostname,
    PGPORT: port,
    PGUSER: user?.name ?? 'postgres',
    PGPASSWORD: user?.password ?? '',
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
  };
}
