/** How far one slot's consumer has got, to tell when nothing new will come of it. */
import type { ScenarioStep } from '../scenario/index.js';
import type { VerdictEvent } from './follower.js';

/** How long a consumer that has been sent everything may take to confirm it before nobody waits for that any more. */
const patience = 10_000;

export class SlotProgress {
  /** What it confirms once it has everything; undefined while there is more to send. */
  #end: bigint | undefined;
  #caughtUpAt = 0;
  #isCaughtUp = false;
  #confirmed = 0n;
  /** Dropped or lost: nothing more comes of it, unless it is streamed again. */
  #isGone = false;

  follow(event: VerdictEvent, now: number): void {
    switch (event.kind) {
      case 'replication:start':
        this.#isCaughtUp = false;
        this.#isGone = false;
        break;
      case 'slot:drop':
        this.#isGone = true;
        break;
      case 'fault':
        if (event.step.kind === 'invalidateSlot' || dropped(event.step) === event.slot) this.#isGone = true;
        break;
      case 'replication:caughtUp':
        if (!this.#isCaughtUp) this.#caughtUpAt = now;
        this.#isCaughtUp = true;
        if (this.#end === undefined || event.lsn > this.#end) this.#end = event.lsn;
        break;
      case 'feedback':
        if (event.flushLsn > this.#confirmed) this.#confirmed = event.flushLsn;
        break;
      default:
    }
  }

  /** It has been sent everything, and has confirmed it or is not going to; or there is no such slot any more. */
  isDone(now: number): boolean {
    if (this.#isGone) return true;
    if (!this.#isCaughtUp || this.#end === undefined) return false;
    return this.#confirmed >= this.#end || now - this.#caughtUpAt >= patience;
  }
}

function dropped(step: ScenarioStep): string | undefined {
  return step.kind === 'dropSlot' ? step.name : undefined;
}
