/** Projects in temporary folders that have the packed package installed. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const root = join(__dirname, '../..');
const fixtures = join(__dirname, 'fixtures');

export interface Output {
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program to its end.
 * @throws Error with all that it printed, when it fails or has not ended after three minutes
 */
export async function run(folder: string, program: string, ...args: readonly string[]): Promise<Output> {
  try {
    return await promisify(execFile)(program, args, {
      cwd: folder,
      timeout: 180_000,
      env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', FORCE_COLOR: undefined, JEST_WORKER_ID: undefined },
    });
  } catch (error) {
    const { stdout, stderr, killed } = error as Output & { readonly killed: boolean };
    const outcome = killed ? 'did not end' : 'failed';
    throw new Error(`${[program, ...args].join(' ')} ${outcome}\n${stdout}\n${stderr}`, { cause: error });
  }
}

/**
 * Packs what `npm run build` has built, and installs it into every project of `fixtures`: workspaces of one folder, each
 * with dependencies of its own, so that npm runs once.
 */
export class Projects {
  readonly folder = mkdtempSync(join(tmpdir(), 'fake-walsender-package-'));

  async install(): Promise<void> {
    if (!existsSync(join(root, 'dist/scenario.schema.json'))) throw new Error('this tier needs dist: npm run build');
    const { stdout } = await run(root, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', this.folder);
    const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
    renameSync(join(this.folder, filename), join(this.folder, 'fake-walsender.tgz'));
    cpSync(fixtures, this.folder, { recursive: true });
    for (const project of ['esm', 'commonjs', 'jest-esm', 'vitest']) {
      cpSync(join(fixtures, 'user-mirror.ts'), join(this.folder, project, 'user-mirror.ts'));
    }
    await run(this.folder, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock');
  }

  /** The package alone, without its dependencies. */
  async unpack(): Promise<string> {
    await run(this.folder, 'tar', '-xzf', 'fake-walsender.tgz');
    return join(this.folder, 'package');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
