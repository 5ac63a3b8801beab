/**
 * Steps that are performed when somebody says so, not at a place of the timeline.
 *
 * ```
 *   inject ──→ at the streams that there are, or waiting for the next one that starts
 *                 │            ▲
 *                 │            └── a stream that ended before it was performed
 *                 ▼
 *             performed: told when the last of them has
 * ```
 */
import type { ScenarioStep } from '../scenario/steps.js';
import { isFault, isServerWide } from './faults/index.js';

/** What was done, and where. */
export interface Performed {
  readonly pid: number;
  readonly slot: string;
  readonly lsn: bigint;
  /** As the event `fault` tells it; empty for steps that are none. */
  readonly did: string;
}

/** A stream that steps can be injected into. */
export interface InjectableStream {
  readonly slot: { readonly name: string };
  inject(injection: Injection): void;
}

export class Injection {
  readonly performed: Performed[] = [];

  constructor(
    readonly step: ScenarioStep,
    /** Only streams of this slot. */
    readonly slot: string | undefined,
    /** How many streams have yet to perform it. */
    private left: number,
    private readonly tell: (performed: readonly Performed[]) => void,
    /** It was not performed after all: for another stream. */
    readonly giveBack: (injection: Injection) => void,
  ) {}

  cancel(): void {
    this.tell(this.performed);
  }

  perform(performed: Performed): void {
    this.performed.push(performed);
    this.left--;
    if (this.left === 0) this.tell(this.performed);
  }
}

export class Injections {
  #waiting: Injection[] = [];
  #isOver = false;

  /**
   * Performs the step at the next message boundary of each of the streams that match (of one, when it is about the server as a
   * whole), or of the next that starts where there is none; with `times` so many in all get it. Resolves when all of them have,
   * or when the server ends.
   * @param wanted - only streams of this slot; absent: of the step's own, if it has one
   */
  inject(
    step: ScenarioStep,
    wanted: string | undefined,
    streams: readonly InjectableStream[],
  ): Promise<readonly Performed[]> {
    const slot = wanted ?? (isFault(step) && 'slot' in step ? step.slot : undefined);
    const all = streams.filter((stream) => matches(stream, slot));
    const matching = isServerWide(step) ? all.slice(0, 1) : all;
    const times = 'times' in step ? (step.times ?? 1) : 1;
    const later = Math.max(times - matching.length, matching.length === 0 ? 1 : 0);
    return new Promise((resolve) => {
      const giveBack = (injection: Injection): void => this.#wait(injection);
      const injection = new Injection(step, slot, matching.length + later, resolve, giveBack);
      for (let i = 0; i < later; i++) this.#wait(injection);
      for (const stream of matching) stream.inject(injection);
    });
  }

  /** The server is over: nothing more will be performed. */
  cancel(): void {
    this.#isOver = true;
    for (const injection of new Set(this.#waiting)) injection.cancel();
    this.#waiting = [];
  }

  #wait(injection: Injection): void {
    if (this.#isOver) injection.cancel();
    else this.#waiting.push(injection);
  }

  /** A stream starts: it performs what waits for it. */
  start(stream: InjectableStream): void {
    const mine = new Set(this.#waiting.filter(({ slot }) => matches(stream, slot)));
    for (const injection of mine) {
      this.#waiting.splice(this.#waiting.indexOf(injection), 1);
      stream.inject(injection);
    }
  }
}

function matches(stream: InjectableStream, slot: string | undefined): boolean {
  return slot === undefined || slot === stream.slot.name;
}
