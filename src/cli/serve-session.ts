/** What `serve` does once its scenarios are loaded. */
import type { Scenario } from '../scenario/index.js';
import {
  CannotServe,
  createLiveServer,
  replaceFile,
  type LiveEvent,
  type LiveServer,
  type LiveServerOptions,
} from '../live/index.js';
import { formatLsn } from '../values/lsn.js';
import { isMet, unmetLine, type Finding } from '../verdict/index.js';
import { Confirmations } from './confirmations.js';
import { Exit } from './exit.js';
import { fileError } from './file-error.js';
import { writeTo } from './output.js';
import { logLine, type LogFormat } from './serve-log.js';
import type { Terminal } from './terminal.js';

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: boolean;
  readonly allowRemoteTrust?: boolean;
  readonly state?: string;
  readonly start?: 'now';
  readonly once?: boolean;
  readonly exitAfterEnd?: boolean;
  /** Milliseconds, as the next. */
  readonly timeout?: number;
  readonly grace: number;
  readonly readyFile?: string;
  /** Port of the control endpoint; absent: there is none. */
  readonly control?: number;
  readonly controlToken?: string;
  /** URL of a real server that answers what this one cannot. */
  readonly upstream?: string;
  readonly log: LogFormat;
}

type End = 'confirmed' | 'asked' | 'timeout' | 'changed' | 'stateLost';

/** What the next server takes over. */
export type Settled = Pick<ServeOptions, 'port' | 'control' | 'controlToken'>;

/**
 * Resolves when the server has ended as it should: with where it listened, if it is for another one to take its place.
 * @param onStart gets what ends it for that, without a verdict
 * @throws Exit when it cannot start, its time ran out, or an expectation was not met at the end it waited for
 */
export async function serveScenarios(
  scenarios: readonly Scenario[],
  options: ServeOptions,
  terminal: Terminal,
  onStart?: (restart: () => void) => void,
): Promise<Settled | undefined> {
  const confirmations = new Confirmations();
  const replicating = new Set<number>();
  let end!: (reason: End) => void;
  let lost: string | undefined;
  const ended = new Promise<End>((resolve) => (end = resolve));

  const observe = (event: LiveEvent): void => {
    const line = logLine(event, options.log);
    if (line !== undefined) terminal.stderr.write(`${line}\n`);
    confirmations.follow(event);
    if (event.kind === 'disconnect') upstream?.end(event.pid);
    if (options.exitAfterEnd && confirmations.complete) end('confirmed');
    if (event.kind === 'startup' && event.replication !== 'off') replicating.add(event.pid);
    if (event.kind === 'disconnect' && replicating.delete(event.pid) && options.once) end('asked');
  };

  const upstream = options.upstream === undefined ? undefined : await upstreamAt(options.upstream);
  const { server, url } = await startServer({
    ...options,
    ...(upstream && { answers: upstream }),
    scenarios,
    startNow: options.start === 'now',
    onStateLost: (error) => {
      lost ??= `--state ${options.state}: ${fileError(error) ?? error.message}`;
      end('stateLost');
    },
    observe,
    // The control endpoint's history shows messages, too.
    observeMessages: options.control !== undefined,
    keepHistory: false,
  });
  const control = options.control === undefined ? undefined : await openControl(server, options, terminal);
  let closing = false;
  // The first signal ends it in good order, as everything else does; the next one, at once.
  const stopListening = terminal.onSignal(() => {
    if (closing) void server.close();
    closing = true;
    end('asked');
  });
  const timer = options.timeout === undefined ? undefined : setTimeout(() => end('timeout'), options.timeout);
  const stop = async (grace: number): Promise<void> => {
    clearTimeout(timer);
    closing = true;
    await Promise.all([control?.close(), server.close({ grace })]);
    upstream?.close();
  };
  let reason: End;
  let allMet: boolean;
  try {
    if (options.readyFile !== undefined) writeReady(options.readyFile, url);
    await writeTo(terminal.stdout, `listening ${url}\n`);
    if (control) await writeTo(terminal.stdout, `control ${control.url}${control.announcedToken}\n`);
    onStart?.(() => end('changed'));
    reason = await ended;
    // Once all is confirmed there is nothing left to wait for but that clients notice.
    await stop(reason === 'confirmed' ? Math.min(options.grace, 500) : options.grace);
    if (reason === 'changed') return { port: portOf(url), ...control?.settled };
    allMet = report(confirmations, server.verdict.findings(server.clock.monotonic()), terminal);
  } catch (error) {
    await stop(options.grace);
    throw error;
  } finally {
    // Not before the report: a signal that comes now must not cost it.
    stopListening();
  }
  if (lost !== undefined) throw new Exit(1, lost);
  if (reason === 'timeout') throw new Exit(1, `not ended within ${options.timeout} ms`);
  // Who stops it while it works gets a report; who waits for its end, a verdict.
  if (reason === 'confirmed' && !allMet) throw new Exit(1);
  return undefined;
}

/** @throws Exit when that is not possible */
function writeReady(file: string, url: string): void {
  try {
    replaceFile(file, `${url}\n`);
  } catch (error) {
    throw new Exit(1, `--ready-file ${file}: ${fileError(error) ?? (error as Error).message}`);
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

/** @throws Exit for what is no URL; whether anybody answers there is seen when somebody is asked */
async function upstreamAt(url: string) {
  const { parseTarget, Upstream } = await import('../client/index.js');
  try {
    return new Upstream(parseTarget(url));
  } catch (error) {
    throw new Exit(2, `--upstream: ${(error as Error).message}`);
  }
}

/** @throws Exit when it cannot */
async function startServer(options: LiveServerOptions): Promise<{ server: LiveServer; url: string }> {
  try {
    const server = await createLiveServer(options);
    return { server, url: await server.listen() };
  } catch (error) {
    throw error instanceof CannotServe ? new Exit(1, error.message) : error;
  }
}

/** @throws Exit when it cannot listen; the server is closed then */
async function openControl(server: LiveServer, options: ServeOptions, { environment }: Terminal) {
  const { ControlServer } = await import('../control/index.js');
  const given = options.controlToken ?? environment['FAKE_WALSENDER_CONTROL_TOKEN'];
  const control = new ControlServer(server, {
    ...(options.control !== undefined && { port: options.control }),
    ...(given !== undefined && { token: given }),
  });
  try {
    const url = await control.listen();
    // Who gave the token knows it, and logs need not.
    const announcedToken = given === undefined ? ` token ${control.token}` : '';
    const settled = { control: portOf(url), controlToken: control.token };
    return { url, announcedToken, settled, close: () => control.close() };
  } catch (error) {
    await server.close({ grace: 0 });
    throw new Exit(1, `the control endpoint cannot listen on port ${options.control}: ${(error as Error).message}`);
  }
}

/** Whether everything was met. */
function report(confirmations: Confirmations, findings: readonly Finding[], { stderr }: Terminal): boolean {
  for (const [slot, { end, confirmed }] of confirmations) {
    const all =
      end === null ? 'and had not been sent everything' : confirmed >= end ? 'everything' : `not ${formatLsn(end)}`;
    stderr.write(`slot ${slot} confirmed ${formatLsn(confirmed)}, ${all}\n`);
  }
  const unmet = findings.filter((finding) => !isMet(finding));
  for (const finding of unmet) stderr.write(`${unmetLine(finding)}\n`);
  return unmet.length === 0;
}
