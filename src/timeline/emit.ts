/**
 * Logical decoding for one connection: which transactions are sent, when, and in which form (decode.c, reorderbuffer.c
 * and the walsender's start position). What becomes of each change is the output plugin's business.
 *
 *   idle ─transaction with commit────────────→ replay, Commit ─→ idle
 *        ─transaction with prepare, two-phase→ Begin Prepare, replay, Prepare ─→ idle     (else kept for its outcome)
 *        ─block, streaming───────────────────→ Stream Start, replay, Stream Stop ─→ idle   (else kept for its end)
 *        ─end of a streamed one──────────────→ Stream Commit, Stream Prepare, or Stream Aborts
 *        ─outcome of a prepared one──────────→ Commit Prepared or Rollback Prepared; or replay of what was kept, Commit
 */
import type { MessageKind } from '../pgoutput/messages.js';
import type { EmitProgress, EmitSession, EmitSink, LocatedEmitter } from './emitter.js';
import { OutputPlugin, type PluginTransaction } from './output-plugin.js';
import {
  abortStreamed,
  BlockReplay,
  executeInvalidations,
  isKnownAborted,
  TransactionReplay,
  type ReplayContext,
  type StreamState,
} from './replay.js';
import type {
  BlockEvent,
  Invalidation,
  PreparedOutcome,
  PrepareEnd,
  SourcePosition,
  Timeline,
  TimelineEvent,
  TimelineReader,
  Transaction,
} from './timeline.js';

const decoded: EmitProgress = { kind: 'decoded' };
const idle: EmitProgress = { kind: 'idle' };

/** Start and end of a record that ends a transaction, and its time. */
interface EndRecord {
  readonly lsn: bigint;
  readonly endLsn: bigint;
  readonly time: bigint;
}

/** Decodes a timeline for one connection. Nothing happens before the first call of `next`. */
export function createEmitter(timeline: Timeline, session: EmitSession, sink: EmitSink): LocatedEmitter {
  return new Decoding(timeline, session, sink);
}

class Decoding implements LocatedEmitter {
  readonly #reader: TimelineReader;
  readonly #context: ReplayContext;
  readonly #plugin: OutputPlugin;
  readonly #major: number;
  readonly #twoPhase: boolean;
  readonly #streaming: boolean;
  readonly #streams = new Map<Transaction, StreamState>();
  /** From 18 on: transactions known to be aborted when their memory overflowed, thrown away whole. */
  readonly #void = new Set<Transaction>();
  #replay: TransactionReplay | BlockReplay | null = null;
  #afterReplay: (() => EmitProgress) | null = null;
  #event: TimelineEvent | null = null;
  /** Where decoding will stand when the current replay is through. */
  #reached = 0n;
  position = 0n;

  constructor(
    timeline: Timeline,
    private readonly session: EmitSession,
    sink: EmitSink,
  ) {
    this.#reader = timeline.read();
    this.#plugin = new OutputPlugin(session, sink);
    this.#major = session.settings.major;
    this.#context = { plugin: this.#plugin, major: this.#major, late: session.late };
    this.#twoPhase = session.twoPhase && this.#major >= 15;
    this.#streaming = session.options.streaming !== 'off' && this.#major >= 14;
  }

  get inTransaction(): boolean {
    return this.#replay !== null;
  }

  next(): EmitProgress {
    let progress: EmitProgress;
    if (this.#replay === null) {
      const event = this.#reader.next();
      if (event === undefined) return idle;
      this.#event = event;
      progress = this.#decode(event);
    } else {
      progress = this.#replay.next();
      if (this.#replay.done) {
        this.#replay = null;
        progress = this.#afterReplay?.() ?? progress;
        this.#afterReplay = null;
      }
    }
    if (this.#replay === null) this.position = this.#reached;
    return progress;
  }

  sourceOf(kind: MessageKind): SourcePosition | undefined {
    const event = this.#event;
    if (event?.kind === 'message') return event.message.source;
    if (event === null || !('transaction' in event)) return undefined;
    const { transaction } = event;
    switch (kind) {
      case 'begin':
      case 'beginPrepare':
      case 'origin':
        return transaction.source;
      case 'streamStart':
      case 'streamStop':
        return endOf(event)?.source ?? transaction.source;
      case 'prepare':
        return transaction.end?.source ?? transaction.source;
      default:
        return (this.#replay?.change ?? endOf(event))?.source ?? transaction.source;
    }
  }

  #decode(event: TimelineEvent): EmitProgress {
    switch (event.kind) {
      case 'transaction':
        return this.#whole(event.transaction);
      case 'block':
        return this.#block(event);
      case 'end':
        return this.#end(event.transaction);
      case 'prepared':
        return this.#prepared(event.transaction, event.outcome);
      case 'message':
        this.#reach(event.message.lsn);
        if (event.message.lsn > this.session.startLsn && !this.#isFiltered(event.origin)) {
          this.#plugin.plainMessage(event.message, event.time);
        }
        return decoded;
      case 'invalidation':
        this.#reach(event.lsn);
        this.#plugin.cache.invalidate(event.invalidation);
        return decoded;
      case 'step':
        this.#reach(event.lsn);
        return event.lsn < this.session.startLsn ? decoded : { kind: 'step', step: event.step, lsn: event.lsn };
    }
  }
  /** A transaction of which no block has gone out: sent as a whole, or not at all. */
  #whole(transaction: Transaction): EmitProgress {
    const { end } = transaction;
    switch (end?.kind) {
      case 'commit':
        this.#reach(end.endLsn);
        return this.#commit(transaction, { lsn: end.commitLsn, endLsn: end.endLsn, time: end.time });
      case 'prepare':
        this.#reach(end.endLsn);
        return this.#twoPhase ? this.#prepare(transaction, end) : decoded;
      case 'abort':
        this.#reach(end.abortLsn);
        return decoded;
      case undefined:
        throw new Error('an event ends a transaction that has no end');
    }
  }

  #commit(transaction: Transaction, record: EndRecord): EmitProgress {
    const skipped: EmitProgress = { kind: 'skipped', endLsn: record.endLsn };
    if (this.#isSkipped(transaction, record.lsn)) return skipped;
    if (transaction.firstLsn === 0n) return skipped;
    const told = tell(transaction, record);
    this.#plugin.begin(told);
    const { end } = transaction;
    const isUnfinished = end?.kind === 'commit' && end.unfinished === true;
    this.#replay = new TransactionReplay(this.#context, transaction, told, false, () =>
      isUnfinished || this.#plugin.commit() ? decoded : skipped,
    );
    return decoded;
  }

  #prepare(transaction: Transaction, end: PrepareEnd): EmitProgress {
    const { prepareLsn, endLsn, time, gid } = end;
    if (prepareLsn < this.session.twoPhaseAt || this.#isSkipped(transaction, prepareLsn)) return decoded;
    const told = tell(transaction, { lsn: prepareLsn, endLsn, time });
    if (transaction.firstLsn === 0n) {
      // An xid without changes: 18 sends a Prepare that nothing has begun.
      if (transaction.xid !== 0 && this.#major === 18) this.#plugin.prepare(told, gid);
      return decoded;
    }
    return this.#replayPrepared(transaction, told, gid, () => decoded);
  }

  #replayPrepared(
    transaction: Transaction,
    told: PluginTransaction,
    gid: string,
    then: () => EmitProgress,
  ): EmitProgress {
    this.#plugin.beginPrepare(told, gid);
    const finish = (): EmitProgress => {
      this.#plugin.prepare(told, gid);
      return then();
    };
    if (this.#void.has(transaction)) return finish();
    this.#replay = new TransactionReplay(this.#context, transaction, told, true, finish);
    return decoded;
  }

  /** COMMIT PREPARED or ROLLBACK PREPARED. */
  #prepared(transaction: Transaction, outcome: PreparedOutcome): EmitProgress {
    this.#reach(outcome.endLsn);
    const stream = this.#streams.get(transaction);
    this.#streams.delete(transaction);
    if (!this.#twoPhase) {
      if (stream?.started === true) return this.#streamRest(transaction, stream, outcome);
      return outcome.kind === 'commit' ? this.#commit(transaction, outcome) : decoded;
    }
    if (this.#isSkipped(transaction, outcome.lsn)) return decoded;
    if (transaction.firstLsn === 0n && (transaction.xid === 0 || this.#major >= 19)) return decoded;
    const { prepareLsn, endLsn, time, gid } = transaction.end as PrepareEnd;
    const prepared = tell(transaction, { lsn: prepareLsn, endLsn, time });
    const told = tell(transaction, outcome);
    const end = (): EmitProgress => {
      if (outcome.kind === 'commit') this.#plugin.commitPrepared(told, gid);
      else this.#plugin.rollbackPrepared(told, prepared, gid);
      executeInvalidations(this.#context, transaction, allInvalidations(transaction));
      return decoded;
    };
    // Prepared before the slot had two_phase: the client gets all of it now; of a rollback nothing but the end.
    const isNew = prepareLsn < this.session.twoPhaseAt && outcome.kind === 'commit' && transaction.firstLsn !== 0n;
    return isNew ? this.#replayPrepared(transaction, prepared, gid, end) : end();
  }

  #block(event: BlockEvent): EmitProgress {
    this.#reach(event.lastLsn);
    const { transaction } = event;
    if (this.#isFiltered(transaction.origin)) return decoded;
    if (
      this.#major >= 18 &&
      this.#context.late &&
      !this.session.immediate &&
      isKnownAborted(transaction, transaction.xid)
    ) {
      this.#void.add(transaction);
      return decoded;
    }
    if (!this.#streaming) return decoded;
    let stream = this.#streams.get(transaction);
    if (stream === undefined) {
      stream = {
        catalog: transaction.catalog,
        started: false,
        kept: [],
        xids: new Set(),
        dropped: new Set(),
        invalidations: [],
      };
      this.#streams.set(transaction, stream);
    }
    // Nothing is streamed before the start position: decoding goes back further than what the client lacks.
    const left = event.leftAtPrepare === true && !this.#twoPhase;
    if (left || event.lastLsn < this.session.startLsn) {
      stream.kept.push(event);
      return decoded;
    }
    const told = tell(transaction, { lsn: 0n, endLsn: 0n, time: event.time });
    this.#replay = new BlockReplay(this.#context, told, stream, event);
    return decoded;
  }

  /** The end of a transaction with blocks. */
  #end(transaction: Transaction): EmitProgress {
    const stream = this.#streams.get(transaction);
    if (stream?.started !== true) {
      if (transaction.end?.kind !== 'prepare') this.#streams.delete(transaction);
      return this.#whole(transaction);
    }
    const end = transaction.end!;
    switch (end.kind) {
      case 'commit': {
        this.#reach(end.endLsn);
        const outcome = { kind: 'commit', lsn: end.commitLsn, endLsn: end.endLsn, time: end.time } as const;
        this.#streams.delete(transaction);
        return this.#endStreamed(transaction, stream, outcome);
      }
      case 'abort': {
        this.#reach(end.abortLsn);
        this.#streams.delete(transaction);
        const crashed = end.abortLsn === 0n;
        if (crashed && this.#major >= 18) return decoded;
        // After a crash nobody lists the subtransactions, and the client is told no time.
        if (crashed) stream.xids.clear();
        const outcome = {
          kind: 'rollback',
          lsn: end.abortLsn,
          endLsn: end.abortLsn,
          time: crashed ? 0n : end.time,
        } as const;
        return this.#endStreamed(transaction, stream, outcome);
      }
      case 'prepare': {
        this.#reach(end.endLsn);
        if (!this.#twoPhase) return decoded;
        const { prepareLsn, endLsn, time, gid } = end;
        this.#plugin.streamPrepare(tell(transaction, { lsn: prepareLsn, endLsn, time }), gid);
        this.#streams.delete(transaction);
        return decoded;
      }
    }
  }

  /**
   * Without two-phase, COMMIT PREPARED first sends what was left at PREPARE. It lists the invalidations of DDL once more,
   * which counts as a change.
   */
  #streamRest(transaction: Transaction, stream: StreamState, outcome: PreparedOutcome): EmitProgress {
    const { lsn, time } = outcome;
    const { invalidations, abortedSubxids } = transaction;
    const hasDdl = invalidations.some(({ xid }) => !abortedSubxids.has(xid));
    const invisible = { kind: 'block', transaction, changes: [], firstLsn: lsn, lastLsn: lsn, time } as const;
    const block = hasDdl ? invisible : stream.kept.pop();
    if (outcome.kind === 'rollback' || block === undefined) return this.#endStreamed(transaction, stream, outcome);
    this.#replay = new BlockReplay(this.#context, tell(transaction, outcome), stream, block);
    this.#afterReplay = () => this.#endStreamed(transaction, stream, outcome);
    return decoded;
  }

  #endStreamed(transaction: Transaction, stream: StreamState, outcome: PreparedOutcome): EmitProgress {
    const told = tell(transaction, outcome);
    if (outcome.kind === 'commit') {
      this.#plugin.streamCommit(told);
      return decoded;
    }
    const { xid } = transaction;
    const subxids = [...stream.xids].filter((subxid) => subxid !== xid).sort((a, b) => a - b);
    stream.xids.add(xid);
    abortStreamed(this.#plugin, told, stream, [...subxids, xid], outcome.endLsn, outcome.time);
    executeInvalidations(this.#context, transaction, stream.invalidations);
    return decoded;
  }

  /** Before the start position, or not asked for; its DDL counts all the same. */
  #isSkipped(transaction: Transaction, lsn: bigint): boolean {
    if (lsn >= this.session.startLsn && !this.#isFiltered(transaction.origin)) return false;
    executeInvalidations(this.#context, transaction, allInvalidations(transaction));
    return true;
  }

  #isFiltered(origin: Transaction['origin']): boolean {
    return origin !== null && this.#major >= 16 && this.session.options.origin === 'none';
  }

  #reach(lsn: bigint): void {
    if (lsn > this.#reached) this.#reached = lsn;
  }
}

/** What ends, or sends on its way, the transaction or block that the event is about. */
function endOf(event: Extract<TimelineEvent, { transaction: Transaction }>): { source?: SourcePosition } | null {
  if (event.kind === 'block') return event;
  return event.kind === 'prepared' ? event.outcome : event.transaction.end;
}

function tell(transaction: Transaction, { lsn, endLsn, time }: EndRecord): PluginTransaction {
  const { xid, origin, firstLsn } = transaction;
  const commitTime = origin?.time ?? time;
  return { xid, origin, time, firstLsn, finalLsn: lsn, endLsn, commitTime, begun: false };
}

function allInvalidations(transaction: Transaction): Invalidation[] {
  return transaction.invalidations.map(({ invalidation }) => invalidation);
}
