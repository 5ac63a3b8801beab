import type { Position, ScenarioStep } from '../../scenario/index.js';
import { formatLsn } from '../../values/lsn.js';
import { formatDuration, formatLimit } from '../durations.js';
import {
  met,
  open,
  unmet,
  type ExpectationOf,
  type Follower,
  type FollowContext,
  type Judgement,
  type Rule,
  type VerdictEvent,
} from '../follower.js';
import { describePosition, formatPosition, positionOf } from '../positions.js';

type Reconnect = ExpectationOf<'reconnect'>;

/**
 * The consumer comes back each time it lost its connection, in time and where it should start. A connection that it left by itself
 * need not be followed by another, unless there was none yet; if it is, that one counts, too.
 */
export const reconnect: Rule<Reconnect> = {
  scope: 'slot',
  expected: ({ withinMilliseconds, startAtLeast, startAtMost }) => {
    const parts = [
      ...(withinMilliseconds === undefined ? [] : [formatLimit(withinMilliseconds).trim()]),
      ...(startAtLeast === undefined ? [] : [`start_lsn at least ${formatPosition(startAtLeast)}`]),
      ...(startAtMost === undefined ? [] : [`start_lsn at most ${formatPosition(startAtMost)}`]),
    ];
    return `reconnect: ${parts.join(', ')}`.replace(/: $/, '');
  },
  follower: (expectation, context) => new ReconnectFollower(expectation, context),
};

class ReconnectFollower implements Follower {
  #lostAt: number | undefined;
  /** It left: it owes no return. */
  #hasLeft = false;
  #isClosing = false;
  #result: Judgement | undefined;

  constructor(
    private readonly expectation: Reconnect,
    private readonly context: FollowContext,
  ) {}

  follow(event: VerdictEvent, now: number): void {
    if (this.#result?.status === 'unmet') return;
    switch (event.kind) {
      case 'replication:start':
        if (this.#lostAt !== undefined) this.#result = this.#judgeReturn(event.requestedLsn || event.startLsn, now);
        this.#lostAt = undefined;
        this.#hasLeft = false;
        break;
      case 'fault':
        if (goesSilent(event.step)) this.#lostAt ??= now;
        break;
      case 'replication:leave':
        this.#hasLeft = this.#lostAt === undefined;
        break;
      case 'replication:end':
        this.#lostAt ??= now;
        break;
      case 'server:closing':
        // Who is away already stays so.
        this.#isClosing = this.#lostAt === undefined;
        break;
      default:
    }
  }

  judge(now: number): Judgement {
    if (this.#result?.status === 'unmet') return this.#result;
    const owesNothing = this.#isClosing || (this.#hasLeft && this.#result !== undefined);
    if (this.#lostAt === undefined || owesNothing) return this.#result ?? open('did not lose its connection');
    const { withinMilliseconds = Infinity } = this.expectation;
    const away = now - this.#lostAt;
    const seen = `${this.#hasLeft ? 'was left by the consumer, which ' : ''}did not come back`;
    if (away <= withinMilliseconds) return open(seen + formatLimit(away));
    return unmet(seen + formatLimit(withinMilliseconds), null, now);
  }

  #judgeReturn(start: bigint, now: number): Judgement {
    const { withinMilliseconds = Infinity, startAtLeast, startAtMost } = this.expectation;
    const { scenario } = this.context;
    const away = now - this.#lostAt!;
    const seen = `came back after ${formatDuration(away)} at ${formatLsn(start)}`;
    if (away > withinMilliseconds)
      return unmet(`${seen}, not within ${formatDuration(withinMilliseconds)}`, start, now);
    const limit = (at: Position | undefined): bigint | undefined =>
      at === undefined ? undefined : positionOf(at, scenario);
    if (start < (limit(startAtLeast) ?? start)) {
      return unmet(`${seen}, before ${describePosition(startAtLeast!, scenario)}`, start, now);
    }
    if (start > (limit(startAtMost) ?? start)) {
      return unmet(`${seen}, beyond ${describePosition(startAtMost!, scenario)}`, start, now);
    }
    return met(seen, start, now);
  }
}

/** The socket stays open, and nothing will ever come again: that is the loss to be noticed. */
function goesSilent(step: ScenarioStep): boolean {
  return (step.kind === 'disconnect' || step.kind === 'cut') && (step.how === 'half-open' || step.how === 'black-hole');
}
