import { formatLsn } from '../../values/lsn.js';
import { formatDuration, formatLimit } from '../durations.js';
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

type RepliesToKeepalive = ExpectationOf<'repliesToKeepalive'>;

/** Every keepalive that asks for a reply is followed by a status update in time; one whose stream ends before does not count. */
export const repliesToKeepalive: Rule<RepliesToKeepalive> = {
  scope: 'slot',
  expected: ({ withinMilliseconds }) => `replies_to_keepalive${formatLimit(withinMilliseconds)}`,
  follower: (expectation) => new RepliesFollower(expectation),
};

class RepliesFollower implements Follower {
  /** The first one without an answer. */
  #asked: { readonly walEnd: bigint; readonly at: number } | undefined;
  #result: Judgement = open('was not asked for a reply');

  constructor(private readonly expectation: RepliesToKeepalive) {}

  follow(event: VerdictEvent, now: number): void {
    if (this.#result.status === 'unmet') return;
    const late = this.#late(now);
    if (late) this.#result = late;
    else if (event.kind === 'keepalive:sent') {
      if (event.replyRequested) this.#asked ??= { walEnd: event.walEnd, at: now };
    } else if (event.kind === 'feedback' && this.#asked) {
      this.#result = met(`replied after ${formatDuration(now - this.#asked.at)}`, this.#asked.walEnd, now);
      this.#asked = undefined;
    } else if (event.kind === 'replication:end') this.#asked = undefined;
  }

  judge(now: number): Judgement {
    if (this.#result.status === 'unmet' || !this.#asked) return this.#result;
    return this.#late(now) ?? open(`has not replied to the keepalive at ${formatLsn(this.#asked.walEnd)}`);
  }

  #late(now: number): Judgement | undefined {
    const { withinMilliseconds = Infinity } = this.expectation;
    if (!this.#asked || now - this.#asked.at <= withinMilliseconds) return undefined;
    const { walEnd } = this.#asked;
    return unmet(
      `did not reply to the keepalive at ${formatLsn(walEnd)} within ${formatDuration(withinMilliseconds)}`,
      walEnd,
      now,
    );
  }
}
