/**
 * What the database would assign by itself, worked out beforehand (see `database/wal`): a pin that says the same is left
 * out. Where a capture tells no positions, changes go without pins unless they would pass the end of their transaction.
 */
import { recordSize } from '../../database/index.js';
import { advanceXid } from '../../values/xid.js';

/** The clock's default step. */
const clockStep = 1_000_000n;

export class WalPins {
  lsn: bigint;
  #orderedTo: bigint;
  #xid: number;
  #nextTime: bigint;

  constructor(start: { readonly lsn: bigint; readonly xid: number; readonly time: bigint }) {
    this.lsn = start.lsn;
    this.#orderedTo = start.lsn;
    this.#xid = start.xid;
    this.#nextTime = start.time;
  }

  /** @returns the pin; undefined where none is needed */
  xid(wanted: number): number | undefined {
    const pin = wanted === this.#xid ? undefined : wanted;
    this.#xid = advanceXid(wanted);
    return pin;
  }

  time(wanted: bigint): bigint | undefined {
    const pin = wanted === this.#nextTime ? undefined : wanted;
    if (wanted >= this.#nextTime) this.#nextTime = wanted + clockStep;
    return pin;
  }

  /** A time is taken and shows nowhere. */
  passTime(): void {
    this.#nextTime += clockStep;
  }

  /** The record that ends something. @param after - the transaction's last record */
  end(size: bigint, after: bigint, wanted: { readonly lsn: bigint; readonly endLsn: bigint }): EndPin {
    const floor = this.#orderedTo > after ? this.#orderedTo : after;
    const free = this.lsn > floor ? this.lsn : floor;
    const pin: EndPin = {
      lsn: free === wanted.lsn ? undefined : wanted.lsn,
      endLsn: wanted.lsn + size === wanted.endLsn ? undefined : wanted.endLsn,
    };
    // Without its start, the end alone would move it.
    if (pin.endLsn !== undefined) pin.lsn = wanted.lsn;
    this.reach(wanted.endLsn);
    this.#orderedTo = wanted.endLsn;
    return pin;
  }

  /** A message without transaction. @param end - of its record */
  message(end: bigint): bigint | undefined {
    const free = (this.lsn > this.#orderedTo ? this.lsn : this.#orderedTo) + recordSize.message;
    this.reach(end);
    this.#orderedTo = end;
    return free === end ? undefined : end;
  }

  reach(lsn: bigint): void {
    if (lsn > this.lsn) this.lsn = lsn;
  }
}

export interface EndPin {
  lsn: bigint | undefined;
  endLsn: bigint | undefined;
}

export interface ChangePlace {
  readonly outOfLine?: boolean;
  readonly inSubtransaction?: boolean;
  /** Pinned whatever would be assigned. */
  readonly forced?: boolean;
}

/** The records of one transaction. */
export class TransactionPins {
  /** What the last record shows. */
  last = 0n;
  isEmpty = true;
  /** What the first record of the block shows; null while there is none. */
  blockFirst: bigint | null = null;

  constructor(
    private readonly wal: WalPins,
    /** Pinned start of the first record. */
    public beginLsn: bigint | undefined,
    /** Where the transaction ends, if that is known: nothing may lie beyond. */
    public limit: bigint | null,
  ) {}

  /**
   * A change. @param wanted - its position; null where unknown
   * @param inSubtransaction - a first record there has another one before it, unless it is pinned
   * @returns the pin
   */
  change(
    size: bigint,
    wanted: bigint | null,
    { outOfLine = false, inSubtransaction = false, forced = false }: ChangePlace = {},
  ): bigint | undefined {
    let start = this.#free;
    if (inSubtransaction && this.isEmpty && this.beginLsn === undefined) start += recordSize.assignment;
    const shown = outOfLine ? start + recordSize.outOfLine : start;
    const fits = wanted === null ? this.limit === null || shown + size <= this.limit : shown === wanted && !forced;
    const pin = fits ? undefined : (wanted ?? this.#squeezed);
    this.#wrote(pin ?? start, pin ?? shown, size);
    return pin;
  }

  /** A record of which the end shows. */
  toEnd(size: bigint, wanted: bigint | null, forced = false): bigint | undefined {
    const free = this.#free + size;
    const fits = wanted === null ? this.limit === null || free <= this.limit : free === wanted && !forced;
    const pin = fits ? undefined : (wanted ?? this.#squeezed);
    this.#wrote((pin ?? free) - size, pin ?? free, size);
    return pin;
  }

  /** Catalog work that lies before a record pinned to `lsn`. */
  before(lsn: bigint): void {
    const start = this.wal.lsn < lsn ? this.wal.lsn : this.isEmpty ? (this.beginLsn ?? lsn) : this.last;
    this.#wrote(start, start, recordSize.catalog);
  }

  #wrote(start: bigint, shown: bigint, size: bigint): void {
    this.wal.reach(start + size);
    this.last = shown;
    this.blockFirst ??= shown;
    this.isEmpty = false;
  }

  get #free(): bigint {
    if (this.isEmpty && this.beginLsn !== undefined) return this.beginLsn;
    return this.wal.lsn > this.last ? this.wal.lsn : this.last;
  }

  get #squeezed(): bigint {
    return this.last === 0n ? this.limit! : this.last;
  }
}
