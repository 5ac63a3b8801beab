/**
 * What a server assigns as it writes: LSNs, xids, OIDs, times. Every kind of record has a constant size, a plausible one
 * (a real record's size depends on its data), so that how far a million generated transactions reach is a product, not a loop.
 */
import { firstNormalOid, nextOid } from '../values/oid.js';
import { advanceXid, firstNormalXid } from '../values/xid.js';
import { formatLsn } from '../values/lsn.js';
import { StatementError } from './statement-error.js';

/** Bytes of WAL. Records lie end to end: the end of one is the start of the next. */
export const recordSize = {
  change: 0x80n,
  /** Of a change: the part before the row, where values lie out of line (TOAST chunks, the lock of the old row). */
  outOfLine: 0x40n,
  message: 0x50n,
  truncate: 0x38n,
  catalog: 0x180n,
  /** Tells whose subtransaction it is that writes first. */
  assignment: 0x30n,
  commit: 0x30n,
  abort: 0x28n,
  prepare: 0xf8n,
  outcome: 0x40n,
} as const;

export interface WalPosition {
  readonly lsn: bigint;
  readonly xid: number;
  /** Time of the next commit. */
  readonly time: bigint;
}

export class Wal {
  /** End of the last record. */
  lsn: bigint;
  /** End of the last commit, prepare, outcome or non-transactional message: the order of events. */
  #orderedTo: bigint;
  #xid: number;
  #nextTime: bigint;
  /** The clock: the last time given. */
  now: bigint;

  constructor(
    position: WalPosition,
    private readonly clockStep: bigint,
    readonly major: number,
  ) {
    this.lsn = position.lsn;
    this.#orderedTo = position.lsn;
    this.#xid = position.xid;
    this.#nextTime = position.time;
    this.now = position.time;
  }

  get position(): WalPosition {
    return { lsn: this.lsn, xid: this.#xid, time: this.#nextTime };
  }

  mark(): () => void {
    const [lsn, orderedTo, xid, nextTime, now] = [this.lsn, this.#orderedTo, this.#xid, this.#nextTime, this.now];
    return () => {
      this.lsn = lsn;
      this.#orderedTo = orderedTo;
      this.#xid = xid;
      this.#nextTime = nextTime;
      this.now = now;
    };
  }

  /** Another WAL that goes on from a position. */
  at(position: WalPosition): Wal {
    return new Wal(position, this.clockStep, this.major);
  }

  /** Goes on from a position further on. */
  moveTo({ lsn, xid, time }: WalPosition): void {
    this.lsn = lsn;
    this.#orderedTo = lsn;
    this.#xid = xid;
    if (time !== this.#nextTime) this.now = time - this.clockStep;
    this.#nextTime = time;
  }

  /** A record of a transaction. @returns its start; @throws StatementError when the pin lies below `after` */
  write(size: bigint, after: bigint, pin: bigint | undefined): bigint {
    const start = pin ?? (this.lsn > after ? this.lsn : after);
    if (start < after) throw this.#pinError(start, `the transaction's record before it is at ${this.format(after)}`);
    this.#reach(start + size);
    return start;
  }

  /** A record whose end is what shows. @returns its end */
  writeToEnd(size: bigint, after: bigint, pin: bigint | undefined): bigint {
    const end = pin ?? (this.lsn > after ? this.lsn : after) + size;
    if (end < after) throw this.#pinError(end, `the transaction's record before it is at ${this.format(after)}`);
    this.#reach(end);
    return end;
  }

  /** A record that ends a transaction: such records come in LSN order. */
  writeEnd(size: bigint, after: bigint, pins: { lsn?: bigint; endLsn?: bigint }): { lsn: bigint; endLsn: bigint } {
    const floor = this.#orderedTo > after ? this.#orderedTo : after;
    const free = pins.endLsn === undefined ? this.lsn : pins.endLsn - size;
    const lsn = pins.lsn ?? (free > floor ? free : floor);
    if (lsn < after) throw this.#pinError(lsn, `the transaction's last record is at ${this.format(after)}`);
    if (lsn < floor) throw this.#pinError(lsn, `what ended before it ends at ${this.format(floor)}`);
    const endLsn = pins.endLsn ?? lsn + size;
    if (endLsn <= lsn) throw this.#pinError(endLsn, `the record starts at ${this.format(lsn)}`);
    this.#reach(endLsn);
    this.#orderedTo = endLsn;
    return { lsn, endLsn };
  }

  /** A non-transactional message is decoded where it stands, so it is in that order too. */
  writeMessage(pin: bigint | undefined): bigint {
    const end = this.writeToEnd(recordSize.message, this.#orderedTo, pin);
    this.#orderedTo = end;
    return end;
  }

  takeXid(pin: number | undefined): number {
    const xid = pin ?? this.#xid;
    this.#xid = advanceXid(xid);
    return xid;
  }

  /** The time of a commit, prepare or outcome. */
  takeTime(pin: bigint | undefined): bigint {
    const time = pin ?? this.#nextTime;
    if (time >= this.#nextTime) {
      this.#nextTime = time + this.clockStep;
      this.now = time;
    }
    return time;
  }

  format(lsn: bigint): string {
    return formatLsn(lsn, this.major);
  }

  #reach(end: bigint): void {
    if (end > this.lsn) this.lsn = end;
  }

  #pinError(lsn: bigint, reason: string): StatementError {
    return new StatementError(
      { code: '22023', message: `LSN ${this.format(lsn)} is too low: ${reason}` },
      { kind: 'pin', name: 'lsn' },
    );
  }
}

/** Where `count` times the way from `from` to `to` leads. */
export function positionAfter(from: WalPosition, to: WalPosition, count: number): WalPosition {
  const n = BigInt(count);
  const xids = to.xid >= from.xid ? to.xid - from.xid : to.xid - from.xid + 0x1_0000_0000 - firstNormalXid;
  return {
    lsn: from.lsn + (to.lsn - from.lsn) * n,
    xid: advanceXid(from.xid, xids * count),
    time: from.time + (to.time - from.time) * n,
  };
}

/** OIDs, skipping those that pins have taken. */
export class OidCounter {
  #taken = new Set<number>();
  readonly #reserved = new Set<number>();
  #next: number;

  constructor(next: number = firstNormalOid) {
    this.#next = next;
  }

  /** Keeps the counter off OIDs that pins will take later. */
  reserve(oids: Iterable<number>): void {
    for (const oid of oids) this.#reserved.add(oid);
  }

  mark(): () => void {
    const taken = new Set(this.#taken);
    const next = this.#next;
    return () => {
      this.#taken = taken;
      this.#next = next;
    };
  }

  /** Leaves OIDs out, for parts that have some but show nowhere. */
  skip(count: number): void {
    for (let i = 0; i < count; i++) this.#next = nextOid(this.#next);
  }

  take(pin?: number): number {
    if (pin !== undefined) {
      if (this.#taken.has(pin)) {
        throw new StatementError(
          { code: '42710', message: `OID ${pin} is in use already` },
          { kind: 'pin', name: String(pin) },
        );
      }
      this.#taken.add(pin);
      return pin;
    }
    while (this.#taken.has(this.#next) || this.#reserved.has(this.#next)) this.#next = nextOid(this.#next);
    const oid = this.#next;
    this.#taken.add(oid);
    this.#next = nextOid(oid);
    return oid;
  }
}
