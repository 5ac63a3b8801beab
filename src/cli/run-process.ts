/** A command in a process group of its own, so that it ends with everything it started. */
import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

export interface CommandOptions {
  readonly environment: Readonly<Partial<Record<string, string>>>;
  readonly cwd?: string;
  /** Run by a shell, as one text. */
  readonly shell?: boolean;
  readonly onOutput: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** How a command ended: by itself with a status (128 + number of the signal that it died of), or not at all. */
export interface CommandEnd {
  readonly status: number;
  /** Why it could not be started. */
  readonly problem?: string;
}

const signalNumbers: Readonly<Record<string, number>> = {
  ...{ SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGILL: 4, SIGTRAP: 5, SIGABRT: 6, SIGBUS: 7, SIGFPE: 8, SIGKILL: 9 },
  ...{ SIGUSR1: 10, SIGSEGV: 11, SIGUSR2: 12, SIGPIPE: 13, SIGALRM: 14, SIGTERM: 15 },
};

/** Milliseconds. */
const poll = 20;

export class Command {
  readonly #child: ChildProcess;
  /** Resolves once the command itself has ended and its output is complete, or nobody will close it any more. */
  readonly ended: Promise<CommandEnd>;
  #hasEnded = false;
  #isStopping = false;

  constructor(argv: readonly [string, ...string[]], { environment, cwd, shell = false, onOutput }: CommandOptions) {
    const [program, ...args] = argv;
    const child = spawn(program, args, {
      env: environment,
      ...(cwd !== undefined && { cwd }),
      shell,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => onOutput(stream, text));
    }
    this.ended = new Promise((resolve) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        this.#hasEnded = true;
        const problem = error.code === 'ENOENT' ? 'there is no such command' : error.message;
        resolve({ status: error.code === 'ENOENT' ? 127 : 126, problem: `${program}: ${problem}` });
      });
      child.once('exit', (code, signal) => {
        this.#hasEnded = true;
        // What it started and left behind.
        if (!this.#isStopping) this.#signal('SIGKILL');
        const end = { status: code ?? 128 + (signalNumbers[signal ?? ''] ?? 0) };
        child.once('close', () => resolve(end));
        // What left the group may hold its pipes open.
        setTimeout(() => resolve(end), 1000).unref();
      });
    });
  }

  /** SIGTERM, and SIGKILL to what is there after `grace` milliseconds. */
  async stop(grace: number): Promise<void> {
    if (this.#hasEnded) return;
    this.#isStopping = true;
    this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), grace);
    await this.ended;
    // A shell ends at once, and what it started may have more to do.
    for (let waited = 0; waited < grace && this.#signal(0); waited += poll) await delay(poll);
    clearTimeout(timer);
    this.#signal('SIGKILL');
  }

  async kill(): Promise<void> {
    this.#signal('SIGKILL');
    await this.ended;
  }

  /** To the whole group, even after its leader is gone. False: there is nobody in it. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    const { pid } = this.#child;
    if (pid === undefined) return false;
    try {
      return process.kill(-pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
      throw error;
    }
  }
}
