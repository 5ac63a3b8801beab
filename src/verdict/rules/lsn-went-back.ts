import { formatLsn } from '../../values/lsn.js';
import type { VerdictEvent } from '../follower.js';
import type { Feedback, Watch } from './never.js';

/** Flush below what the slot had confirmed before, on whatever connection. 0/0 says nothing, and 0/1 is what some make of it. */
export class LsnWentBack implements Watch {
  #highest = 0n;

  follow(event: VerdictEvent): void {
    // A slot made anew begins anew.
    if (event.kind === 'slot:create' || event.kind === 'slot:drop') this.#highest = 0n;
  }

  feedback({ flushLsn }: Feedback): string | undefined {
    if (flushLsn <= 1n) return undefined;
    if (flushLsn < this.#highest) return `after ${formatLsn(this.#highest)}`;
    this.#highest = flushLsn;
    return undefined;
  }
}
