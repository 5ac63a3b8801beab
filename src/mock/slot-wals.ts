/** The WALs of the slots that have handlers, of one server. */
import type { Scenario } from '../scenario/index.js';
import { createEmitter } from '../timeline/emit.js';
import type { ClusterConfig } from '../walsender/cluster.js';
import type { PublishedDatabase } from '../walsender/published-database.js';
import type { SlotRegistry } from '../walsender/slot-registry.js';
import type { Enter } from './handler.js';
import type { HandlerStore } from './handler-store.js';
import type { SlotHandler } from './slot-handler.js';
import { SlotWal } from './slot-wal.js';
import { declareTable } from './statement.js';

export class SlotWals {
  /** Of the server, once there is one. */
  slots: SlotRegistry | undefined;
  readonly #wals = new Map<SlotHandler, Map<string, SlotWal>>();

  constructor(
    private readonly store: HandlerStore,
    private readonly scenario: Scenario,
    private readonly enter: Enter,
  ) {}

  /** What the cluster needs to stream them. */
  get clusterConfig(): Pick<ClusterConfig, 'createEmitter' | 'databaseOfSlot'> {
    return {
      databaseOfSlot: (slot, home) => this.find(slot, home)?.published,
      createEmitter: (timeline, session, sink) => {
        const wal = this.#existing.find(({ published }) => published.timeline === timeline);
        return wal ? wal.createEmitter(session, sink) : createEmitter(timeline, session, sink);
      },
    };
  }

  /** The WAL of a slot by the first handler that fits; undefined where none does. */
  find(slot: string, home: PublishedDatabase): SlotWal | undefined {
    const handler = this.store.of('slot').find((candidate) => candidate.fits(slot));
    if (!handler) return undefined;
    const own = this.#wals.get(handler) ?? new Map<string, SlotWal>();
    this.#wals.set(handler, own);
    let wal = own.get(slot);
    if (!wal) {
      // What the slot has confirmed of another WAL lies before this one.
      const startLsn = this.slots?.find(slot)?.confirmedFlushLsn ?? home.newSlotLsn;
      wal = new SlotWal(handler, slot, home.name, this.scenario, startLsn, this.enter);
      for (const table of this.store.of('table')) declareTable(table, wal.database);
      own.set(slot, wal);
    }
    return wal;
  }

  /** Of the handlers that there are now: those that say which slot they are for, and others as far as they were used. */
  all(home: PublishedDatabase): SlotWal[] {
    const wals = new Set<SlotWal>();
    for (const handler of this.store.of('slot')) {
      if (typeof handler.name === 'string') wals.add(this.find(handler.name, home)!);
      else for (const wal of this.#wals.get(handler)?.values() ?? []) wals.add(wal);
    }
    return [...wals];
  }

  /** There are slots without a handler. */
  hasOthers(slots: SlotRegistry): boolean {
    const handlers = this.store.of('slot');
    return [...slots].some(({ name }) => !handlers.some((handler) => handler.fits(name)));
  }

  close(): void {
    for (const wal of this.#existing) wal.close();
  }

  get #existing(): SlotWal[] {
    return [...this.#wals.values()].flatMap((own) => [...own.values()]);
  }
}
