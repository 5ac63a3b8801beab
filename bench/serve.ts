/**
 * `npm run bench:serve`: what a client gets from the fake walsender, from a real one and from a bare socket server that sends
 * prepared buffers: the same rows, one after the other in every round, in turn. A bare server is as fast as a server can be, so
 * that a ratio that is small for it, too, tells of the client. Arguments: rounds, folder for servers.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { serialize } from 'pg-protocol';
import { Connection, parseTarget } from '../src/client/index.js';
import { parseLsn } from '../src/values/lsn.js';
import { installServer } from '../test/oracle/server/binaries.js';
import { Cluster } from '../test/oracle/server/cluster.js';
import { makeSlot, plainStream, rawStream, receive, recvlogical, type Stream } from './serve/client.js';

const major = 17;
const rounds = Number(process.argv[2] ?? 7);
// The server runs in a folder of its own.
const servers = resolve(process.argv[3] ?? process.env['ORACLE_SERVERS'] ?? 'test/oracle/.servers');
const perTransaction = 100;
/** Rounds before those that count. */
const warmUp = 3;
/** Less than all, so that no reader waits for a last byte that is a keepalive. */
const part = 0.98;
const folder = mkdtempSync(join(tmpdir(), 'bench-serve-'));
const children: ChildProcess[] = [];

async function start(program: string, args: readonly (string | number)[]): Promise<string> {
  const child = fork(join(import.meta.dirname, 'serve', program), args.map(String), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  children.push(child);
  const [line] = (await Promise.race([once(child.stdout!, 'data'), once(child, 'exit')])) as [Buffer | number | null];
  if (!Buffer.isBuffer(line)) throw new Error(`${program} ended with ${line}`);
  return line.toString().trim();
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

async function startFake(count: number, size: number, rows: 'kept' | 'made'): Promise<[url: string, end: string]> {
  return (await start('fake.js', [count, perTransaction, size, rows])).split(' ') as [string, string];
}

async function race(cluster: Cluster, size: number, count: number): Promise<void> {
  const [fakeUrl, fakeEnd] = await startFake(count, size, 'kept');
  const [madeUrl] = await startFake(count, size, 'made');
  const realUrl = `postgres://postgres@127.0.0.1:${cluster.port}/postgres?sslmode=disable`;
  const slot = `s${size}`;
  const session = await Connection.open(parseTarget(realUrl), { replication: false });
  await session.query('DROP PUBLICATION IF EXISTS pub; DROP TABLE IF EXISTS t');
  await session.query('CREATE TABLE t (id bigint, payload text); CREATE PUBLICATION pub FOR TABLE t');
  await makeSlot(realUrl, slot);
  await makeSlot(fakeUrl, slot);
  await makeSlot(madeUrl, slot);
  await session.query(`DO $$ BEGIN FOR n IN 0..${count / perTransaction - 1} LOOP
    INSERT INTO t SELECT i, repeat('x', ${size - 8}) FROM generate_series(0, ${perTransaction - 1}) i; COMMIT; END LOOP; END $$`);
  const realEnd = (await session.query('SELECT pg_current_wal_lsn()')).rows[0]![0]!;
  session.end();

  // An Insert in its XLogData and CopyData; ids have 1.9 digits on average. Begin and Commit are left out.
  const message = 5 + 25 + 8 + 5 + 1.9 + 5 + size - 8;
  const limit = Math.floor(count * message * part);
  const prepared = join(folder, `${size}.bytes`);
  writeFileSync(prepared, await wholeStream(fakeUrl, slot, fakeEnd));
  const port = Number(await start('bare.js', [prepared, limit + 1024 * 1024]));

  const first = children.length - 3;
  const pidOf = (i: number): number => children[first + i]!.pid!;
  const contenders = {
    'bare socket → raw': () => plainStream(port, limit, pidOf(2)),
    'real walsender → raw': () => rawStream(realUrl, slot, limit),
    'fake → raw': () => rawStream(fakeUrl, slot, limit, pidOf(0)),
    'fake, rows made meanwhile → raw': () => rawStream(madeUrl, slot, limit, pidOf(1)),
    'real walsender → pg_recvlogical': () => recvlogical(realUrl, slot, realEnd),
    'fake → pg_recvlogical': () => recvlogical(fakeUrl, slot, fakeEnd),
    'bare socket → pg_recvlogical': () => receive(`postgres://postgres@127.0.0.1:${port}/postgres`, slot, fakeEnd),
  };
  type Name = keyof typeof contenders;
  const names = Object.keys(contenders) as Name[];
  const runs = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Omit<Stream, 'bytes'>[]>;
  for (let round = -warmUp; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round + warmUp) % names.length]!;
      const run = await contenders[name]();
      if (round >= 0) runs[name].push(run);
    }
  }
  console.log(`\n${size} bytes a row, ${count} rows, ${perTransaction} in a transaction; medians of ${rounds} rounds`);
  for (const name of names) {
    const [rows, bytes] = name.endsWith('raw') ? [count * part, limit] : [count, count * message];
    const milliseconds = median(runs[name].map((run) => run.milliseconds));
    const processor = median(runs[name].map((run) => run.processor));
    const columns = [
      `${Math.round((rows / milliseconds) * 1000)} rows/s`.padStart(16),
      `${(bytes / milliseconds / 1000).toFixed(1)} MB/s`.padStart(13),
      Number.isNaN(processor) ? '' : `${Math.round((rows / processor) * 1000)} rows/s of processor time`.padStart(35),
    ];
    console.log(`${name.padEnd(34)}${columns.join('')}`);
  }
  const ratio = (label: string, one: Name, other: Name): void => {
    const of = (what: 'milliseconds' | 'processor'): string =>
      median(runs[other].map((run, round) => run[what] / runs[one][round]![what])).toFixed(2);
    const processor = one.endsWith('raw') ? `, by processor time ${of('processor')}` : '';
    console.log(`${label.padEnd(34)} ${of('milliseconds')}${processor}`);
  };
  ratio('fake : real, raw', 'fake → raw', 'real walsender → raw');
  ratio('fake : real, pg_recvlogical', 'fake → pg_recvlogical', 'real walsender → pg_recvlogical');
  ratio('bare : real, pg_recvlogical', 'bare socket → pg_recvlogical', 'real walsender → pg_recvlogical');
  ratio('fake : bare, pg_recvlogical', 'fake → pg_recvlogical', 'bare socket → pg_recvlogical');
  ratio('fake : bare socket', 'fake → raw', 'bare socket → raw');
}

/** All that the fake sends up to `end`. */
async function wholeStream(url: string, slot: string, end: string): Promise<Buffer> {
  const connection = await Connection.open(parseTarget(url), { replication: true });
  const socket = connection.release();
  socket.write(
    serialize.query(`START_REPLICATION SLOT "${slot}" LOGICAL 0/0 (proto_version '1', publication_names 'pub')`),
  );
  // The last thing that comes is a keepalive of that position.
  const last = Buffer.alloc(14, 'd\0\0\0\x16k', 'latin1');
  last.writeBigUInt64BE(parseLsn(end), 6);
  const chunks: Buffer[] = [];
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer);
    if ((chunk as Buffer).subarray(-23, -9).equals(last)) break;
  }
  return Buffer.concat(chunks);
}

/** Milliseconds until a program has said something. */
async function timeToOutput(args: readonly string[], output: boolean): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [first] = (await (output ? Promise.race([once(child.stdout, 'data'), ended]) : ended)) as [unknown];
  if (output && !Buffer.isBuffer(first)) throw new Error(`${args[0]} ended with ${String(first)}`);
  const time = performance.now() - startedAt;
  if (output) child.kill();
  if (child.exitCode === null) await once(child, 'exit');
  return time;
}

async function startUp(): Promise<void> {
  const scenario = join(folder, 'one.yaml');
  writeFileSync(
    scenario,
    'scenario: x\ntables: { t: { columns: { id: int primary key } } }\nstream: [{ insert: t, row: { id: 1 } }]\n',
  );
  const main = join('dist', 'cli', 'main.js');
  const times = { node: [] as number[], serve: [] as number[] };
  for (let i = 0; i < 21; i++) {
    times.node.push(await timeToOutput(['-e', '0'], false));
    times.serve.push(await timeToOutput([main, 'serve', scenario, '--log', 'off'], true));
  }
  const ratio = median(times.serve.map((time, i) => time / times.node[i]!));
  console.log(
    `\nready to accept: ${median(times.serve).toFixed(0)} ms, node -e 0: ${median(times.node).toFixed(0)} ms, ratio ${ratio.toFixed(2)}`,
  );
}

const cluster = await Cluster.start(major, installServer(major, servers));
try {
  await race(cluster, 100, 300_000);
  await race(cluster, 1200, 60_000);
  await startUp();
} finally {
  for (const child of children) child.kill();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
