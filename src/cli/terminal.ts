/** What a verb sees of the process it runs in, so that tests can run verbs in theirs. */
import type { Readable, Writable } from 'node:stream';
import { WriteStream } from 'node:tty';

export interface Terminal {
  readonly stdin: Readable;
  /** Data, and nothing else. */
  readonly stdout: Writable;
  /** Diagnostics, logs and verdicts. */
  readonly stderr: Writable;
  readonly environment: Readonly<Partial<Record<string, string>>>;
  /** Calls back at SIGINT and SIGTERM; returns how to stop listening. */
  onSignal(listener: () => void): () => void;
  /** Ends the process at once. */
  exit(status: number): void;
}

/** The real one. Whoever reads our output may stop before its end (`| head`): that ends the program, and is no failure. */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
      if (stream === process.stdout) process.stderr.write(`fake-walsender: standard output: ${error.message}\n`);
      process.exit(1);
    });
  }
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    onSignal(listener) {
      process.on('SIGINT', listener).on('SIGTERM', listener);
      return () => void process.off('SIGINT', listener).off('SIGTERM', listener);
    },
    exit: (status) => process.exit(status),
  };
}

/** Whether to colour what goes to this stream. `--no-color` has become NO_COLOR by then. */
export function hasColor(stream: Writable, { environment }: Terminal): boolean {
  return !environment['NO_COLOR'] && stream instanceof WriteStream && stream.hasColors();
}
