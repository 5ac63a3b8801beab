/**
 * What the sessions of one server share: databases, slots, roles, settings, exported snapshots, who is connected, and whether the
 * server is shutting down.
 *
 * ```
 *   running ──shutdown()──→ stopping (no new connections; walsenders finish) ──last session ends──→ stopped
 * ```
 */
import type { ScenarioStep } from '../scenario/steps.js';
import type { SqlEngine } from '../sql/engine.js';
import type { RoleState } from '../sql/host.js';
import { createEmitter } from '../timeline/emit.js';
import type { EmitSession, EmitSink, Emitter } from '../timeline/emitter.js';
import type { Timeline } from '../timeline/timeline.js';
import { WireError } from '../values/wire-error.js';
import type { Answers } from './answers.js';
import type { AuthenticationMethod } from './authentication.js';
import type { ReplicationMode, SessionEvent } from './events.js';
import { Injections, type Performed } from './injections.js';
import { Outage } from './outage.js';
import { PublishedDatabase, type DatabaseConfig } from './published-database.js';
import type { Session } from './session.js';
import { settingName } from './slot-errors.js';
import { SlotRegistry } from './slot-registry.js';
import { SnapshotRegistry } from './snapshot-registry.js';
import { Timelines } from './timelines.js';
import type { Clock } from './wire.js';

export type CreateEmitter = (timeline: Timeline, session: EmitSession, sink: EmitSink) => Emitter;

export interface SlotDeclaration {
  readonly name: string;
  readonly plugin: string;
  readonly database: string;
  /** Absent: where the database's new slots stand. */
  readonly confirmedFlushLsn?: bigint;
  readonly twoPhase?: boolean;
  readonly failover?: boolean;
}

export interface ClusterConfig {
  /** By name; at least one. All have the same `server` facts but for their LSNs. */
  readonly databases: ReadonlyMap<string, DatabaseConfig>;
  /** Every database name means the first one. */
  readonly anyDatabase?: boolean;
  /** Roles and their passwords (null: none); the first is the superuser. Absent: every role exists. */
  readonly users?: ReadonlyMap<string, string | null>;
  readonly authentication?: AuthenticationMethod;
  /** Trust clients that are not on this machine, too. */
  readonly allowRemoteTrust?: boolean;
  /** Settings beyond the server's defaults, as `postgresql.conf` would have them. */
  readonly configuration?: ReadonlyMap<string, string>;
  readonly slots?: readonly SlotDeclaration[];
  readonly sql: SqlEngine;
  /** Absent: logical decoding as it should be. */
  readonly createEmitter?: CreateEmitter;
  readonly clock: Clock;
  /** Random bytes for keys, salts and nonces. */
  readonly random: (count: number) => Uint8Array;
  readonly observe?: (event: SessionEvent) => void;
  /** Somebody acts on `consumer` steps: the stream they stand in waits for that. */
  readonly actsOnConsumer?: boolean;
  /** Report every message sent, too. It costs. */
  readonly observeMessages?: boolean;
  readonly answers?: Answers;
  /** What a slot streams; absent, or undefined: the database that it is started in. */
  readonly databaseOfSlot?: (slot: string, home: PublishedDatabase) => PublishedDatabase | undefined;
  /** The first connection's process id; 10000 where absent. */
  readonly firstPid?: number;
}

const defaults = { max_connections: 100, max_wal_senders: 10, max_replication_slots: 10 } as const;

export class Cluster {
  readonly createEmitter: CreateEmitter;
  readonly major: number;
  readonly databases: ReadonlyMap<string, PublishedDatabase>;
  readonly configuration: ReadonlyMap<string, string>;
  readonly slots: SlotRegistry;
  readonly snapshots = new SnapshotRegistry();
  readonly sessions = new Map<number, Session>();
  readonly timelines: Timelines;
  readonly injections = new Injections();
  readonly #outage = new Outage();
  readonly startedAt: bigint;
  #nextPid: number;
  #stopping = false;

  constructor(readonly config: ClusterConfig) {
    this.createEmitter = config.createEmitter ?? createEmitter;
    this.configuration = new Map([...(config.configuration ?? [])].map(([name, value]) => [name.toLowerCase(), value]));
    this.databases = new Map(
      [...config.databases].map(([name, database]) => [name, new PublishedDatabase(name, database)]),
    );
    const { major, timelineId, startLsn } = this.#firstDatabase.timeline.server;
    this.major = major;
    this.timelines = new Timelines(timelineId, startLsn);
    this.startedAt = config.clock.now();
    this.#nextPid = config.firstPid ?? 10_000;
    this.slots = new SlotRegistry({ major: this.major, maxSlots: this.setting('max_replication_slots') });
    this.declareSlots();
  }

  get #firstDatabase(): PublishedDatabase {
    const [first] = this.databases.values();
    if (!first) throw new TypeError('a server needs at least one database');
    return first;
  }

  /** The slots that the configuration declares, as they are before any client came. */
  declareSlots(): void {
    for (const { name, plugin, database, confirmedFlushLsn, twoPhase = false, failover = false } of this.config.slots ??
      []) {
      const home = this.databases.get(database);
      if (!home) throw new TypeError(`slot "${name}" belongs to a database "${database}" that there is not`);
      this.slots.create(
        { name, plugin, database, temporary: false, twoPhase, failover, reserveWal: false, pid: 0 },
        { lsn: confirmedFlushLsn ?? home.newSlotLsn, nextXid: home.nextXid, time: this.startedAt },
      );
    }
  }

  /** Undefined when there is none of that name. */
  database(name: string): PublishedDatabase | undefined {
    return this.databases.get(name) ?? (this.config.anyDatabase === true ? this.#firstDatabase : undefined);
  }

  /** What a slot streams that is used in `home`. */
  databaseOfSlot(slot: string, home: PublishedDatabase): PublishedDatabase {
    return this.config.databaseOfSlot?.(slot, home) ?? home;
  }

  /** What a physical walsender sees of WAL. */
  get mainDatabase(): PublishedDatabase {
    return this.#firstDatabase;
  }

  role(name: string): RoleState | undefined {
    const { users } = this.config;
    if (!users) return { name, superuser: true, replication: true };
    if (!users.has(name)) return undefined;
    const [first] = users.keys();
    return { name, superuser: name === first, replication: true };
  }

  get roles(): RoleState[] {
    return [...(this.config.users?.keys() ?? ['postgres'])].map((name, index) => ({
      name,
      superuser: index === 0,
      replication: true,
    }));
  }

  /** A limit of the configuration. */
  setting(name: keyof typeof defaults): number {
    return Number(this.configuration.get(name) ?? defaults[name]);
  }

  takePid(): number {
    return this.#nextPid++;
  }

  add(session: Session): void {
    this.sessions.set(session.pid, session);
  }

  remove(session: Session): void {
    this.sessions.delete(session.pid);
  }

  /** @throws WireError FATAL 57P03 while the server shuts down or restarts. */
  assertAccepting(): void {
    if (this.#stopping)
      throw new WireError({ severity: 'FATAL', code: '57P03', message: 'the database system is shutting down' });
    const refusal = this.#outage.refusal(this.config.clock.monotonic());
    if (refusal) throw refusal;
  }

  /** @throws WireError FATAL 53300 when there are as many connections of that kind as the settings allow. */
  assertRoomFor(replication: ReplicationMode): void {
    let walsenders = 0;
    let others = 0;
    for (const { request } of this.sessions.values()) {
      if (!request) continue;
      if (request.replication === 'off') others++;
      else walsenders++;
    }
    const limit = this.setting('max_wal_senders');
    if (replication !== 'off' && walsenders >= limit) {
      const name = settingName('max_wal_senders', this.major);
      const message = `number of requested standby connections exceeds ${name} (currently ${limit})`;
      throw new WireError({ severity: 'FATAL', code: '53300', message });
    }
    // Up to 11 walsenders took the places of ordinary connections.
    const taken = this.major >= 12 ? others : others + walsenders;
    if (taken >= this.setting('max_connections') && (replication === 'off' || this.major < 12)) {
      throw new WireError({ severity: 'FATAL', code: '53300', message: 'sorry, too many clients already' });
    }
  }

  /** A CancelRequest, from whoever knows the key. */
  cancel(pid: number, key: Uint8Array): void {
    const session = this.sessions.get(pid);
    if (session?.hasKey(key)) session.cancel();
  }

  /** True from `shutdown` or `terminate` on. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** Fast shutdown: idle sessions end, walsenders send what is left and wait for their clients to confirm it. */
  shutdown(): void {
    this.#stopping = true;
    for (const session of [...this.sessions.values()]) session.shutdown();
  }

  /** Fast shutdown and restart: nobody gets in before the last session is gone and the time is over. */
  shutDownFor(milliseconds: number): void {
    const leaving = [...this.sessions.values()];
    this.#outage.begin(this.config.clock.monotonic() + milliseconds, leaving);
    for (const session of leaving) session.shutdown();
  }

  /** Nobody gets in before the time is over. */
  refuseFor(milliseconds: number): void {
    this.#outage.begin(this.config.clock.monotonic() + milliseconds, []);
  }

  /**
   * Performs a step now, at the next message boundary of every stream (of the slot), or else of the next that starts.
   * Resolves when it was performed: of a fault that waits for a message, when that has come.
   */
  inject(step: ScenarioStep, { slot }: { readonly slot?: string } = {}): Promise<readonly Performed[]> {
    const streams = [...this.sessions.values()].flatMap((session) => session.sender ?? []);
    return this.injections.inject(step, slot, streams);
  }

  /** What fast shutdown leaves over when its time is up. */
  terminate(): void {
    this.#stopping = true;
    for (const session of [...this.sessions.values()]) session.terminate();
    this.injections.cancel();
  }

  /** Forgets slots, snapshots and what happened: as just started. Sessions stay. */
  reset(): void {
    this.slots.clear();
    this.snapshots.clear();
    for (const database of this.databases.values()) database.steps.clear();
    this.declareSlots();
  }

  observe(event: SessionEvent): void {
    this.config.observe?.(event);
  }
}
