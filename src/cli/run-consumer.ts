/**
 * The consumer command of one scenario, kept going as the scenario and `--restart` want it.
 *
 * ```
 *              ┌──── crash, restart; by itself or killed, with restarts left ────┐
 *              ▼                                                                 │
 *   start → running ─────────────────────────────────────────────────────────────┘
 *              └──── by itself or killed, none left; stopped ────→ ended
 * ```
 */
import { Command, type CommandEnd, type CommandOptions } from './run-process.js';

export interface ConsumerOptions extends CommandOptions {
  readonly argv: readonly [string, ...string[]];
  /** How often it is started again after it ended by itself or was killed. */
  readonly restarts: number;
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly grace: number;
  /** Aborted: no more grace. */
  readonly killSignal: AbortSignal;
  /** It ended by itself. Returns whether there is anything left for it to do. */
  readonly onExit: (end: CommandEnd) => boolean;
}

export type ConsumerAction = 'kill' | 'stop' | 'restart' | 'crash';

export class Consumer {
  #command: Command;
  #restarts: number;
  /** What is being done to it, one thing after the other; it does not end by itself then. */
  #acting: Promise<void> | undefined;
  #hasEnded = false;
  #end!: () => void;
  /** Resolves when it has ended and is not started again. */
  readonly ended = new Promise<void>((resolve) => (this.#end = resolve));
  /** Of the last time that it ended by itself; 0 if it was made to. */
  status = 0;

  constructor(private readonly options: ConsumerOptions) {
    this.#restarts = options.restarts;
    this.#command = this.#start();
    options.killSignal.addEventListener('abort', this.#kill);
  }

  /** It is not started again. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** What a step of the scenario does to it. */
  act(action: ConsumerAction): void {
    if (this.#hasEnded) return;
    const before = this.#acting ?? Promise.resolve();
    const acting = before
      .then(() => this.#act(action))
      .then(() => {
        if (this.#acting === acting) this.#acting = undefined;
      });
    this.#acting = acting;
  }

  /** Ends it, whatever it is doing. */
  async stop(): Promise<void> {
    this.act('stop');
    await this.ended;
  }

  async #act(action: ConsumerAction): Promise<void> {
    if (this.#hasEnded) return;
    if (action === 'kill' || action === 'crash') await this.#command.kill();
    else await this.#command.stop(this.options.grace);
    const again = action === 'restart' || action === 'crash' || (action === 'kill' && this.#restarts-- > 0);
    if (again) this.#command = this.#start();
    else this.#finish(0);
  }

  #start(): Command {
    const command = new Command(this.options.argv, this.options);
    void command.ended.then((end) => {
      if (this.#command === command && !this.#acting && !this.#hasEnded) this.#exit(end);
    });
    return command;
  }

  #exit(end: CommandEnd): void {
    const hasMore = this.options.onExit(end);
    if (end.problem === undefined && hasMore && this.#restarts-- > 0) this.#command = this.#start();
    else this.#finish(end.status);
  }

  readonly #kill = (): void => void this.#command.kill();

  #finish(status: number): void {
    this.options.killSignal.removeEventListener('abort', this.#kill);
    this.status = status;
    this.#hasEnded = true;
    this.#end();
  }
}
