/**
 * One connection, without socket and clock: what arrives comes in by its methods, what it wants done goes out through its Wire.
 *
 * ```
 *   entrance ──→ ready ⇄ task: a statement or command that takes more than one turn
 *                  ⇅
 *              streaming
 *
 *   any of them ──→ ended
 * ```
 *
 * Every event leads to one *turn*, which does what can be done and then sends what was written.
 */
import { timingSafeEqual } from 'node:crypto';
import { errorOrNotice, parameterStatus, readyForQuery } from '../protocol/backend-messages.js';
import { Deframer, FrameTooLong } from '../protocol/deframer.js';
import { frontendType, readQuery, violation } from '../protocol/frontend-messages.js';
import { largeMessageLimit, smallMessageLimit } from '../protocol/limits.js';
import { ServerCrash } from '../protocol/pgoutput-options.js';
import { parseReplicationCommand, type ReplicationCommand } from '../protocol/replication-command.js';
import type { OutputSettings } from '../postgres/pg-type.js';
import type { SqlOutput, SqlSession } from '../sql/engine.js';
import type { BackendState, WalsenderState } from '../sql/host.js';
import { WireError } from '../values/wire-error.js';
import type { Answer, MaybePromise, QueryFacts } from './answers.js';
import type { Cluster } from './cluster.js';
import { completeStream, runCommand } from './commands.js';
import { Entrance, type Admission, type EntranceSession } from './entrance.js';
import { ExtendedQuery, type ExtendedSession } from './extended-query.js';
import type { LogicalSender } from './logical-sender.js';
import { Output } from './output.js';
import { OutputsRun, type Task } from './outputs-run.js';
import type { StartupRequest } from './startup.js';
import type { Clock, Peer, Wire } from './wire.js';

/** Bytes received and not yet looked at, while the session is busy, above which no more are taken. */
const backlogLimit = 64 * 1024;

const smallMessages: ReadonlySet<number> = new Set([
  frontendType.close,
  frontendType.copyDone,
  frontendType.copyFail,
  frontendType.describe,
  frontendType.execute,
  frontendType.flush,
  frontendType.sync,
  frontendType.terminate,
]);

const largeMessages: ReadonlySet<number> = new Set([
  frontendType.bind,
  frontendType.copyData,
  frontendType.functionCall,
  frontendType.parse,
  frontendType.query,
]);

export class Session implements EntranceSession, ExtendedSession {
  readonly pid: number;
  readonly major: number;
  readonly clock: Clock;
  readonly output: Output;
  request: StartupRequest | undefined;
  ended = false;

  readonly #deframer = new Deframer();
  readonly #startedAt: bigint;
  #key: Uint8Array = new Uint8Array(0);
  #entrance: Entrance | undefined;
  #admission: Admission | undefined;
  readonly #extended = new ExtendedQuery(this);

  #sender: LogicalSender | undefined;
  #task: Task | undefined;
  #afterTask: () => void = () => undefined;
  /** What `later` waits for. */
  #awaited: object | undefined;

  #inTurn = false;
  #turnAgain = false;
  #peerEnded = false;
  #inExtended = false;
  #skippingToSync = false;
  #streamWasEnded = false;
  #unanswered: { readonly text: string; readonly reason: string } | undefined;
  #changedParameters = new Map<string, string>();
  #lastQuery = '';
  #lastQueryAt: bigint | null = null;

  constructor(
    readonly cluster: Cluster,
    private readonly wire: Wire,
    readonly peer: Peer,
  ) {
    this.pid = cluster.takePid();
    this.major = cluster.major;
    this.clock = cluster.config.clock;
    this.output = new Output(wire);
    this.#startedAt = this.clock.now();
    this.#entrance = new Entrance(this, wire, this.#deframer);
    cluster.add(this);
    this.observe({ kind: 'connection', peer });
  }

  // What happens to it.

  /** Bytes from the client, in clear. They must not change afterwards. */
  receive(chunk: Uint8Array): void {
    if (this.ended) return;
    this.#deframer.push(chunk);
    this.turn();
  }

  /** The handshake that `Wire.startTls` asked for is done. @param channelBinding hash of the server's certificate */
  secured(channelBinding: Uint8Array | null): void {
    this.#entrance?.secured(channelBinding);
    this.turn();
  }

  /** The peer has taken what was pending. */
  writable(): void {
    this.turn();
  }

  /** The time asked for by `Wire.wakeAt` or `again` has come. */
  tick(): void {
    this.turn();
  }

  /** The client will send no more. */
  peerEnded(): void {
    this.#peerEnded = true;
    this.turn();
  }

  /** The connection broke. */
  peerLost(reason: string): void {
    this.end(reason, 'reset');
  }

  /** CancelRequest, pg_cancel_backend. */
  cancel(): void {
    if (this.ended || this.#entrance) return;
    const error = new WireError({ code: '57014', message: 'canceling statement due to user request' });
    if (this.#task) this.#task.cancel(error);
    else if (this.#sender || this.#awaited) this.#fail(error);
    this.turn();
  }

  /** pg_terminate_backend. */
  terminate(): void {
    if (this.ended) return;
    const message = 'terminating connection due to administrator command';
    this.#fail(new WireError({ severity: 'FATAL', code: '57P01', message }));
  }

  /** Fast shutdown of the server. */
  shutdown(): void {
    if (!this.#sender) return this.terminate();
    this.#sender.stop();
    this.turn();
  }

  hasKey(key: Uint8Array): boolean {
    return key.length === this.#key.length && timingSafeEqual(key, this.#key);
  }

  // What its parts want of it.

  takeKey(length: number): Uint8Array {
    this.#key = this.cluster.config.random(length).slice();
    return this.#key;
  }

  admit(admission: Admission): void {
    this.#entrance = undefined;
    this.#admission = admission;
  }

  get sql(): SqlSession {
    return this.#admitted.sql;
  }

  get outputSettings(): OutputSettings {
    return this.sql.outputSettings;
  }

  unanswered(text: string, reason: string): void {
    this.#unanswered = { text, reason };
  }

  observe(event: Parameters<EntranceSession['observe']>[0]): void {
    const { observe } = this.cluster.config;
    observe?.({ ...event, pid: this.pid } as Parameters<typeof observe>[0]);
  }

  later<T>(value: MaybePromise<T>, then: (value: T) => void): void {
    if (!(value instanceof Promise)) return then(value);
    const ticket = {};
    this.#awaited = ticket;
    const settle = (act: () => void): void => {
      if (this.ended || this.#awaited !== ticket) return;
      this.#awaited = undefined;
      this.#guard(act);
      this.turn();
    };
    value.then(
      (result: T) => settle(() => then(result)),
      (error: unknown) =>
        settle(() => {
          throw error;
        }),
    );
  }

  carry(outputs: Iterable<SqlOutput>): void {
    this.#perform(this.#outputsRun(outputs), () => undefined);
  }

  queryFacts(
    text: string,
    values: readonly (Uint8Array | null)[],
    command: ReplicationCommand | null = null,
  ): QueryFacts {
    return { ...this.#admitted.facts, text, command, values };
  }

  turn(): void {
    if (this.#inTurn) {
      this.#turnAgain = true;
      return;
    }
    this.#inTurn = true;
    this.output.beginTurn();
    do {
      this.#turnAgain = false;
      while (!this.ended && this.#guard(() => this.#step()));
    } while (this.#turnAgain && !this.ended);
    this.#inTurn = false;
    if (!this.ended) this.#settle();
  }

  end(reason: string, how: 'end' | 'reset'): void {
    if (this.ended) return;
    this.ended = true;
    this.output.flush();
    this.#endStream('disconnect');
    this.#task?.release();
    this.#admission?.sql.close();
    this.cluster.slots.dropTemporary(this.pid);
    this.cluster.snapshots.dropOf(this.pid);
    this.cluster.remove(this);
    this.wire.wakeAt(null);
    this.wire.close(how);
    this.observe({ kind: 'disconnect', reason });
  }

  // For the statistics views.

  backendState(): BackendState | undefined {
    if (!this.#admission) return undefined;
    const { facts, sql, database } = this.#admission;
    const idle =
      sql.transactionStatus === 'I'
        ? 'idle'
        : sql.transactionStatus === 'T'
          ? 'idle in transaction'
          : 'idle in transaction (aborted)';
    return {
      pid: this.pid,
      kind: facts.replication === 'off' ? 'client backend' : 'walsender',
      user: facts.user,
      database: database?.name ?? null,
      applicationName: sql.show('application_name').value,
      clientAddress: this.peer.address,
      clientPort: this.peer.port,
      startedAt: this.#startedAt,
      queryStartedAt: this.#lastQueryAt,
      state: this.#task || this.#sender || this.#awaited ? 'active' : idle,
      query: this.#lastQuery,
      tls: facts.tls,
    };
  }

  walsenderState(): WalsenderState | undefined {
    const backend = this.backendState();
    const sender = this.#sender;
    if (!backend || !sender) return undefined;
    return { ...backend, phase: sender.state, sentLsn: sender.sentLsn, ...sender.feedback };
  }

  // A turn.

  /** One thing more; false when there is nothing to do but wait. */
  #step(): boolean {
    if (this.#awaited) return false;
    if (this.#entrance) return this.#entrance.take() || this.#endIfPeerDid();
    if (this.#sender) return this.#stream(this.#sender);
    if (this.#task) return this.#runTask(this.#task);
    if (!this.output.drained) return false;
    return this.#takeMessage() || this.#endIfPeerDid();
  }

  /** Runs `act`; what it throws becomes the client's error. */
  #guard(act: () => boolean | void): boolean {
    try {
      return act() ?? true;
    } catch (error) {
      this.#fail(error);
      return true;
    }
  }

  #settle(): void {
    this.output.flush();
    const dueAt = this.#sender ? this.#sender.dueAt : this.#task ? this.#task.dueAt : null;
    this.wire.wakeAt(dueAt);
    if (this.output.exhausted) this.wire.again();
    const busy = this.#awaited !== undefined || this.#task !== undefined || !this.output.drained;
    this.wire.readMore(!busy || this.#deframer.buffered < backlogLimit);
  }

  #endIfPeerDid(): boolean {
    if (this.#peerEnded) this.end('client closed', 'end');
    return false;
  }

  #stream(sender: LogicalSender): boolean {
    while (sender.wantsMessages && !this.ended) {
      const type = this.#deframer.peek();
      if (type === undefined) break;
      const legal = type === frontendType.copyData || type === frontendType.copyDone || type === frontendType.terminate;
      const body = legal ? this.#takeBody(type) : new Uint8Array(0);
      if (!body) break;
      if (type === frontendType.terminate) this.end('terminate', 'end');
      else sender.receive(type, body);
    }
    if (this.ended) return false;
    if (this.#peerEnded) return this.#endIfPeerDid();
    const end = sender.run();
    if (end === undefined) return false;
    this.#endStream(end);
    completeStream(this);
    if (end === 'shutdown') this.end('shutdown', 'end');
    this.#streamWasEnded = true;
    this.#ready();
    return true;
  }

  #endStream(reason: 'copyDone' | 'shutdown' | 'error' | 'disconnect'): void {
    const sender = this.#sender;
    if (!sender) return;
    this.#sender = undefined;
    sender.release();
    this.cluster.slots.release(sender.slot, this.pid, this.clock.now());
    this.observe({ kind: 'replication:end', slot: sender.slot.name, reason });
  }

  #perform(task: Task, then: () => void): void {
    this.#task = task;
    this.#afterTask = then;
  }

  #runTask(task: Task): boolean {
    if (!task.run()) return false;
    this.#task = undefined;
    this.#afterTask();
    return true;
  }

  // The client's messages.

  #takeMessage(): boolean {
    const type = this.#deframer.peek();
    if (type === undefined) return false;
    const body = this.#takeBody(type);
    if (!body) return false;
    if (type === frontendType.terminate) {
      this.end('terminate', 'end');
      return false;
    }
    if (this.#skippingToSync && type !== frontendType.sync) return true;
    this.#receive(type, body);
    return true;
  }

  /** @throws WireError FATAL for an unknown type; FrameTooLong */
  #takeBody(type: number): Uint8Array | undefined {
    if (smallMessages.has(type)) return this.#deframer.takeMessage(smallMessageLimit);
    if (largeMessages.has(type)) return this.#deframer.takeMessage(largeMessageLimit);
    throw new WireError({ severity: 'FATAL', code: '08P01', message: `invalid frontend message type ${type}` });
  }

  #receive(type: number, body: Uint8Array): void {
    this.#inExtended = ExtendedQuery.handles(type);
    if (this.#inExtended) {
      if (this.#isWalsender) throw violation('extended query protocol not supported in a replication connection');
      if (this.cluster.config.sql.loaded) this.#extended.receive(type, body);
      else this.#loadThen(() => this.#extended.receive(type, body));
      return;
    }
    switch (type) {
      case frontendType.query:
        return this.#simpleQuery(readQuery(body));
      case frontendType.sync:
        this.#skippingToSync = false;
        if (!this.#isWalsender) this.sql.sync();
        return this.#ready();
      case frontendType.functionCall:
        if (this.#isWalsender) throw violation('fastpath function calls not supported in a replication connection');
        throw new WireError({
          code: '0A000',
          message: 'fake-walsender does not support function calls by message: use SELECT',
        });
      default:
        // Flush: everything is flushed anyway. CopyData, CopyDone, CopyFail: left over from a copy that ended early.
        return;
    }
  }

  #simpleQuery(text: string): void {
    this.#lastQuery = text;
    this.#lastQueryAt = this.clock.now();
    this.observe({ kind: 'query', text, protocol: 'simple' });
    // Whatever was exported lives until the next command.
    if (this.sql.transaction === null) this.cluster.snapshots.dropOf(this.pid);
    const read = this.#readCommand(text);
    const command = read instanceof WireError ? null : (read?.command ?? null);
    this.later(this.cluster.config.answers?.query?.(this.queryFacts(text, [], command)), (answer) => {
      if (answer) return this.#give(answer);
      if (read instanceof WireError) throw read;
      if (!read) return this.#sqlQuery(text);
      for (const notice of read.notices) errorOrNotice(this.output.writer, notice);
      this.#command(read.command);
    });
  }

  #readCommand(text: string): ReturnType<typeof parseReplicationCommand> | WireError {
    if (!this.#isWalsender) return undefined;
    try {
      return parseReplicationCommand(text, this.major);
    } catch (error) {
      if (error instanceof WireError) return error;
      throw error;
    }
  }

  #sqlQuery(text: string): void {
    if (this.#admitted.database === null) {
      throw new WireError({
        code: '0A000',
        message: 'cannot execute SQL commands in WAL sender for physical replication',
      });
    }
    this.#loadThen(() => this.#perform(this.#outputsRun(this.sql.query(text)), () => this.#ready()));
  }

  #loadThen(act: () => void): void {
    const { sql } = this.cluster.config;
    this.later(sql.loaded ? undefined : sql.load(), act);
  }

  #command(command: ReplicationCommand): void {
    const { sql, database } = this.#admitted;
    const outcome = runCommand(command, { session: this, sql, database, streamWasEnded: this.#streamWasEnded });
    switch (outcome.kind) {
      case 'done':
        return this.#ready();
      case 'sql':
        return this.#sqlQuery(outcome.text);
      case 'task':
        return this.#perform(outcome.task, () => this.#ready());
      case 'stream':
        this.#sender = outcome.sender;
    }
  }

  #give(answer: Answer): void {
    if (answer.kind === 'error') throw answer.error;
    if (answer.kind === 'disconnect') return this.end('handler', answer.how);
    this.#perform(this.#outputsRun(answer.outputs), () => this.#ready());
  }

  #outputsRun(outputs: Iterable<SqlOutput>): OutputsRun {
    // 14 and later report changed settings together, before ReadyForQuery.
    const later =
      this.major >= 14 ? (name: string, value: string) => void this.#changedParameters.set(name, value) : undefined;
    return new OutputsRun(this, outputs, later);
  }

  #ready(): void {
    const { writer } = this.output;
    for (const [name, value] of this.#changedParameters) parameterStatus(writer, name, value);
    this.#changedParameters.clear();
    readyForQuery(writer, this.sql.transactionStatus);
  }

  // Failing.

  #fail(thrown: unknown): void {
    if (this.ended) return;
    const unanswered = this.#unanswered;
    this.#unanswered = undefined;
    if (thrown instanceof ServerCrash) return this.end(thrown.message, 'end');
    if (thrown instanceof FrameTooLong && thrown.limit !== largeMessageLimit) return this.end(thrown.message, 'end');
    const error = this.#asWireError(thrown);
    this.#awaited = undefined;
    this.#endStream('error');
    this.#task?.release();
    this.#task = undefined;
    if (!this.#admission || error.severity === 'FATAL' || error.severity === 'PANIC') return this.#failFatally(error);
    if (unanswered) return this.#failUnanswered(unanswered, error);
    this.#reportError(error);
  }

  #reportError(error: WireError): void {
    if (this.#isWalsender) {
      // Of a walsender's session an error leaves nothing: no temporary slots, no exported snapshot.
      this.cluster.slots.dropTemporary(this.pid);
      this.cluster.snapshots.dropOf(this.pid);
    }
    this.sql.fail();
    this.#writeError(error);
    if (this.#inExtended) this.#skippingToSync = true;
    else this.#ready();
  }

  #failFatally(error: WireError): void {
    const fatal = error.severity === 'ERROR' ? new WireError({ ...fieldsOf(error), severity: 'FATAL' }) : error;
    this.#writeError(fatal);
    this.end(error.message, 'end');
  }

  /** Nobody knew what to answer: the last say is the handlers'. */
  #failUnanswered({ text, reason }: { readonly text: string; readonly reason: string }, error: WireError): void {
    this.observe({ kind: 'query:unhandled', text, reason });
    const ask = this.cluster.config.answers?.unanswered;
    if (!ask || this.#inExtended) return this.#reportError(error);
    this.later(ask(this.queryFacts(text, []), error), (answer) => {
      if (answer) this.#give(answer);
      else this.#reportError(error);
    });
  }

  #writeError(error: WireError): void {
    errorOrNotice(this.output.writer, error);
    this.observe({ kind: 'error:sent', error });
  }

  #asWireError(thrown: unknown): WireError {
    if (thrown instanceof WireError) return thrown;
    if (thrown instanceof FrameTooLong) {
      return new WireError({ severity: 'FATAL', code: '54000', message: thrown.message });
    }
    this.observe({ kind: 'internalError', error: thrown });
    const detail = thrown instanceof Error ? thrown.message : String(thrown);
    return new WireError({ code: 'XX000', message: `fake-walsender failed: ${detail}` });
  }

  get #admitted(): Admission {
    if (!this.#admission) throw new TypeError('the session has not been admitted yet');
    return this.#admission;
  }

  get #isWalsender(): boolean {
    return this.#admission !== undefined && this.#admission.facts.replication !== 'off';
  }
}

function fieldsOf({ code, message, detail, hint, where }: WireError): ConstructorParameters<typeof WireError>[0] {
  return {
    code,
    message,
    ...(detail !== undefined && { detail }),
    ...(hint !== undefined && { hint }),
    ...(where !== undefined && { where }),
  };
}
