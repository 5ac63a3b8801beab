/** WAL segment files → records, put together from the pages that they span. Little-endian machines, as the servers ran on one. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const pageSize = 8192n;
const shortHeader = 24n;
/** The first page of a segment says more. */
const longHeader = 40n;
/** rmgr XLOG, info XLOG_SWITCH: the rest of the segment is unused. */
const switchInfo = 0x40;

export interface RawRecord {
  /** Where it starts, and where the next one can. */
  readonly lsn: bigint;
  readonly endLsn: bigint;
  readonly bytes: Buffer;
}

export class WalFolder {
  readonly #segments = new Map<bigint, Buffer>();

  /** @param folder - pg_wal. @param segmentSize - in bytes */
  constructor(
    readonly folder: string,
    readonly timeline: number,
    readonly segmentSize: bigint,
  ) {}

  /** @param from - where a record starts. @param to - records that start there or later are left out */
  *records(from: bigint, to: bigint): Generator<RawRecord> {
    for (let lsn = this.#pastHeader(from); lsn < to;) {
      const length = this.#segment(lsn).readUInt32LE(this.#offset(lsn));
      if (length < 24) throw new Error(`no WAL record starts at ${lsn.toString(16)}`);
      const bytes = Buffer.alloc(length);
      let at = lsn;
      for (let done = 0; done < length;) {
        at = this.#pastHeader(at);
        const inPage = Number(pageSize - (at % pageSize));
        const part = Math.min(length - done, inPage);
        this.#segment(at).copy(bytes, done, this.#offset(at), this.#offset(at) + part);
        done += part;
        at += BigInt(part);
      }
      let endLsn = (at + 7n) & ~7n;
      if (bytes[17] === 0 && (bytes[16]! & 0xf0) === switchInfo)
        endLsn = (lsn / this.segmentSize + 1n) * this.segmentSize;
      yield { lsn, endLsn, bytes };
      lsn = this.#pastHeader(endLsn);
    }
  }

  #pastHeader(lsn: bigint): bigint {
    if (lsn % pageSize !== 0n) return lsn;
    return lsn + (lsn % this.segmentSize === 0n ? longHeader : shortHeader);
  }

  #offset(lsn: bigint): number {
    return Number(lsn % this.segmentSize);
  }

  #segment(lsn: bigint): Buffer {
    const number = lsn / this.segmentSize;
    let segment = this.#segments.get(number);
    if (segment === undefined) {
      const perId = 0x1_0000_0000n / this.segmentSize;
      const parts = [BigInt(this.timeline), number / perId, number % perId];
      const name = parts.map((part) => part.toString(16).toUpperCase().padStart(8, '0')).join('');
      segment = readFileSync(join(this.folder, name));
      this.#segments.clear();
      this.#segments.set(number, segment);
    }
    return segment;
  }
}
