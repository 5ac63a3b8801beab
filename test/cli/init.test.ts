import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeScenario, loadScenario, type Scenario } from '../../src/scenario-file.js';
import { run, TestTerminal } from './terminal.js';

const dumps = join(import.meta.dirname, '../scenario/dumps');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'init-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function clean(text: string): Scenario {
  const { scenario, problems } = loadScenario(text);
  expect(problems).toEqual([]);
  return scenario!;
}

function kinds(scenario: Scenario): string[] {
  return [...encodeScenario(scenario)].map(({ kind }) => kind);
}

/** Tables by name, without what the database gives its own way. */
function shapes(scenario: Scenario): unknown {
  const { tables } = scenario.database.catalog;
  return [...tables.values()]
    .map(({ namespace, name, kind, replicaIdentity, identityColumns, primaryKey, columns, partitioning, bound }) => ({
      ...{ namespace, name, kind, replicaIdentity, identityColumns, primaryKey, partitioning, bound },
      columns: columns.map(({ type, ...column }) => ({ ...column, type: type.name })),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

describe('init', () => {
  it('prints a scenario that is right as it stands, and shows a change of each kind', async () => {
    const { status, stdout, stderr } = await run(['init']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(new Set(kinds(clean(stdout)))).toEqual(
      new Set(['begin', 'relation', 'insert', 'update', 'delete', 'truncate', 'commit']),
    );
    expect(stdout.match(/#/g)!.length).toBeGreaterThan(10);
  });

  it.each([10, 14, 18])('takes the tables of a dump of %i, and gives an example with one of them', async (major) => {
    const { status, stdout, stderr } = await run(['init', '--from-sql', join(dumps, `pg${major}.sql`)]);
    expect(status).toBe(0);
    expect(stderr).toContain('note: not used in a scenario: ');
    const scenario = clean(stdout);
    expect(scenario.server.major).toBe(major);
    expect(kinds(scenario)).toEqual(['begin', 'relation', 'insert', 'commit', 'begin', 'update', 'delete', 'commit']);
    // Nothing gets lost between the dump and the YAML.
    const dump = readFileSync(join(dumps, `pg${major}.sql`), 'utf8');
    writeFileSync(join(folder, 'schema.sql'), dump);
    writeFileSync(join(folder, 'x.yaml'), `scenario: x\nserver: { version: ${major} }\ninclude: schema.sql\n`);
    expect(shapes(scenario)).toEqual(shapes(loadScenario(join(folder, 'x.yaml')).scenario!));
  });

  it('reads a dump from standard input', async () => {
    const { status, stdout } = await new TestTerminal('CREATE TABLE t (a int PRIMARY KEY, b text);').run([
      ...['init', '--from-sql', '-'],
    ]);
    expect(status).toBe(0);
    expect(stdout).toContain('\ntables:\n  public.t:\n    columns: { a: int4, b: text }\n    primary_key: [ a ]\n');
    clean(stdout);
  });

  it('asks a database for its tables', async () => {
    const tables = `
types: { mood: { enum: [sad, happy] }, amount: { domain: "numeric(10,2)" } }
tables:
  users:
    columns: { id: bigint primary key, email: varchar(40) not null, mood: mood, total: amount, n: int identity }
    indexes: { users_email: { unique: [email] } }
    replica_identity: { index: users_email }
  m:
    primary_key: [id, day]
    partition_by: { range: [day] }
    columns: { id: int, day: date, v: text }
    partitions:
      m_24: { from: ["2024-01-01"], to: ["2025-01-01"], columns: [v, day, id], replica_identity: full }
  audit: { replica_identity: nothing, columns: { at: timestamptz(3), what: "text[]" } }
publications:
  some: { tables: { users: { columns: [id, email], where: "id > 10" } }, publish: [insert] }
  all: { all_tables: true, via_partition_root: true }
  none: {}
`;
    writeFileSync(join(folder, 'served.yaml'), `scenario: x\nserver: { version: 17 }\n${tables}`);
    const terminal = new TestTerminal();
    const ended = terminal.run(['serve', join(folder, 'served.yaml')]);
    const [, url] = await terminal.prints(/^listening (.*)\n/);
    const { status, stdout, stderr } = await run(['init', '--from-url', url!]);
    terminal.signal();
    expect({ status, stderr, served: (await ended).status }).toEqual({ status: 0, stderr: '', served: 0 });
    const scenario = clean(stdout);
    expect(scenario.server.major).toBe(17);
    const served = loadScenario(join(folder, 'served.yaml')).scenario!;
    expect(shapes(scenario)).toEqual(shapes(served));
    const shown = ({ database }: Scenario): unknown =>
      [...database.catalog.publications!.values()].map(({ name, allTables, publish, viaPartitionRoot, tables }) => ({
        ...{ name, allTables, publish, viaPartitionRoot },
        tables: [...tables.values()].map(({ columns, where }) => [columns, where?.text.replace(/[()]/g, '')]),
      }));
    expect(shown(scenario)).toEqual(shown(served));
  });

  it.each([
    [['--from-sql', 'nothing.sql'], 1, 'nothing.sql: there is no such file'],
    [['--from-url', 'http://x'], 2, 'a connection URL looks like postgres://'],
    [['--from-url', 'postgres://127.0.0.1:1/x'], 1, 'ECONNREFUSED'],
    [['--from-url', 'postgres://x', '--from-sql', 'y'], 2, 'exclude each other'],
  ])('%j', async (args, expected, message) => {
    const { status, stdout, stderr } = await run(['init', ...args]);
    expect({ status, stdout }).toEqual({ status: expected, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('shows where a dump is wrong', async () => {
    const { status, stdout, stderr } = await new TestTerminal('CREATE TABLE t (\n  a int,,\n);').run([
      ...['init', '--from-sql', '-'],
    ]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('standard input:2:9: SQL: syntax error at or near ","');
  });
});
