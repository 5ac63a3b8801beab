/**
 * Jest matchers. Importing this adds them to the global `expect`; where there is none (`injectGlobals: false`, Vitest
 * without globals), hand `matchers` to your own `expect.extend`.
 */
import type {} from 'expect';
import type { DecodeContext } from '../pgoutput/index.js';
import type { ExpectedMessage } from './decode-check.js';
import { toDecodeAs, toHaveConfirmed, toHaveReceivedQuery, toHaveStartedReplication } from './matchers.js';
import type { LsnLike } from './published.js';
import type { ConfirmedOptions, StartedReplication } from './server-checks.js';

export type { ExpectedMessage } from './decode-check.js';
export type { ConfirmedOptions, StartedReplication } from './server-checks.js';

/** The matchers, for `expect.extend`. */
export const matchers = {
  /** Of bytes; of others, asymmetric. */
  toDecodeAs,
  /** Of a server; to be awaited. */
  toHaveConfirmed,
  /** Of a server. */
  toHaveReceivedQuery,
  /** Of a server. */
  toHaveStartedReplication,
};

const { expect } = globalThis as { readonly expect?: { extend?(added: typeof matchers): void } };
expect?.extend?.(matchers);

interface WalsenderMatchers<R> {
  /** The bytes are exactly one pgoutput message, with these properties. */
  toDecodeAs(expected: ExpectedMessage, context?: DecodeContext): R;
  /** Waits until the slot has confirmed everything up to the position, at most `timeout` (1000 ms): to be awaited. */
  toHaveConfirmed(lsn: LsnLike, options?: ConfirmedOptions): Promise<void>;
  /** A consumer has started replication with these options, at least. */
  toHaveStartedReplication(expected?: StartedReplication): R;
  /** A client has sent such a query, or replication command. */
  toHaveReceivedQuery(pattern: RegExp | string): R;
}

declare module 'expect' {
  // The names and type parameters are those of the interfaces that this extends.
  // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type
  interface Matchers<R extends void | Promise<void>, T = unknown> extends WalsenderMatchers<R> {}
  interface AsymmetricMatchers {
    toDecodeAs(expected: ExpectedMessage, context?: DecodeContext): void;
  }
}

// The same for those who use Jest's globals with @types/jest.
declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type
    interface Matchers<R, T = {}> extends WalsenderMatchers<R> {}
    interface Expect {
      toDecodeAs(expected: ExpectedMessage, context?: DecodeContext): unknown;
    }
  }
}
