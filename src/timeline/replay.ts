/** Changes on their way to the output plugin, one at a time: of a transaction as a whole, or of one block of it. */
import type { Catalog } from './catalog.js';
import type { EmitProgress } from './emitter.js';
import type { OutputPlugin, PluginTransaction } from './output-plugin.js';
import type { RelationCache } from './relation-cache.js';
import type { BlockEvent, CatalogChange, Change, Invalidation, Transaction } from './timeline.js';

const decoded: EmitProgress = { kind: 'decoded' };

export interface ReplayContext {
  readonly plugin: OutputPlugin;
  readonly major: number;
  /** What was rolled back in the end is known already. */
  readonly late: boolean;
}

/** What a connection knows of a transaction with blocks. */
export interface StreamState {
  /** The catalogs as it sees them after its last block. */
  catalog: Catalog;
  /** Stream Start has gone out. */
  started: boolean;
  /** Blocks held back, as they ended before the start position: they go out with the next one. */
  readonly kept: BlockEvent[];
  /** Xids of which something has gone out, less those whose Stream Abort has too. */
  readonly xids: Set<number>;
  /** Xids found to be aborted while they were streamed: the rest of their changes is dropped. */
  readonly dropped: Set<number>;
  readonly invalidations: Invalidation[];
}

abstract class Replay {
  readonly #array: readonly Change[] | null;
  readonly #iterator: Iterator<Change> | null;
  #index = 0;

  constructor(
    protected readonly context: ReplayContext,
    protected readonly transaction: Transaction,
    protected readonly told: PluginTransaction,
    changes: Iterable<Change>,
    protected catalog: Catalog,
    protected readonly invalidations: Invalidation[],
  ) {
    this.#array = Array.isArray(changes) ? (changes as readonly Change[]) : null;
    this.#iterator = this.#array === null ? changes[Symbol.iterator]() : null;
  }

  /** What is being decoded; undefined before the first change and after the last one. */
  change: Change | undefined;

  protected take(): Change | undefined {
    if (this.#array !== null) return (this.change = this.#array[this.#index++]);
    const step = this.#iterator!.next();
    return (this.change = step.done === true ? undefined : step.value);
  }

  /** All its changes are decoded. */
  done = false;

  /** Decodes one change more. */
  abstract next(): EmitProgress;

  /** Catalog caches must not outlive what they were read under. */
  protected executeInvalidations(): void {
    executeInvalidations(this.context, this.transaction, this.invalidations);
  }

  protected apply(change: Exclude<Change, { kind: 'step' | 'subtransactionAbort' }>): void {
    const { plugin } = this.context;
    switch (change.kind) {
      case 'insert':
      case 'update':
      case 'delete':
        plugin.change(change, this.catalog);
        break;
      case 'truncate':
        plugin.truncate(change, this.catalog);
        break;
      case 'message':
        plugin.message(change);
        break;
      case 'catalog':
        this.#changeCatalog(change);
        break;
      case 'announce':
        plugin.announce(change, this.catalog);
        break;
    }
  }

  #changeCatalog(change: CatalogChange): void {
    const { plugin, major } = this.context;
    this.catalog = change.catalog;
    plugin.cache.meetCatalogs(change.systemCatalogs);
    this.rememberInvalidation(change);
    if (major >= 14) plugin.cache.invalidate(change.invalidates);
    // Up to 13 the commit record alone lists invalidations, so each command executes them all, later ones' too.
    else if (change.distributed !== true && change.inPlace !== true) this.executeInvalidations();
  }

  protected rememberInvalidation(change: CatalogChange): void {
    // Other transactions' invalidations reach open ones since the 2025 minors of 13 and later.
    if (change.distributed !== true || this.context.major >= 13) this.invalidations.push(change.invalidates);
  }

  /**
   * Whether a server would notice at this change that its (sub)transaction has been rolled back: it looks when it reads
   * the catalogs to learn what the file of a change is, be it a table's or a catalog's, so what is cached slips through.
   */
  protected noticesAbort(change: Change): boolean {
    if (!this.context.late || !isKnownAborted(this.transaction, change.xid)) return false;
    const { cache } = this.context.plugin;
    switch (change.kind) {
      case 'insert':
      case 'update':
      case 'delete':
        return cache.isCold(change.table);
      case 'truncate':
        return change.tables.some((table) => cache.isCold(table));
      case 'catalog':
        return cache.areColdCatalogs(change.systemCatalogs);
      default:
        return false;
    }
  }
}

/** A transaction that goes out whole, at its commit or prepare. */
export class TransactionReplay extends Replay {
  readonly #checksAborts: boolean;

  constructor(
    context: ReplayContext,
    transaction: Transaction,
    told: PluginTransaction,
    /** Prepared transactions can still be rolled back: late decoding notices. */
    prepared: boolean,
    private readonly finish: () => EmitProgress,
  ) {
    super(context, transaction, told, transaction.changes(), transaction.catalog, []);
    this.#checksAborts = prepared;
  }

  next(): EmitProgress {
    const change = this.take();
    if (change === undefined) return this.#end();
    if (change.kind === 'step') return { kind: 'step', step: change.step, lsn: change.lsn };
    if (change.kind === 'subtransactionAbort') return decoded;
    if (this.transaction.abortedSubxids.has(change.xid)) {
      if (change.kind === 'catalog' && this.context.major >= 14) this.rememberInvalidation(change);
      return decoded;
    }
    // Of a prepared transaction the server watches the top level only.
    if (this.#checksAborts && change.xid === this.transaction.xid && this.noticesAbort(change)) return this.#end();
    this.apply(change);
    return decoded;
  }

  #end(): EmitProgress {
    this.done = true;
    const progress = this.finish();
    this.executeInvalidations();
    return progress;
  }
}

/** One block, with those kept from before the start position. */
export class BlockReplay extends Replay {
  #open = false;
  #empty = true;
  readonly #firstLsn: bigint;

  constructor(
    context: ReplayContext,
    told: PluginTransaction,
    private readonly stream: StreamState,
    private readonly block: BlockEvent,
  ) {
    const { transaction } = block;
    const { kept, invalidations, catalog } = stream;
    super(
      context,
      transaction,
      told,
      kept.length === 0 ? block.changes : merged([...kept], block),
      catalog,
      invalidations,
    );
    this.#firstLsn = (kept[0] ?? block).firstLsn;
    kept.length = 0;
  }

  next(): EmitProgress {
    const change = this.take();
    if (change === undefined) return this.#end(this.block.lastLsn);
    if (change.kind === 'step') return { kind: 'step', step: change.step, lsn: change.lsn };
    if (change.kind === 'subtransactionAbort') {
      this.#empty = false;
      abortStreamed(this.context.plugin, this.told, this.stream, change.subxids, change.lsn, change.time);
      this.catalog = change.catalog ?? this.catalog;
      return decoded;
    }
    const first = this.#empty;
    this.#empty = false;
    if (this.stream.dropped.has(change.xid)) return this.#drop(change);
    if (!this.#open) this.#start(first ? this.#firstLsn : change.lsn, change);
    this.stream.xids.add(change.xid);
    if (this.noticesAbort(change)) return this.#stopAt(change);
    this.apply(change);
    return decoded;
  }

  /** @param change - the first one. Only changes of tables carry an origin. */
  #start(lsn: bigint, change?: Change): void {
    const named = change !== undefined && change.kind !== 'message' && change.kind !== 'catalog';
    this.context.plugin.streamStart(this.told, !this.stream.started, named, lsn);
    this.#open = true;
    this.stream.started = true;
    this.stream.xids.add(this.told.xid);
  }

  /** The rest of the block is thrown away, and yet counts as streamed. */
  #stopAt(change: Change): EmitProgress {
    this.stream.dropped.add(change.xid);
    this.#drop(change);
    for (let rest = this.take(); rest !== undefined; rest = this.take()) {
      if (rest.kind === 'step' || rest.kind === 'subtransactionAbort') continue;
      this.stream.xids.add(rest.xid);
      this.#drop(rest);
    }
    return this.#end(change.lsn);
  }

  /** What it invalidates is kept apart from the changes, and executed all the same. */
  #drop(change: Change): EmitProgress {
    if (change.kind === 'catalog') this.rememberInvalidation(change);
    return decoded;
  }

  #end(lsn: bigint): EmitProgress {
    this.done = true;
    if (this.#empty) this.#start(this.#firstLsn);
    if (this.#open) {
      this.context.plugin.streamStop(lsn);
      this.executeInvalidations();
    }
    this.stream.catalog = this.catalog;
    return decoded;
  }
}

/** Kept blocks and the one that lets them go, without what was rolled back meanwhile. */
function* merged(kept: readonly BlockEvent[], block: BlockEvent): Generator<Change> {
  const blocks = [...kept, block];
  const aborted = new Set<number>();
  for (const { changes } of kept) {
    for (const change of changes) {
      if (change.kind === 'subtransactionAbort') for (const xid of change.subxids) aborted.add(xid);
    }
  }
  for (const { changes } of blocks) {
    for (const change of changes) if (!aborted.has(change.xid)) yield change;
  }
}

/** One Stream Abort for each subtransaction of which something has gone out. */
export function abortStreamed(
  plugin: OutputPlugin,
  told: PluginTransaction,
  stream: StreamState,
  subxids: readonly number[],
  lsn: bigint,
  time: bigint,
): void {
  // The abort record of a session with an origin has that one's time; a crash leaves no record.
  const shown = lsn === 0n ? time : (told.origin?.time ?? time);
  for (const subxid of subxids) {
    if (stream.xids.delete(subxid)) plugin.streamAbort(told, subxid, lsn, shown);
  }
}

export function executeInvalidations(
  { plugin, major }: { readonly plugin: { readonly cache: RelationCache }; readonly major: number },
  transaction: Transaction,
  seen: readonly Invalidation[],
): void {
  for (const invalidation of seen) plugin.cache.invalidate(invalidation);
  if (major >= 14) return;
  for (const { xid, invalidation } of transaction.invalidations) {
    if (!transaction.abortedSubxids.has(xid)) plugin.cache.invalidate(invalidation);
  }
}

/** For decoding that knows the end: the (sub)transaction, or the transaction that it belongs to, was rolled back. */
export function isKnownAborted(transaction: Transaction, xid: number): boolean {
  const { end } = transaction;
  if (end?.kind === 'abort' || (end?.kind === 'prepare' && end.outcome?.kind === 'rollback')) return true;
  return transaction.abortedSubxids.has(xid);
}
