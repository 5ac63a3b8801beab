/** The events of a timeline as they come to be, for any number of readers. */
import type { TimelineEvent, TimelineReader } from '../timeline/timeline.js';

/** Events that are made anew for each reader: `repeat` without `track`. */
export interface EventRun {
  readonly run: () => Iterable<TimelineEvent>;
}

export class EventLog {
  readonly #entries: (TimelineEvent | EventRun)[] = [];
  readonly #listeners = new Set<() => void>();

  append<T extends TimelineEvent | EventRun>(entry: T): T {
    this.#entries.push(entry);
    for (const listener of this.#listeners) listener();
    return entry;
  }

  clear(): void {
    this.#entries.length = 0;
  }

  /** Nothing has come after this event. */
  endsWith(event: TimelineEvent): boolean {
    return this.#entries.at(-1) === event;
  }

  onGrowth(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  read(): TimelineReader {
    const entries = this.#entries;
    let position = 0;
    let running: Iterator<TimelineEvent> | null = null;
    return {
      next: () => {
        for (;;) {
          if (running !== null) {
            const step = running.next();
            if (step.done !== true) return step.value;
            running = null;
          }
          if (position >= entries.length) return undefined;
          const entry = entries[position++]!;
          if (!('run' in entry)) return entry;
          running = entry.run()[Symbol.iterator]();
        }
      },
    };
  }

  /** Everything so far. */
  *[Symbol.iterator](): Generator<TimelineEvent> {
    for (const entry of this.#entries) {
      if ('run' in entry) yield* entry.run();
      else yield entry;
    }
  }
}
