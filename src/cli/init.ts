import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Command } from 'commander';
import { ConnectionError, DatabaseError } from '../client/index.js';
import { formatDiagnostic, readScenario, readSchemaDump, starterText, exampleStream } from '../scenario/index.js';
import { Exit } from './exit.js';
import { fileError } from './file-error.js';
import { writeTo } from './output.js';
import type { Verb } from './program.js';
import { targetOf } from './replication-options.js';
import { databaseSchema } from './schema-query.js';
import { hasColor, type Terminal } from './terminal.js';

interface Options {
  readonly fromSql?: string;
  readonly fromUrl?: string;
}

export const init: Verb = {
  command: (terminal) =>
    new Command()
      .description('Prints a commented scenario to begin with, of an example or of tables that you have.')
      .option('--from-sql <file>', 'takes types, tables and publications from a dump: pg_dump --schema-only')
      .option('--from-url <url>', 'takes them from a database: postgres://user:password@host:port/database')
      .addHelpText(
        'after',
        `
Examples:
  fake-walsender init > first.yaml
  pg_dump --schema-only app | fake-walsender init --from-sql - > app.yaml
  fake-walsender init --from-url postgres://postgres@127.0.0.1:5432/app > app.yaml`,
      )
      .action((options: Options) => run(options, terminal)),
};

/** Where the tables come from. */
interface Origin {
  readonly title: string;
  /** How diagnostics name it. */
  readonly file: string;
  readonly sql: string;
  readonly version?: string;
}

async function run(options: Options, terminal: Terminal): Promise<void> {
  if (options.fromSql !== undefined && options.fromUrl !== undefined) {
    throw new Exit(2, '--from-sql and --from-url exclude each other');
  }
  const origin = await originOf(options, terminal);
  await writeTo(
    terminal.stdout,
    origin === undefined ? starterText({ title: 'A first scenario' }) : await ofTables(origin, terminal),
  );
}

async function originOf({ fromSql, fromUrl }: Options, terminal: Terminal): Promise<Origin | undefined> {
  if (fromSql !== undefined) {
    const title = fromSql === '-' ? 'Tables of a dump' : `Tables of ${basename(fromSql)}`;
    const sql = await readText(fromSql, terminal);
    const version = /^-- Dumped from database version (\d+)/m.exec(sql)?.[1];
    const file = fromSql === '-' ? 'standard input' : fromSql;
    return { title, file, sql, ...(version !== undefined && { version }) };
  }
  if (fromUrl === undefined) return undefined;
  const target = targetOf(fromUrl, terminal);
  try {
    const { sql, version } = await databaseSchema(target);
    return { title: `Tables of database ${target.database}`, file: `the schema of ${target.database}`, sql, version };
  } catch (error) {
    if (error instanceof ConnectionError || error instanceof DatabaseError) throw new Exit(1, error.message);
    throw error;
  }
}

async function readText(file: string, { stdin }: Terminal): Promise<string> {
  if (file !== '-') {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw new Exit(1, `${file}: ${fileError(error) ?? String(error)}`);
    }
  }
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}

/** With steps on the first of the tables for which they can be given. @throws Exit when the dump has mistakes */
async function ofTables({ title, file, sql, version }: Origin, terminal: Terminal): Promise<string> {
  const { sqlSupport } = await import('../sql/dml/support.js');
  const { schema, problems, sources } = readSchemaDump(sql, file, sqlSupport);
  const color = hasColor(terminal.stderr, terminal);
  for (const problem of problems) terminal.stderr.write(`${formatDiagnostic(problem, sources, { color })}\n\n`);
  if (schema === undefined) throw new Exit(1);
  const known = { title, schema, ...(version !== undefined && { version }) };
  const plain = starterText(known);
  const checked = readScenario(plain);
  // What is wrong with the tables has no place in the dump any more: it is told where it came to stand.
  if (checked.scenario === undefined) {
    for (const problem of checked.problems)
      terminal.stderr.write(`${formatDiagnostic(problem, checked.sources, { color })}\n\n`);
    return plain;
  }
  const tables = [...checked.scenario.database.catalog.tables.values()];
  // Of one with a key there is more to show.
  tables.sort((a, b) => Math.sign(b.identityColumns.length) - Math.sign(a.identityColumns.length));
  for (const table of tables) {
    const stream = exampleStream(table);
    if (stream === undefined) continue;
    const text = starterText({ ...known, stream });
    if (readScenario(text).problems.length === 0) return text;
  }
  return plain;
}
