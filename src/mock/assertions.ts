/** The matchers as plain functions, for runners without `expect.extend`: node:test and others. Each throws an AssertionError. */
import { AssertionError } from 'node:assert';
import { inspect, isDeepStrictEqual } from 'node:util';
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

/** The bytes are exactly one pgoutput message, with these properties. @throws AssertionError that shows both side by side */
export function assertDecodesAs(bytes: Uint8Array, expected: ExpectedMessage, context: DecodeContext = {}): void {
  const outcome = checkDecodes(bytes, expected, context, isDeepStrictEqual);
  if (outcome.kind === 'undecodable') throw new AssertionError({ message: outcome.reason });
  if (outcome.pass) return;
  const message = sideBySide(['expected', ...lines(outcome.expected)], ['decoded', ...lines(outcome.received)]);
  throw new AssertionError({ message, expected: outcome.expected, actual: outcome.received });
}

/** Resolves when the slot has confirmed everything up to `lsn`. @throws AssertionError after `timeout`, 1000 ms where absent */
export async function assertConfirmed(server: CheckedServer, lsn: LsnLike, options?: ConfirmedOptions): Promise<void> {
  assertPass(await checkConfirmed(server, lsn, options), assertConfirmed);
}

/** A consumer has started replication with these options, at least. @throws AssertionError */
export function assertStartedReplication(server: CheckedServer, expected?: StartedReplication): void {
  assertPass(checkStartedReplication(server, expected), assertStartedReplication);
}

/** A client has sent such a query, or replication command. @throws AssertionError */
export function assertReceivedQuery(server: CheckedServer, pattern: RegExp | string): void {
  assertPass(checkReceivedQuery(server, pattern), assertReceivedQuery);
}

function assertPass(check: Check, stackStartFn: (...args: never[]) => unknown): void {
  if (!check.pass) throw new AssertionError({ message: check.message(), stackStartFn });
}

function lines(value: unknown): string[] {
  return inspect(value, { breakLength: 60, depth: null, sorted: true }).split('\n');
}

/** Two columns; lines that differ are marked. */
function sideBySide(left: readonly string[], right: readonly string[]): string {
  const width = Math.max(...left.map((line) => line.length));
  return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => {
    const [a = '', b = ''] = [left[i], right[i]];
    const mark = i > 0 && a !== b ? '≠' : ' ';
    return `${a.padEnd(width)} ${mark} ${b}`.trimEnd();
  }).join('\n');
}
