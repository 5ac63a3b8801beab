import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createContext, runInContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { Projects, root, run } from './projects.js';

const projects = new Projects();
beforeAll(() => projects.install());
afterAll(() => projects.remove());

/** The tests of each project end by themselves, or `run` fails. */
describe('installed into a project', () => {
  it.each([
    ['esm', '# pass 6'],
    ['commonjs', '# pass 4'],
    ['jest', 'Tests:       3 passed, 3 total'],
    ['jest-esm', 'Tests:       4 passed, 4 total'],
    ['vitest', 'Tests  2 passed (2)'],
  ])('%s', async (fixture, summary) => {
    const { stdout, stderr } = await run(join(projects.folder, fixture), 'npm', 'test');
    expect(stdout + stderr).toContain(summary);
    expect(stderr).not.toContain('did not exit');
  });
});

describe('the command line, installed', () => {
  const scenario = 'node_modules/fake-walsender/scenarios/key-change.yaml';
  const fakeWalsender = (...args: readonly string[]) =>
    run(projects.folder, 'npx', '--no-install', 'fake-walsender', ...args);

  it('tells its version', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
    expect((await fakeWalsender('--version')).stdout.trim()).toBe(version);
  });

  it('checks and encodes the scenarios that come with it', async () => {
    await fakeWalsender('lint', 'node_modules/fake-walsender/scenarios');
    expect((await fakeWalsender('encode', scenario)).stdout).toContain('"kind":"begin"');
  });

  it('serves a scenario to its own client until it is told to end', async () => {
    const server = spawn('node_modules/.bin/fake-walsender', ['serve', scenario], {
      cwd: projects.folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(server, 'exit');
    try {
      const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
      const url = line.replace(/^listening /, '');
      const { stdout } = await fakeWalsender(
        ...['tail', '--url', url, '--slot', 's', '--create-slot', '--publication', 'shop', '--count', '4'],
      );
      expect(stdout).toContain('UPDATE public.customers key (customer_no=101) → customer_no=501');
    } finally {
      server.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  });
});

describe('fake-walsender/pgoutput alone', () => {
  it('runs where there is no Node.js, and needs nothing but itself', async () => {
    const folder = await projects.unpack();
    const { metafile, outputFiles } = await build({
      stdin: {
        contents: `
          import * as pgoutput from './dist/esm/pgoutput/index.js';
          const users = pgoutput.relation({ relationId: 16385, name: 'users', columns: [{ name: 'id', type: 'int8', key: true }] });
          const bytes = pgoutput.encode(pgoutput.insert(users, { id: 5n }));
          const { kind, newTuple } = pgoutput.decode(bytes);
          globalThis.outcome = JSON.stringify({ bytes: [...bytes], kind, newTuple });`,
        resolveDir: folder,
      },
      bundle: true,
      write: false,
      metafile: true,
      platform: 'browser',
      format: 'iife',
      logLevel: 'silent',
    });
    // A file of Node's, or of another package, would have failed the bundle or be an input here.
    for (const input of Object.keys(metafile.inputs)) expect(input).toMatch(/<stdin>|package\/dist\/esm\//);
    // What browsers and workers have beyond the language, as far as it is used.
    const global = createContext({ TextEncoder, TextDecoder });
    runInContext(outputFiles[0]!.text, global);
    expect(JSON.parse(global['outcome'] as string)).toEqual({
      bytes: [0x49, 0, 0, 0x40, 1, 0x4e, 0, 1, 0x74, 0, 0, 0, 1, 0x35],
      kind: 'insert',
      newTuple: ['5'],
    });
  });
});
