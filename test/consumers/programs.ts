/** Programs that tests start: each is stopped at the end of its test, and what it wrote is kept. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach } from '@jest/globals';

export const root = join(__dirname, '../..');

export class Program {
  readonly #output: Buffer[] = [];
  errors = '';
  readonly ended: Promise<number | null>;

  constructor(readonly process: ChildProcess) {
    process.stdout?.on('data', (chunk: Buffer) => this.#output.push(chunk));
    process.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    this.ended = once(process, 'close').then(([status]) => status as number | null);
    running.add(this);
    void this.ended.then(() => running.delete(this));
  }

  get output(): Buffer {
    return Buffer.concat(this.#output);
  }

  /** What it wrote, as JSON lines. */
  get lines(): unknown[] {
    const lines = this.output.toString().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown);
  }
}

const running = new Set<Program>();
const folders: string[] = [];

afterEach(async () => {
  for (const program of running) program.process.kill('SIGKILL');
  await Promise.all([...running].map((program) => program.ended));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

export function start(command: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}): Program {
  const env = { ...process.env, ...environment };
  return new Program(spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

/** Starts the built command line's `serve`; resolves when it listens. */
export async function serve(...args: string[]): Promise<Program & { readonly url: URL }> {
  const server = start(process.execPath, ['dist/cli/main.js', 'serve', ...args]);
  const first = await Promise.race([firstLine(server.process), server.ended]);
  const url = typeof first === 'string' ? /^listening (.*)$/.exec(first)?.[1] : undefined;
  if (url === undefined) throw new Error(`serve did not listen: ${first}\n${server.errors}`);
  return Object.assign(server, { url: new URL(url) });
}

async function firstLine(process: ChildProcess): Promise<string> {
  const [line] = (await once(createInterface({ input: process.stdout! }), 'line')) as [string];
  return line;
}

/** A file with this text, until the end of the test. */
export function temporaryFile(name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'consumers-'));
  folders.push(folder);
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
