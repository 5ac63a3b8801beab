/**
 * A running server as its owner sees it: `serve`, `run`, the control endpoint and the mock stand on it.
 *
 * ```
 *   new ──listen() or start()──→ serving ──close()──→ closed
 *                                  ⟲ reset(): as just started
 * ```
 */
import { rmSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import type { Database } from '../database/index.js';
import type { Published, Scenario, ScenarioStep } from '../scenario/index.js';
import { createServer, systemClock, type CloseOptions, type Server, type ServerClock } from '../server/index.js';
import { createSqlEngine } from '../sql/index.js';
import { formatLsn } from '../values/lsn.js';
import type { Answers } from '../walsender/answers.js';
import type { ClusterConfig } from '../walsender/cluster.js';
import { Verdict } from '../verdict/index.js';
import type { Performed } from '../walsender/injections.js';
import { CannotServe } from './cannot-serve.js';
import { waitForConfirmation } from './confirmation.js';
import { EventSource, type WaitOptions } from './event-source.js';
import { EventTeller, type LiveEvent } from './events.js';
import { serveAnswers } from './serve-answers.js';
import { serverConfig, type ServeConfigOptions } from './serve-config.js';
import { serverUrl } from './server-url.js';
import { keepSlots } from './slot-file.js';
import { WalWriter } from './wal-writer.js';

export interface LiveServerOptions extends ServeConfigOptions {
  /** At least one; each is a database. The first one's settings are the server's. */
  readonly scenarios: readonly Scenario[];
  /** A file that keeps slots across restarts. */
  readonly state?: string;
  /** Is told when that file can no longer be written. Default: throws. */
  readonly onStateLost?: (error: Error) => void;
  /** What clients ask and the scenarios do not answer. */
  readonly answers?: Answers;
  /** Let the time of the streams go by from the start on. Default: from when a client starts replication. */
  readonly startNow?: boolean;
  /** Default the computer's. */
  readonly clock?: ServerClock;
  /** Hears of everything first. */
  readonly observe?: (event: LiveEvent) => void;
  /** Tell of every message sent, too. It costs. Default true; false: only where an expectation cannot be judged without. */
  readonly observeMessages?: boolean;
  /** Keep `history`. Default true. */
  readonly keepHistory?: boolean;
  /** What else the cluster is to be; see ClusterConfig. */
  readonly cluster?: Pick<
    ClusterConfig,
    'anyDatabase' | 'createEmitter' | 'databaseOfSlot' | 'firstPid' | 'actsOnConsumer'
  >;
}

/** @throws CannotServe for scenarios that do not go together, or a file that cannot be read */
export async function createLiveServer(options: LiveServerOptions): Promise<LiveServer> {
  return new LiveServer(options, await serverConfig(options.scenarios, options));
}

/** What a scenario has become here. */
type Running = Pick<Scenario, 'database' | 'publish' | 'fault' | 'labels'>;

export class LiveServer {
  readonly server: Server;
  readonly events = new EventSource();
  /** Everything that happened, in order. */
  readonly history: LiveEvent[] = [];
  readonly clock: ServerClock;
  #verdict: Verdict;
  /** What the scenarios have become here, by name. */
  #running: ReadonlyMap<string, Running>;
  #url: string | undefined;
  #stopKeepingSlots: () => void = () => undefined;
  #writers: readonly WalWriter[] = [];

  /** Made by createLiveServer. */
  constructor(
    private readonly options: LiveServerOptions,
    private readonly config: Awaited<ReturnType<typeof serverConfig>>,
  ) {
    const { clock = systemClock, observeMessages = true } = options;
    this.clock = clock;
    this.#running = new Map(options.scenarios.map((scenario) => [scenario.name, scenario]));
    this.#verdict = new Verdict(options.scenarios);
    const teller = new EventTeller(this.mainScenario.server.major);
    this.server = createServer({
      ...config,
      ...options.cluster,
      ...this.#answers(),
      clock,
      sql: createSqlEngine(),
      observe: (event) => this.#observe(teller.tell(event, clock.now())),
      observeMessages: observeMessages || this.#verdict.needsMessages,
    });
    this.#keepSlots();
  }

  get mainScenario(): Scenario {
    return this.options.scenarios[0]!;
  }

  /** What the scenarios expect, as far as it can be said now. */
  get verdict(): Verdict {
    return this.#verdict;
  }

  /** By name: what publishes to them. */
  get databases(): ReadonlyMap<string, Database> {
    return new Map([...this.#running].map(([name, { database }]) => [name, database]));
  }

  /** Positions by label, as far as they are written; of a name that several databases use, the last one's. */
  get labels(): ReadonlyMap<string, bigint> {
    return new Map([...this.#running.values()].flatMap(({ labels }) => [...labels]));
  }

  /** Serves connections that are handed over by `accept` or `connectStream`, without a port. @throws CannotServe */
  async start(): Promise<void> {
    await this.server.start();
    this.#startWriters();
  }

  /** @returns the URL of the first scenario's database. @throws CannotServe, for a port in use say */
  async listen(): Promise<string> {
    const { host = '127.0.0.1', port = 0 } = this.config;
    const address = await this.server.listen().catch((error: unknown) => {
      throw new CannotServe(`cannot listen on ${host}:${port}: ${(error as Error).message}`);
    });
    this.#startWriters();
    this.#url = serverUrl(this.mainScenario, address);
    return this.#url;
  }

  /** @throws TypeError before `listen` */
  get url(): string {
    if (this.#url === undefined) throw new TypeError('the server does not listen yet: call listen() first');
    return this.#url;
  }

  /** Fast shutdown; called again, it ends at once. */
  close(options: CloseOptions = {}): Promise<void> {
    this.#verdict.followOwner({ kind: 'server:closing' }, this.clock.monotonic());
    for (const writer of this.#writers) writer.stop();
    return this.server.close(options);
  }

  accept(stream: Duplex): void {
    this.server.accept(stream);
  }

  connectStream(): Duplex {
    return this.server.connectStream();
  }

  /**
   * Writes to a live database: every walsender of it gets what was written.
   * @param database - its name; the first one's where absent
   * @throws TypeError for a name that there is not; StatementError for what a real server would refuse
   */
  publish<T>(write: (database: Database) => T, database = this.mainScenario.name): T {
    return write(this.#find(database).database);
  }

  /**
   * As `publish`, of one more step (or a list of them) of the scenario's stream, as YAML or JSON text.
   * @throws ScenarioError for what is wrong in it, and then nothing of it shows; TypeError as `publish`
   */
  publishStep(text: string, database = this.mainScenario.name): Published {
    return this.#find(database).publish(text);
  }

  /** A step for `inject`, as YAML or JSON text as in a stream. @throws ScenarioError, TypeError as `publishStep` */
  readFault(text: string, database = this.mainScenario.name): ScenarioStep {
    return this.#find(database).fault(text);
  }

  /** Performs a step now: at the next message boundary of every stream (of the slot), or else of the next that starts. */
  inject(step: ScenarioStep, options: { readonly slot?: string } = {}): Promise<readonly Performed[]> {
    return this.server.cluster.inject(step, options);
  }

  /**
   * Resolves when the slot has confirmed everything up to `lsn`, at once if it has already.
   * @throws Error that says what it has confirmed, when the time is up; the signal's reason
   */
  async confirmed(slot: string, lsn: bigint, options: WaitOptions = {}): Promise<void> {
    await waitForConfirmation(this, slot, () => lsn, formatLsn(lsn), options);
  }

  /** As just started: slots, WAL and history are gone, who is connected is thrown out (57P01). Listeners stay. */
  reset(): void {
    const anew = this.options.scenarios.map((scenario) => [scenario, scenario.execute()] as const);
    this.#running = new Map(anew.map(([{ name }, execution]) => [name, execution]));
    const databases = anew.map(([{ name, slots }, { database }]) => {
      return [name, { timeline: database.timeline, live: database, implicitSlots: slots === null }] as const;
    });
    this.server.restart({ databases: new Map(databases), ...this.#answers() });
    this.#stopKeepingSlots();
    if (this.options.state !== undefined) rmSync(this.options.state, { force: true });
    this.#keepSlots();
    this.#startWriters();
    this.#verdict = new Verdict(this.options.scenarios);
    this.history.length = 0;
  }

  #find(database: string): Running {
    const found = this.#running.get(database);
    if (found) return found;
    throw new TypeError(`there is no database "${database}": there are ${[...this.#running.keys()].join(', ')}`);
  }

  /** Nothing said so far counts. */
  #answers(): { answers?: Answers } {
    const answers = serveAnswers(this.options.scenarios, this.options.answers);
    return answers === undefined ? {} : { answers };
  }

  #keepSlots(): void {
    const { state, onStateLost = rethrow } = this.options;
    if (state !== undefined) this.#stopKeepingSlots = keepSlots(this.server.cluster.slots, state, onStateLost);
  }

  #startWriters(): void {
    for (const writer of this.#writers) writer.stop();
    const { cluster } = this.server;
    const databases = this.options.startNow === true ? [...cluster.databases.values()] : [];
    this.#writers = databases.map((database) => new WalWriter(cluster, database, this.clock));
  }

  #observe(event: LiveEvent): void {
    this.#verdict.follow(event, this.clock.monotonic());
    this.options.observe?.(event);
    if (this.options.keepHistory !== false) this.history.push(event);
    this.events.emit(event);
  }
}

function rethrow(error: Error): never {
  throw error;
}
