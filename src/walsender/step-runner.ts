/** Performs the steps that one stream comes to. */
import type { ScenarioStep } from '../scenario/steps.js';
import type { Step } from '../timeline/timeline.js';
import { WireError } from '../values/wire-error.js';
import type { SessionInside } from './inside.js';
import type { Slot } from './slot.js';
import { StepPlaces, type StepBoard, type StepPlace } from './step-board.js';

type StepOf<K extends ScenarioStep['kind']> = Extract<ScenarioStep, { readonly kind: K }>;

/** Why the stream does not go on. */
interface Hold {
  /** Monotonic milliseconds; Infinity: for good. */
  readonly until: number;
  /** Nothing at all is sent: no keepalives, no answers. */
  readonly silent: boolean;
  /** Ends it before. */
  readonly isMet?: () => boolean;
  /** Its time is over. */
  readonly onTimeout?: () => void;
}

export interface StepContext {
  readonly session: SessionInside;
  readonly board: StepBoard;
  readonly slot: Slot;
  sendKeepalive(replyRequested: boolean): void;
}

export class StepRunner {
  #hold: Hold | null = null;
  readonly #places = new StepPlaces();

  constructor(private readonly context: StepContext) {}

  get heldUntil(): number | null {
    return this.#hold?.until ?? null;
  }

  get silent(): boolean {
    return this.#hold?.silent ?? false;
  }

  /** Ends a hold whose time has come, or whose reason has gone; true when it did. */
  release(now: number): boolean {
    if (this.#hold === null) return false;
    const { until, isMet, onTimeout } = this.#hold;
    const met = isMet?.() ?? false;
    if (!met && now < until) return false;
    this.#hold = null;
    if (!met) onTimeout?.();
    return true;
  }

  /** True when the stream goes on at once. @throws WireError for an error step */
  perform(step: Step, lsn: bigint): boolean {
    const { session, board, slot } = this.context;
    const place = this.#places.next(lsn);
    // Steps are made by the scenario layer; Step is what timelines know of them.
    const known = step as ScenarioStep;
    switch (known.kind) {
      case 'label':
        board.label(known.name, lsn);
        return true;
      case 'wait': {
        const until = board.waitUntil(place, session.clock.monotonic(), known.milliseconds);
        return !this.#holdBack({ until, silent: false });
      }
      case 'waitFor':
        return !this.#waitFor(known, place);
      case 'keepalive':
        this.context.sendKeepalive(known.replyRequested);
        return true;
      case 'disconnect':
      case 'error':
      case 'stall':
        if (known.slot !== undefined && known.slot !== slot.name) return true;
        if (!board.perform(place, known.times ?? 1)) return true;
        session.observe({ kind: 'fault', slot: slot.name, step, lsn });
        return this.#fault(known);
      default:
        throw new WireError({ code: '0A000', message: `fake-walsender cannot perform the step "${step.kind}" yet` });
    }
  }

  #waitFor(step: StepOf<'waitFor'>, place: StepPlace): boolean {
    const { session, board, slot } = this.context;
    const until = board.waitUntil(place, session.clock.monotonic(), step.withinMilliseconds);
    return this.#holdBack({
      until,
      silent: false,
      isMet: () => {
        const target = typeof step.flushed === 'bigint' ? step.flushed : board.labels.get(step.flushed);
        const waitedFor = step.slot === undefined ? slot : session.cluster.slots.find(step.slot);
        const met = target !== undefined && (waitedFor?.confirmedFlushLsn ?? -1n) >= target;
        if (met) board.endWait(place, session.clock.monotonic());
        return met;
      },
      onTimeout: () => {
        if (board.perform(place, 1)) session.observe({ kind: 'wait:unmet', slot: slot.name, step });
      },
    });
  }

  #fault(step: StepOf<'disconnect' | 'error' | 'stall'>): boolean {
    const { session } = this.context;
    if (step.kind === 'error') throw new WireError(step.error);
    const now = session.clock.monotonic();
    if (step.kind === 'stall') return !this.#holdBack({ until: now + step.milliseconds, silent: !step.keepalives });
    if (step.how === 'half-open') return !this.#holdBack({ until: Infinity, silent: true });
    if (step.how === 'terminate') session.terminate();
    else session.end(`fault: ${step.how}`, step.how === 'reset' ? 'reset' : 'end');
    return false;
  }

  #holdBack(hold: Hold): boolean {
    this.#hold = hold;
    return !this.release(this.context.session.clock.monotonic());
  }
}
