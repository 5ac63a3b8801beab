/** Consumers that others wrote: how each is started, what it tells, and what of a stream it cannot tell. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { unchanged, type Change, type Row } from './change.js';
import { committedChanges } from './payloads.js';
import { root, start, type Program } from './programs.js';

export interface Consumer {
  readonly name: string;
  start(url: URL, publication: string): Program;
  /** The changes that it has told so far. */
  changes(program: Program): unknown[];
  /** How it tells of these changes. */
  view(changes: readonly Change[]): unknown[];
}

const folder = join(root, 'test/consumers');
const slot = 'consumer';
const everything = (changes: readonly Change[]): unknown[] => [...changes];

/** It puts the old value where a new one is unchanged, if it has one. */
function filled(change: Change): Change {
  if (change.kind !== 'update' || change.old === undefined) return change;
  const { old } = change;
  const values = Object.entries(change.new).map(([name, value]) => [name, value === unchanged ? old[name] : value]);
  return { ...change, new: Object.fromEntries(values) as Row };
}

function hexLines(program: Program): Change[] {
  const payloads = program.output.toString().split('\n').filter(Boolean);
  return committedChanges(Buffer.concat(payloads.flatMap((hex) => [Buffer.from(hex, 'hex'), Buffer.from('\n')])));
}

function pgRecvlogical(name: string, options: readonly string[]): Consumer {
  return {
    name,
    start: (url, publication) =>
      start('/usr/lib/postgresql/15/bin/pg_recvlogical', [
        ...['--dbname', url.href, '--slot', slot, '--start', '--no-loop', '--file', '-'],
        ...['--status-interval', '1', '--fsync-interval', '1'],
        ...[`publication_names=${publication}`, 'messages=true', ...options].flatMap((option) => ['--option', option]),
      ]),
    changes: (program) => committedChanges(program.output),
    view: everything,
  };
}

const pgLogicalReplication: Consumer = {
  name: 'pg-logical-replication',
  start: (url, publication) =>
    start(process.execPath, [join(folder, 'pg-logical-replication/client.mjs'), url.href, slot, publication]),
  changes: (program) => program.lines,
  view: (changes) => changes.map(filled),
};

const pgwire: Consumer = {
  name: 'pgwire',
  start: (url, publication) =>
    start(process.execPath, [join(folder, 'pgwire/client.mjs'), url.href, slot, publication]),
  changes: (program) => program.lines,
  // It does not say whether an old tuple is a key.
  view: (changes) =>
    changes.map(filled).map((change) => {
      if (change.kind !== 'update' && change.kind !== 'delete') return change;
      const { key, old, ...rest } = change;
      return { ...rest, ...((key ?? old) && { before: key ?? old }) };
    }),
};

const postgres: Consumer = {
  name: 'postgres',
  start: (url, publication) => start(process.execPath, [join(folder, 'postgres/client.mjs'), url.href, publication]),
  changes: (program) => program.lines,
  view: (changes) => changes.filter(({ kind }) => kind !== 'truncate' && kind !== 'message'),
};

const psycopg2: Consumer = {
  name: 'psycopg2',
  start: (url, publication) =>
    start('/usr/bin/python3', [join(folder, 'psycopg2/client.py'), url.href, slot, publication]),
  changes: hexLines,
  view: everything,
};

const pg: Consumer = {
  name: 'pg',
  start: (url, publication) => start(process.execPath, [join(folder, 'pg/client.mjs'), url.href, slot, publication]),
  changes: hexLines,
  view: everything,
};

/** Its class is compiled where the tests start; `remove` when they end. */
function pgjdbc(): { readonly consumer: Consumer; readonly remove: () => void } {
  const classes = mkdtempSync(join(tmpdir(), 'pgjdbc-'));
  const driver = '/usr/share/java/postgresql.jar';
  execFileSync('javac', ['-cp', driver, '-d', classes, join(folder, 'pgjdbc/Client.java')]);
  const consumer: Consumer = {
    name: 'pgjdbc',
    start: (url, publication) =>
      start('java', ['-cp', [driver, classes].join(delimiter), 'Client', url.href, slot, publication], { TZ: 'UTC' }),
    changes: hexLines,
    view: everything,
  };
  return { consumer, remove: () => rmSync(classes, { recursive: true }) };
}

const jdbc = pgjdbc();
export const removeCompiled = jdbc.remove;

export const consumers: readonly Consumer[] = [
  pgRecvlogical('pg_recvlogical', ['proto_version=1']),
  pgRecvlogical('pg_recvlogical, streaming', ['proto_version=2', 'streaming=on']),
  pgLogicalReplication,
  postgres,
  pgwire,
  pg,
  psycopg2,
  jdbc.consumer,
];
