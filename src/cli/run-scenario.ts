/**
 * One scenario with one consumer:
 *
 * ```
 *   serve, start the consumer ──→ settled, or ended, or time is up ──→ checks ──→ stop the consumer ──→ checks that failed, again
 *                                                                                                  ──→ close the server ──→ verdict
 * ```
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CannotServe, createLiveServer, type LiveEvent, type LiveServer } from '../live/index.js';
import { parseIdentifierList } from '../protocol/identifier.js';
import { rows, ScenarioError, type Scenario } from '../scenario/index.js';
import { Coverage, isMet, type Finding } from '../verdict/index.js';
import { runCheck, type Check, type CheckOptions } from './run-check.js';
import { consumerEnvironment } from './run-environment.js';
import { Consumer } from './run-consumer.js';
import { logLine } from './serve-log.js';
import type { Terminal } from './terminal.js';

export interface RunSettings {
  readonly argv: readonly [string, ...string[]];
  /** Milliseconds, as the next. */
  readonly timeout: number;
  readonly grace: number;
  readonly restarts: number;
  readonly environment: Terminal['environment'];
  /** Aborted: everything is to end. */
  readonly signal: AbortSignal;
  /** Aborted: at once. */
  readonly killSignal: AbortSignal;
}

export interface ScenarioRun {
  readonly scenario: Scenario;
  readonly findings: readonly Finding[];
  /** What their times count from; undefined: nothing happened. */
  readonly startedAt: number | undefined;
  readonly startTime: Date;
  readonly milliseconds: number;
  /** Why it went wrong, besides expectations; null: it did not. */
  readonly error: string | null;
  /** Of a consumer that ended by itself; 0 of one that was stopped. */
  readonly status: number;
  readonly coverage: Coverage;
  readonly stdout: string;
  readonly stderr: string;
  /** What the server saw, as `serve` logs it. */
  readonly log: string;
}

/** How often it is asked whether everything is settled. */
const interval = 25;

/** As much of what a consumer prints, and of the log, as is kept, in characters. */
const keptOutput = 4 << 20;

export async function runScenario(scenario: Scenario, settings: RunSettings): Promise<ScenarioRun> {
  const folder = await mkdtemp(join(tmpdir(), 'fake-walsender-run-'));
  try {
    return await new Runner(scenario, settings, folder).run();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

class Runner {
  readonly #startTime = new Date();
  readonly #begin = performance.now();
  readonly #output = { stdout: '', stderr: '', log: '' };
  #live!: LiveServer;
  #consumer: Consumer | undefined;
  readonly #coverage = new Coverage();
  #hasStreamed = false;
  /** That it asked for last. */
  #publications: readonly string[] = [];
  #error: string | null = null;

  constructor(
    private readonly scenario: Scenario,
    private readonly settings: RunSettings,
    private readonly folder: string,
  ) {}

  async run(): Promise<ScenarioRun> {
    const { scenario } = this;
    try {
      this.#live = await createLiveServer({
        scenarios: [scenario],
        keepHistory: false,
        cluster: { actsOnConsumer: true },
        observe: (event) => this.#observe(event),
      });
      await this.#live.listen();
    } catch (error) {
      if (!(error instanceof CannotServe)) throw error;
      return this.#result([], error.message);
    }
    try {
      await this.#perform();
    } catch (error) {
      // Rows that only show when they are all kept, or a publication of which they cannot be told.
      if (!(error instanceof ScenarioError || error instanceof RangeError)) throw error;
      this.#error = error.message;
    } finally {
      await this.#consumer?.stop();
      await this.#live.close({ grace: 0 });
    }
    return this.#result(this.#findings(), this.#error);
  }

  async #perform(): Promise<void> {
    const environment = consumerEnvironment(this.#live, this.folder, this.settings.environment);
    const checkEnvironment = { ...environment, FAKE_WALSENDER_ROWS: join(this.folder, 'rows.json') };
    const { argv, restarts, grace, timeout, signal, killSignal } = this.settings;
    const deadline = performance.now() + timeout;
    const consumer = new Consumer({
      argv,
      restarts,
      grace,
      killSignal,
      environment,
      onOutput: (stream, text) => {
        this.#keep(stream, text);
        this.#tell({ kind: 'consumer:output', text });
      },
      onExit: ({ status, problem }) => {
        if (problem !== undefined) this.#error = `the consumer could not be started: ${problem}`;
        else this.#tell({ kind: 'consumer:exit', status });
        return !this.#live.verdict.isDone(this.#now());
      },
    });
    this.#consumer = consumer;
    await this.#wait(consumer, deadline);
    const checkOptions = {
      environment: checkEnvironment,
      deadline,
      signal,
      consumerHasEnded: () => consumer.hasEnded,
    };
    const checks = this.scenario.expectations.filter((expectation) => expectation.kind === 'check');
    if (checks.length > 0) await writeFile(checkEnvironment.FAKE_WALSENDER_ROWS, this.#rowsText());
    const failed = await this.#check(checks, checkOptions);
    await consumer.stop();
    await this.#disconnected();
    // What a consumer writes when it is told to end counts, too.
    await this.#check(failed, checkOptions);
  }

  /** Until everything is settled, the consumer has ended, or time is up. */
  async #wait(consumer: Consumer, deadline: number): Promise<void> {
    const { signal, timeout } = this.settings;
    while (!consumer.hasEnded && !this.#live.verdict.settled(this.#now())) {
      if (signal.aborted) {
        this.#error = 'interrupted';
        return;
      }
      if (performance.now() >= deadline) {
        this.#timeOut(timeout);
        return;
      }
      await Promise.race([delay(interval), consumer.ended]);
    }
    if (consumer.hasEnded) await this.#disconnected();
  }

  #timeOut(timeout: number): void {
    const waiting = this.#findings().filter(({ waits }) => waits);
    const texts = waiting.map(({ expected, seen }) => `${expected} (${seen})`);
    if (!this.#hasStreamed) texts.unshift('the consumer to start replication');
    // It was given all the time there is to do something wrong, and did not.
    if (texts.length === 0) return;
    this.#error = `not settled within ${timeout / 1000} s: waited for ${texts.join('; ')}`;
  }

  /** Returns those that failed. */
  async #check(checks: readonly Check[], options: CheckOptions): Promise<Check[]> {
    const failed: Check[] = [];
    for (const check of checks) {
      const outcome = await runCheck(check, options);
      this.#tell({ kind: 'check', expectation: check, ...outcome });
      if (!outcome.met) failed.push(check);
    }
    return failed;
  }

  /** Its connections end with the consumer, but the news takes a moment. */
  async #disconnected(): Promise<void> {
    const { sessions } = this.#live.server.cluster;
    for (let waited = 0; sessions.size > 0 && waited < 500; waited += 10) await delay(10);
  }

  /** For checks: the tables that a correct consumer ends with, as it asked for one publication or for several. */
  #rowsText(): string {
    const [publication, ...more] = this.#publications.filter((name) => this.scenario.publications?.includes(name));
    const text = rows(this.scenario, { publication: more.length > 0 ? undefined : publication });
    return `${JSON.stringify(text, undefined, 2)}\n`;
  }

  #observe(event: LiveEvent): void {
    this.#coverage.follow(event, this.scenario.server.major);
    if (event.kind === 'replication:start') {
      this.#hasStreamed = true;
      const asked = event.options.find(({ name }) => name === 'publication_names');
      this.#publications = parseIdentifierList(asked?.value ?? '') ?? [];
    }
    if (event.kind === 'internalError') this.#error = `fake-walsender failed: ${String(event.error)}`;
    const line = logLine(event, 'text');
    if (line !== undefined) this.#keep('log', `${line}\n`);
    if (event.kind === 'consumer') this.#consumer?.act(event.action);
  }

  /** The end of what there is too much of. */
  #keep(kind: 'stdout' | 'stderr' | 'log', text: string): void {
    this.#output[kind] = (this.#output[kind] + text).slice(-keptOutput);
  }

  #tell(event: Parameters<LiveServer['verdict']['followOwner']>[0]): void {
    this.#live.verdict.followOwner(event, this.#now());
  }

  #now(): number {
    return this.#live.clock.monotonic();
  }

  #findings(): Finding[] {
    return this.#live.verdict.findings(this.#now());
  }

  #result(findings: readonly Finding[], error: string | null): ScenarioRun {
    return {
      scenario: this.scenario,
      findings,
      startedAt: findings.length > 0 ? this.#live.verdict.startedAt : undefined,
      startTime: this.#startTime,
      milliseconds: performance.now() - this.#begin,
      error,
      status: this.#consumer?.status ?? 0,
      coverage: this.#coverage,
      ...this.#output,
    };
  }
}

/** Everything expected was met, and nothing else went wrong. */
export function hasPassed({ error, findings }: ScenarioRun): boolean {
  return error === null && findings.every(isMet);
}
