/** What a test may claim of a mock's consumers: true or not, and a text that tells why. For any test runner. */
import { inspect, isDeepStrictEqual } from 'node:util';
import type { LiveEvent, WaitOptions } from '../live/index.js';
import { messageToJson } from '../pgoutput/index.js';
import { newestMajor } from '../postgres/index.js';
import { pgoutputOptions } from '../protocol/pgoutput-options.js';
import type { PgoutputOptions } from '../timeline/emitter.js';
import { formatLsn } from '../values/lsn.js';
import { lsnOf, type LsnLike } from './published.js';
import type { MockWalsender } from './setup-walsender.js';

export interface Check {
  readonly pass: boolean;
  message(): string;
}

/** What the checks need of a server. */
export type CheckedServer = Pick<MockWalsender, 'confirmed' | 'connected' | 'history' | 'slotNames'>;

/** Options of `assertConfirmed` and `toHaveConfirmed`. */
export interface ConfirmedOptions extends WaitOptions {
  /** May be left out where there is one only. */
  readonly slot?: string;
}

/** What START_REPLICATION asked for; what is left out does not matter. */
export type StartedReplication = Partial<PgoutputOptions> & {
  readonly slot?: string;
  /** The position that the client asked for. */
  readonly startLsn?: LsnLike;
};

type Equals = (a: unknown, b: unknown) => boolean;

/** Waits until the slot has confirmed everything up to `lsn`. `timeout` in milliseconds; 0 looks once. Default 1000. */
export async function checkConfirmed(
  server: CheckedServer,
  lsn: LsnLike,
  options: ConfirmedOptions = {},
): Promise<Check> {
  const { timeout = 1_000, signal } = options;
  const wanted = formatLsn(lsnOf(lsn));
  // A timeout of 0 would wait for ever.
  const wait = { timeout: Math.max(timeout, 1), ...(signal && { signal }) };
  const slot = options.slot ?? (await onlySlot(server, wait));
  if (slot === undefined) {
    const there =
      server.slotNames.length === 0 ? 'no slot is used' : `there are ${server.slotNames.join(' and ')}: say which`;
    return { pass: false, message: () => `expected a slot to have confirmed ${wanted}, but ${there}` };
  }
  try {
    await server.confirmed(slot, lsn, wait);
    return { pass: true, message: () => `slot ${slot} has confirmed ${wanted}\n\n${progress(server.history, slot)}` };
  } catch (error) {
    const { message } = error as Error;
    return { pass: false, message: () => `${message}\n\n${progress(server.history, slot)}` };
  }
}

/** Waits until there is one; undefined where there is none or several. */
async function onlySlot(server: CheckedServer, wait: WaitOptions): Promise<string | undefined> {
  if (server.slotNames.length === 0) await server.connected(wait).catch(() => undefined);
  return server.slotNames.length === 1 ? server.slotNames[0] : undefined;
}

export function checkStartedReplication(
  server: CheckedServer,
  expected: StartedReplication = {},
  equals: Equals = isDeepStrictEqual,
): Check {
  const starts = server.history.filter((event) => event.kind === 'replication:start').map(startOf);
  const wanted = expected.startLsn === undefined ? expected : { ...expected, startLsn: lsnOf(expected.startLsn) };
  const names = Object.keys(wanted) as (keyof typeof wanted)[];
  const pass = starts.some((start) => names.every((name) => equals(start[name], wanted[name])));
  return {
    pass,
    message: () => {
      const found = starts.map((start) => inspect(shown(start), { breakLength: 100 })).join('\n');
      return `expected replication to have been started with ${inspect(shown(wanted))}\n\nstarted: ${found || 'never'}`;
    },
  };
}

/** SQL or a replication command: the pattern is found in it, or the text is all of it. */
export function checkReceivedQuery(server: CheckedServer, pattern: RegExp | string): Check {
  const texts = server.history.filter((event) => event.kind === 'query').map(({ text }) => text);
  const pass = texts.some((text) =>
    typeof pattern === 'string' ? text.trim() === pattern.trim() : text.search(pattern) >= 0,
  );
  const received = texts.length === 0 ? '  none' : texts.map((text) => `  ${text}`).join('\n');
  return { pass, message: () => `expected a query ${inspect(pattern)}\n\nreceived:\n${received}` };
}

type Start = Omit<StartedReplication, 'startLsn'> & { readonly startLsn: bigint };

function startOf({ slot, requestedLsn, options }: Extract<LiveEvent, { readonly kind: 'replication:start' }>): Start {
  return { slot, startLsn: requestedLsn, ...pgoutputOptions(options, newestMajor) };
}

function shown(start: StartedReplication): object {
  return { ...start, ...(start.startLsn !== undefined && { startLsn: formatLsn(lsnOf(start.startLsn)) }) };
}

/** The last of them. */
const shownEvents = 20;

/** What was sent to a slot's consumer and what it said, side by side. */
function progress(history: readonly LiveEvent[], slot: string): string {
  const rows: [sent: string, received: string][] = [];
  for (const event of history) {
    if (!('slot' in event) || event.slot !== slot) continue;
    if (event.kind === 'message:sent') rows.push([messageText(event), '']);
    else if (event.kind === 'feedback') addFeedback(rows, `flushed ${formatLsn(event.flushLsn)}`);
    else if (event.kind === 'replication:start') rows.push([`from ${formatLsn(event.startLsn)}`, 'START_REPLICATION']);
    else if (event.kind === 'replication:end') rows.push(['', `end of the stream: ${event.reason}`]);
  }
  const last = rows.slice(-shownEvents);
  const width = Math.max(4, ...last.map(([sent]) => sent.length));
  return [['sent', 'received'], ...last].map(([sent, received]) => `${sent!.padEnd(width)} │ ${received}`).join('\n');
}

/** The same position over and over is said once. */
function addFeedback(rows: [string, string][], text: string): void {
  if (rows.at(-1)?.[1] !== text) rows.push(['', text]);
}

function messageText({ message, lsn }: Extract<LiveEvent, { readonly kind: 'message:sent' }>): string {
  const { kind, ...fields } = messageToJson(message) as { kind: string };
  const text = inspect(fields, { breakLength: Infinity, compact: true });
  return `${formatLsn(lsn)} ${kind} ${text.length > 90 ? `${text.slice(0, 89)}…` : text}`;
}
