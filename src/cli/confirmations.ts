import type { SessionEvent } from '../walsender/events.js';

interface Progress {
  /** What the client confirms once it has everything; null while there is more to send. */
  end: bigint | null;
  confirmed: bigint;
}

/** Follows which slots were used, and how far each has got. */
export class Confirmations {
  readonly #slots = new Map<string, Progress>();

  follow(event: SessionEvent): void {
    switch (event.kind) {
      case 'replication:start':
        this.#slots.set(event.slot, { end: null, confirmed: event.startLsn });
        break;
      case 'replication:caughtUp':
        this.#progress(event.slot).end = event.lsn;
        break;
      case 'feedback': {
        const progress = this.#progress(event.slot);
        if (event.flushLsn > progress.confirmed) progress.confirmed = event.flushLsn;
        break;
      }
      default:
    }
  }

  /** At least one slot was used, and each has confirmed everything. */
  get complete(): boolean {
    return (
      this.#slots.size > 0 && [...this.#slots.values()].every(({ end, confirmed }) => end !== null && confirmed >= end)
    );
  }

  /** By slot, in the order of their first use. */
  [Symbol.iterator](): IterableIterator<[string, Readonly<Progress>]> {
    return this.#slots.entries();
  }

  #progress(slot: string): Progress {
    const progress = this.#slots.get(slot);
    if (!progress) throw new TypeError(`slot ${slot} streams without having started`);
    return progress;
  }
}
