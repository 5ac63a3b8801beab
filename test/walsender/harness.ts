/** Sessions without sockets: a clock that is set by hand, a wire that keeps what was sent, a client that speaks bytes. */
import type { EmitSink, Emitter, EmitProgress, EmitSession } from '../../src/timeline/emitter.js';
import type { Message } from '../../src/pgoutput/messages.js';
import type { ScenarioStep } from '../../src/scenario/steps.js';
import type { Timeline, TimelineReader } from '../../src/timeline/timeline.js';
import { Cluster, type ClusterConfig } from '../../src/walsender/cluster.js';
import { PlainSqlEngine } from './plain-sql.js';
import type { DatabaseConfig } from '../../src/walsender/published-database.js';
import { Session } from '../../src/walsender/session.js';
import type { Clock, NetworkConditions, Peer, Wire } from '../../src/walsender/wire.js';
import { outlineOf, type Outline } from './outline.js';

export class TestClock implements Clock {
  milliseconds = 1_000;

  monotonic(): number {
    return this.milliseconds;
  }

  now(): bigint {
    return BigInt(this.milliseconds) * 1000n;
  }
}

const versions: Readonly<Record<number, string>> = {
  10: '10.23',
  11: '11.22',
  12: '12.22',
  13: '13.23',
  14: '14.23',
  15: '15.18',
  16: '16.14',
  17: '17.10',
  18: '18.4',
};

export type TestStep = ScenarioStep;

/** What a scripted stream does next: messages with their LSN, a step, or a transaction of which nothing is sent. */
export type ScriptItem =
  | { readonly message: Message; readonly lsn: bigint; readonly xid?: number; readonly position?: bigint }
  | { readonly step: TestStep; readonly lsn: bigint }
  | { readonly skipped: bigint };

/** A timeline whose decoding is a script that tests can let grow. */
export class ScriptedTimeline implements Timeline {
  readonly server;
  readonly catalog = { tables: new Map(), publications: null, types: new Map() };
  readonly script: ScriptItem[] = [];
  readonly #listeners = new Set<() => void>();
  /** The sessions of all emitters made. */
  readonly emitSessions: EmitSession[] = [];

  constructor(major: number, startLsn = 0x150_0000n) {
    this.server = {
      major,
      version: versions[major] ?? `${major}.0`,
      systemId: '7429138812345678901',
      timelineId: 1,
      startLsn,
      clock: 0n,
    };
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  read(): TimelineReader {
    throw new Error('scripted timelines are read by their emitter');
  }

  catalogAt(): Timeline['catalog'] {
    return this.catalog;
  }

  tablesAt(): ReadonlyMap<number, never> {
    return new Map<number, never>();
  }

  onGrowth(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  grow(...items: ScriptItem[]): void {
    this.script.push(...items);
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Plays a timeline's script; transactions that begin below the session's start are left out. */
export class ScriptedEmitter implements Emitter {
  position: bigint;
  inTransaction = false;
  #next = 0;
  #sending = true;

  constructor(
    private readonly timeline: ScriptedTimeline,
    private readonly session: EmitSession,
    private readonly sink: EmitSink,
  ) {
    this.position = session.startLsn;
  }

  next(): EmitProgress {
    const item = this.timeline.script[this.#next];
    if (!item) return { kind: 'idle' };
    this.#next++;
    if ('step' in item) return { kind: 'step', ...item };
    if ('skipped' in item) {
      this.position = item.skipped;
      return { kind: 'skipped', endLsn: item.skipped };
    }
    const { message, lsn, xid = 0, position } = item;
    if (message.kind === 'begin') this.#sending = message.finalLsn >= this.session.startLsn;
    if (!this.#sending) return { kind: 'decoded' };
    if (message.kind === 'begin' || message.kind === 'streamStart') this.inTransaction = true;
    this.sink.message(message, lsn, 0n, xid);
    if (message.kind === 'commit' || message.kind === 'streamStop') this.inTransaction = false;
    if (message.kind === 'commit') this.position = position ?? message.endLsn;
    return { kind: 'decoded' };
  }
}

export interface TestClusterOptions extends Partial<ClusterConfig> {
  readonly major?: number;
  readonly timeline?: ScriptedTimeline;
  readonly database?: Partial<DatabaseConfig>;
  readonly databaseName?: string;
}

export function testCluster({
  major = 17,
  timeline = new ScriptedTimeline(major),
  database = {},
  databaseName = 'db',
  ...rest
}: TestClusterOptions = {}) {
  const clock = new TestClock();
  const cluster = new Cluster({
    databases: new Map([[databaseName, { timeline, ...database }]]),
    sql: new PlainSqlEngine(),
    createEmitter: (source, session, sink) => {
      if (!(source instanceof ScriptedTimeline)) throw new TypeError('tests decode scripted timelines only');
      source.emitSessions.push(session);
      return new ScriptedEmitter(source, session, sink);
    },
    clock,
    random: (count) => new Uint8Array(count).fill(7),
    ...rest,
  });
  return { cluster, clock, timeline };
}

const localPeer: Peer = { address: '127.0.0.1', port: 50_000 };

/** A client at a session's wire. */
export class TestClient implements Wire {
  readonly session: Session;
  readonly canStartTls: boolean;
  closed: 'end' | 'reset' | 'keep' | undefined;
  wakeTime: number | null = null;
  tlsStarted: { readonly direct: boolean; readonly received: Uint8Array } | undefined;
  readingMore = true;
  wantsAgain = false;
  /** False: what is sent stays pending, as with a client that does not read. */
  reads = true;
  pending = 0;
  /** What was asked for, and after how many bytes. */
  readonly conditions: (NetworkConditions & { readonly after: number })[] = [];
  readonly holds: { readonly after: number; readonly milliseconds: number }[] = [];
  #sent = 0;
  #received: Buffer[] = [];

  constructor(
    private readonly cluster: Cluster,
    private readonly clock: TestClock,
    { peer = localPeer, canStartTls = false }: { readonly peer?: Peer; readonly canStartTls?: boolean } = {},
  ) {
    this.canStartTls = canStartTls;
    this.session = new Session(cluster, this, peer);
    this.session.tick();
  }

  // Wire

  send(bytes: Uint8Array): boolean {
    this.#received.push(Buffer.from(bytes));
    this.#sent += bytes.length;
    if (!this.reads) this.pending += bytes.length;
    return true;
  }

  startTls(direct: boolean, received: Uint8Array): void {
    this.tlsStarted = { direct, received };
  }

  close(how: 'end' | 'reset' | 'keep'): void {
    this.closed = how;
  }

  shape(conditions: NetworkConditions): void {
    this.conditions.push({ after: this.#sent, ...conditions });
  }

  hold(milliseconds: number): void {
    this.holds.push({ after: this.#sent, milliseconds });
  }

  wakeAt(time: number | null): void {
    this.wakeTime = time;
  }

  again(): void {
    this.wantsAgain = true;
  }

  readMore(wanted: boolean): void {
    this.readingMore = wanted;
  }

  // The client

  raw(bytes: Uint8Array | string): this {
    this.session.receive(typeof bytes === 'string' ? Buffer.from(bytes, 'hex') : bytes);
    return this;
  }

  startup(parameters: Readonly<Record<string, string>>, version = 0x3_0000): this {
    const body = Buffer.from(
      Object.entries(parameters)
        .flat()
        .map((text) => `${text}\0`)
        .join('') + '\0',
    );
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + body.length);
    head.writeUInt32BE(version, 4);
    return this.raw(Buffer.concat([head, body]));
  }

  message(type: string, body: Uint8Array | string = ''): this {
    return this.raw(frontendMessage(type, body));
  }

  query(text: string): Outline[] {
    return this.message('Q', `${text}\0`).take();
  }

  /** Standby Status Update. */
  status(flushLsn: bigint, { writeLsn = flushLsn, applyLsn = flushLsn, reply = false } = {}): this {
    return this.message('d', statusUpdate(writeLsn, flushLsn, applyLsn, reply));
  }

  /** Lets time pass, to each moment at which the session wants to be woken. */
  pass(milliseconds: number): this {
    const end = this.clock.milliseconds + milliseconds;
    while (this.wakeTime !== null && this.wakeTime <= end) {
      this.clock.milliseconds = Math.max(this.wakeTime, this.clock.milliseconds);
      this.wakeTime = null;
      this.session.tick();
    }
    this.clock.milliseconds = end;
    return this;
  }

  /** Reads away what is pending. */
  drain(): this {
    this.pending = 0;
    this.session.writable();
    return this;
  }

  takeBytes(): Buffer {
    const bytes = Buffer.concat(this.#received);
    this.#received = [];
    return bytes;
  }

  /** What came since the last time. */
  take(): Outline[] {
    return outlineOf(this.takeBytes());
  }
}

export function frontendMessage(type: string, body: Uint8Array | string = ''): Buffer {
  const content = Buffer.from(body as string);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(4 + content.length, 1);
  return Buffer.concat([head, content]);
}

export function statusUpdate(writeLsn: bigint, flushLsn: bigint, applyLsn: bigint, reply: boolean): Buffer {
  const body = Buffer.alloc(34);
  body.write('r');
  body.writeBigUInt64BE(writeLsn, 1);
  body.writeBigUInt64BE(flushLsn, 9);
  body.writeBigUInt64BE(applyLsn, 17);
  body.writeUInt8(reply ? 1 : 0, 33);
  return body;
}

/** A client that has started a walsender session of database `db`; what came so far is taken. */
export function connected(
  { cluster, clock }: { readonly cluster: Cluster; readonly clock: TestClock },
  parameters: Readonly<Record<string, string>> = {},
): TestClient {
  const client = new TestClient(cluster, clock);
  client.startup({ user: 'postgres', database: 'db', replication: 'database', ...parameters });
  client.take();
  return client;
}
