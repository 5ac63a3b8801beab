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
import { formatPosition, positionOf } from '../positions.js';

type Flushed = ExpectationOf<'flushed'>;

/** The consumer confirms a position: by flush alone, in time from when it was sent. */
export const flushed: Rule<Flushed> = {
  scope: 'slot',
  expected: ({ position, withinMilliseconds }) =>
    `flushed: ${formatPosition(position)}${formatLimit(withinMilliseconds)}`,
  // To know when a position in mid-stream was sent.
  needsMessages: ({ position, withinMilliseconds }) => position !== 'end' && withinMilliseconds !== undefined,
  follower: (expectation, context) => new FlushedFollower(expectation, context),
};

class FlushedFollower implements Follower {
  readonly #isEnd: boolean;
  readonly #within: number;
  /** Undefined: the end, as long as the stream has not got there. */
  #position: bigint | undefined;
  #confirmed = 0n;
  #sentAt: number | undefined;
  #confirmedAt: number | undefined;
  /** Its client dropped it in time, or the server with its client's connection: a subscriber's, say, that only copied a table. */
  #isDropped = false;
  readonly #isNamed: boolean;
  /** Of a consumer that ended by itself and has not come back. */
  #exitStatus: number | undefined;

  constructor({ position, withinMilliseconds, slot }: Flushed, { scenario }: FollowContext) {
    this.#isEnd = position === 'end';
    this.#position = this.#isEnd ? undefined : positionOf(position, scenario);
    this.#within = withinMilliseconds ?? Infinity;
    this.#isNamed = slot !== undefined;
  }

  follow(event: VerdictEvent, now: number): void {
    switch (event.kind) {
      case 'replication:start':
        this.#exitStatus = undefined;
        break;
      case 'consumer:exit':
        this.#exitStatus = event.status;
        break;
      case 'message:sent':
        this.#send(event.lsn, now);
        break;
      case 'keepalive:sent':
        this.#send(event.walEnd, now);
        break;
      case 'replication:caughtUp':
        if (this.#isEnd) this.#reachEnd(event.lsn, now);
        // Whatever it names lies in what was read.
        else this.#sentAt ??= now;
        break;
      case 'slot:create':
      case 'slot:drop':
        this.#isDropped = event.kind === 'slot:drop' && !this.#isLate(now);
        break;
      case 'feedback':
        if (event.flushLsn > this.#confirmed) this.#confirmed = event.flushLsn;
        if (this.#position !== undefined && event.flushLsn >= this.#position) this.#confirmedAt ??= now;
        break;
      default:
    }
  }

  judge(now: number): Judgement {
    const position = this.#position;
    if (this.#isDropped && !this.#isNamed && this.#confirmedAt === undefined) return met('was dropped by its client');
    if (position === undefined) {
      const exit = this.#exitStatus === undefined ? '' : `; the consumer ended with status ${this.#exitStatus}`;
      return open(`had not been sent everything${exit}`);
    }
    if (this.#confirmedAt !== undefined) return this.#judgeTime(position, this.#confirmedAt);
    const missing = `confirmed ${formatLsn(this.#confirmed)}, not ${formatLsn(position)}`;
    return this.#isLate(now)
      ? unmet(`${missing} within ${formatDuration(this.#within)}`, position, now)
      : open(missing);
  }

  #isLate(now: number): boolean {
    return this.#sentAt !== undefined && now - this.#sentAt > this.#within;
  }

  #judgeTime(position: bigint, confirmedAt: number): Judgement {
    const taken = confirmedAt - (this.#sentAt ?? confirmedAt);
    const seen = `confirmed ${formatLsn(position)} after ${formatDuration(taken)}`;
    return taken <= this.#within
      ? met(seen, position, confirmedAt)
      : unmet(`${seen}, not within ${formatDuration(this.#within)}`, position, confirmedAt);
  }

  #send(lsn: bigint, now: number): void {
    if (!this.#isEnd && this.#position !== undefined && lsn >= this.#position) this.#sentAt ??= now;
  }

  /** A live database's end moves on; a stream that had nothing more to send than the one before says 0. */
  #reachEnd(lsn: bigint, now: number): void {
    if (this.#position !== undefined && lsn <= this.#position) return;
    this.#position = lsn;
    this.#sentAt = now;
    this.#confirmedAt = this.#confirmed >= lsn ? now : undefined;
  }
}
