/** The server as the SQL of one session sees it. */
import type { Database } from '../database/index.js';
import type { OutputSettings } from '../postgres/pg-type.js';
import type {
  BackendState,
  DecodedChange,
  NewSlot,
  RoleState,
  SlotRead,
  SlotState,
  SqlHost,
  WalsenderState,
  WriteTransaction,
} from '../sql/host.js';
import type { Catalog } from '../timeline/catalog.js';
import type { Row } from '../timeline/datum.js';
import type { ServerFacts } from '../timeline/timeline.js';
import { WireError } from '../values/wire-error.js';
import type { Cluster } from './cluster.js';
import { LiveTransaction } from './live-transaction.js';
import type { PublishedDatabase } from './published-database.js';
import { checkLogicalDecoding, createSlot } from './slot-creation.js';
import { slotState } from './slot-registry.js';
import { readSlot } from './slot-reading.js';

export interface HostedSession {
  readonly pid: number;
  /** As its SQL session has them now. */
  readonly outputSettings: OutputSettings;
  unanswered(text: string, reason: string): void;
}

export class SessionHost implements SqlHost {
  readonly server: ServerFacts;
  readonly startedAt: bigint;

  constructor(
    private readonly cluster: Cluster,
    private readonly database: PublishedDatabase,
    private readonly session: HostedSession,
  ) {
    this.server = { ...database.timeline.server, timelineId: cluster.timelines.current };
    this.startedAt = cluster.startedAt;
  }

  get databases(): readonly string[] {
    return [...this.cluster.databases.keys()];
  }

  get roles(): readonly RoleState[] {
    return this.cluster.roles;
  }

  get configuration(): ReadonlyMap<string, string> {
    return this.cluster.configuration;
  }

  now(): bigint {
    return this.cluster.config.clock.now();
  }

  walPosition(): bigint {
    return this.database.writtenLsn;
  }

  catalog(): Catalog {
    return this.database.catalog;
  }

  tablesAt(lsn: bigint): ReadonlyMap<number, readonly Row[]> {
    return this.database.timeline.tablesAt(lsn);
  }

  nextXid(): number {
    return this.database.nextXid;
  }

  takeOid(): number {
    return this.#live().takeOid();
  }

  begin(): WriteTransaction {
    return new LiveTransaction(this.database, this.#live().begin());
  }

  writeMessage(prefix: string, content: Uint8Array): bigint {
    const live = this.#live();
    live.message({ prefix, content });
    this.database.advance(live.lsn);
    return live.lsn;
  }

  slots(): readonly SlotState[] {
    return [...this.cluster.slots].map(slotState);
  }

  createSlot(slot: NewSlot): SlotState {
    if (slot.plugin !== null) checkLogicalDecoding(this.cluster, this.database);
    const state = slotState(createSlot(this.cluster, this.database, slot, null));
    this.#tell('slot:create', slot.name);
    return state;
  }

  dropSlot(name: string, pid: number): void {
    this.cluster.slots.drop(name, pid);
    this.#tell('slot:drop', name);
  }

  advanceSlot(name: string, upTo: bigint, pid: number): bigint {
    const { slots } = this.cluster;
    const slot = slots.acquire(name, pid);
    const target = upTo < this.database.writtenLsn ? upTo : this.database.writtenLsn;
    if (slot.plugin === null) slots.alter(slot, { restartLsn: target });
    else if (target > (slot.confirmedFlushLsn ?? 0n)) slots.confirm(slot, target);
    slots.release(slot, pid, this.now());
    return target;
  }

  readSlot(request: SlotRead): Iterable<DecodedChange> {
    return readSlot(this.cluster, this.database, request, this.session.outputSettings);
  }

  copySlot(source: string, slot: NewSlot): SlotState {
    const original = this.cluster.slots.get(source);
    const state = slotState(this.cluster.slots.copy(original, slot, this.now()));
    this.#tell('slot:create', slot.name);
    return state;
  }

  backends(): readonly BackendState[] {
    return [...this.cluster.sessions.values()].flatMap((session) => session.backendState() ?? []);
  }

  walsenders(): readonly WalsenderState[] {
    return [...this.cluster.sessions.values()].flatMap((session) => session.walsenderState() ?? []);
  }

  terminateBackend(pid: number): boolean {
    const session = this.cluster.sessions.get(pid);
    session?.terminate();
    return session !== undefined;
  }

  cancelBackend(pid: number): boolean {
    const session = this.cluster.sessions.get(pid);
    session?.cancel();
    return session !== undefined;
  }

  exportSnapshot(lsn: bigint, pid: number): string {
    return this.cluster.snapshots.export(lsn, pid);
  }

  importSnapshot(name: string): bigint | undefined {
    return this.cluster.snapshots.find(name);
  }

  unanswered(text: string, reason: string): void {
    this.session.unanswered(text, reason);
  }

  #live(): Database {
    const { live } = this.database;
    if (live) return live;
    throw new WireError({ code: '0A000', message: `the WAL of database "${this.database.name}" cannot be written to` });
  }

  #tell(kind: 'slot:create' | 'slot:drop', slot: string): void {
    this.cluster.observe({ kind, slot, pid: this.session.pid });
  }
}
