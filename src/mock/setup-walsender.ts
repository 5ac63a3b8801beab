/** `setupWalsender`: a fake walsender for tests, in the manner of msw. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Duplex } from 'node:stream';
import type { EventSource, LiveEvent, LiveEventOf, VirtualClock, WaitOptions } from '../live/index.js';
import type { Published as ScenarioPublished, ScenarioStep } from '../scenario/index.js';
import type { Performed } from '../walsender/injections.js';
import type { Handler } from './handler-store.js';
import type { LiveTransaction } from './live-transaction.js';
import type { ListenOptions } from './listen-options.js';
import { MockInstance, type PublishOptions } from './mock-instance.js';
import { lsnOf, type LsnLike, type Published } from './published.js';
import type { Publishable, TransactionOptions } from './transaction.js';

/**
 * A fake walsender for tests. Nothing happens before `listen`.
 * @param handlers scenarios, tables, slots, and answers to queries, commands and connections: the first that fits is asked
 * @throws TypeError for what is no handler
 */
export function setupWalsender(...handlers: readonly Handler[]): MockWalsender {
  return new MockWalsender(handlers);
}

/** The mock: a fake walsender that a test starts, writes to and looks at. Made by `setupWalsender`. */
export class MockWalsender implements AsyncDisposable {
  readonly #boundaries = new AsyncLocalStorage<MockInstance>();
  #root: MockInstance;
  #isListening = false;

  /** Made by `setupWalsender`. */
  constructor(handlers: readonly Handler[]) {
    this.#root = new MockInstance(handlers, {});
  }

  /**
   * Starts to accept connections.
   * @returns the server itself
   * @throws CannotServe for a port in use, say; TypeError when it listens already
   */
  async listen(options: ListenOptions = {}): Promise<this> {
    if (this.#isListening) throw new TypeError('the server listens already');
    const { onUnhandledQuery = 'error' } = options;
    if (typeof onUnhandledQuery !== 'function' && !['error', 'warn', 'bypass'].includes(onUnhandledQuery)) {
      const given = JSON.stringify(onUnhandledQuery);
      throw new TypeError(`onUnhandledQuery is 'error', 'warn', 'bypass' or a function, not ${given}`);
    }
    if (onUnhandledQuery === 'bypass' && options.upstream === undefined) {
      throw new TypeError("onUnhandledQuery: 'bypass' needs a server to ask: upstream: 'postgres://…'");
    }
    this.#root = new MockInstance(this.#root.store.list, options);
    this.#isListening = true;
    try {
      await this.#root.listen();
    } catch (error) {
      this.#isListening = false;
      throw error;
    }
    return this;
  }

  /**
   * Fast shutdown. Nothing is left open.
   * @param options `grace`: milliseconds that consumers have to confirm what is left. Default 0
   */
  async close({ grace = 0 }: { readonly grace?: number } = {}): Promise<void> {
    if (!this.#isListening) return;
    this.#isListening = false;
    await this.#root.close(grace);
  }

  /** `close()`, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** `postgres://…@127.0.0.1:PORT/db`. The database is named for the first scenario's file. @throws TypeError before `listen` */
  get url(): string {
    return this.#listening.url;
  }

  /** A connection without a port, for clients that take a stream: the client's end of it. @throws TypeError before `listen` */
  connectStream(): Duplex {
    return this.#listening.connectStream();
  }

  /** Adds handlers, to be asked before all there are. */
  use(...handlers: readonly Handler[]): void {
    this.#instance.store.use(handlers);
  }

  /** Forgets what `use` added. @param next - what to have instead of the handlers given to setupWalsender */
  resetHandlers(...next: readonly Handler[]): void {
    this.#instance.store.reset(next);
  }

  /** Handlers with `once` that have answered answer again. */
  restoreHandlers(): void {
    this.#instance.store.restore();
  }

  /** In the order in which they are asked. */
  listHandlers(): readonly Handler[] {
    return this.#instance.store.list;
  }

  /** As just started, and the handlers as `resetHandlers` leaves them: slots, WAL and history are gone, connections ended (57P01). */
  async reset(): Promise<void> {
    this.resetHandlers();
    await this.#listening.reset();
  }

  /**
   * Writes into WAL: every consumer gets it as soon as it is there. Slots with a handler have a WAL of their own, and one that has
   * no row which a statement is about is left out, as long as there is another that has.
   *
   * @param what a transaction, a statement (which is a transaction of its own), a logical message, a fault …
   * @throws StatementError for what a real server would refuse; of a transaction nothing shows then
   */
  publish(what: Publishable, options: PublishOptions = {}): Promise<Published> {
    return this.#listening.publish(what, options);
  }

  /**
   * As `publish`, but a step of a scenario's stream, as YAML or JSON text: `insert: users, row: {…}`, `sql: …`. It is written to the
   * scenario's database.
   * @param database its name; the first scenario's where absent
   * @throws ScenarioError with all that is wrong in it, and then nothing of it shows
   */
  publishStep(text: string, database?: string): Promise<ScenarioPublished> {
    return this.#listening.publishStep(text, database);
  }

  /**
   * Does something now, wherever the streams (of the slot) stand, or to the next that starts where there is none. A fault that is
   * published instead stands in WAL, and happens when a stream comes to it.
   * @returns what was done and where, once it was
   */
  inject(step: ScenarioStep, options: { readonly slot?: string } = {}): Promise<readonly Performed[]> {
    return this.#listening.inject(step, options);
  }

  /** BEGIN: a transaction that goes on for as long as the test likes; with `streamed`, one that is sent in blocks. */
  begin(
    options: Pick<TransactionOptions, 'xid' | 'origin' | 'streamed'> = {},
    where: PublishOptions = {},
  ): Promise<LiveTransaction> {
    return this.#listening.begin(options, where);
  }

  /**
   * Resolves when the slot has confirmed everything up to `lsn`.
   * @throws Error that says what it has confirmed, when the time is up (5 s)
   */
  confirmed(slot: string, lsn: LsnLike, options: WaitOptions = {}): Promise<void> {
    return this.#listening.confirmed(slot, lsnOf(lsn), options);
  }

  /** Resolves when a consumer streams, of this slot if one is given: at once if one does. @throws Error when the time is up (5 s) */
  connected(options: WaitOptions & { readonly slot?: string } = {}): Promise<LiveEventOf<'replication:start'>> {
    return this.#listening.connected(options.slot, options);
  }

  /** Everything that happened, in order: connections, queries and commands, messages sent, feedback, faults. */
  get history(): readonly LiveEvent[] {
    return this.#instance.history;
  }

  /** `server.events.on('feedback', …)`, and so on for all that is in `history`. */
  get events(): EventSource {
    return this.#instance.events;
  }

  /** The server's time: `await server.clock.advance('60s')`. */
  get clock(): VirtualClock {
    return this.#instance.clock;
  }

  /** Slots that there are. */
  get slotNames(): readonly string[] {
    return this.#instance.slotNames;
  }

  /**
   * For tests that run at the same time: within `callback`, and all that it starts, this object is a server of its own, with its
   * own port (`server.url` is another one), slots, WAL and history. It begins with the handlers that there are now; what is
   * added or reset inside is seen inside only. It closes when the callback is done.
   */
  boundary<A extends readonly unknown[], R>(callback: (...args: A) => R): (...args: A) => Promise<Awaited<R>> {
    return async (...args): Promise<Awaited<R>> => {
      const outer = this.#listening;
      const inner = new MockInstance(outer.store.list, { ...outer.options, port: 0 });
      const outcome = this.#boundaries.run(inner, async () => {
        await inner.listen();
        return await callback(...args);
      });
      return await outcome.finally(() => inner.close());
    };
  }

  get #instance(): MockInstance {
    return this.#boundaries.getStore() ?? this.#root;
  }

  get #listening(): MockInstance {
    if (!this.#isListening) throw new TypeError('the server does not listen: await server.listen() first');
    return this.#instance;
  }
}
