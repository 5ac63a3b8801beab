/** The inside of an open transaction: its changes, subtransactions, undo log and end. */
import type {
  Change,
  Invalidation,
  SourcePosition,
  Step,
  SubtransactionAbort,
  SystemCatalog,
  TimelineEvent,
} from '../timeline/timeline.js';
import type { Row } from '../timeline/datum.js';
import { CatalogView } from './catalog-view.js';
import type { CatalogPatch, DatabaseState, DdlCommit, OpenOwner } from './database-state.js';
import { RecordWriter } from './record-writer.js';
import type { StoredRow } from './row-store.js';
import {
  sourceOf,
  timePin,
  type AbortPins,
  type BeginOptions,
  type BlockPins,
  type EndPins,
  type Place,
} from './statement.js';
import { StatementError } from './statement-error.js';
import type { StoredCatalog, StoredTable } from './stored-table.js';
import { Subtransactions, type Frame } from './subtransactions.js';
import { TransactionRecord, type ChangeRun, type MutableBlock } from './transaction-record.js';
import { UndoLog } from './undo-log.js';
import { recordSize } from './wal.js';

export class TransactionWriter implements OpenOwner {
  readonly record: TransactionRecord;
  readonly subtransactions: Subtransactions;
  readonly records: RecordWriter;
  readonly #catalogs: CatalogView;
  readonly #undo = new UndoLog();
  readonly #streamed: boolean;
  #lastBlock: MutableBlock | null = null;
  /** The last block was ended by a rollback, and nothing has come since. */
  #rollbackEndedBlock = false;
  #ended = false;

  constructor(
    readonly state: DatabaseState,
    options: BeginOptions,
  ) {
    this.#streamed = options.streamed ?? false;
    this.record = new TransactionRecord(state.catalog, options.origin ?? null, options.source, this.#streamed);
    this.subtransactions = new Subtransactions(state.wal, options.xid);
    this.#catalogs = new CatalogView(state, (commit) => this.#meet(commit));
    this.records = new RecordWriter(state.wal, this.record, this.#catalogs, options.beginLsn);
    state.open.add(this);
  }

  get xid(): number {
    return this.assignXid();
  }

  assignXid(): number {
    this.record.xid = this.subtransactions.topXid();
    return this.record.xid;
  }

  get currentXid(): number {
    const xid = this.subtransactions.currentXid();
    this.record.xid = this.subtransactions.top.xid;
    return xid;
  }

  get catalog(): StoredCatalog {
    return this.#catalogs.current;
  }

  /** @throws StatementError 25000 when the transaction has ended */
  checkOpen(): void {
    if (this.#ended)
      throw new StatementError(
        { code: '25000', message: 'the transaction has ended' },
        { kind: 'transaction', name: String(this.record.xid) },
      );
  }

  mark(): () => void {
    const parts = [this.record, this.subtransactions, this.#catalogs, this.#undo].map((part) => part.mark());
    const { lastLsn } = this.records;
    const [ended, block, rollbackEndedBlock] = [this.#ended, this.#lastBlock, this.#rollbackEndedBlock];
    const blockEnd = block?.lastLsn;
    return () => {
      for (const comeBack of parts) comeBack();
      this.records.lastLsn = lastLsn;
      this.#ended = ended;
      this.#lastBlock = block;
      this.#rollbackEndedBlock = rollbackEndedBlock;
      if (block !== null) block.lastLsn = blockEnd!;
    };
  }

  /** Makes it a stand-in within a transaction of these xids. */
  standInFor(topXid: number, currentXid: number): void {
    this.subtransactions.top.xid = topXid;
    this.record.xid = topXid;
    if (currentXid === topXid) return;
    this.subtransactions.push(null, 0, undefined);
    this.subtransactions.innermost.xid = currentXid;
  }

  // Records.

  /** Writes the record of a change. @returns its start */
  write(size: bigint, lsn?: bigint): bigint {
    this.#assign(lsn);
    return this.records.write(size, lsn);
  }

  /** @returns the position that shows */
  writeRow(outOfLine: boolean, lsn?: bigint): bigint {
    this.#assign(lsn);
    return this.records.writeRow(outOfLine, lsn);
  }

  /** Writes a record of which the end shows. @returns its end */
  writeToEnd(size: bigint, lsn?: bigint): bigint {
    this.#assign(lsn);
    return this.records.writeToEnd(size, lsn);
  }

  push(change: Change): void {
    this.#rollbackEndedBlock = false;
    this.record.add(change);
  }

  /** A run of generated changes that reaches from one position to another. */
  pushRun(run: ChangeRun): void {
    this.records.follow(run.firstLsn, run.lastLsn);
    this.#rollbackEndedBlock = false;
    this.record.add(run);
  }

  step(step: Step): void {
    this.push({ kind: 'step', step, lsn: this.state.wal.lsn, xid: this.record.xid, ...sourceOf(step.source) });
  }

  /** A subtransaction that writes before its top-level transaction has tells first whose it is. */
  #assign(lsn: bigint | undefined): void {
    const { records, subtransactions } = this;
    if (!records.isEmpty || subtransactions.depth === 1 || (lsn ?? records.beginLsn) !== undefined) return;
    records.write(recordSize.assignment);
  }

  // Rows.

  keep(stored: StoredRow, row: Row | null): void {
    this.state.checkDdlLock(stored.store.table, this);
    this.#undo.push(stored.change(this, row));
  }

  // Catalogs.

  /** @param rewritten - tables whose stored rows must take a new form */
  changeCatalog(
    patch: Partial<CatalogPatch>,
    invalidates: Invalidation,
    systemCatalogs: readonly SystemCatalog[],
    place: Place,
    rewritten: readonly { readonly table: StoredTable; readonly rewrite: ((row: Row) => Row) | null }[] = [],
  ): void {
    const lsn = this.write(recordSize.catalog, place.lsn);
    for (const [oid] of patch.tables ?? []) this.lock(oid);
    this.#undo.push(this.#catalogs.add(patch));
    for (const { table, rewrite } of rewritten) this.#redefine(table, rewrite);
    this.invalidate(invalidates, systemCatalogs, lsn, place.source);
  }

  /** From here on the catalogs are those that `catalog` gives, and cached Relations are void. */
  invalidate(
    invalidates: Invalidation,
    systemCatalogs: readonly SystemCatalog[],
    lsn: bigint,
    source?: SourcePosition,
    inPlace = false,
  ): void {
    const xid = this.currentXid;
    const change = { kind: 'catalog', lsn, xid, catalog: this.catalog, invalidates, systemCatalogs } as const;
    this.push({ ...change, ...(inPlace ? { inPlace } : {}), ...sourceOf(source) });
    this.record.invalidate(xid, invalidates);
  }

  catalogsChanged(commit: DdlCommit): void {
    // Before its first record a transaction has no snapshot: it will begin with the new catalogs.
    if (!this.records.isEmpty) this.#catalogs.changed(commit);
  }

  #meet({ by, lsn }: DdlCommit): void {
    const { catalog } = this;
    for (const { invalidation } of by.invalidations) {
      const change = { kind: 'catalog', lsn, xid: this.record.xid, catalog, invalidates: invalidation } as const;
      this.push({ ...change, systemCatalogs: [], distributed: true });
    }
  }

  /**
   * For DDL and TRUNCATE: nobody else may use the table until this transaction ends.
   * @throws StatementError 55P03 when another open transaction uses it already
   */
  lock(oid: number): void {
    const table = this.state.catalog.tables.get(oid);
    if (table !== undefined) {
      this.state.checkDdlLock(table, this);
      this.state.stores.get(oid)?.checkOwner(this);
    }
    this.state.ddlLocks.set(oid, this);
  }

  #redefine(table: StoredTable, rewrite: ((row: Row) => Row) | null): void {
    const store = this.state.store(table);
    const rows = rewrite === null ? [] : [...store.visibleTo(this)];
    const before = store.table;
    this.#undo.push(() => store.define(before));
    store.define(table);
    for (const stored of rows) this.keep(stored, rewrite!(stored.visibleTo(this)!));
  }

  // Subtransactions.

  savepoint(name: string | null, xid: number | undefined): void {
    this.subtransactions.push(name, this.#undo.length, xid);
  }

  /** Rolls back the subtransactions from `position` up; each open one writes an abort record, innermost first. */
  rollbackFrom(position: number, pins: AbortPins): Frame {
    let last!: Frame;
    const aborted: Frame[] = [];
    while (this.subtransactions.depth > position) {
      last = this.subtransactions.pop();
      if (last.xid !== 0) aborted.push(last);
    }
    const { patch } = this.#catalogs;
    this.#undo.undoTo(last.undoMark);
    const catalog = patch === this.#catalogs.patch ? {} : { catalog: this.catalog };
    if (pins.endsBlock !== false && this.#streamed) {
      if (this.record.hasPending) this.endBlock({});
      this.#rollbackEndedBlock = true;
    }
    const unpinned = aborted.length - (pins.lsns?.length ?? 0);
    const aborts = aborted.map((frame, i): SubtransactionAbort => {
      const lsn = this.writeToEnd(recordSize.abort, pins.lsns?.[i - unpinned]);
      const time = timePin(pins, aborted.length - i) ?? this.state.wal.now;
      const subxids = [...frame.children, frame.xid];
      return { kind: 'subtransactionAbort', lsn, xid: frame.xid, subxids, time, ...catalog, ...sourceOf(pins.source) };
    });
    const block = this.record.abortSubtransactions(aborts, this.state.wal.now);
    if (block !== null) this.state.log.append(block);
    return last;
  }

  // Blocks and ends.

  /** @returns null right after a rollback that ended the block: it opens no empty one */
  endBlock(pins: BlockPins): TimelineEvent | null {
    this.checkOpen();
    if (!this.#streamed) {
      throw new StatementError({ code: '55000', message: 'the transaction was not begun as a streamed one' });
    }
    if (this.#rollbackEndedBlock) {
      this.#rollbackEndedBlock = false;
      return null;
    }
    this.assignXid();
    // A block without visible changes: catalog work, say, which has records too.
    if (!this.record.hasPending) this.write(recordSize.change, pins.firstLsn);
    this.#lastBlock = this.record.takeBlock(this.records.lastLsn, this.state.wal.now, pins);
    return this.state.log.append(this.#lastBlock);
  }

  /**
   * The commit record of a transaction with DDL holds its invalidations once more, which decoding takes for a change: the
   * last block reaches as far, or one more is needed.
   */
  #endLastBlock(commitLsn: bigint): void {
    const live = this.record.invalidations.some(({ xid }) => !this.record.abortedSubxids.has(xid));
    if (live && this.#lastBlock !== null) {
      if (this.record.hasPending || !this.state.log.endsWith(this.#lastBlock)) {
        const change = { kind: 'catalog', lsn: commitLsn, xid: this.record.xid, catalog: this.catalog } as const;
        this.push({ ...change, invalidates: { kind: 'none' }, systemCatalogs: [] });
      } else if (this.#lastBlock.lastLsn < commitLsn) this.#lastBlock.lastLsn = commitLsn;
    }
    if (this.#lastBlock !== null && this.record.hasPending) this.endBlock({});
  }

  commit(pins: EndPins): TimelineEvent {
    this.#beforeEnd();
    const { wal } = this.state;
    // Without an xid there is nothing to tell of.
    const isWritten = this.record.xid !== 0 || pins.lsn !== undefined || pins.endLsn !== undefined;
    const { lsn, endLsn } = isWritten
      ? wal.writeEnd(recordSize.commit, this.records.lastLsn, pins)
      : { lsn: wal.lsn, endLsn: wal.lsn };
    this.#endLastBlock(lsn);
    const time = this.state.wal.takeTime(pins.time);
    const unfinished = pins.unfinished === undefined ? {} : { unfinished: pins.unfinished };
    this.record.end = { kind: 'commit', commitLsn: lsn, endLsn, time, ...sourceOf(pins.source), ...unfinished };
    this.#close();
    this.#makeVisible(lsn, endLsn);
    return this.#appendEnd();
  }

  /** @param block - of what is left to be streamed */
  prepare(gid: string, pins: EndPins, block: BlockPins): TimelineEvent {
    if (this.state.prepared.has(gid)) throw gidRefused('42710', gid, 'already in use');
    if (new TextEncoder().encode(gid).length > 199) throw gidRefused('22023', gid, 'too long');
    this.#beforeEnd();
    const isPinned = block.firstLsn !== undefined || block.lastLsn !== undefined;
    if (this.#lastBlock !== null && (this.record.hasPending || isPinned)) {
      if (this.endBlock(block) !== null) this.#lastBlock.leftAtPrepare = true;
    }
    const { lsn, endLsn } = this.state.wal.writeEnd(recordSize.prepare, this.records.lastLsn, pins);
    const place = sourceOf(pins.source);
    const time = this.state.wal.takeTime(pins.time);
    const end = { kind: 'prepare', gid, prepareLsn: lsn, endLsn, time, outcome: null, ...place } as const;
    this.record.end = end;
    // Its rows stay locked until the outcome.
    this.#ended = true;
    this.state.prepared.set(gid, {
      record: this.record,
      finish: (outcome) => {
        this.record.end = { ...end, outcome };
        this.#close();
        if (outcome.kind === 'commit') this.#makeVisible(outcome.lsn, outcome.endLsn);
        else this.#undo.undoTo(0);
      },
    });
    return this.#appendEnd();
  }

  abort(pins: AbortPins): TimelineEvent {
    this.checkOpen();
    if (this.subtransactions.depth > 1) {
      const { time } = pins;
      const times = time === undefined ? {} : { time: typeof time === 'bigint' ? time : time.slice(0, -1) };
      this.rollbackFrom(1, { endsBlock: false, ...times, lsns: pins.lsns?.slice(0, -1) ?? [] });
    }
    this.#undo.undoTo(0);
    const lsn = this.record.xid === 0 ? this.state.wal.lsn : this.writeToEnd(recordSize.abort, pins.lsns?.at(-1));
    const time = this.state.wal.takeTime(timePin(pins, 1));
    this.record.end = { kind: 'abort', abortLsn: lsn, time, ...sourceOf(pins.source) };
    this.#close();
    return this.#appendEnd();
  }

  /** No record tells of its end. */
  crash(): TimelineEvent {
    this.checkOpen();
    this.#undo.undoTo(0);
    this.record.end = { kind: 'abort', abortLsn: 0n, time: this.state.wal.now };
    this.#close();
    return this.#appendEnd();
  }

  /** Open subtransactions are committed with their parent. */
  #beforeEnd(): void {
    this.checkOpen();
    this.subtransactions.release(1);
    // A pinned begin tells of records, though no change shows: of unlogged tables, say.
    const { beginLsn, isEmpty } = this.records;
    if (beginLsn === undefined || !isEmpty) return;
    this.assignXid();
    this.records.follow(beginLsn, beginLsn);
  }

  #close(): void {
    this.#ended = true;
    this.state.open.delete(this);
    for (const [oid, owner] of this.state.ddlLocks) if (owner === this) this.state.ddlLocks.delete(oid);
  }

  #makeVisible(lsn: bigint, endLsn: bigint): void {
    this.#undo.commitRows(this, endLsn);
    const { patch } = this.#catalogs;
    if (patch === null) return;
    this.state.commitPatch(patch, endLsn);
    const commit = { by: this.record, lsn, endLsn };
    this.state.ddlCommits.push(commit);
    for (const other of this.state.open) other.catalogsChanged(commit);
  }

  #appendEnd(): TimelineEvent {
    return this.state.log.append({ kind: this.#lastBlock === null ? 'transaction' : 'end', transaction: this.record });
  }
}

function gidRefused(code: string, gid: string, problem: string): StatementError {
  const message = `transaction identifier "${gid}" is ${problem}`;
  return new StatementError({ code, message }, { kind: 'transaction', name: gid });
}
