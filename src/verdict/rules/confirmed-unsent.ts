import { formatLsn } from '../../values/lsn.js';
import type { VerdictEvent } from '../follower.js';
import type { Feedback, Watch } from './never.js';

/** Flush beyond the highest position that the slot's connections were told, and one more: that one is `off_by_one`. */
export class ConfirmedUnsent implements Watch {
  #highest = 0n;

  follow(event: VerdictEvent): void {
    switch (event.kind) {
      case 'replication:start':
        // Not where the client asked to start: that is its own word.
        this.#tell(event.confirmedLsn);
        break;
      case 'message:sent':
      case 'replication:caughtUp':
        this.#tell(event.lsn);
        break;
      case 'keepalive:sent':
        this.#tell(event.walEnd);
        break;
      default:
    }
  }

  feedback({ flushLsn }: Feedback): string | undefined {
    return flushLsn > this.#highest + 1n ? `but nothing beyond ${formatLsn(this.#highest)} had been sent` : undefined;
  }

  #tell(lsn: bigint): void {
    if (lsn > this.#highest) this.#highest = lsn;
  }
}
