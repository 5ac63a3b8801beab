/** A server for SQL sessions that keeps its state in fields: slots in a list, WAL as a position that moves. */
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
} from '../../src/sql/index.js';
import type { Catalog } from '../../src/timeline/catalog.js';
import type { Row } from '../../src/timeline/datum.js';
import type { ServerFacts } from '../../src/timeline/timeline.js';
import { WireError } from '../../src/values/wire-error.js';

export class FakeHost implements SqlHost {
  readonly databases = ['postgres'];
  readonly roles: RoleState[] = [{ name: 'postgres', superuser: true, replication: true }];
  readonly configuration = new Map<string, string>();
  readonly startedAt = 800_000_000_000_000n;
  readonly server: ServerFacts;
  readonly slotList: SlotState[] = [];
  /** What was called of `begin` and `writeMessage`, in words. */
  readonly written: string[] = [];
  readonly refused: string[] = [];
  readonly changes: DecodedChange[] = [];
  readonly reads: SlotRead[] = [];
  readonly terminated: number[] = [];
  position = 0x150_0000n;
  time = 850_000_000_000_000n;
  #nextOid = 20_000;
  #catalog: Catalog;

  constructor(
    major: number,
    version: string,
    catalog: Catalog,
    private readonly rows: ReadonlyMap<number, readonly Row[]> = new Map(),
  ) {
    this.#catalog = catalog;
    const startLsn = this.position;
    this.server = { major, version, systemId: '7429138812345678901', timelineId: 1, startLsn, clock: this.time };
  }

  now(): bigint {
    return this.time;
  }

  walPosition(): bigint {
    return this.position;
  }

  catalog(): Catalog {
    return this.#catalog;
  }

  tablesAt(): ReadonlyMap<number, readonly Row[]> {
    return this.rows;
  }

  nextXid(): number {
    return 750;
  }

  takeOid(): number {
    return this.#nextOid++;
  }

  begin(): WriteTransaction {
    const before = this.#catalog;
    const say = (what: string): bigint => {
      this.written.push(what);
      this.position += 0x40n;
      return this.position;
    };
    return {
      xid: this.nextXid(),
      message: (prefix, content) => say(`message ${prefix} ${Buffer.from(content).toString('latin1')}`),
      replacePublication: (statement, before, after) => {
        const publications = new Map(this.#catalog.publications ?? []);
        if (before !== null) publications.delete(before.name);
        if (after !== null) publications.set(after.name, after);
        this.#catalog = { ...this.#catalog, publications };
        say(`${statement} ${(before ?? after)!.name}`);
      },
      savepoint: (name) => void say(`savepoint ${name}`),
      release: (name) => void say(`release ${name}`),
      rollbackTo: (name) => void say(`rollback to ${name}`),
      commit: () => void say('commit'),
      rollback: () => {
        this.#catalog = before;
        say('rollback');
      },
    };
  }

  writeMessage(prefix: string, content: Uint8Array): bigint {
    this.written.push(`message at once ${prefix} ${Buffer.from(content).toString('latin1')}`);
    this.position += 0x40n;
    return this.position;
  }

  slots(): readonly SlotState[] {
    return this.slotList;
  }

  createSlot({ name, plugin, temporary, twoPhase, failover, reserveWal, database }: NewSlot): SlotState {
    if (this.slotList.some((slot) => slot.name === name)) {
      throw new WireError({ code: '42710', message: `replication slot "${name}" already exists` });
    }
    const slot: SlotState = {
      name,
      plugin,
      database: plugin === null ? null : database,
      temporary,
      activePid: null,
      xmin: null,
      catalogXmin: plugin === null ? null : 740,
      restartLsn: plugin === null && !reserveWal ? null : this.position - 0x38n,
      confirmedFlushLsn: plugin === null ? null : this.position,
      walStatus: 'reserved',
      safeWalSize: null,
      twoPhase,
      twoPhaseAt: null,
      inactiveSince: this.time,
      invalidationReason: null,
      failover,
      synced: false,
    };
    this.slotList.push(slot);
    return slot;
  }

  dropSlot(name: string): void {
    const at = this.slotList.findIndex((slot) => slot.name === name);
    if (at < 0) throw new WireError({ code: '42704', message: `replication slot "${name}" does not exist` });
    this.slotList.splice(at, 1);
  }

  advanceSlot(name: string, upTo: bigint): bigint {
    const slot = this.slotList.find((s) => s.name === name);
    if (slot === undefined)
      throw new WireError({ code: '42704', message: `replication slot "${name}" does not exist` });
    const from = slot.confirmedFlushLsn ?? 0n;
    if (upTo < from) {
      const format = (lsn: bigint): string =>
        `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase();
      const message = `cannot advance replication slot to ${format(upTo)}, minimum is ${format(from)}`;
      throw new WireError({ code: '55000', message });
    }
    return upTo;
  }

  *readSlot(request: SlotRead): Iterable<DecodedChange> {
    this.reads.push(request);
    if (!this.slotList.some(({ name }) => name === request.slot)) {
      throw new WireError({ code: '42704', message: `replication slot "${request.slot}" does not exist` });
    }
    yield* this.changes;
  }

  copySlot(_source: string, slot: NewSlot): SlotState {
    return this.createSlot(slot);
  }

  backends(): readonly BackendState[] {
    return [this.backend];
  }

  private readonly backend: BackendState = {
    pid: 4711,
    kind: 'client backend',
    user: 'postgres',
    database: 'postgres',
    applicationName: '',
    clientAddress: '127.0.0.1',
    clientPort: 50_000,
    startedAt: 850_000_000_000_000n,
    queryStartedAt: null,
    state: 'active',
    query: '',
    tls: false,
  };

  walsenders(): readonly WalsenderState[] {
    return [];
  }

  terminateBackend(pid: number): boolean {
    this.terminated.push(pid);
    return pid === this.backend.pid;
  }

  cancelBackend(pid: number): boolean {
    return pid === this.backend.pid;
  }

  exportSnapshot(): string {
    return '00000003-0000001B-1';
  }

  importSnapshot(name: string): bigint | undefined {
    return name === '00000003-0000001B-1' ? this.position : undefined;
  }

  unanswered(_text: string, reason: string): void {
    this.refused.push(reason);
  }
}
