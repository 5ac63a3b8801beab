/**
 * One connection, without socket and clock: what arrives comes in by its methods, what it wants done goes out through its Wire.
 *
 * ```
 *   entrance ──→ conversation ⇄ task: a statement or command that takes more than one turn
 *                     ⇅
 *                 streaming
 *
 *   any of them ──→ ended
 * ```
 *
 * Every event leads to one *turn*, which does what can be done and then sends what was written.
 */
import { timingSafeEqual } from 'node:crypto';
import type { OutputSettings } from '../postgres/pg-type.js';
import { commandComplete, errorOrNotice } from '../protocol/backend-messages.js';
import { Deframer } from '../protocol/deframer.js';
import { frontendType } from '../protocol/frontend-messages.js';
import { messageLimit } from '../protocol/limits.js';
import type { BackendState, WalsenderState } from '../sql/host.js';
import { WireError } from '../values/wire-error.js';
import type { MaybePromise } from './answers.js';
import type { Cluster } from './cluster.js';
import { Conversation, type ConversationSession } from './conversation.js';
import { Entrance, type Admission, type EntranceSession } from './entrance.js';
import type { LogicalSender } from './logical-sender.js';
import { Output } from './output.js';
import type { Task } from './outputs-run.js';
import { asFatal, asWireError, endsSilently } from './session-failure.js';
import type { StartupRequest } from './startup.js';
import type { Clock, Peer, Wire } from './wire.js';

/** Bytes received and not yet looked at, while the session is busy, above which no more are taken. */
const backlogLimit = 64 * 1024;

const nothing = new Uint8Array(0);

export class Session implements EntranceSession, ConversationSession {
  readonly pid: number;
  readonly major: number;
  readonly clock: Clock;
  readonly output: Output;
  /** Set once the connection counts among those allowed. */
  request: StartupRequest | undefined;
  #ended = false;

  readonly #deframer = new Deframer();
  readonly #startedAt: bigint;
  #key = nothing;
  #entrance: Entrance | undefined;
  #admission: Admission | undefined;
  #conversation: Conversation | undefined;
  #sender: LogicalSender | undefined;
  #task: Task | undefined;
  #afterTask: () => void = () => undefined;
  /** What `later` waits for. */
  #awaited: object | undefined;

  #inTurn = false;
  #happened = false;
  #peerEnded = false;
  #unplugged = false;

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
    if (this.#ended || this.#unplugged) return;
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

  /** The time asked for by `Wire.wakeAt` or `again` has come; the first one begins it all. */
  tick(): void {
    this.turn();
  }

  /** The client will send no more. */
  peerEnded(): void {
    if (this.#unplugged) return;
    this.#peerEnded = true;
    this.turn();
  }

  /** The connection broke. */
  peerLost(reason: string): void {
    if (this.#unplugged) return;
    this.#leaveStream('reset');
    this.end(reason, 'reset');
  }

  /** CancelRequest, pg_cancel_backend. */
  cancel(): void {
    if (this.#ended || !this.#conversation) return;
    const error = new WireError({ code: '57014', message: 'canceling statement due to user request' });
    if (this.#task) this.#task.cancel(error);
    else if (this.#sender || this.#awaited) this.#fail(error);
    this.turn();
  }

  terminate(): void {
    const message = 'terminating connection due to administrator command';
    this.#fail(new WireError({ severity: 'FATAL', code: '57P01', message }));
  }

  /** Fast shutdown of the server. */
  shutdown(): void {
    // One that is stalled cannot finish.
    if (!this.#sender || this.#sender.silent) return this.terminate();
    this.#sender.stop();
    this.turn();
  }

  hasKey(key: Uint8Array): boolean {
    return key.length === this.#key.length && timingSafeEqual(key, this.#key);
  }

  // What its parts want of it.

  get ended(): boolean {
    return this.#ended;
  }

  takeKey(length: number): Uint8Array {
    this.#key = this.cluster.config.random(length).slice();
    return this.#key;
  }

  admit(admission: Admission): void {
    this.#entrance = undefined;
    this.#admission = admission;
    this.#conversation = new Conversation(this, admission);
  }

  get outputSettings(): OutputSettings {
    if (!this.#admission) throw new TypeError('the session has not been admitted yet');
    return this.#admission.sql.outputSettings;
  }

  unanswered(text: string, reason: string): void {
    this.#conversation?.unanswered(text, reason);
  }

  observe(event: Parameters<EntranceSession['observe']>[0]): void {
    this.cluster.config.observe?.({ ...event, pid: this.pid });
  }

  later<T>(value: MaybePromise<T>, then: (value: T) => void): void {
    if (!(value instanceof Promise)) return then(value);
    const ticket = {};
    this.#awaited = ticket;
    const settle = (act: () => void): void => {
      if (this.#ended || this.#awaited !== ticket) return;
      this.#awaited = undefined;
      this.#attempt(act);
      this.turn();
    };
    value.then(
      (result: T) => settle(() => then(result)),
      (error: unknown) => settle(() => this.#fail(error)),
    );
  }

  perform(task: Task, then: () => void): void {
    this.#task = task;
    this.#afterTask = then;
  }

  stream(sender: LogicalSender): void {
    this.#sender = sender;
    this.cluster.injections.start(sender);
  }

  get sender(): LogicalSender | undefined {
    return this.#sender;
  }

  unplug(): void {
    this.#unplugged = true;
  }

  end(reason: string, how: 'end' | 'reset' | 'keep'): void {
    if (this.#ended) return;
    this.#ended = true;
    this.output.flush();
    this.#endStream('disconnect');
    this.#task?.release();
    this.#admission?.sql.close();
    for (const slot of this.cluster.slots.dropTemporary(this.pid)) this.observe({ kind: 'slot:drop', slot });
    this.cluster.snapshots.dropOf(this.pid);
    this.cluster.remove(this);
    this.wire.wakeAt(null);
    this.wire.close(how);
    this.observe({ kind: 'disconnect', reason });
  }

  // For the statistics views; undefined while they do not show it.

  backendState(): BackendState | undefined {
    if (!this.#conversation) return undefined;
    const state = {
      ...this.#conversation.backendState(),
      pid: this.pid,
      clientAddress: this.peer.address,
      clientPort: this.peer.port,
      startedAt: this.#startedAt,
    };
    return this.#task || this.#sender || this.#awaited ? { ...state, state: 'active' } : state;
  }

  walsenderState(): WalsenderState | undefined {
    const backend = this.backendState();
    const sender = this.#sender;
    if (!backend || !sender) return undefined;
    return { ...backend, phase: sender.state, sentLsn: sender.position, ...sender.feedback };
  }

  // A turn.

  turn(): void {
    if (this.#ended) return;
    // What happens in the middle of a turn is seen before it ends.
    if (this.#inTurn) {
      this.#happened = true;
      return;
    }
    this.#inTurn = true;
    this.output.beginTurn();
    while (this.#step());
    this.#inTurn = false;
    this.#settle();
  }

  /** One thing more; false when there is nothing to do but wait. An exception becomes the client's error. */
  #step(): boolean {
    if (this.#ended) return false;
    this.#happened = false;
    try {
      return this.#act() || this.#happened;
    } catch (error) {
      this.#fail(error);
      return true;
    }
  }

  #act(): boolean {
    if (this.#awaited) return false;
    if (this.#sender) return this.#runStream(this.#sender);
    if (this.#task) return this.#runTask(this.#task);
    if (!this.output.drained) return false;
    return (this.#entrance ? this.#entrance.take() : this.#takeMessage()) || this.#endIfPeerDid();
  }

  /** There is no more to read. */
  #endIfPeerDid(): boolean {
    if (this.#peerEnded && !this.#awaited) this.end('client closed', 'end');
    return false;
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#fail(error);
    }
  }

  #settle(): void {
    if (this.#ended) return;
    this.output.flush();
    this.wire.wakeAt((this.#sender ?? this.#task ?? this.#entrance)?.dueAt ?? null);
    if (this.output.exhausted) this.wire.again();
    const deaf = this.#sender?.wantsMessages === false;
    const busy = deaf || this.#awaited !== undefined || this.#task !== undefined || !this.output.drained;
    this.wire.readMore(!busy || this.#deframer.buffered < backlogLimit);
  }

  #runStream(sender: LogicalSender): boolean {
    while (sender.wantsMessages && this.#takeStreamMessage(sender));
    if (this.#peerEnded) {
      this.#leaveStream('close');
      this.end('client closed', 'end');
    }
    const end = this.#ended ? undefined : sender.run();
    if (end === undefined) return false;
    this.#endStream(end);
    if (end === 'copyDone') {
      this.#conversation?.streamEnded();
      return true;
    }
    commandComplete(this.output.writer, 'COPY 0');
    this.end('shutdown', 'end');
    return false;
  }

  #takeStreamMessage(sender: LogicalSender): boolean {
    const type = this.#deframer.peek();
    if (type === undefined || this.#ended) return false;
    const { copyData, copyDone, copyFail, terminate } = frontendType;
    // Of what must not come here the type is enough.
    const body = type === copyData || type === copyDone || type === terminate ? this.#takeBody(type) : nothing;
    if (!body) return false;
    if (type === copyDone) this.#leaveStream('copyDone');
    else if (type === copyFail) this.#leaveStream('copyFail');
    else if (type === terminate) this.#leaveStream('terminate');
    if (type === terminate) this.end('terminate', 'end');
    else sender.receive(type, body);
    return true;
  }

  /** The client goes, one way or another. */
  #leaveStream(how: 'copyDone' | 'copyFail' | 'terminate' | 'close' | 'reset'): void {
    if (!this.#ended && this.#sender) this.observe({ kind: 'replication:leave', slot: this.#sender.slot.name, how });
  }

  #endStream(reason: 'copyDone' | 'shutdown' | 'error' | 'disconnect'): void {
    const sender = this.#sender;
    if (!sender) return;
    this.#sender = undefined;
    sender.release();
    this.cluster.slots.release(sender.slot, this.pid, this.clock.now());
    this.observe({ kind: 'replication:end', slot: sender.slot.name, reason });
  }

  #runTask(task: Task): boolean {
    if (!task.run()) return false;
    this.#task = undefined;
    this.#afterTask();
    return true;
  }

  #takeMessage(): boolean {
    const type = this.#deframer.peek();
    const body = type === undefined ? undefined : this.#takeBody(type);
    if (type === undefined || !body) return false;
    if (type === frontendType.terminate) this.end('terminate', 'end');
    else this.#conversation?.receive(type, body);
    return true;
  }

  /** @throws WireError FATAL for an unknown type; BadFrameLength */
  #takeBody(type: number): Uint8Array | undefined {
    const limit = messageLimit(type);
    if (limit !== undefined) return this.#deframer.takeMessage(limit);
    throw new WireError({ severity: 'FATAL', code: '08P01', message: `invalid frontend message type ${type}` });
  }

  // Failing.

  #fail(thrown: unknown): void {
    if (this.#ended) return;
    if (endsSilently(thrown)) return this.end(thrown.message, 'end');
    const error = asWireError(thrown, () => this.observe({ kind: 'internalError', error: thrown }));
    this.#awaited = undefined;
    this.#endStream('error');
    this.#task?.release();
    this.#task = undefined;
    if (this.#conversation && error.severity === 'ERROR') this.#attempt(() => this.#conversation?.fail(error));
    else this.#failFatally(error);
  }

  /** Before the session is admitted, every error is fatal. */
  #failFatally(thrown: WireError): void {
    const error = asFatal(thrown);
    errorOrNotice(this.output.writer, error);
    this.observe({ kind: 'error:sent', error });
    this.end(error.message, 'end');
  }
}
