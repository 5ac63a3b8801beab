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

type Leave = Extract<VerdictEvent, { readonly kind: 'replication:leave' }>;

/** The consumer leaves its last stream with CopyDone, and before that tells how far it has got since the last message. */
export const shutdown: Rule<ExpectationOf<'shutdown'>> = {
  scope: 'slot',
  expected: () => 'shutdown: clean',
  needsMessages: () => true,
  follower: () => new ShutdownFollower(),
};

const leaves: Readonly<Record<Leave['how'], string>> = {
  copyDone: 'was left with CopyDone',
  copyFail: 'was left with CopyFail, not CopyDone',
  terminate: 'was left with Terminate, without CopyDone',
  close: 'was left by closing the connection, without CopyDone',
  reset: 'was left by a reset of the connection, without CopyDone',
};

class ShutdownFollower implements Follower {
  #owesStatus = false;
  #flushed: bigint | null = null;
  // Going on shows nothing: it leaves when it is told to.
  #result: Judgement = open('was not left by the consumer', { waits: false });

  follow(event: VerdictEvent, now: number): void {
    switch (event.kind) {
      case 'replication:start':
        this.#owesStatus = false;
        this.#result = open('was not left by the consumer', { waits: false });
        break;
      case 'message:sent':
        this.#owesStatus = true;
        break;
      case 'feedback':
        this.#owesStatus = false;
        this.#flushed = event.flushLsn;
        break;
      case 'replication:leave':
        // After CopyDone the connection may well be closed.
        if (this.#result.status === 'open') this.#result = this.#judgeLeave(event, now);
        break;
      default:
    }
  }

  judge(): Judgement {
    return this.#result;
  }

  #judgeLeave({ how }: Leave, now: number): Judgement {
    if (how !== 'copyDone') return unmet(leaves[how], this.#flushed, now);
    if (this.#owesStatus)
      return unmet(`${leaves[how]}, but without a status update after the last message`, this.#flushed, now);
    return met(`${leaves[how]}, after a status update`, this.#flushed, now);
  }
}
