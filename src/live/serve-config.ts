/** What scenarios mean for the server. */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Scenario } from '../scenario/index.js';
import type { ServerConfig } from '../server/index.js';
import { createEmitter } from '../timeline/emit.js';
import { CannotServe } from './cannot-serve.js';

type Databases = ServerConfig['databases'];

export interface ServeConfigOptions {
  readonly host?: string;
  readonly port?: number;
  /** Offer TLS, with a certificate made now unless the scenario names one. */
  readonly tls?: boolean;
  /** Trust clients of other machines, too, where the scenario's auth is trust. */
  readonly allowRemoteTrust?: boolean;
}

/** One server for all of them, a database each. @throws CannotServe if they cannot be served together, or a certificate cannot be read */
export async function serverConfig(
  scenarios: readonly Scenario[],
  options: ServeConfigOptions,
): Promise<Omit<ServerConfig, 'sql'>> {
  const [first] = scenarios as [Scenario, ...Scenario[]];
  const { server } = first;
  return {
    ...(options.host !== undefined && { host: options.host }),
    ...(options.port !== undefined && { port: options.port }),
    tls: await tlsConfig(first, options.tls ?? false),
    databases: databases(scenarios),
    anyDatabase: scenarios.length === 1,
    ...(server.users.length > 0 && { users: new Map(server.users.map(({ name, password }) => [name, password])) }),
    authentication: server.auth,
    allowRemoteTrust: options.allowRemoteTrust ?? false,
    configuration: new Map([
      ['wal_sender_timeout', `${server.walSenderTimeout}ms`],
      ...server.parameters.map(({ name, value }) => [name, value] as const),
    ]),
    slots: scenarios.flatMap(({ name, slots }) => (slots ?? []).map((slot) => ({ ...slot, database: name }))),
    createEmitter,
  };
}

function databases(scenarios: readonly Scenario[]): Databases {
  const [first] = scenarios as [Scenario, ...Scenario[]];
  const byName = new Map<string, Scenario>();
  for (const scenario of scenarios) {
    const other = byName.get(scenario.name);
    if (other) throw new CannotServe(`${other.file} and ${scenario.file}: two databases cannot have the same name`);
    byName.set(scenario.name, scenario);
    const differing = differingSetting(first, scenario);
    if (differing)
      throw new CannotServe(
        `${first.file} and ${scenario.file}: one server has one ${differing}${differing === 'version' ? ' (--server-version gives them one)' : ''}`,
      );
  }
  return new Map(
    scenarios.map(
      ({ name, timeline, database, slots }) =>
        [name, { timeline, live: database, implicitSlots: slots === null }] as const,
    ),
  );
}

/** The first setting of the server as a whole in which they differ, as the scenario format names it. */
function differingSetting({ server: one }: Scenario, { server: other }: Scenario): string | undefined {
  const settings = {
    version: [one.version, other.version],
    system_id: [one.systemId, other.systemId],
    timeline: [one.timelineId, other.timelineId],
    wal_sender_timeout: [one.walSenderTimeout, other.walSenderTimeout],
    auth: [one.auth, other.auth],
    users: [one.users, other.users],
    tls: [one.tls, other.tls],
    parameters: [one.parameters, other.parameters],
  };
  return Object.entries(settings).find(([, [a, b]]) => JSON.stringify(a) !== JSON.stringify(b))?.[0];
}

async function tlsConfig({ file, server }: Scenario, wanted: boolean): Promise<NonNullable<ServerConfig['tls']>> {
  if (typeof server.tls === 'string') return wanted ? 'self-signed' : server.tls;
  const read = (name: string): Promise<string> =>
    readFile(resolve(dirname(file), name), 'utf8').catch((error: unknown) => {
      throw new CannotServe(`${file}: tls: ${(error as Error).message}`);
    });
  return { cert: await read(server.tls.cert), key: await read(server.tls.key) };
}
