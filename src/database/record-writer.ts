/**
 * Where a transaction's records lie in the log. Its first record carries the transaction's pinned begin; the position
 * that a pin or a size gives never lies below the one before.
 */
import type { CatalogView } from './catalog-view.js';
import type { TransactionRecord } from './transaction-record.js';
import { recordSize, type Wal } from './wal.js';

export class RecordWriter {
  /** What the last record shows. */
  lastLsn = 0n;

  constructor(
    private readonly wal: Wal,
    private readonly record: TransactionRecord,
    private readonly catalogs: CatalogView,
    readonly beginLsn: bigint | undefined,
  ) {}

  get isEmpty(): boolean {
    return this.record.firstLsn === 0n;
  }

  /** @returns the record's start */
  write(size: bigint, lsn?: bigint): bigint {
    const start = this.wal.write(size, this.lastLsn, lsn ?? this.#pinOfFirst());
    this.follow(start, start);
    return start;
  }

  /** Where a row has values out of line, other records come before its own. @returns what shows */
  writeRow(outOfLine: boolean, lsn?: bigint): bigint {
    const start = this.write(recordSize.change, lsn);
    if (outOfLine && lsn === undefined) this.lastLsn = start + recordSize.outOfLine;
    return this.lastLsn;
  }

  /** A record of which the end shows. @returns its end */
  writeToEnd(size: bigint, lsn?: bigint): bigint {
    const first = this.#pinOfFirst();
    const end = this.wal.writeToEnd(size, this.lastLsn, lsn ?? (first === undefined ? undefined : first + size));
    this.follow(first ?? end - size, end);
    return end;
  }

  /** Records reach from one position to another. */
  follow(start: bigint, shown: bigint): void {
    this.reach(start);
    if (this.isEmpty) {
      this.record.firstLsn = this.beginLsn ?? start;
      this.record.catalog = this.catalogs.committed;
    }
    this.lastLsn = shown;
  }

  /** What comes next has this position. */
  reach(lsn: bigint): void {
    if (this.isEmpty) this.catalogs.startAt(this.beginLsn ?? lsn);
    this.catalogs.reach(lsn);
  }

  /** A place for a record that must lie before the one pinned to `lsn`. */
  lsnBefore(lsn: bigint): bigint {
    if (this.wal.lsn < lsn) return this.wal.lsn;
    return this.isEmpty ? (this.beginLsn ?? lsn) : this.lastLsn;
  }

  #pinOfFirst(): bigint | undefined {
    return this.isEmpty ? this.beginLsn : undefined;
  }
}
