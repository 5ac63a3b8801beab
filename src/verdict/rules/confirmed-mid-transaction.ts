import { formatLsn } from '../../values/lsn.js';
import type { Message } from '../../pgoutput/messages.js';
import type { VerdictEvent } from '../follower.js';
import type { Feedback, Watch } from './never.js';

/** A position up to which everything was sent. */
interface Boundary {
  readonly lsn: bigint;
  /** Of the transaction that ends there; null where WAL was merely idle. */
  readonly xid: number | null;
}

/** As many of the latest boundaries as are remembered. */
const remembered = 4096;

/**
 * Flush inside of a transaction: after the last boundary before it, and before its end. Boundaries are the ends of transactions,
 * which rise in the order in which they are sent however their changes overlap, non-transactional messages, and keepalives
 * outside of a transaction. One beyond a boundary is `off_by_one`, beyond all that was sent is `confirmed_unsent`.
 */
export class ConfirmedMidTransaction implements Watch {
  /** Rising. */
  #boundaries: Boundary[] = [];
  /** The transaction that is being sent, and its messages' highest position; outside of one null. */
  #open: { readonly xid: number; highest: bigint } | null = null;

  follow(event: VerdictEvent): void {
    switch (event.kind) {
      case 'replication:start':
        // A transaction of which the end was not sent begins anew.
        this.#open = null;
        this.#add({ lsn: event.confirmedLsn, xid: null });
        this.#add({ lsn: event.startLsn, xid: null });
        break;
      case 'message:sent':
        this.#send(event.message, event.lsn, event.xid);
        break;
      case 'keepalive:sent':
        if (this.#open === null) this.#add({ lsn: event.walEnd, xid: null });
        break;
      case 'replication:end':
        this.#open = null;
        break;
      default:
    }
  }

  feedback({ flushLsn }: Feedback): string | undefined {
    const boundaries = this.#boundaries;
    const next = boundaries.findIndex(({ lsn }) => lsn >= flushLsn);
    if (next === 0 || boundaries[next]?.lsn === flushLsn) return undefined;
    const before = boundaries.at(next === -1 ? -1 : next - 1);
    if (before === undefined || flushLsn === before.lsn + 1n) return undefined;
    const end = boundaries[next];
    if (end === undefined) {
      if (this.#open === null || flushLsn > this.#open.highest + 1n) return undefined;
      return `inside of transaction ${this.#open.xid}, which was not complete`;
    }
    return end.xid === null ? undefined : `inside of transaction ${end.xid}, which ends at ${formatLsn(end.lsn)}`;
  }

  #send(message: Message, lsn: bigint, xid: number): void {
    switch (message.kind) {
      case 'begin':
      case 'beginPrepare':
      case 'streamStart':
        this.#open = { xid: message.xid, highest: lsn };
        return;
      case 'streamStop':
        this.#open = null;
        return;
      case 'commit':
      case 'prepare':
      case 'streamCommit':
      case 'streamPrepare':
      case 'commitPrepared':
        this.#add({ lsn: message.endLsn, xid });
        this.#open = null;
        return;
      case 'rollbackPrepared':
        this.#add({ lsn: message.rollbackEndLsn, xid });
        return;
      case 'streamAbort':
        // Of a subtransaction: the rest is to come.
        if (message.xid === message.subxid) this.#add({ lsn, xid: null });
        return;
      case 'message':
        if (!message.transactional) this.#add({ lsn, xid: null });
        return;
      default:
        if (this.#open !== null && lsn > this.#open.highest) this.#open.highest = lsn;
    }
  }

  #add(boundary: Boundary): void {
    const boundaries = this.#boundaries;
    let place = boundaries.length;
    while (place > 0 && boundaries[place - 1]!.lsn >= boundary.lsn) place--;
    const same = boundaries[place];
    if (same?.lsn === boundary.lsn) {
      // The end of a transaction says more than that WAL was idle there.
      if (same.xid === null) boundaries[place] = boundary;
      return;
    }
    boundaries.splice(place, 0, boundary);
    if (boundaries.length > remembered) this.#boundaries = boundaries.slice(-remembered / 2);
  }
}
