/** A time in which a session does nothing. */
import type { WireError } from '../values/wire-error.js';
import type { Task } from './outputs-run.js';
import type { Clock } from './wire.js';

export class Pause implements Task {
  readonly dueAt: number;
  #cancelled: WireError | undefined;

  constructor(
    private readonly clock: Clock,
    milliseconds: number,
  ) {
    this.dueAt = clock.monotonic() + milliseconds;
  }

  run(): boolean {
    if (this.#cancelled) throw this.#cancelled;
    return this.clock.monotonic() >= this.dueAt;
  }

  cancel(error: WireError): void {
    this.#cancelled = error;
  }

  release(): void {
    // There is nothing to let go of.
  }
}
