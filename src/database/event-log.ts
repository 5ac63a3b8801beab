/** The events of a timeline as they come to be, for any number of readers. */
import type { TimelineEvent, TimelineReader } from '../timeline/timeline.js';

/** Events that are made anew for each reader: `repeat` without `track`. */
export interface EventRun {
  readonly run: () => Iterable<TimelineEvent>;
}

export class EventLog {
  readonly #entries: (TimelineEvent | EventRun)[] = [];
  readonly #listeners = new Set<() => void>();
  /** Length when it was held. */
  #heldAt: number | null = null;

  append<T extends TimelineEvent | EventRun>(entry: T): T {
    this.#entries.push(entry);
    if (this.#heldAt === null) this.#tell();
    return entry;
  }

  /** What comes from here on may still be dropped: nobody is told of it before `release`. */
  hold(): void {
    this.#heldAt = this.#entries.length;
  }

  /** What has come since `hold`. @param runs - with what is made anew for each reader */
  *held(runs: boolean): Generator<TimelineEvent> {
    for (let i = this.#heldAt ?? this.#entries.length; i < this.#entries.length; i++) {
      const entry = this.#entries[i]!;
      if (!('run' in entry)) yield entry;
      else if (runs) yield* entry.run();
    }
  }

  drop(): void {
    this.#entries.length = this.#heldAt ?? this.#entries.length;
  }

  release(): void {
    const hasGrown = this.#entries.length > (this.#heldAt ?? 0);
    this.#heldAt = null;
    if (hasGrown) this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
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
