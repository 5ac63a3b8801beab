/** Starts a throw-away PostgreSQL server from a directory of its programs (initdb, postgres), for the recording scripts. */
import { spawn, execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from './postgres-client.mjs';

/** PostgreSQL refuses to run as root: then it runs as `nobody`. */
const owner = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** `binDir` holds initdb and postgres. Resolves once the server answers, on 127.0.0.1 with trust authentication. */
export async function startServer(binDir, settings = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'postgres-'));
  if (owner.uid !== undefined) chownSync(directory, owner.uid, owner.gid);
  const data = join(directory, 'data');
  execFileSync(
    join(binDir, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...owner, stdio: 'ignore', cwd: directory },
  );
  const port = await freePort();
  const options = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    wal_level: 'logical',
    max_replication_slots: 10,
    max_wal_senders: 10,
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    ...settings,
  };
  const server = spawn(
    join(binDir, 'postgres'),
    ['-D', data, ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...owner, stdio: 'ignore', cwd: directory },
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    if (server.exitCode === null) server.kill('SIGINT');
    await ended;
    if (existsSync(directory)) rmSync(directory, { recursive: true, force: true });
  };
  for (let attempt = 0; ; attempt++) {
    try {
      const client = await connect(port, { user: 'postgres', database: 'postgres' });
      await client.end();
      return { port, stop };
    } catch (error) {
      if (attempt > 200 || server.exitCode !== null) {
        await stop();
        throw error;
      }
      await sleep(50);
    }
  }
}
