import type { ScenarioStep } from '../scenario/index.js';
import { formatLimit } from './durations.js';
import { met, open, unmet, type Follower, type Judgement, type VerdictEvent } from './follower.js';
import { formatPosition } from './positions.js';

export type WaitFor = Extract<ScenarioStep, { readonly kind: 'waitFor' }>;

export function expectedWait({ flushed, withinMilliseconds }: WaitFor): string {
  return `wait_for: flushed ${formatPosition(flushed)}${formatLimit(withinMilliseconds)}`;
}

/** A `wait_for` of the stream: past its time the stream goes on, and it is unmet. */
export class WaitForFollower implements Follower {
  #result: Judgement = open('the stream did not get past it');

  constructor(private readonly step: WaitFor) {}

  follow(event: VerdictEvent, now: number): void {
    if (event.kind === 'wait:unmet' && this.#isMine(event.step)) {
      this.#result = unmet('the stream went on without it', null, now);
    } else if (event.kind === 'wait:met' && this.#isMine(event.step) && this.#result.status === 'open') {
      this.#result = met('the stream waited for it', null, now);
    }
  }

  judge(): Judgement {
    return this.#result;
  }

  /** Each execution of a scenario makes its steps anew. */
  #isMine({ source }: { readonly source?: WaitFor['source'] }): boolean {
    const mine = this.step.source;
    return source?.file === mine?.file && source?.line === mine?.line && source?.column === mine?.column;
  }
}
