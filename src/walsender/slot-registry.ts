/** The slots of the server, of all its databases. Lives as long as the process; `store` and `restore` carry it across. */
import type { NewSlot, SlotState } from '../sql/host.js';
import { formatLsn, parseLsn } from '../values/lsn.js';
import type { InvalidationReason, Slot, StoredSlot } from './slot.js';
import { checkSlotName, slotActive, slotExists, slotMissing, slotsExhausted } from './slot-errors.js';

/** How far restart_lsn lies below the consistent point: one running-transactions record. */
const runningTransactionsRecord = 56n;

export interface SlotLimits {
  readonly major: number;
  /** max_replication_slots. */
  readonly maxSlots: number;
}

/** What a slot needs to know of the moment when it is made. */
export interface SlotBirth {
  /** Where it stands: the consistent point; for a physical one, where WAL is reserved from. */
  readonly lsn: bigint;
  readonly nextXid: number;
  /** Microseconds since 2000. */
  readonly time: bigint;
}

export class SlotRegistry {
  readonly #slots = new Map<string, Slot>();
  /** Names of all slots there ever were. */
  readonly #known = new Set<string>();
  readonly #freed = new Set<(name: string) => void>();
  readonly #changed = new Set<() => void>();

  constructor(readonly limits: SlotLimits) {}

  *[Symbol.iterator](): Iterator<Slot> {
    yield* this.#slots.values();
  }

  find(name: string): Slot | undefined {
    return this.#slots.get(name);
  }

  /** There is, or there was, a slot of this name. */
  hasKnown(name: string): boolean {
    return this.#known.has(name);
  }

  /** @throws WireError 42704 */
  get(name: string): Slot {
    const slot = this.#slots.get(name);
    if (!slot) throw slotMissing(name);
    return slot;
  }

  /** @throws WireError 42602, 42710, 53400, 0A000; `birth` is asked for only when nothing stands against the slot. */
  create(slot: NewSlot, birth: SlotBirth): Slot {
    this.checkNew(slot);
    const logical = slot.plugin !== null;
    const reserved = logical || slot.reserveWal;
    const created: Slot = {
      name: slot.name,
      plugin: slot.plugin,
      database: logical ? slot.database : null,
      temporary: slot.temporary,
      twoPhase: slot.twoPhase,
      twoPhaseAt: slot.twoPhase ? birth.lsn : null,
      failover: slot.failover,
      confirmedFlushLsn: logical ? birth.lsn : null,
      restartLsn: reserved ? below(birth.lsn) : null,
      catalogXmin: logical ? birth.nextXid : null,
      activePid: slot.temporary ? slot.pid : null,
      inactiveSince: slot.temporary ? null : birth.time,
      invalidationReason: null,
    };
    this.#slots.set(slot.name, created);
    this.#known.add(slot.name);
    this.#notifyChanged();
    return created;
  }

  /** pg_copy_logical_replication_slot: as `create`, but standing where the original does. */
  copy(original: Slot, slot: NewSlot, time: bigint): Slot {
    const copied = this.create(slot, {
      lsn: original.confirmedFlushLsn ?? 0n,
      nextXid: original.catalogXmin ?? 3,
      time,
    });
    copied.restartLsn = original.restartLsn;
    return copied;
  }

  /** What `create` checks, for who must look at more before. @throws WireError 42602, 42710, 53400. */
  checkNew({ name }: NewSlot): void {
    checkSlotName(name, this.limits.major);
    if (this.#slots.has(name)) throw slotExists(name);
    if (this.#slots.size >= this.limits.maxSlots) throw slotsExhausted(this.limits.major);
  }

  /** @throws WireError 42704, 55006. */
  acquire(name: string, pid: number): Slot {
    const slot = this.get(name);
    if (slot.activePid !== null && slot.activePid !== pid) throw slotActive(name, slot.activePid);
    slot.activePid = pid;
    slot.inactiveSince = null;
    return slot;
  }

  /** The owner is done with it. @param time microseconds since 2000 */
  release(slot: Slot, pid: number, time: bigint): void {
    if (slot.activePid !== pid || slot.temporary || this.#slots.get(slot.name) !== slot) return;
    slot.activePid = null;
    slot.inactiveSince = time;
    this.#notifyFreed(slot.name);
  }

  /** @throws WireError 42704, 55006. */
  drop(name: string, pid: number): void {
    this.acquire(name, pid);
    this.#remove(name);
  }

  /** At the end of a connection, and at every error of a walsender. Returns their names. */
  dropTemporary(pid: number): string[] {
    const names = [...this.#slots.values()]
      .filter((slot) => slot.temporary && slot.activePid === pid)
      .map(({ name }) => name);
    for (const name of names) this.#remove(name);
    return names;
  }

  /**
   * The client reported that it flushed up to `lsn`. From 13 on the confirmed position never goes back; before, the last
   * report counts.
   */
  confirm(slot: Slot, lsn: bigint): void {
    if (lsn === 0n) return;
    const confirmed = slot.confirmedFlushLsn ?? 0n;
    if (lsn === confirmed || (lsn < confirmed && this.limits.major >= 13)) return;
    slot.confirmedFlushLsn = lsn;
    if (slot.restartLsn !== null && below(lsn) > slot.restartLsn) slot.restartLsn = below(lsn);
    this.#notifyChanged();
  }

  /** Sets properties that outlive the connection. */
  alter(
    slot: Slot,
    properties: {
      readonly failover?: boolean;
      readonly twoPhase?: boolean;
      readonly twoPhaseAt?: bigint;
      readonly restartLsn?: bigint;
    },
  ): void {
    if (properties.failover !== undefined) slot.failover = properties.failover;
    if (properties.twoPhase !== undefined) slot.twoPhase = properties.twoPhase;
    if (properties.twoPhaseAt !== undefined) slot.twoPhaseAt = properties.twoPhaseAt;
    if (properties.restartLsn !== undefined) slot.restartLsn = properties.restartLsn;
    this.#notifyChanged();
  }

  /** Its walsender, if it has one, is the caller's to end. @throws WireError 42704 */
  invalidate(name: string, reason: InvalidationReason): Slot {
    const slot = this.get(name);
    slot.invalidationReason = reason;
    // Before 13 a slot does not know that its WAL is gone.
    if (reason === 'wal_removed' && this.limits.major >= 13) slot.restartLsn = null;
    this.#notifyChanged();
    return slot;
  }

  /** Removes it, whoever owns it. */
  lose(name: string): void {
    if (this.#slots.has(name)) this.#remove(name);
  }

  /** It was synchronized to the standby that the server is now. @param limit as far as it had been, where it is behind */
  arriveOnStandby(slot: Slot, limit: bigint | null): void {
    slot.synced = true;
    if (limit !== null && slot.confirmedFlushLsn !== null && limit < slot.confirmedFlushLsn) {
      slot.confirmedFlushLsn = limit;
      if (slot.restartLsn !== null && below(limit) < slot.restartLsn) slot.restartLsn = below(limit);
    }
    this.#notifyChanged();
  }

  clear(): void {
    for (const name of [...this.#slots.keys()]) this.#remove(name);
    this.#known.clear();
  }

  /** Tells when a slot becomes free or goes; returns how to stop listening. */
  onFreed(listener: (name: string) => void): () => void {
    this.#freed.add(listener);
    return () => this.#freed.delete(listener);
  }

  /** Tells when something that `store` keeps has changed; returns how to stop listening. */
  onChanged(listener: () => void): () => void {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }

  store(): StoredSlot[] {
    const text = (lsn: bigint | null): string | null => (lsn === null ? null : formatLsn(lsn));
    return [...this.#slots.values()]
      .filter((slot) => !slot.temporary)
      .map((slot) => ({
        name: slot.name,
        plugin: slot.plugin,
        database: slot.database,
        twoPhase: slot.twoPhase,
        twoPhaseAt: text(slot.twoPhaseAt),
        failover: slot.failover,
        confirmedFlushLsn: text(slot.confirmedFlushLsn),
        restartLsn: text(slot.restartLsn),
        catalogXmin: slot.catalogXmin,
        invalidationReason: slot.invalidationReason,
      }));
  }

  /** Puts back what `store` gave. @throws SyntaxError for a malformed LSN. */
  restore(slots: readonly StoredSlot[], time: bigint): void {
    const lsn = (text: string | null): bigint | null => (text === null ? null : parseLsn(text));
    for (const slot of slots) {
      this.#known.add(slot.name);
      this.#slots.set(slot.name, {
        ...slot,
        temporary: false,
        twoPhaseAt: lsn(slot.twoPhaseAt),
        confirmedFlushLsn: lsn(slot.confirmedFlushLsn),
        restartLsn: lsn(slot.restartLsn),
        activePid: null,
        inactiveSince: time,
      });
    }
  }

  #remove(name: string): void {
    this.#slots.delete(name);
    this.#notifyFreed(name);
    this.#notifyChanged();
  }

  #notifyFreed(name: string): void {
    for (const listener of [...this.#freed]) listener(name);
  }

  #notifyChanged(): void {
    for (const listener of this.#changed) listener();
  }
}

/** A row of pg_replication_slots. */
export function slotState(slot: Slot): SlotState {
  return {
    name: slot.name,
    plugin: slot.plugin,
    database: slot.database,
    temporary: slot.temporary,
    activePid: slot.activePid,
    xmin: null,
    catalogXmin: slot.catalogXmin,
    restartLsn: slot.restartLsn,
    confirmedFlushLsn: slot.confirmedFlushLsn,
    walStatus: slot.invalidationReason === null ? 'reserved' : 'lost',
    safeWalSize: null,
    twoPhase: slot.twoPhase,
    twoPhaseAt: slot.twoPhaseAt,
    inactiveSince: slot.inactiveSince,
    invalidationReason: slot.invalidationReason,
    failover: slot.failover,
    synced: slot.synced ?? false,
  };
}

function below(lsn: bigint): bigint {
  return lsn > runningTransactionsRecord ? lsn - runningTransactionsRecord : lsn;
}
