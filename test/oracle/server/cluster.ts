/** One real server: a fresh data directory, a port of its own on the loopback interface, stopped and removed at the end. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../client/connection.js';
import { makeFolder, reachableServer, serverAccount } from './unprivileged.js';

/** Milliseconds that a server has to answer its first query. */
const startLimit = 60_000;

/** Folders that exist, with the server that runs in each: when this process ends early, nothing can be waited for. */
const running = new Map<string, ChildProcess | undefined>();
process.on('exit', () => {
  for (const [folder, server] of running) {
    server?.kill('SIGQUIT');
    remove(folder);
  }
});

export class Cluster {
  private constructor(
    readonly major: number,
    readonly port: number,
    readonly dataFolder: string,
    readonly folder: string,
    readonly process: ChildProcess,
  ) {}

  /** @param native - folder of the server's bin/, lib/, share/ */
  static async start(major: number, native: string): Promise<Cluster> {
    const account = serverAccount();
    const folder = makeFolder(`oracle-${major}-`, account);
    running.set(folder, undefined);
    try {
      const bin = join(reachableServer(native, folder, account), 'bin');
      const data = join(folder, 'data');
      const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
      execFileSync(join(bin, 'initdb'), initdb, { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
      const port = await freePort();
      const args = ['-D', data, '-p', String(port)];
      for (const [name, value] of Object.entries(settings(major))) args.push('-c', `${name}=${value}`);
      const server = spawn(join(bin, 'postgres'), args, {
        ...account,
        cwd: folder,
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      running.set(folder, server);
      const log: string[] = [];
      server.stderr.on('data', (chunk: Buffer) => {
        log.push(chunk.toString());
        if (log.length > 100) log.shift();
      });
      const cluster = new Cluster(major, port, data, folder, server);
      try {
        await cluster.#ready();
      } catch (error) {
        await cluster.stop();
        throw new Error(`PostgreSQL ${major} did not start: ${(error as Error).message}\n${log.join('')}`);
      }
      return cluster;
    } catch (error) {
      remove(folder);
      throw error;
    }
  }

  connect(database: string): Promise<Connection> {
    return Connection.open(this.port, { user: 'postgres', database, application_name: 'oracle' });
  }

  /** Fast shutdown; kills a server that has not stopped after ten seconds. */
  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const exit = once(this.process, 'exit');
      this.process.kill('SIGINT');
      const timer = setTimeout(() => this.process.kill('SIGQUIT'), 10_000);
      await exit;
      clearTimeout(timer);
    }
    remove(this.folder);
  }

  async #ready(): Promise<void> {
    const end = Date.now() + startLimit;
    for (;;) {
      if (this.process.exitCode !== null) throw new Error(`exit code ${this.process.exitCode}`);
      try {
        (await this.connect('postgres')).end();
        return;
      } catch (error) {
        if (Date.now() > end) throw error;
        await sleep(50);
      }
    }
  }
}

/** A server that is being stopped can still write. */
function remove(folder: string): void {
  running.delete(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** No checkpoint, vacuum or recycling of WAL happens unless a workload asks for it. */
function settings(major: number): Record<string, string | number> {
  return {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    wal_level: 'logical',
    max_wal_senders: 60,
    max_replication_slots: 60,
    max_prepared_transactions: 30,
    max_connections: 120,
    shared_buffers: '32MB',
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    checkpoint_timeout: '1d',
    max_wal_size: '8GB',
    wal_sender_timeout: '5min',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    ...(major >= 13 ? { wal_keep_size: '4GB', logical_decoding_work_mem: '64kB' } : { wal_keep_segments: 256 }),
  };
}
