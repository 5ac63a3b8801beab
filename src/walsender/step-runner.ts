/** Performs the steps that one stream comes to, and those injected into it. */
import type { ScenarioStep } from '../scenario/steps.js';
import type { Step } from '../timeline/timeline.js';
import type { FaultedStream, FaultContext, FaultOutcome, FaultStep, Hold } from './faults/fault.js';
import { isFault, performFault, timesOf } from './faults/index.js';
import type { Tampering } from './faults/tampering.js';
import type { Injection } from './injections.js';
import type { SessionInside } from './inside.js';
import type { PublishedDatabase } from './published-database.js';
import type { Slot } from './slot.js';
import { StepPlaces, type StepPlace } from './step-board.js';

type StepOf<K extends ScenarioStep['kind']> = Extract<ScenarioStep, { readonly kind: K }>;

export interface StepContext {
  readonly session: SessionInside;
  readonly database: PublishedDatabase;
  readonly slot: Slot;
  readonly stream: FaultedStream;
  readonly tampering: Tampering;
}

/** One performance of one step. */
interface Performance {
  readonly lsn: bigint;
  /** Null where the step was injected. */
  readonly place: StepPlace | null;
  readonly onPerformed: (did: string) => void;
  readonly onAbandoned: () => void;
}

export class StepRunner {
  /** The last one holds; when it ends, the one before it does. */
  readonly #holds: Hold[] = [];
  readonly #places = new StepPlaces();
  #injected: Injection[] = [];
  #over = false;

  constructor(private readonly context: StepContext) {}

  get heldUntil(): number | null {
    return this.#holds.at(-1)?.until ?? null;
  }

  get silent(): boolean {
    return this.#holds.at(-1)?.silent ?? false;
  }

  /** Ends a hold whose time has come, or whose reason has gone; true when the stream goes on. */
  release(now: number): boolean {
    const hold = this.#holds.at(-1);
    if (hold === undefined) return false;
    const met = hold.isMet?.() ?? false;
    if (!met && now < hold.until) return false;
    this.#holds.pop();
    const outcome = hold.onEnd?.(met) ?? 'goOn';
    if (typeof outcome === 'object') this.#holds.push(outcome);
    return outcome === 'goOn' && this.#holds.length === 0;
  }

  /** True when the stream goes on at once. @throws WireError for an error step */
  perform(step: Step, lsn: bigint): boolean {
    const place = this.#places.next(lsn);
    const { slot, database } = this.context;
    // Steps are made by the scenario layer; Step is what timelines know of them.
    const known = step as ScenarioStep;
    if (!isFault(known)) return this.#performForAll(known, lsn, place);
    const only = 'slot' in known ? known.slot : undefined;
    if (only !== undefined && only !== slot.name) return true;
    if (!database.steps.perform(place, timesOf(known))) return true;
    const onAbandoned = (): void => database.steps.takeBack(place);
    return this.#perform(known, { lsn, place, onPerformed: () => undefined, onAbandoned });
  }

  inject(injection: Injection): void {
    if (this.#over) return injection.giveBack(injection);
    this.#injected.push(injection);
    this.context.tampering.interrupted = true;
  }

  /** Performs what was injected, here. True when the stream goes on as before. @throws WireError for an error step */
  performInjected(lsn: bigint): boolean {
    const { session, slot, tampering } = this.context;
    let goesOn = true;
    while (!session.ended) {
      const injection = this.#injected.shift();
      if (injection === undefined) break;
      const { step } = injection;
      const onPerformed = (did: string): void => injection.perform({ pid: session.pid, slot: slot.name, lsn, did });
      if (isFault(step)) {
        const onAbandoned = (): void => injection.giveBack(injection);
        if (!this.#perform(step, { lsn, place: null, onPerformed, onAbandoned })) goesOn = false;
      } else {
        this.#performForAll(step, lsn, `injected ${injectedPlaces++}`);
        onPerformed('');
      }
    }
    tampering.interrupted = this.#injected.length > 0;
    return goesOn && this.#holds.length === 0 && !session.ended;
  }

  /** The stream is over: what was not performed is for another one. */
  abandon(): void {
    this.#over = true;
    for (const injection of this.#injected) injection.giveBack(injection);
    this.#injected = [];
  }

  /** Steps that are the same for every walsender. */
  #performForAll(step: StepOf<'label' | 'wait' | 'waitFor'>, lsn: bigint, place: StepPlace): boolean {
    const { session, database } = this.context;
    switch (step.kind) {
      case 'label':
        database.steps.label(step.name, lsn);
        return true;
      case 'wait': {
        const until = database.steps.waitUntil(place, session.clock.monotonic(), step.milliseconds);
        return !this.#holdBack({ until, silent: false });
      }
      case 'waitFor':
        return !this.#waitFor(step, place);
    }
  }

  #waitFor(step: StepOf<'waitFor'>, place: StepPlace): boolean {
    const { session, database, slot } = this.context;
    const board = database.steps;
    const until = board.waitUntil(place, session.clock.monotonic(), step.withinMilliseconds);
    return this.#holdBack({
      until,
      silent: false,
      isMet: () => {
        if (board.hasWaited(place)) return true;
        const target = typeof step.flushed === 'bigint' ? step.flushed : board.labels.get(step.flushed);
        const waitedFor = step.slot === undefined ? slot : session.cluster.slots.find(step.slot);
        const met = target !== undefined && (waitedFor?.confirmedFlushLsn ?? -1n) >= target;
        if (met) board.endWait(place);
        return met;
      },
      onEnd: (met) => {
        if (met) session.observe({ kind: 'wait:met', slot: slot.name, step });
        else if (board.perform(place, 1)) session.observe({ kind: 'wait:unmet', slot: slot.name, step });
        return undefined;
      },
    });
  }

  #perform(step: FaultStep, { lsn, place, onPerformed, onAbandoned }: Performance): boolean {
    const { session, database, slot, stream, tampering } = this.context;
    let did = '';
    const waiting = { forMessage: false };
    const context: FaultContext = {
      session,
      database,
      slot,
      stream,
      lsn,
      place,
      report: (what, where = lsn) => {
        did = what;
        session.observe({ kind: 'fault', slot: slot.name, step, lsn: where, did });
      },
      next: (kind, act) => {
        waiting.forMessage = true;
        tampering.intercept({
          kind,
          abandoned: onAbandoned,
          act: (frame) => {
            const outcome = act(frame);
            onPerformed(did);
            return outcome;
          },
        });
      },
      hold: (hold) => void this.#holdBack(hold),
    };
    try {
      return this.#goesOn(performFault(step, context));
    } finally {
      if (!waiting.forMessage) onPerformed(did);
    }
  }

  #goesOn(outcome: FaultOutcome): boolean {
    return typeof outcome === 'object' ? !this.#holdBack(outcome) : outcome === 'goOn';
  }

  /** False when it is over at once. */
  #holdBack(hold: Hold): boolean {
    this.#holds.push(hold);
    return !this.release(this.context.session.clock.monotonic());
  }
}

/** Places that are in no timeline. */
let injectedPlaces = 0;
