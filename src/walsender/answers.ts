/**
 * The first say on everything a client asks: scenario `answers:` and the mock's handlers. Undefined from a method means that
 * the server answers itself.
 */
import type { ReplicationCommand } from '../protocol/replication-command.js';
import type { SqlOutput } from '../sql/engine.js';
import type { WireError } from '../values/wire-error.js';
import type { ReplicationMode } from './events.js';
import type { Peer } from './wire.js';

export interface ConnectionFacts {
  readonly pid: number;
  readonly peer: Peer;
  readonly user: string;
  readonly database: string;
  readonly replication: ReplicationMode;
  readonly parameters: ReadonlyMap<string, string>;
  readonly tls: boolean;
}

export type Answer =
  /** Messages as a statement gives them; ReadyForQuery follows by itself. */
  | { readonly kind: 'outputs'; readonly outputs: Iterable<SqlOutput> }
  | { readonly kind: 'error'; readonly error: WireError }
  | { readonly kind: 'disconnect'; readonly how: 'end' | 'reset' };

export type MaybePromise<T> = T | Promise<T>;

export interface QueryFacts extends ConnectionFacts {
  readonly text: string;
  /** Null for SQL. */
  readonly command: ReplicationCommand | null;
  /** Of the extended protocol, as bound; empty while only Parse or Describe is there. */
  readonly values: readonly (Uint8Array | null)[];
}

export interface Answers {
  /** Before anything is read; of 'tls', when a client asks for it; of 'auth', before the client is asked for a password. */
  connection?(
    stage: 'connect' | 'tls' | 'auth',
    facts: Pick<ConnectionFacts, 'pid' | 'peer'> & Partial<ConnectionFacts>,
  ): MaybePromise<Answer | undefined>;
  query?(facts: QueryFacts): MaybePromise<Answer | undefined>;
  /** Whether `query` may answer this text once its values are known. */
  mayAnswer?(facts: QueryFacts): boolean;
  /** The server had no answer: the last say before the client gets `error` (0A000). */
  unanswered?(facts: QueryFacts, error: WireError): MaybePromise<Answer | undefined>;
}
