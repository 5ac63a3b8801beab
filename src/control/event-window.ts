/** The last events of a server, numbered: what a client asks for piece by piece, in bounded memory. */
import type { LiveEvent } from '../live/index.js';

/** Half as many again are held before the oldest go. */
const kept = 20_000;

export class EventWindow {
  #events: LiveEvent[] = [];
  /** Number of the first one that is held. */
  #first = 0;

  get first(): number {
    return this.#first;
  }

  /** Number of the event that comes next. */
  get next(): number {
    return this.#first + this.#events.length;
  }

  add(event: LiveEvent): void {
    this.#events.push(event);
    if (this.#events.length < kept * 1.5) return;
    const dropped = this.#events.length - kept;
    this.#events = this.#events.slice(dropped);
    this.#first += dropped;
  }

  /** Those that are held, from this number on. */
  since(number: number): readonly LiveEvent[] {
    return this.#events.slice(Math.max(0, number - this.#first));
  }

  clear(): void {
    this.#first = 0;
    this.#events = [];
  }
}
