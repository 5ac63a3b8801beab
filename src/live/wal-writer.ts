/**
 * Lets the time of a stream go by from the start on, whether or not somebody reads: it reads as a walsender does, and so begins
 * the waits that it comes to, and writes WAL as far as it gets.
 *
 * ```
 *   writing ──wait──→ waiting ──its time has come──→ writing
 *           ──nothing more──→ idle ──WAL grows──→ writing
 * ```
 */
import { defaultSettings } from '../postgres/settings.js';
import type { ScenarioStep } from '../scenario/steps.js';
import type { ServerClock } from '../server/index.js';
import type { EmitSession, Emitter } from '../timeline/emitter.js';
import type { Cluster } from '../walsender/cluster.js';
import type { PublishedDatabase } from '../walsender/published-database.js';
import { StepPlaces } from '../walsender/step-board.js';

/** What is read before others have their turn. */
const changesPerTurn = 1_000;

type WaitForStep = Extract<ScenarioStep, { readonly kind: 'waitFor' }>;

const nowhere = { message: () => undefined, notice: () => undefined };

export class WalWriter {
  readonly #emitter: Emitter;
  readonly #places = new StepPlaces();
  readonly #stopListening: (() => void) | undefined;
  #stopWaiting: (() => void) | undefined;

  constructor(
    private readonly cluster: Cluster,
    private readonly database: PublishedDatabase,
    private readonly clock: ServerClock,
  ) {
    const { timeline } = database;
    this.#emitter = cluster.createEmitter(timeline, everything(database), nowhere);
    this.#stopListening = timeline.onGrowth?.(() => {
      if (this.#stopWaiting === undefined) this.#continueAt(clock.monotonic());
    });
    this.#write();
  }

  stop(): void {
    this.#stopListening?.();
    this.#stopWaiting?.();
  }

  #write(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
    for (let count = 0; count < changesPerTurn; count++) {
      const progress = this.#emitter.next();
      if (progress.kind === 'idle') return;
      if (!this.#emitter.inTransaction) this.database.advance(this.#emitter.position);
      if (progress.kind !== 'step') continue;
      const step = progress.step as ScenarioStep;
      const until = this.#perform(step, progress.lsn);
      if (until !== null) return this.#continueAt(until, step.kind === 'waitFor' ? step : undefined);
    }
    this.#continueAt(this.clock.monotonic());
  }

  /** When the writing goes on; null: at once. Faults are for the connections that come there. */
  #perform(step: ScenarioStep, lsn: bigint): number | null {
    const place = this.#places.next(lsn);
    const { steps } = this.database;
    const now = this.clock.monotonic();
    if (step.kind === 'label') steps.label(step.name, lsn);
    else if (step.kind === 'wait') return steps.waitUntil(place, now, step.milliseconds);
    else if (step.kind === 'waitFor') return steps.waitUntil(place, now, step.withinMilliseconds);
    return null;
  }

  /** @param confirmation - what the writing goes on with, too */
  #continueAt(time: number, confirmation?: WaitForStep): void {
    const stopTimer = this.clock.at(time, () => this.#write());
    const stopWatching =
      confirmation &&
      this.cluster.slots.onChanged(() => {
        if (this.#isConfirmed(confirmation)) this.#continueAt(this.clock.monotonic());
      });
    this.#stopWaiting?.();
    this.#stopWaiting = () => {
      stopTimer();
      stopWatching?.();
    };
  }

  /** By the slot, or by any. */
  #isConfirmed({ flushed, slot }: WaitForStep): boolean {
    const target = typeof flushed === 'bigint' ? flushed : this.database.steps.labels.get(flushed);
    if (target === undefined) return false;
    for (const { name, confirmedFlushLsn } of this.cluster.slots) {
      if ((slot === undefined || slot === name) && (confirmedFlushLsn ?? -1n) >= target) return true;
    }
    return false;
  }
}

/** Everything, in the order in which it is written. */
function everything({ timeline, late }: PublishedDatabase): EmitSession {
  const { major, startLsn } = timeline.server;
  return {
    slotName: '',
    options: {
      protoVersion: 4,
      publicationNames: [],
      binary: false,
      messages: false,
      streaming: 'on',
      twoPhase: true,
      origin: 'any',
    },
    settings: defaultSettings(major),
    startLsn,
    twoPhase: true,
    twoPhaseAt: 0n,
    late,
  };
}
