/**
 * Jest matchers. Importing this adds them to the global `expect`; where there is none (`injectGlobals: false`, Vitest
 * without globals), hand `matchers` to your own `expect.extend`.
 */
import type {} from 'expect';
import type { DecodeContext } from '../pgoutput/index.js';
import { toDecodeAs, type ExpectedMessage } from './decode-matcher.js';

export type { ExpectedMessage } from './decode-matcher.js';

export const matchers = { toDecodeAs };

const { expect } = globalThis as { readonly expect?: { extend?(added: typeof matchers): void } };
expect?.extend?.(matchers);

declare module 'expect' {
  // The names and type parameters are those of the interfaces that this extends.
  // eslint-disable-next-line @typescript-eslint/no-unused-vars
  interface Matchers<R extends void | Promise<void>, T = unknown> {
    /** The bytes are exactly one pgoutput message, with these properties. */
    toDecodeAs(expected: ExpectedMessage, context?: DecodeContext): R;
  }
  interface AsymmetricMatchers {
    toDecodeAs(expected: ExpectedMessage, context?: DecodeContext): void;
  }
}

// The same for those who use Jest's globals with @types/jest.
declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type
    interface Matchers<R, T = {}> {
      /** The bytes are exactly one pgoutput message, with these properties. */
      toDecodeAs(expected: ExpectedMessage, context?: DecodeContext): R;
    }
    interface Expect {
      toDecodeAs(expected: ExpectedMessage, context?: DecodeContext): unknown;
    }
  }
}
