/** Why nobody gets in for a while: a server that restarts. */
import { WireError } from '../values/wire-error.js';

interface Leaving {
  readonly ended: boolean;
}

export class Outage {
  /** Monotonic milliseconds. */
  #until = -Infinity;
  #leaving: readonly Leaving[] = [];

  /** One that goes on is not cut short. @param leaving the sessions that a shutdown waits for */
  begin(until: number, leaving: readonly Leaving[]): void {
    this.#until = Math.max(until, this.#until);
    this.#leaving = [...this.#leaving, ...leaving];
  }

  /** What those who come now are told; undefined: come in. */
  refusal(now: number): WireError | undefined {
    const isShuttingDown = this.#leaving.some(({ ended }) => !ended);
    if (!isShuttingDown) this.#leaving = [];
    if (!isShuttingDown && now >= this.#until) return undefined;
    const message = `the database system is ${isShuttingDown ? 'shutting down' : 'starting up'}`;
    return new WireError({ severity: 'FATAL', code: '57P03', message });
  }
}
