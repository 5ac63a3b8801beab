import { formatLsn } from '../../values/lsn.js';
import type { VerdictEvent } from '../follower.js';
import type { Feedback, Watch } from './never.js';

/** As many of the latest positions as are remembered. */
const remembered = 4096;

/** Flush one beyond a position that was sent, where no such position was sent itself. */
export class OffByOne implements Watch {
  readonly #sent = new Set<bigint>();

  follow(event: VerdictEvent): void {
    switch (event.kind) {
      case 'replication:start':
        this.#tell(event.confirmedLsn);
        break;
      case 'message:sent':
        this.#tell(event.lsn);
        if ('endLsn' in event.message) this.#tell(event.message.endLsn);
        break;
      case 'keepalive:sent':
        this.#tell(event.walEnd);
        break;
      default:
    }
  }

  feedback({ flushLsn }: Feedback): string | undefined {
    // 0/1 is what a client says that has nothing yet and adds 1 to it; lsn_went_back excepts it as well.
    if (flushLsn <= 1n || this.#sent.has(flushLsn) || !this.#sent.has(flushLsn - 1n)) return undefined;
    return `one beyond ${formatLsn(flushLsn - 1n)}, which was sent`;
  }

  #tell(lsn: bigint): void {
    if (lsn === 0n || this.#sent.has(lsn)) return;
    if (this.#sent.size >= remembered)
      for (const oldest of this.#sent) {
        this.#sent.delete(oldest);
        break;
      }
    this.#sent.add(lsn);
  }
}
