/** The parts of a WAL record (xlogrecord.h): its header, the blocks that it touches, its main data. */
import type { RawRecord } from './pages.js';

export interface BlockReference {
  readonly database: number;
  /** relfilenode. */
  readonly file: number;
  readonly block: number;
  readonly data: Buffer;
}

export interface WalRecord {
  readonly lsn: bigint;
  readonly endLsn: bigint;
  readonly xid: number;
  /** The top-level xid, where the record says it: the first of a subtransaction, from 14 on. */
  readonly topXid: number | undefined;
  readonly manager: number;
  /** The resource manager's four bits. */
  readonly info: number;
  /** Replication origin; 0 for none. */
  readonly origin: number;
  readonly blocks: readonly BlockReference[];
  readonly main: Buffer;
}

const headerLength = 24;
const idDataShort = 255;
const idDataLong = 254;
const idOrigin = 253;
const idTopXid = 252;

const hasImage = 0x10;
const hasData = 0x20;
const sameRelation = 0x80;

export function parseRecord({ lsn, endLsn, bytes }: RawRecord): WalRecord {
  let topXid: number | undefined;
  let origin = 0;
  let mainLength = 0;
  const heads: { database: number; file: number; block: number; image: number; data: number }[] = [];
  // Headers come first and end where what they announce begins.
  let announced = 0;
  let at = headerLength;
  while (bytes.length - at > announced) {
    const id = bytes[at++]!;
    if (id === idDataShort) {
      mainLength = bytes[at++]!;
      announced += mainLength;
    } else if (id === idDataLong) {
      mainLength = bytes.readUInt32LE(at);
      at += 4;
      announced += mainLength;
    } else if (id === idOrigin) {
      origin = bytes.readUInt16LE(at);
      at += 2;
    } else if (id === idTopXid) {
      topXid = bytes.readUInt32LE(at);
      at += 4;
    } else if (id <= 32) {
      const flags = bytes[at++]!;
      const data = flags & hasData ? bytes.readUInt16LE(at) : 0;
      at += 2;
      let image = 0;
      if (flags & hasImage) {
        // Images are not compressed unless wal_compression is on: no hole length follows.
        image = bytes.readUInt16LE(at);
        at += 5;
      }
      const previous = heads.at(-1);
      let { database, file } = previous ?? { database: 0, file: 0 };
      if (!(flags & sameRelation)) {
        database = bytes.readUInt32LE(at + 4);
        file = bytes.readUInt32LE(at + 8);
        at += 12;
      }
      heads.push({ database, file, block: bytes.readUInt32LE(at), image, data });
      at += 4;
      announced += image + data;
    } else {
      throw new Error(`unknown block id ${id} in the WAL record at ${lsn.toString(16)}`);
    }
  }
  const blocks = heads.map(({ database, file, block, image, data }): BlockReference => {
    at += image + data;
    return { database, file, block, data: bytes.subarray(at - data, at) };
  });
  return {
    lsn,
    endLsn,
    xid: bytes.readUInt32LE(4),
    topXid,
    manager: bytes[17]!,
    info: bytes[16]! & 0xf0,
    origin,
    blocks,
    main: bytes.subarray(at, at + mainLength),
  };
}
