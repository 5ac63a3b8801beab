/**
 * One mock: a port, handlers, and a live server for each set of scenarios that is (or was) served.
 *
 * ```
 *   new ──listen()──→ listening ──close()──→ closed
 *                        ⟲ use, resetHandlers: connections made from then on meet the scenarios of then
 * ```
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Duplex } from 'node:stream';
import type { Database } from '../database/index.js';
import {
  createLiveServer,
  serveAnswers,
  serverUrl,
  EventSource,
  VirtualClock,
  waitFor,
  type LiveEvent,
  type LiveEventOf,
  type LiveServer,
  type WaitOptions,
} from '../live/index.js';
import {
  readScenario,
  requireScenario,
  type Published as ScenarioPublished,
  type Scenario,
  type ScenarioStep,
} from '../scenario/index.js';
import { streamPair } from '../server/index.js';
import { chainAnswers } from '../walsender/answer-chain.js';
import type { Answers } from '../walsender/answers.js';
import type { Performed } from '../walsender/injections.js';
import { FrontDoor } from './front-door.js';
import { handlerAnswers } from './handler-answers.js';
import type { Enter } from './handler.js';
import { HandlerStore, type Handler } from './handler-store.js';
import { LastAnswers } from './last-answers.js';
import type { ListenOptions } from './listen-options.js';
import { LiveTransaction } from './live-transaction.js';
import { OpenTransactions } from './open-transactions.js';
import type { Published } from './published.js';
import { SlotWals } from './slot-wals.js';
import { declareTable } from './statement.js';
import { beginOptions, write, type Publishable, type TransactionOptions } from './transaction.js';

/** Options of `server.publish` and `server.begin`: where to. */
export interface PublishOptions {
  /** Only to this slot, which must have a `slot` handler. Default: to all there are. */
  readonly slot?: string;
  /** The database by its name. Default: the first scenario's. */
  readonly database?: string;
}

/** A live server, and what its slots stream that have handlers. */
interface Stage {
  readonly live: LiveServer;
  readonly wals: SlotWals;
}

const pidsOfServer = 1_000;

export class MockInstance {
  readonly store: HandlerStore;
  readonly history: LiveEvent[] = [];
  readonly events = new EventSource();
  readonly clock = new VirtualClock();
  /** By the layer of handlers that the scenarios are in. */
  readonly #stages = new Map<readonly Handler[], Promise<Stage>>();
  /** Those of #stages that have been made. */
  readonly #ready = new Map<readonly Handler[], Stage>();
  readonly #streaming = new Map<number, LiveEventOf<'replication:start'>>();
  readonly #door = new FrontDoor((stream) => this.#serve(stream));
  readonly #last: LastAnswers;
  /** Runs code of the user's in the context of `listen`: what sockets call has none. */
  #enter: Enter = (act) => act();
  #servers = 0;

  constructor(
    handlers: readonly Handler[],
    readonly options: ListenOptions,
  ) {
    this.store = new HandlerStore(handlers);
    this.#last = new LastAnswers(this.store, options);
  }

  async listen(): Promise<void> {
    this.#enter = AsyncLocalStorage.snapshot();
    await this.#last.open();
    await this.#stage();
    await this.#door.listen(this.options.host ?? '127.0.0.1', this.options.port ?? 0);
  }

  async close(grace = 0): Promise<void> {
    const stages = await this.#takeStages();
    await Promise.all([this.#door.close(), ...stages.map((stage) => closeStage(stage, grace))]);
    this.#last.close();
  }

  /** How clients find the first scenario's database. */
  get url(): string {
    const [first] = scenariosOf(this.store.scenarios);
    return serverUrl(first ?? plainScenario(this.options.serverVersion), this.#door.address);
  }

  connectStream(): Duplex {
    const { client, server } = streamPair();
    this.#door.take(server);
    return client;
  }

  /** Forgets what happened: slots, WAL, history; whoever is connected is thrown out. */
  async reset(): Promise<void> {
    const stages = await this.#takeStages();
    this.store.restart();
    for (const { live } of stages) live.server.cluster.terminate();
    this.history.length = 0;
    await Promise.all([this.#stage(), ...stages.map((stage) => closeStage(stage, 0))]);
  }

  async publish(what: Publishable, options: PublishOptions): Promise<Published> {
    return write(what, ...(await this.targets(options)));
  }

  async publishStep(text: string, database?: string): Promise<ScenarioPublished> {
    const { live } = await this.#stage();
    return live.publishStep(text, database);
  }

  async inject(step: ScenarioStep, options: { readonly slot?: string }): Promise<readonly Performed[]> {
    const { live } = await this.#stage();
    return live.inject(step, options);
  }

  async begin(options: TransactionOptions, where: PublishOptions): Promise<LiveTransaction> {
    return new LiveTransaction(new OpenTransactions(await this.targets(where), beginOptions(options)));
  }

  /** The databases that a publication goes to. */
  async targets({ slot, database }: PublishOptions): Promise<readonly Database[]> {
    const { live, wals } = await this.#stage();
    const main = database ?? live.mainScenario.name;
    this.#declareTables(live, main);
    const home = live.publish((found) => found, main);
    if (slot !== undefined) {
      const wal = wals.find(slot, live.server.cluster.databases.get(main)!);
      if (wal) return [wal.database];
      throw new TypeError(`slot "${slot}" has no handler: it streams what all such slots of the database do`);
    }
    const own = wals.all(live.server.cluster.databases.get(main)!).map((wal) => wal.database);
    const isShared = this.store.scenarios.length > 0 || own.length === 0 || wals.hasOthers(live.server.cluster.slots);
    return isShared ? [home, ...own] : own;
  }

  async confirmed(slot: string, lsn: bigint, options: WaitOptions): Promise<void> {
    const { live } = await this.#stage();
    await live.confirmed(slot, lsn, options);
  }

  get slotNames(): readonly string[] {
    const stage = this.#ready.get(this.store.scenarios);
    return [...(stage?.live.server.cluster.slots ?? [])].map(({ name }) => name);
  }

  connected(slot: string | undefined, options: WaitOptions): Promise<LiveEventOf<'replication:start'>> {
    const fits = (start: LiveEventOf<'replication:start'>): boolean => slot === undefined || start.slot === slot;
    return waitFor(
      (found) => {
        const [now] = [...this.#streaming.values()].filter(fits);
        if (now) found(now);
        return this.events.on('replication:start', (start) => fits(start) && found(start));
      },
      () => (slot === undefined ? 'no consumer started replication' : `no consumer started slot "${slot}"`),
      options,
    );
  }

  /** All that have been made; from now on there are none. */
  async #takeStages(): Promise<Stage[]> {
    await Promise.allSettled(this.#stages.values());
    const stages = [...this.#ready.values()];
    this.#stages.clear();
    this.#ready.clear();
    return stages;
  }

  async #serve(stream: Duplex): Promise<void> {
    const { live } = await this.#stage();
    live.accept(stream);
  }

  /** What newcomers meet. */
  #stage(): Promise<Stage> {
    const layer = this.store.scenarios;
    let stage = this.#stages.get(layer);
    if (stage === undefined) {
      stage = this.#createStage(layer);
      this.#stages.set(layer, stage);
    }
    return stage;
  }

  async #createStage(layer: readonly Handler[]): Promise<Stage> {
    const given = scenariosOf(layer);
    const scenarios = (given.length > 0 ? given : [plainScenario(this.options.serverVersion)]).map(anew);
    const wals = new SlotWals(this.store, scenarios[0]!, this.#enter);
    const { host, tls } = this.options;
    const live = await createLiveServer({
      scenarios,
      ...(host !== undefined && { host }),
      ...(tls !== undefined && { tls }),
      clock: this.clock,
      answers: this.#answers(given),
      observe: (event) => this.#observe(event),
      keepHistory: false,
      cluster: { ...wals.clusterConfig, anyDatabase: true, firstPid: (this.#servers++ + 10) * pidsOfServer },
    });
    wals.slots = live.server.cluster.slots;
    await live.start();
    const stage = { live, wals };
    this.#declareTables(live, live.mainScenario.name);
    this.#ready.set(layer, stage);
    return stage;
  }

  /** The handlers, then what the scenarios say. */
  #answers(scenarios: readonly Scenario[]): Answers {
    const own = handlerAnswers(this.store, this.#last.answers, this.#enter);
    return chainAnswers([own, serveAnswers(scenarios, undefined)])!;
  }

  #declareTables(live: LiveServer, database: string): void {
    const found = live.databases.get(database);
    if (found) for (const table of this.store.of('table')) declareTable(table, found);
  }

  #observe(event: LiveEvent): void {
    if (event.kind === 'replication:start') this.#streaming.set(event.pid, event);
    if (event.kind === 'replication:end') this.#streaming.delete(event.pid);
    this.history.push(event);
    this.#last.follow(event);
    if (event.kind === 'internalError') console.error('[fake-walsender] internal error:', event.error);
    this.#enter(() => this.events.emit(event));
  }
}

function scenariosOf(layer: readonly Handler[]): Scenario[] {
  return layer.flatMap((handler) => (handler.kind === 'scenario' ? handler.scenario : []));
}

const plainScenarios = new Map<string | undefined, Scenario>();

/** What is served where no scenario is given. @throws RangeError for a version that is not emulated */
function plainScenario(serverVersion: string | undefined): Scenario {
  let scenario = plainScenarios.get(serverVersion);
  if (scenario === undefined) {
    const options = { file: 'db.yaml', ...(serverVersion !== undefined && { serverVersion }) };
    scenario = requireScenario(readScenario('scenario: mock', options));
    plainScenarios.set(serverVersion, scenario);
  }
  return scenario;
}

/** With a database of its own, in which nobody else has written. Its answers are asked after the handlers. */
function anew(scenario: Scenario): Scenario {
  const execution = scenario.execute();
  return { ...scenario, ...execution, timeline: execution.database.timeline, answers: [] };
}

async function closeStage({ live, wals }: Stage, grace: number): Promise<void> {
  wals.close();
  await live.close({ grace });
}
