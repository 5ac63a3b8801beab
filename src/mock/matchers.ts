/** Matchers, free of Jest's own types: any runner with `expect.extend` takes them. */
import type { DecodeContext } from '../pgoutput/index.js';
import { checkDecodes, type ExpectedMessage } from './decode-check.js';
import type { LsnLike } from './published.js';
import {
  checkConfirmed,
  checkReceivedQuery,
  checkStartedReplication,
  type Check,
  type CheckedServer,
  type ConfirmedOptions,
  type StartedReplication,
} from './server-checks.js';

/** What Jest (and Vitest) hand to a matcher as `this`. */
export interface MatcherContext {
  readonly isNot?: boolean;
  equals(a: unknown, b: unknown): boolean;
  readonly utils: {
    diff(expected: unknown, received: unknown): string | null;
    matcherHint(name: string, received?: string, expected?: string, options?: { isNot?: boolean }): string;
    printReceived(value: unknown): string;
  };
}

/**
 * Passes when `bytes` are exactly one pgoutput message and it has the properties of `expected`.
 * @param context what was negotiated, as for `decode`; an expected `xid` on a change implies that it stands in a stream block.
 */
export function toDecodeAs(
  this: MatcherContext,
  bytes: unknown,
  expected: ExpectedMessage,
  context: DecodeContext = {},
): Check {
  const hint = this.utils.matcherHint('toDecodeAs', 'bytes', 'message', { isNot: this.isNot ?? false });
  if (!(bytes instanceof Uint8Array)) {
    const message = () => `${hint}\n\nexpected a Uint8Array or Buffer, found ${this.utils.printReceived(bytes)}`;
    // Neither `expect` nor `expect.not` is true of what is no bytes at all.
    return { pass: this.isNot === true, message };
  }
  const outcome = checkDecodes(bytes, expected, context, (a, b) => this.equals(a, b));
  if (outcome.kind === 'undecodable') return { pass: false, message: () => `${hint}\n\n${outcome.reason}` };
  return {
    pass: outcome.pass,
    message: () =>
      outcome.pass
        ? `${hint}\n\ndecoded: ${this.utils.printReceived(outcome.message)}`
        : `${hint}\n\n${this.utils.diff(outcome.expected, outcome.received) ?? ''}`,
  };
}

/** Waits until the slot has confirmed everything up to the position (at most `timeout`, 1000 ms); negated it looks once. */
export async function toHaveConfirmed(
  this: MatcherContext,
  server: unknown,
  lsn: LsnLike,
  options: ConfirmedOptions = {},
): Promise<Check> {
  return hinted(
    this,
    'toHaveConfirmed',
    'lsn',
    await checkConfirmed(checked(server), lsn, { ...(this.isNot && { timeout: 1 }), ...options }),
  );
}

/** A consumer has started replication with these options, at least. */
export function toHaveStartedReplication(this: MatcherContext, server: unknown, expected?: StartedReplication): Check {
  const check = checkStartedReplication(checked(server), expected, (a, b) => this.equals(a, b));
  return hinted(this, 'toHaveStartedReplication', 'options', check);
}

/** A client has sent such a query, or replication command. */
export function toHaveReceivedQuery(this: MatcherContext, server: unknown, pattern: RegExp | string): Check {
  return hinted(this, 'toHaveReceivedQuery', 'pattern', checkReceivedQuery(checked(server), pattern));
}

function hinted({ utils, isNot = false }: MatcherContext, name: string, argument: string, check: Check): Check {
  const hint = utils.matcherHint(name, 'server', argument, { isNot });
  return { pass: check.pass, message: () => `${hint}\n\n${check.message()}` };
}

/** @throws TypeError for what is no server of setupWalsender */
function checked(server: unknown): CheckedServer {
  if (typeof server === 'object' && server !== null && 'history' in server && 'slotNames' in server) {
    return server as CheckedServer;
  }
  throw new TypeError('expected what setupWalsender() returned');
}
