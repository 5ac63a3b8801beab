/** `init --from-url` against real servers: the tables are those of a dump of the same database. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { installServer } from '../../oracle/server/binaries.js';
import { Cluster } from '../../oracle/server/cluster.js';
import { loadScenario } from '../../../src/scenario-file.js';
import { run } from '../../cli/terminal.js';
import { root } from '../programs.js';

const dumps = join(root, 'test/scenario/dumps');
const servers: Cluster[] = [];

afterAll(() => Promise.all(servers.map((server) => server.stop())));

/** Tables and publications by name, without what depends on the order in which things were made. */
function shapes(text: string): unknown {
  const { scenario, problems } = loadScenario(text);
  expect(problems).toEqual([]);
  const { tables, publications } = scenario!.database.catalog;
  const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);
  return {
    tables: [...tables.values()].sort(byName).map(({ oid, partitionOf, inherits, indexes, columns, ...table }) => ({
      ...table,
      parents: [partitionOf, ...inherits].map((parent) => tables.get(parent ?? 0)?.name),
      indexes: [...indexes].sort(byName),
      columns: columns.map(({ type, ...column }) => ({
        ...column,
        type: `${type.namespace}.${type.name}`,
        oid: oid === 0,
      })),
    })),
    publications: [...publications!.values()].sort(byName).map(({ oid, tables: members, ...publication }) => ({
      ...publication,
      members: [...members]
        .map(([member, { columns, where }]) => [tables.get(member)!.name, columns, where?.text])
        .sort(),
      oid: oid === 0,
    })),
  };
}

describe.each([10, 14, 18])('a database of %i', (major) => {
  it('gives the tables that its dump gives', async () => {
    const folder = process.env['ORACLE_SERVERS'] ?? join(root, 'test/oracle/.servers');
    const server = await Cluster.start(major, installServer(major, folder));
    servers.push(server);
    const maintenance = await server.connect('postgres');
    await maintenance.query('CREATE DATABASE dumped');
    maintenance.end();
    const connection = await server.connect('dumped');
    await connection.query(readFileSync(join(dumps, `pg${major}.sql`), 'utf8').replace(/^\\.*$/gm, ''));
    connection.end();
    const fromUrl = await run(['init', '--from-url', `postgres://postgres@127.0.0.1:${server.port}/dumped`]);
    const fromSql = await run(['init', '--from-sql', join(dumps, `pg${major}.sql`)]);
    expect([fromUrl.status, fromSql.status]).toEqual([0, 0]);
    expect(shapes(fromUrl.stdout)).toEqual(shapes(fromSql.stdout));
  });
});
