/** `resend`: what was sent is sent again, from an earlier position up to here. Decoded once more, not kept. */
import type { EmitProgress, Emitter } from '../../timeline/emitter.js';
import { formatLsn } from '../../values/lsn.js';
import { StepPlaces, type StepPlace } from '../step-board.js';
import type { Fault } from './fault.js';
import { resolvePosition } from './position.js';

export const resend: Fault<'resend'> = (step, context) => {
  const from = resolvePosition(step.from, context);
  if (from > context.lsn) {
    context.report(`sent nothing again: ${formatLsn(from)} lies ahead`);
    return 'goOn';
  }
  context.report(`sends again from ${formatLsn(from)} to ${formatLsn(context.lsn)}`);
  context.stream.resend(from, context.place);
  return 'goOn';
};

/** Decodes up to a place (its steps have happened already), then is idle. */
export class ResendingEmitter implements Emitter {
  readonly #places = new StepPlaces();
  #over = false;

  constructor(
    private readonly emitter: Emitter,
    /** Where to stop … */
    private readonly place: StepPlace | null,
    /** … or, where that is null, what to reach. */
    private readonly end: bigint,
  ) {}

  get position(): bigint {
    return this.emitter.position;
  }

  get inTransaction(): boolean {
    return this.emitter.inTransaction;
  }

  next(): EmitProgress {
    if (this.#over || (this.place === null && this.position >= this.end && !this.inTransaction))
      return { kind: 'idle' };
    const progress = this.emitter.next();
    switch (progress.kind) {
      case 'step':
        this.#over = this.#places.next(progress.lsn) === this.place;
        return { kind: this.#over ? 'idle' : 'decoded' };
      case 'skipped':
        return { kind: 'decoded' };
      default:
        return progress;
    }
  }
}
