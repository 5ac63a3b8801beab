import { formatDuration } from '../durations.js';
import {
  met,
  unmet,
  type ExpectationOf,
  type Follower,
  type Judgement,
  type Rule,
  type VerdictEvent,
} from '../follower.js';

type FeedbackGap = ExpectationOf<'feedbackGap'>;

/** While it streams, the consumer never lets this much time pass between status updates; the first one is due from the start. */
export const feedbackGap: Rule<FeedbackGap> = {
  scope: 'slot',
  expected: ({ milliseconds }) => `never: feedback_gap ${formatDuration(milliseconds)}`,
  follower: (expectation) => new FeedbackGapFollower(expectation),
};

class FeedbackGapFollower implements Follower {
  /** While streaming. */
  #lastAt: number | undefined;
  #startedAt: number | undefined;
  #longest = 0;
  #lsn: bigint | null = null;
  #result: Judgement | undefined;

  constructor(private readonly expectation: FeedbackGap) {}

  follow(event: VerdictEvent, now: number): void {
    this.#look(now);
    switch (event.kind) {
      case 'replication:start':
        this.#lastAt = now;
        this.#startedAt = now;
        break;
      case 'feedback':
        this.#lastAt = now;
        this.#lsn = event.flushLsn;
        break;
      case 'replication:end':
        this.#lastAt = undefined;
        break;
      default:
    }
  }

  judge(now: number): Judgement {
    this.#look(now);
    if (this.#result) return this.#result;
    // Before so much time has passed a gap of this length cannot show.
    const isTooEarly = this.#lastAt !== undefined && now - this.#startedAt! <= this.expectation.milliseconds;
    return met(`was silent for ${formatDuration(this.#longest)} at most`, null, null, { waits: isTooEarly });
  }

  #look(now: number): void {
    if (this.#lastAt === undefined) return;
    this.#longest = Math.max(this.#longest, now - this.#lastAt);
    if (now - this.#lastAt <= this.expectation.milliseconds) return;
    this.#result ??= unmet(`had no status update for ${formatDuration(now - this.#lastAt)}`, this.#lsn, now);
  }
}
