/** PostgreSQL refuses to run as root: then its processes run as `nobody`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Whom server processes run as; undefined: as we do. */
export function serverAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const entry = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  if (entry === null) throw new Error('run as root, the oracle needs a user `nobody` for the servers');
  return { uid: Number(entry[1]), gid: Number(entry[2]) };
}

/** A new folder that the account owns, directly below the system's temporary folder. */
export function makeFolder(prefix: string, account: Account | undefined): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  if (account) chownSync(folder, account.uid, account.gid);
  return folder;
}

/** `native` itself where the account can run it; else a copy of it below `folder` (a clone in root's home is closed to others). */
export function reachableServer(native: string, folder: string, account: Account | undefined): string {
  if (!account || spawnSync(join(native, 'bin', 'postgres'), ['--version'], account).status === 0) return native;
  const copy = join(folder, 'server');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  execFileSync('chmod', ['-R', 'a+rX', copy]);
  return copy;
}
