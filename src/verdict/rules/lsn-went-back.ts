import type { ScenarioStep } from '../../scenario/index.js';
import { formatLsn } from '../../values/lsn.js';
import type { VerdictEvent } from '../follower.js';
import type { Feedback, Watch } from './never.js';

const renewing: ReadonlySet<string> = new Set<ScenarioStep['kind']>(['dropSlot', 'recreateSlot', 'failover']);

/** Flush below what the slot had confirmed before, on whatever connection. 0/0 says nothing, and 0/1 is what some make of it. */
export class LsnWentBack implements Watch {
  #highest = 0n;

  follow(event: VerdictEvent): void {
    // A slot made anew begins anew, and one that survived a failover may stand where it did before.
    const isAnew = event.kind === 'fault' && renewing.has(event.step.kind);
    if (isAnew || event.kind === 'slot:create' || event.kind === 'slot:drop') this.#highest = 0n;
  }

  feedback({ flushLsn }: Feedback): string | undefined {
    if (flushLsn <= 1n) return undefined;
    if (flushLsn < this.#highest) return `after ${formatLsn(this.#highest)}`;
    this.#highest = flushLsn;
    return undefined;
  }
}
