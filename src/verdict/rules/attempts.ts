import { formatDuration } from '../durations.js';
import {
  met,
  open,
  unmet,
  type ExpectationOf,
  type Follower,
  type Judgement,
  type Rule,
  type VerdictEvent,
} from '../follower.js';
import { formatRange, formatTimes } from './counts.js';

type Attempts = ExpectationOf<'attempts'>;

/** How often the consumer tries to replicate, and how long it waits after an attempt that was refused or lost. */
export const attempts: Rule<Attempts> = {
  scope: 'scenario',
  expected: ({ min, max, apartAtLeast, apartAtMost }) => {
    const apart = [
      ...(apartAtLeast === undefined ? [] : [`at least ${formatDuration(apartAtLeast)}`]),
      ...(apartAtMost === undefined ? [] : [`at most ${formatDuration(apartAtMost)}`]),
    ];
    return `attempts: ${formatRange(min, max)}${apart.length > 0 ? `, apart ${apart.join(', ')}` : ''}`;
  },
  follower: (expectation) => new AttemptsFollower(expectation),
};

/** One connection. */
interface Attempt {
  readonly connectedAt: number;
  counted: boolean;
  hasStarted: boolean;
  /** It was refused or lost, which is when the pause begins; or the client left. */
  isOver: boolean;
}

class AttemptsFollower implements Follower {
  readonly #connections = new Map<number, Attempt>();
  #count = 0;
  #lastAt: number | null = null;
  /** When the last one was refused or lost. */
  #failedAt: number | undefined;
  #problem: Judgement | undefined;

  constructor(private readonly expectation: Attempts) {}

  follow(event: VerdictEvent, now: number): void {
    if (!('pid' in event)) return;
    if (event.kind === 'connection') {
      this.#connections.set(event.pid, { connectedAt: now, counted: false, hasStarted: false, isOver: false });
      return;
    }
    const attempt = this.#connections.get(event.pid);
    if (!attempt) return;
    switch (event.kind) {
      case 'startup':
        if (event.replication === 'off') this.#connections.delete(event.pid);
        else this.#begin(attempt, attempt.connectedAt);
        break;
      case 'query':
        if (!/^\s*START_REPLICATION\b/i.test(event.text)) break;
        if (attempt.hasStarted) this.#try(now);
        attempt.hasStarted = true;
        attempt.isOver = false;
        break;
      case 'error:sent':
        this.#begin(attempt, attempt.connectedAt);
        this.#fail(attempt, now);
        break;
      case 'replication:leave':
        attempt.isOver = true;
        break;
      case 'disconnect':
        if (!leavesOfTheClient.has(event.reason)) this.#fail(attempt, now);
        this.#connections.delete(event.pid);
        break;
      default:
    }
  }

  judge(): Judgement {
    const { min, max } = this.expectation;
    const seen = `it tried ${formatTimes(this.#count)}`;
    if (this.#problem) return this.#problem;
    if (this.#count > max) return unmet(`${seen}, more than ${max}`, null, this.#lastAt);
    return this.#count < min ? open(seen) : met(seen, null, this.#lastAt);
  }

  /** What was refused before it could say what it wanted counts, too. */
  #begin(attempt: Attempt, at: number): void {
    if (!attempt.counted) this.#try(at);
    attempt.counted = true;
  }

  #try(at: number): void {
    this.#count++;
    this.#lastAt = at;
    if (this.#failedAt === undefined) return;
    const { apartAtLeast = 0, apartAtMost = Infinity } = this.expectation;
    const pause = Math.max(0, at - this.#failedAt);
    this.#failedAt = undefined;
    if (pause >= apartAtLeast && pause <= apartAtMost) return;
    const limit =
      pause < apartAtLeast
        ? `sooner than ${formatDuration(apartAtLeast)}`
        : `later than ${formatDuration(apartAtMost)}`;
    this.#problem ??= unmet(`it tried again after ${formatDuration(pause)}, ${limit}`, null, at);
  }

  #fail(attempt: Attempt, now: number): void {
    if (attempt.isOver || !attempt.counted) return;
    attempt.isOver = true;
    this.#failedAt = now;
  }
}

const leavesOfTheClient: ReadonlySet<string> = new Set(['client closed', 'terminate']);
