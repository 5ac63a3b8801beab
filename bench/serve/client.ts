/** Clients of the race: a raw socket that counts bytes, and pg_recvlogical. Both time what comes after START_REPLICATION. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { serialize } from 'pg-protocol';
import { createSlot, Connection, parseTarget } from '../../src/client/index.js';

export const publication = 'pub';
const options = `proto_version '1', publication_names '${publication}'`;

export interface Stream {
  readonly bytes: number;
  /** From the first of them to the last. */
  readonly milliseconds: number;
  /** Milliseconds of processor time that the server took for it: what other programs do has no part in that. */
  readonly processor: number;
}

/** Milliseconds since a process began, in steps of 10; NaN where the system does not say. */
function processorTime(pid: number): number {
  try {
    const [, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    const [userTicks, systemTicks] = fields.join(') ').split(' ').slice(11, 13).map(Number);
    return (userTicks! + systemTicks!) * 10;
  } catch {
    return NaN;
  }
}

/**
 * Reads and throws away. @param limit - bytes after which it leaves. @param pid - the server's process
 */
async function drain(socket: Socket, limit: number, pid: number): Promise<Stream> {
  const before = processorTime(pid);
  let bytes = 0;
  let startedAt = 0;
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk) => {
      if (bytes === 0) startedAt = performance.now();
      bytes += chunk.length;
      if (bytes >= limit) resolve();
    });
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${bytes} of ${limit} bytes`)));
    socket.resume();
  });
  const milliseconds = performance.now() - startedAt;
  const processor = processorTime(pid) - before;
  socket.removeAllListeners();
  socket.on('error', () => undefined);
  socket.destroy();
  return { bytes, milliseconds, processor };
}

/** A new slot at the position of `base`: what a client confirms there does not move `base`. */
async function copySlot(url: string, base: string, name: string): Promise<void> {
  const connection = await Connection.open(parseTarget(url), { replication: false });
  await connection.query(`SELECT pg_copy_logical_replication_slot('${base}', '${name}')`);
  connection.end();
}

export async function dropSlot(url: string, name: string): Promise<void> {
  const connection = await Connection.open(parseTarget(url), { replication: false });
  for (;;) {
    try {
      await connection.query(`SELECT pg_drop_replication_slot('${name}')`);
      break;
    } catch (error) {
      if (!/is active/.test((error as Error).message)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  connection.end();
}

export async function makeSlot(url: string, name: string): Promise<void> {
  const connection = await Connection.open(parseTarget(url), { replication: true });
  await createSlot(connection, name, false);
  connection.end();
}

/** The slot does not move: nothing is confirmed. @param process - the server's; absent: the backend's is what it says it is */
export async function rawStream(url: string, slot: string, limit: number, process?: number): Promise<Stream> {
  const connection = await Connection.open(parseTarget(url), { replication: true });
  const pid = process ?? Number((await connection.query('SELECT pg_backend_pid()')).rows[0]![0]);
  const socket = connection.release();
  socket.removeAllListeners();
  socket.write(serialize.query(`START_REPLICATION SLOT "${slot}" LOGICAL 0/0 (${options})`));
  return drain(socket, limit, pid);
}

/** From a server that sends at once what it has. */
export async function plainStream(port: number, limit: number, pid: number): Promise<Stream> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('go');
  return drain(socket, limit, pid);
}

let copies = 0;

/** Reads from a copy of the slot. */
export async function recvlogical(url: string, base: string, end: string): Promise<Omit<Stream, 'bytes'>> {
  const slot = `copy_${++copies}`;
  await copySlot(url, base, slot);
  const run = await receive(url, slot, end);
  await dropSlot(url, slot);
  return run;
}

/** pg_recvlogical. @param end - the LSN up to which it reads. Its own start-up is part of the time. */
export async function receive(url: string, slot: string, end: string): Promise<Omit<Stream, 'bytes'>> {
  const { host, port, user, database } = parseTarget(url);
  const target = ['-h', host, '-p', String(port), '-U', user, '-d', database];
  const plugin = ['-o', 'proto_version=1', '-o', `publication_names=${publication}`];
  const args = [...target, '--slot', slot, '--start', '--endpos', end, '--no-loop', '-f', '/dev/null', ...plugin];
  const startedAt = performance.now();
  const program = spawn('pg_recvlogical', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = (await once(program, 'exit')) as [number | null];
  const milliseconds = performance.now() - startedAt;
  if (status !== 0) throw new Error(`pg_recvlogical ended with ${status}`);
  return { milliseconds, processor: NaN };
}
