/** A transaction as the timeline shows it, while it grows and afterwards. */
import type {
  BlockEvent,
  Change,
  Invalidation,
  OriginMark,
  SourcePosition,
  SubtransactionAbort,
  Transaction,
  TransactionEnd,
} from '../timeline/timeline.js';
import type { Catalog } from '../timeline/catalog.js';
import type { BlockPins } from './statement.js';

/** Changes that are made anew at each reading: `repeat` without `track`. */
export interface ChangeRun {
  readonly run: () => Iterable<Change>;
  readonly xid: number;
  readonly firstLsn: bigint;
  readonly lastLsn: bigint;
}

/** Until a reader has passed it. */
export type MutableBlock = BlockEvent & { lastLsn: bigint; leftAtPrepare?: boolean };

export type Piece = Change | ChangeRun;

export function isRun(piece: Piece): piece is ChangeRun {
  return 'run' in piece;
}

/** Changes one after another: an array where nothing is generated, so that the common case is read by index. */
export function changesOf(pieces: readonly Piece[]): Iterable<Change> {
  return pieces.some(isRun) ? { [Symbol.iterator]: () => generate(pieces) } : (pieces as readonly Change[]);
}

function* generate(pieces: readonly Piece[]): Generator<Change> {
  for (const piece of pieces) {
    if (isRun(piece)) yield* piece.run();
    else yield piece;
  }
}

const noXids: ReadonlySet<number> = new Set();
const noInvalidations: Transaction['invalidations'] = [];

export class TransactionRecord implements Transaction {
  xid = 0;
  firstLsn = 0n;
  end: TransactionEnd | null = null;
  abortedSubxids = noXids;
  invalidations = noInvalidations;
  readonly source?: SourcePosition;
  #pieces: Piece[] = [];
  /** Of the pieces so far. */
  #told: Iterable<Change> | null = null;
  /** What the next block will hold; null when there will be none. */
  #pending: Piece[] | null;
  #streamedXids = noXids;

  constructor(
    public catalog: Catalog,
    readonly origin: OriginMark | null,
    source: SourcePosition | undefined,
    streamed: boolean,
  ) {
    this.#pending = streamed ? [] : null;
    if (source !== undefined) this.source = source;
  }

  changes(): Iterable<Change> {
    this.#told ??= changesOf(this.#pieces);
    return this.#told;
  }

  add(piece: Piece): void {
    this.#pieces.push(piece);
    this.#told = null;
    this.#pending?.push(piece);
  }

  invalidate(xid: number, invalidation: Invalidation): void {
    this.invalidations = [...this.invalidations, { xid, invalidation }];
  }

  mark(): () => void {
    const { xid, firstLsn, end, abortedSubxids, invalidations, catalog } = this;
    const pieces = [...this.#pieces];
    const pending = this.#pending && [...this.#pending];
    const streamedXids = this.#streamedXids;
    return () => {
      Object.assign(this, { xid, firstLsn, end, abortedSubxids, invalidations, catalog });
      this.#pieces = pieces;
      this.#told = null;
      this.#pending = pending;
      this.#streamedXids = streamedXids;
    };
  }

  get hasPending(): boolean {
    return this.#pending !== null && this.#pending.length > 0;
  }

  /** The block of what came since the last one. */
  takeBlock(lsn: bigint, time: bigint, pins: BlockPins): MutableBlock {
    const pieces = this.#pending ?? [];
    this.#pending = [];
    this.#streamedXids = new Set([...this.#streamedXids, ...pieces.map((piece) => piece.xid)]);
    const data = pieces.filter((piece) => isRun(piece) || piece.kind !== 'step');
    const first = data[0];
    const last = data.at(-1);
    const firstLsn = pins.firstLsn ?? (first === undefined ? lsn : isRun(first) ? first.firstLsn : first.lsn);
    return {
      kind: 'block',
      transaction: this,
      changes: changesOf(pieces),
      firstLsn,
      lastLsn: pins.lastLsn ?? (last === undefined ? firstLsn : isRun(last) ? last.lastLsn : last.lsn),
      time,
      ...(pins.source !== undefined && { source: pins.source }),
    };
  }

  /**
   * Rolls subtransactions back: what has not gone out in a block yet never will.
   * @returns the block that tells so, when something of them had gone out
   */
  abortSubtransactions(aborts: readonly SubtransactionAbort[], time: bigint): BlockEvent | null {
    this.#pieces.push(...aborts);
    this.#told = null;
    this.abortedSubxids = new Set([...this.abortedSubxids, ...aborts.flatMap((abort) => abort.subxids)]);
    this.#pending &&= this.#pending.filter((piece) => !this.abortedSubxids.has(piece.xid));
    const visible = aborts.filter((abort) => abort.subxids.some((xid) => this.#streamedXids.has(xid)));
    if (visible.length === 0) return null;
    const [{ source }, firstLsn, lastLsn] = [visible[0]!, visible[0]!.lsn, visible.at(-1)!.lsn];
    const at = source === undefined ? {} : { source };
    return { kind: 'block', transaction: this, changes: visible, firstLsn, lastLsn, time, ...at };
  }
}
