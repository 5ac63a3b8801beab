import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { runProgram } from '../../src/cli/program.js';
import type { Terminal } from '../../src/cli/terminal.js';

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Collects what is written to it, each piece a little later, as a pipe does. */
class Sink extends Writable {
  readonly chunks: Buffer[] = [];

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.chunks.push(chunk);
    this.emit('written');
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

  /** Runs a command line in this process; resolves when all it wrote has arrived. */
  async run(args: readonly string[]): Promise<Outcome> {
    const status = await runProgram(args, this);
    for (const sink of [this.stdout, this.stderr]) await once(sink.end(), 'finish');
    return { status, stdout: this.stdout.bytes.toString(), stderr: this.stderr.bytes.toString() };
  }

  /** Resolves once stdout matches. */
  prints(pattern: RegExp): Promise<RegExpExecArray> {
    return found(this.stdout, pattern);
  }

  /** Resolves once stderr matches. */
  says(pattern: RegExp): Promise<RegExpExecArray> {
    return found(this.stderr, pattern);
  }
}

async function found(sink: Sink, pattern: RegExp): Promise<RegExpExecArray> {
  for (;;) {
    const match = pattern.exec(sink.bytes.toString());
    if (match) return match;
    await once(sink, 'written');
  }
}

export function run(args: readonly string[], input: string | Buffer = ''): Promise<Outcome> {
  return new TestTerminal(input).run(args);
}
