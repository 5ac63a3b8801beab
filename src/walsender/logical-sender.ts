/**
 * One START_REPLICATION … LOGICAL, from CopyBothResponse to its end:
 *
 * ```
 *                 ┌───────── WAL grows, a hold ends ────────┐
 *                 ▼                                         │
 *   start ──→ sending ──── nothing more, or held ──────→ waiting
 *                 │                                         │
 *                 ├── CopyDone: our CopyDone at once, then the rest of the transaction under way ──→ 'copyDone'
 *                 ├── fast shutdown: what WAL there is, then the client's confirmation ──→ 'shutdown'
 *                 └── error, cancel, timeout, a fault, the peer's end ──→ over
 * ```
 *
 * A *ping* is a keepalive without a request for a reply. The server sends one whenever it is about to wait (13 and later) and
 * when it wakes, as long as the client has reported its position neither as written nor as flushed.
 */
import { encodeInto } from '../pgoutput/encode.js';
import type { Message, MessageContext } from '../pgoutput/messages.js';
import {
  beginXLogData,
  copyDone,
  errorOrNotice,
  primaryKeepalive,
  primaryStatusUpdate,
} from '../protocol/backend-messages.js';
import { frontendType } from '../protocol/frontend-messages.js';
import { readStandbyMessage, type StandbyStatusUpdate } from '../protocol/standby-messages.js';
import type { EmitSink, Emitter } from '../timeline/emitter.js';
import { WireError } from '../values/wire-error.js';
import type { FaultedStream } from './faults/fault.js';
import { ResendingEmitter } from './faults/resend.js';
import { Tampering } from './faults/tampering.js';
import type { InjectableStream, Injection } from './injections.js';
import type { SessionInside } from './inside.js';
import type { PublishedDatabase } from './published-database.js';
import type { SenderEnd, SenderOptions } from './sender-options.js';
import type { Slot } from './slot.js';
import type { StepPlace } from './step-board.js';
import { StepRunner } from './step-runner.js';

export class LogicalSender implements EmitSink, FaultedStream, InjectableStream {
  readonly #session: SessionInside;
  readonly #database: PublishedDatabase;
  #emitter: Emitter;
  /** What waits while something is sent again. */
  #suspended: { readonly emitter: Emitter; readonly context: MessageContext } | null = null;
  readonly #steps: StepRunner;
  readonly #tampering: Tampering;
  readonly #outsideBlock: MessageContext;
  readonly #insideBlock: MessageContext;
  #context: MessageContext;
  readonly #stopListening: () => void;

  #phase: 'streaming' | 'finishing' | 'stopping' = 'streaming';
  #waiting = false;
  /** 10 to 12 ping when they begin to wait only at the start, and then only if the connection has not decoded before … */
  #pingsOnWait: boolean;
  /** … for otherwise they wait elsewhere at first, where CopyDone is not answered by a ping either. */
  #hasWoken: boolean;
  /** Nothing was sent since the last wait: a ping goes before the first message. */
  #awoken = true;
  #position: bigint;
  /** The furthest header of a message: what a client that confirms all it got confirms. */
  #furthestSent = 0n;
  #writeLsn = 0n;
  #flushLsn = 0n;
  #applyLsn = 0n;
  #replyTime: bigint | null = null;
  /** Monotonic milliseconds of the client's last message. */
  #heardAt: number;
  #awaitingReply = false;
  /** CopyDone was sent before the client's. */
  #endsCopy = false;
  keepalives = true;

  constructor(private readonly options: SenderOptions) {
    const { session, database, slot, pgoutput } = options;
    this.#session = session;
    this.#database = database;
    this.#position = options.position;
    this.#heardAt = session.clock.monotonic();
    this.#pingsOnWait = session.major >= 13 || options.isFresh;
    this.#hasWoken = this.#pingsOnWait;
    const { protoVersion, streaming } = pgoutput;
    this.#outsideBlock = { protoVersion, streaming, inStream: false };
    this.#insideBlock = { protoVersion, streaming, inStream: true };
    this.#context = this.#outsideBlock;
    this.#tampering = new Tampering(session.output);
    this.#steps = new StepRunner({ session, database, slot, stream: this, tampering: this.#tampering });
    this.#emitter = options.createEmitter(this);
    const stopGrowth = database.timeline.onGrowth?.(() => {
      // What is held back stays so, however much is behind it.
      if (this.#steps.heldUntil === null) this.#waiting = false;
      session.turn();
    });
    // What another consumer confirms may be what this stream is held back for.
    const stopConfirmations = session.cluster.slots.onChanged(() => {
      if (this.#steps.heldUntil !== null) session.turn();
    });
    this.#stopListening = () => {
      stopGrowth?.();
      stopConfirmations();
    };
  }

  get slot(): Slot {
    return this.options.slot;
  }

  get feedback(): { writeLsn: bigint; flushLsn: bigint; applyLsn: bigint; replyTime: bigint | null } {
    return { writeLsn: this.#writeLsn, flushLsn: this.#flushLsn, applyLsn: this.#applyLsn, replyTime: this.#replyTime };
  }

  /** pg_stat_replication.state */
  get state(): 'catchup' | 'streaming' | 'stopping' {
    if (this.#phase === 'stopping') return 'stopping';
    return this.#waiting ? 'streaming' : 'catchup';
  }

  /** A fault has it say and hear nothing. */
  get silent(): boolean {
    return this.#steps.silent;
  }

  /** After the client's CopyDone its messages belong to what comes next; a stalled walsender reads nothing. */
  get wantsMessages(): boolean {
    return this.#phase !== 'finishing' && !this.#steps.silent;
  }

  /** A message of the client's. @throws WireError */
  receive(type: number, body: Uint8Array): void {
    this.#heardAt = this.#session.clock.monotonic();
    this.#awaitingReply = false;
    if (type === frontendType.copyData) {
      this.#receiveCopyData(body);
    } else if (type === frontendType.copyDone) {
      copyDone(this.#session.output.writer);
      this.#phase = 'finishing';
    } else {
      const message = `invalid standby message type "${String.fromCharCode(type)}"`;
      throw new WireError({ severity: 'FATAL', code: '08P01', message });
    }
    if (this.#waiting && (this.#hasWoken || this.#phase !== 'finishing')) this.#ping();
    this.#hasWoken = true;
  }

  /** Fast shutdown: sends what has been written, no more. */
  stop(): void {
    this.#phase = 'stopping';
    this.#waiting = this.#steps.heldUntil !== null;
  }

  /** Forgets about the timeline; the slot is the caller's. */
  release(): void {
    this.#stopListening();
    this.#tampering.release();
    this.#steps.abandon();
  }

  /** When `run` is due next, in monotonic milliseconds, whatever else happens. */
  get dueAt(): number | null {
    const held = this.#steps.heldUntil ?? Infinity;
    const due = this.#steps.silent ? held : Math.min(held, this.#silenceEnds);
    return due === Infinity ? null : due;
  }

  /** Sends what can be sent now. @throws WireError of the output plugin, or of an error step */
  run(): SenderEnd | undefined {
    const now = this.#session.clock.monotonic();
    const wasSilent = this.#steps.silent;
    if (this.#steps.release(now)) {
      this.#waiting = false;
      if (wasSilent) this.#comeBack(now);
    }
    if (!this.#steps.silent) this.#checkSilence(now);
    if (this.#tampering.interrupted && !this.#steps.performInjected(this.#position)) this.#wait();
    if (!this.#waiting && !this.#session.ended) this.#send();
    if (this.#endsCopy || (this.#phase === 'finishing' && !this.#emitter.inTransaction)) return 'copyDone';
    if (this.#phase === 'stopping' && this.#waiting) return this.#endOfShutdown();
    return undefined;
  }

  /** After a stall the client is heard first: what it said meanwhile has not been read. */
  #comeBack(now: number): void {
    this.#heardAt = now;
    this.#session.turn();
  }

  // FaultedStream and InjectableStream

  get position(): bigint {
    return this.#position;
  }

  get inTransaction(): boolean {
    return this.#emitter.inTransaction;
  }

  get leaving(): boolean {
    return this.#phase === 'finishing';
  }

  get timesOutAt(): number {
    const { timeout } = this.options;
    return timeout > 0 ? this.#heardAt + timeout : Infinity;
  }

  keepalive(walEnd: bigint, replyRequested: boolean, time = this.#session.clock.now()): void {
    if (replyRequested) this.#awaitingReply = true;
    primaryKeepalive(this.#session.output.writer, walEnd, time, replyRequested);
    this.#session.observe({ kind: 'keepalive:sent', slot: this.slot.name, walEnd, replyRequested });
  }

  resend(from: bigint, place: StepPlace | null): void {
    const again = this.options.createEmitter(this, from);
    this.#suspended ??= { emitter: this.#emitter, context: this.#context };
    this.#emitter = new ResendingEmitter(again, place, this.#suspended.emitter.position);
    this.#context = this.#outsideBlock;
    if (this.#steps.heldUntil === null) this.#waiting = false;
  }

  endCopy(): void {
    copyDone(this.#session.output.writer);
    this.#endsCopy = true;
    this.keepalives = false;
  }

  inject(injection: Injection): void {
    this.#steps.inject(injection);
    this.#session.turn();
  }

  // EmitSink

  message(message: Message, lsn: bigint, time: bigint, xid: number): void {
    if (this.#awoken) this.#awake();
    const { writer } = this.#session.output;
    const start = writer.position;
    const block = beginXLogData(writer, lsn, lsn, time);
    try {
      encodeInto(writer, message, this.#context);
    } catch (error) {
      writer.position = start;
      throw error;
    }
    writer.endBlock(block);
    if (message.kind === 'streamStart') this.#context = this.#insideBlock;
    else if (message.kind === 'streamStop') this.#context = this.#outsideBlock;
    if (this.#tampering.active && !this.#tampering.passes(message, lsn, start)) return;
    if (lsn > this.#furthestSent) this.#furthestSent = lsn;
    if (this.#session.cluster.config.observeMessages) {
      this.#session.observe({ kind: 'message:sent', slot: this.slot.name, message, lsn, xid });
    }
  }

  notice(notice: WireError): void {
    errorOrNotice(this.#session.output.writer, notice);
  }

  #send(): void {
    const { output } = this.#session;
    while (output.open) {
      if (this.#tampering.active && this.#isStopped()) return;
      const progress = this.#emitter.next();
      if (progress.kind === 'idle') {
        if (this.#suspended !== null) {
          this.#resume(this.#suspended);
          continue;
        }
        this.#session.observe({ kind: 'replication:caughtUp', slot: this.slot.name, lsn: this.#furthestSent });
        return this.#wait();
      }
      if (this.#awoken && progress.kind !== 'step') this.#awake();
      if (!this.#emitter.inTransaction) {
        this.#reach(this.#emitter.position);
        const isReported = progress.kind === 'skipped' && progress.endLsn > this.options.startLsn;
        if (isReported && this.options.reportSkipped) this.#keepalive(progress.endLsn, false);
        if (this.#phase === 'finishing') return;
        if (this.#phase === 'stopping' && this.#position >= this.#database.writtenLsn) return this.#wait();
      }
      if (progress.kind === 'step' && !this.#steps.perform(progress.step, progress.lsn)) return this.#wait();
    }
  }

  /** A fault came between messages. */
  #isStopped(): boolean {
    if (this.#session.ended || this.#tampering.interrupted) return true;
    if (this.#steps.heldUntil === null) return false;
    this.#wait();
    return true;
  }

  /** What was to be sent again has been. */
  #resume({ emitter, context }: { readonly emitter: Emitter; readonly context: MessageContext }): void {
    this.#emitter = emitter;
    this.#context = context;
    this.#suspended = null;
  }

  /** Decoding starts below where the slot stands, which is what the client was told first. */
  #reach(position: bigint): void {
    if (position <= this.#position) return;
    this.#position = position;
    this.#database.advance(position);
  }

  #wait(): void {
    if (this.#session.ended) return;
    this.#waiting = true;
    this.#awoken = true;
    if (this.#pingsOnWait) this.#ping();
    this.#pingsOnWait = this.#session.major >= 13;
  }

  #awake(): void {
    this.#awoken = false;
    this.#hasWoken = true;
    this.#pingsOnWait = this.#session.major >= 13;
    this.#ping();
  }

  #ping(): void {
    const behind = this.#writeLsn < this.#position && this.#flushLsn < this.#position;
    if (behind && !this.#awaitingReply && this.#phase !== 'stopping') this.#keepalive(this.#position, false);
  }

  /** One that the server sends of itself. */
  #keepalive(walEnd: bigint, replyRequested: boolean): void {
    if (this.#steps.silent) return;
    if (this.keepalives) this.keepalive(walEnd, replyRequested);
    else if (replyRequested) this.#awaitingReply = true;
  }

  /** When the client must be asked for a sign of life, or has not given one. */
  get #silenceEnds(): number {
    const { timeout } = this.options;
    if (timeout <= 0) return Infinity;
    return this.#heardAt + (this.#awaitingReply ? timeout : timeout / 2);
  }

  #checkSilence(now: number): void {
    if (now < this.#silenceEnds) return;
    if (now >= this.#heardAt + this.options.timeout) {
      // A real walsender goes without a word, too.
      this.#session.end('wal_sender_timeout', 'reset');
      return;
    }
    if (this.#waiting) this.#ping();
    this.#keepalive(this.#position, true);
  }

  #receiveCopyData(body: Uint8Array): void {
    const message = readStandbyMessage(body, this.#session.major);
    switch (message.kind) {
      case 'statusUpdate':
        this.#receiveStatus(message);
        return;
      case 'hotStandbyFeedback':
        // There is no vacuum that it could hold back.
        return;
      case 'primaryStatusRequest': {
        const nextXid = BigInt(this.#database.nextXid);
        const { output, clock } = this.#session;
        primaryStatusUpdate(output.writer, this.#database.writtenLsn, nextXid, nextXid, clock.now());
        return;
      }
      case 'unknown':
        this.#session.end(`unexpected message type "${String.fromCharCode(message.type)}"`, 'end');
    }
  }

  #receiveStatus({ writeLsn, flushLsn, applyLsn, replyRequested }: StandbyStatusUpdate): void {
    if (replyRequested) this.#keepalive(this.#position, false);
    this.#writeLsn = writeLsn;
    this.#flushLsn = flushLsn;
    this.#applyLsn = applyLsn;
    this.#replyTime = this.#session.clock.now();
    this.#session.cluster.slots.confirm(this.slot, flushLsn);
    this.#session.observe({ kind: 'feedback', slot: this.slot.name, writeLsn, flushLsn, applyLsn, replyRequested });
  }

  /** The client has all there is once its position is ours; until then it is asked, once. */
  #endOfShutdown(): SenderEnd | undefined {
    const confirmed = this.#flushLsn === 0n ? this.#writeLsn : this.#flushLsn;
    if (confirmed === this.#position) return 'shutdown';
    if (!this.#awaitingReply) this.#keepalive(this.#position, true);
    return undefined;
  }
}
