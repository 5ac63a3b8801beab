/**
 * The first say on everything a client asks: scenario `answers:` and the mock's handlers. Undefined from a method means that
 * the server answers itself.
 */
import type { ReplicationCommand } from '../protocol/replication-command.js';
import type { SqlOutput, StatementDescription } from '../sql/engine.js';
import type { WireError } from '../values/wire-error.js';
import type { AuthenticationMethod } from './authentication.js';
import type { ReplicationMode } from './events.js';
import type { Peer } from './wire.js';

/** When a connection is looked at, in this order. */
export type ConnectionStage = 'connect' | 'tls' | 'auth' | 'ready';

/** What is known of a connection. */
export interface ConnectionFacts {
  readonly pid: number;
  readonly peer: Peer;
  readonly user: string;
  readonly database: string;
  readonly replication: ReplicationMode;
  readonly parameters: ReadonlyMap<string, string>;
  readonly tls: boolean;
}

/** What may come before an answer. */
interface Before {
  /** Milliseconds. */
  readonly delay?: number;
  /** Sent first. */
  readonly before?: readonly Extract<SqlOutput, { readonly kind: 'notice' | 'parameter' }>[];
}

/** What a query is answered with; `query.rows(…)` and its like make one. */
export type Answer = Before &
  (
    | {
        readonly kind: 'outputs';
        /** Messages as a statement gives them; ReadyForQuery follows by itself. */
        readonly outputs: Iterable<SqlOutput>;
      }
    | { readonly kind: 'error'; readonly error: WireError }
    /** keep: the client is not told. */
    | { readonly kind: 'disconnect'; readonly how: 'end' | 'reset' | 'keep' }
    /** The server answers itself. */
    | { readonly kind: 'pass' }
  );

/** An answer that is one. */
export type GivenAnswer = Exclude<Answer, { readonly kind: 'pass' }>;

/** At the stages of a connection there is more to say; outputs have no place there. */
export type ConnectionAnswer =
  | Answer
  /** Of `tls`: N, there is none. */
  | (Before & { readonly kind: 'refuseTls' })
  /** Of `auth`: the client is asked for this. `mechanisms`: of SASL. */
  | (Before & {
      readonly kind: 'authenticate';
      readonly method: AuthenticationMethod;
      readonly mechanisms?: readonly string[];
    });

export type MaybePromise<T> = T | Promise<T>;

/** What is known of a query. */
export interface QueryFacts extends ConnectionFacts {
  readonly text: string;
  /** Null for SQL. */
  readonly command: ReplicationCommand | null;
  /** Of the extended protocol, as bound; empty while only Parse or Describe is there. */
  readonly values: readonly (Uint8Array | null)[];
  /** Of the extended protocol only. */
  readonly extended?: ExtendedFacts;
}

/** What the extended protocol gave besides. */
export interface ExtendedFacts {
  /** As Parse gave them: 0 for unspecified. */
  readonly parameterTypes: readonly number[];
  /** As Bind gave them: none, one for all, or one each. */
  readonly parameterFormats: readonly number[];
  readonly resultFormats: readonly number[];
}

export interface Answers {
  /**
   * 'connect': before anything is read; 'tls': when a client asks for it; 'auth': before the client is asked for a password;
   * 'ready': before the first ReadyForQuery.
   */
  connection?(
    stage: ConnectionStage,
    facts: Pick<ConnectionFacts, 'pid' | 'peer'> & Partial<ConnectionFacts>,
  ): MaybePromise<ConnectionAnswer | undefined>;
  query?(facts: QueryFacts): MaybePromise<Answer | undefined>;
  /** Whether `query` may answer this text once its values are known. */
  mayAnswer?(facts: QueryFacts): boolean;
  /** The server had no answer: the last say before the client gets `error` (0A000). */
  unanswered?(facts: QueryFacts, error: WireError): MaybePromise<Answer | undefined>;
  /** The client asks for the parameters and columns of what only `unanswered` can answer, before it gives values. */
  describe?(facts: QueryFacts): MaybePromise<StatementDescription | undefined>;
}
