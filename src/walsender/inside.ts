/** What the parts of a session (its entrance, its stream, its commands) may use of it. */
import type { MaybePromise } from './answers.js';
import type { Cluster } from './cluster.js';
import type { SessionEvent } from './events.js';
import type { Output } from './output.js';
import type { Task } from './outputs-run.js';
import type { Clock, Peer } from './wire.js';

type WithoutPid<E> = E extends { readonly pid: number } ? Omit<E, 'pid'> : never;

export interface SessionInside {
  readonly pid: number;
  readonly major: number;
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly peer: Peer;
  readonly output: Output;
  /** The connection is over. */
  readonly ended: boolean;
  /** Goes on with whatever there is to do: something that the session waited for has happened. */
  turn(): void;
  /** Calls `then` at once, or in a later turn; until then the session does nothing else. Errors of both are the client's. */
  later<T>(value: MaybePromise<T>, then: (value: T) => void): void;
  /** Goes on with `then` when the task is done; no message is read before. */
  perform(task: Task, then: () => void): void;
  /** Ends the connection after what was written. */
  end(reason: string, how: 'end' | 'reset' | 'keep'): void;
  /** From here on, what the client does is not noticed. */
  unplug(): void;
  /** FATAL 57P01, then the end. */
  terminate(): void;
  observe(event: WithoutPid<SessionEvent>): void;
}
