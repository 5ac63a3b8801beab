import { PassThrough, Readable, Writable } from 'node:stream';
import { runProgram } from '../../src/cli/program.js';
import type { Terminal } from '../../src/cli/terminal.js';

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Collects what is written to it; may refuse to take more than a little at once, as a pipe does. */
class Sink extends Writable {
  readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.chunks.push(chunk);
    setImmediate(done);
  }

  get bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }
}

export class TestTerminal implements Terminal {
  readonly stdin: Readable;
  readonly stdout = new Sink();
  readonly stderr = new Sink();
  readonly environment = {};
  readonly #listeners = new Set<() => void>();

  constructor(input: string | Buffer = '') {
    this.stdin = Readable.from([Buffer.from(input)]);
  }

  onSignal(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  exit(status: number): void {
    throw new Error(`the program exits with ${status}`);
  }

  /** As if the process got SIGINT or SIGTERM. */
  signal(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  /** Resolves with the first line on stdout. */
  async firstLine(): Promise<string> {
    while (!this.stdout.bytes.includes('\n'))
      await new Promise((resolve) => this.stdout.once('drain', resolve).once('line', resolve));
    return this.stdout.bytes.toString().split('\n', 1)[0]!;
  }
}

/** Runs a command line in this process. */
export async function run(args: readonly string[], input: string | Buffer = ''): Promise<Outcome> {
  const terminal = new TestTerminal(input);
  const status = await runProgram(args, terminal);
  return { status, stdout: terminal.stdout.bytes.toString(), stderr: terminal.stderr.bytes.toString() };
}
