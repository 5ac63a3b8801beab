/**
 * The WAL of one slot that has a handler, pulled out of its generator as the client takes it:
 *
 * ```
 *   new ──first START──→ waiting ──the stream is idle──→ pulling ──yield──→ written, and so the stream goes on ──→ waiting
 *                                                           │ return
 *                                                           ▼
 *                                                         ended: what `publish` writes still comes
 * ```
 */
import { Database } from '../database/index.js';
import type { Scenario } from '../scenario/index.js';
import { createEmitter } from '../timeline/emit.js';
import type { EmitProgress, EmitSession, EmitSink, Emitter } from '../timeline/emitter.js';
import { PublishedDatabase } from '../walsender/published-database.js';
import type { Enter } from './handler.js';
import type { SlotHandler } from './slot-handler.js';
import type { Published } from './published.js';
import { write, type Publishable } from './transaction.js';

type Generator = ReturnType<SlotHandler['generator']>;

export class SlotWal {
  readonly database: Database;
  /** As the walsender knows it. */
  readonly published: PublishedDatabase;
  #generator: Generator | undefined;
  #state: 'new' | 'waiting' | 'pulling' | 'ended' = 'new';
  #isWanted = false;
  #last: Published | undefined;

  /**
   * @param home the database that the slot belongs to
   * @param startLsn where it begins
   */
  constructor(
    readonly handler: SlotHandler,
    readonly slot: string,
    private readonly home: string,
    scenario: Scenario,
    startLsn: bigint,
    private readonly enter: Enter,
  ) {
    const { server } = scenario;
    this.database = new Database({
      server: { ...server, startLsn },
      nextXid: server.nextXid,
      clockStep: server.clockStep,
    });
    this.published = new PublishedDatabase(home, {
      timeline: this.database.timeline,
      live: this.database,
      implicitSlots: true,
    });
  }

  createEmitter(session: EmitSession, sink: EmitSink): Emitter {
    if (this.#state === 'new') {
      const { startLsn, options } = session;
      const info = { slot: this.slot, database: this.home, startLsn, options };
      this.#generator = this.enter(() => this.handler.generator(info));
      this.#state = 'waiting';
    }
    return new PullingEmitter(createEmitter(this.published.timeline, session, sink), () => void this.#pull());
  }

  close(): void {
    // Not waited for: it may itself wait for what never comes.
    void (async () => this.#generator?.return?.())().catch(() => undefined);
    this.#state = 'ended';
  }

  /** The stream has nothing more to send. */
  async #pull(): Promise<void> {
    this.#isWanted = true;
    if (this.#state !== 'waiting' || !this.#generator) return;
    this.#state = 'pulling';
    try {
      while (this.#takeWish()) {
        // A generator that waits for nothing must not keep everybody else waiting.
        await new Promise((resolve) => setImmediate(resolve));
        const step = await this.#next(this.#generator);
        if (this.#isClosed()) return;
        if (step.done === true) this.#state = 'ended';
        // The stream goes on before this returns, and may want more already.
        else this.#last = write(step.value, this.database);
      }
      if (!this.#isClosed()) this.#state = 'waiting';
    } catch (error) {
      if (!this.#isClosed()) this.#fail(error);
    }
  }

  #next(generator: Generator): ReturnType<Generator['next']> {
    return this.enter(() => generator.next(...((this.#last ? [this.#last] : []) as unknown as [Published])));
  }

  #takeWish(): boolean {
    const isWanted = this.#isWanted && !this.#isClosed();
    this.#isWanted = false;
    return isWanted;
  }

  #isClosed(): boolean {
    return this.#state === 'ended';
  }

  /** The client hears of it, and whoever reads the console: nobody else is there to be told. */
  #fail(thrown: unknown): void {
    this.#state = 'ended';
    const { title, source } = this.handler;
    console.error(`[fake-walsender] ${title} at ${source} failed:`, thrown);
    const message = `${title} failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
    const step: Publishable = { kind: 'error', error: { code: 'XX000', message }, times: Infinity };
    write(step, this.database);
  }
}

/** Asks for more whenever there is nothing more. */
class PullingEmitter implements Emitter {
  constructor(
    private readonly inner: Emitter,
    private readonly pull: () => void,
  ) {}

  next(): EmitProgress {
    const progress = this.inner.next();
    if (progress.kind === 'idle') this.pull();
    return progress;
  }

  get position(): bigint {
    return this.inner.position;
  }

  get inTransaction(): boolean {
    return this.inner.inTransaction;
  }
}
