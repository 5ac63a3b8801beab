import type { OriginMark, PreparedOutcome, Step, TimelineEvent } from '../timeline/timeline.js';
import { NeedsDatabase, type DatabaseState } from './database-state.js';
import { OpenTransaction } from './open-transaction.js';
import { repeatEvents, type RepeatOptions } from './repeat.js';
import type { TableName } from './declaration.js';
import { sourceOf, type BeginOptions, type EndPins, type MessageStatement, type Place } from './statement.js';
import { StatementError } from './statement-error.js';
import { findTable } from './stored-table.js';
import { TransactionWriter } from './transaction-writer.js';
import { recordSize } from './wal.js';

/** What happens after the declarations: the database itself, or in a round of `repeat` what stands in for it. */
export interface Publisher {
  begin(options?: BeginOptions): OpenTransaction;
  /** @throws StatementError 42704 for an unknown gid */
  commitPrepared(gid: string, pins?: EndPins): TimelineEvent;
  rollbackPrepared(gid: string, pins?: EndPins): TimelineEvent;
  /** A non-transactional message: decoded where it stands, whatever transactions are open. */
  message(message: MessageStatement, place?: Place & { readonly origin?: OriginMark }): TimelineEvent;
  /** VACUUM: the next use of these tables sends Relation again, and no transaction shows for it. */
  vacuum(tables: readonly TableName[], place?: Place): TimelineEvent;
  /** Something for the walsender to do between transactions. */
  step(step: Step): TimelineEvent;
  /**
   * Runs `body` `count` times. Unless `track` is set, a body's effects are worked out only when the timeline is read, in
   * constant memory, and the rows it makes are seen by nobody but the same round. For that the body must be pure (same
   * index, same calls: it is run again at each reading), use only the publisher that it is given, pin nothing, and write
   * the same records in every round. A body that needs what the database keeps (a `where` that may meet rows from before,
   * DDL, a transaction left open or prepared) is run at once instead, as with `track`.
   */
  repeat(count: number, body: (publisher: Publisher, index: number) => void, options?: RepeatOptions): void;
  /** Where WAL stands: the end of the last record. */
  readonly lsn: bigint;
}

export class StatePublisher implements Publisher {
  constructor(protected readonly state: DatabaseState) {}

  get lsn(): bigint {
    return this.state.wal.lsn;
  }

  begin(options: BeginOptions = {}): OpenTransaction {
    return new OpenTransaction(new TransactionWriter(this.state, options));
  }

  commitPrepared(gid: string, pins: EndPins = {}): TimelineEvent {
    return this.#finishPrepared(gid, 'commit', pins);
  }

  rollbackPrepared(gid: string, pins: EndPins = {}): TimelineEvent {
    return this.#finishPrepared(gid, 'rollback', pins);
  }

  #finishPrepared(gid: string, kind: 'commit' | 'rollback', pins: EndPins): TimelineEvent {
    const { state } = this;
    const prepared = state.prepared.get(gid);
    if (prepared === undefined) {
      if (state.rowsElsewhere !== null) throw new NeedsDatabase();
      throw new StatementError(
        { code: '42704', message: `prepared transaction with identifier "${gid}" does not exist` },
        { kind: 'transaction', name: gid },
      );
    }
    const { lsn, endLsn } = state.wal.writeEnd(recordSize.outcome, 0n, pins);
    const outcome: PreparedOutcome = {
      kind,
      lsn,
      endLsn,
      time: state.wal.takeTime(pins.time),
      ...sourceOf(pins.source),
    };
    state.prepared.delete(gid);
    prepared.finish(outcome);
    return state.log.append({ kind: 'prepared', transaction: prepared.record, outcome });
  }

  message({ prefix, content }: MessageStatement, place: Place & { readonly origin?: OriginMark } = {}): TimelineEvent {
    const lsn = this.state.wal.writeMessage(place.lsn);
    const message = { kind: 'message' as const, lsn, xid: 0, prefix, content, ...sourceOf(place.source) };
    return this.state.log.append({ kind: 'message', message, time: this.state.wal.now, origin: place.origin ?? null });
  }

  vacuum(tables: readonly TableName[], place: Place = {}): TimelineEvent {
    const { catalog, wal } = this.state;
    const oids = tables.map((table) => findTable(catalog, table).oid);
    const lsn = wal.write(recordSize.catalog, 0n, place.lsn);
    return this.state.log.append({ kind: 'invalidation', invalidation: { kind: 'tables', oids }, lsn });
  }

  step(step: Step): TimelineEvent {
    return this.state.log.append({ kind: 'step', step, lsn: this.lsn });
  }

  repeat(count: number, body: (publisher: Publisher, index: number) => void, options: RepeatOptions = {}): void {
    repeatEvents(this, this.state, count, body, options, (standIn) => new StatePublisher(standIn));
  }
}
