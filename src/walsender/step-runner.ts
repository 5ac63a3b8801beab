/** Performs the steps that one stream comes to. */
import type { WalsenderStep } from '../timeline/step.js';
import type { Step } from '../timeline/timeline.js';
import { WireError } from '../values/wire-error.js';
import type { SessionInside } from './inside.js';
import { StepPlaces, type StepBoard } from './step-board.js';

interface Hold {
  /** Monotonic milliseconds; Infinity: for good. */
  readonly until: number;
  /** Nothing at all is sent: no keepalives, no answers. */
  readonly silent: boolean;
}

export class StepRunner {
  #hold: Hold | null = null;
  readonly #places = new StepPlaces();

  constructor(
    private readonly session: SessionInside,
    private readonly board: StepBoard,
    private readonly slot: string,
    private readonly sendKeepalive: (replyRequested: boolean) => void,
  ) {}

  get heldUntil(): number | null {
    return this.#hold?.until ?? null;
  }

  get silent(): boolean {
    return this.#hold?.silent ?? false;
  }

  /** Ends a hold whose time has come; true when it did. */
  release(now: number): boolean {
    if (this.#hold === null || now < this.#hold.until) return false;
    this.#hold = null;
    return true;
  }

  /** True when the stream goes on at once. @throws WireError for an error step */
  perform(step: Step, lsn: bigint): boolean {
    const place = this.#places.next(lsn);
    const known = step as WalsenderStep;
    switch (known.kind) {
      case 'label':
        this.board.label(known.name, lsn);
        return true;
      case 'wait':
        return !this.#holdUntil(this.board.waitUntil(place, this.session.clock.monotonic(), known.milliseconds), false);
      case 'keepalive':
        this.sendKeepalive(known.replyRequested);
        return true;
      case 'disconnect':
      case 'error':
      case 'stall':
        if (known.slot !== undefined && known.slot !== this.slot) return true;
        if (!this.board.perform(place, known.times ?? 1)) return true;
        this.session.observe({ kind: 'fault', slot: this.slot, step, lsn });
        return this.#fault(known);
      default:
        throw new WireError({ code: 'XX000', message: `a walsender does not know the step "${(step as Step).kind}"` });
    }
  }

  #fault(step: Extract<WalsenderStep, { kind: 'disconnect' | 'error' | 'stall' }>): boolean {
    if (step.kind === 'error') throw new WireError(step.error);
    if (step.kind === 'stall')
      return !this.#holdUntil(this.session.clock.monotonic() + step.milliseconds, !step.keepalives);
    if (step.how === 'half-open') return !this.#holdUntil(Infinity, true);
    if (step.how === 'terminate') this.session.terminate();
    else this.session.end(`fault: ${step.how}`, step.how === 'reset' ? 'reset' : 'end');
    return false;
  }

  #holdUntil(until: number, silent: boolean): boolean {
    if (until <= this.session.clock.monotonic()) return false;
    this.#hold = { until, silent };
    return true;
  }
}
