/** Transaction records (xact.h). */
import { invalidatedRelations, type TransactionEnd } from './event.js';
import type { EventBody } from './heap.js';
import type { WalRecord } from './record.js';

const operation = 0x70;
const commit = 0x00;
const prepare = 0x10;
const abort = 0x20;
const commitPrepared = 0x30;
const abortPrepared = 0x40;
const assignment = 0x50;
const invalidations = 0x60;
const hasInfo = 0x80;

/** Parts of a commit or abort record, in their order. */
const has = {
  database: 1,
  subxids: 2,
  files: 4,
  invalidations: 8,
  prepared: 16,
  origin: 32,
  gid: 128,
  statistics: 256,
};

export function readTransaction({ info, main }: WalRecord, database: number, major: number): EventBody[] {
  switch (info & operation) {
    case commit:
    case commitPrepared:
      return readEnd('commit', info, main, database, major);
    case abort:
    case abortPrepared:
      return readEnd('abort', info, main, database, major);
    case prepare:
      return readPrepare(main, database, major);
    case invalidations:
      return [{ kind: 'invalidations', relations: invalidatedRelations(main, 0, database) }];
    default:
      return [{ kind: 'other' }];
  }
}

/** The record in which, for decoding up to 13, a subtransaction that writes first says whose it is. @returns the top-level xid */
export function readAssignment({ info, main }: WalRecord): number | undefined {
  return (info & operation) === assignment ? main.readUInt32LE(0) : undefined;
}

function readEnd(kind: 'commit' | 'abort', info: number, main: Buffer, database: number, major: number): EventBody[] {
  let at = 8;
  const flags = info & hasInfo ? main.readUInt32LE(at) : 0;
  if (info & hasInfo) at += 4;
  if (flags & has.database) {
    if (main.readUInt32LE(at) !== database) return [];
    at += 8;
  }
  let subxids: number[] = [];
  if (flags & has.subxids) {
    subxids = readXids(main, at + 4, main.readUInt32LE(at));
    at += 4 + subxids.length * 4;
  }
  if (flags & has.files) at += 4 + main.readUInt32LE(at) * 12;
  if (flags & has.statistics) at += 4 + main.readUInt32LE(at) * (major >= 18 ? 16 : 12);
  let invalidated: number[] = [];
  if (flags & has.invalidations) {
    invalidated = invalidatedRelations(main, at, database);
    at += 4 + main.readUInt32LE(at) * 16;
  }
  const preparedXid = flags & has.prepared ? main.readUInt32LE(at) : undefined;
  // The gid lies between; the origin is at the end.
  const origin = flags & has.origin ? main.length - 16 : undefined;
  const end: TransactionEnd = {
    time: main.readBigInt64LE(0),
    subxids,
    preparedXid,
    invalidated,
    originLsn: origin === undefined ? 0n : main.readBigUInt64LE(origin),
    originTime: origin === undefined ? 0n : main.readBigInt64LE(origin + 8),
  };
  return [{ kind, ...end }];
}

/** TwoPhaseFileHeader, which grew an origin in 11 and counts of statistics in 15. */
function readPrepare(main: Buffer, database: number, major: number): EventBody[] {
  if (main.readUInt32LE(12) !== database) return [];
  const grown = major >= 15 ? 8 : 0;
  const subxidCount = main.readUInt32LE(28);
  const gidLength = main.readUInt16LE(46 + grown);
  const gidAt = (major >= 11 ? 64 : 48) + grown;
  const gid = main.toString('utf8', gidAt, gidAt + gidLength - 1);
  const subxids = readXids(main, gidAt + ((gidLength + 7) & ~7), subxidCount);
  const originLsn = major >= 11 ? main.readBigUInt64LE(48 + grown) : 0n;
  const originTime = major >= 11 ? main.readBigInt64LE(56 + grown) : 0n;
  return [{ kind: 'prepare', gid, time: main.readBigInt64LE(16), subxids, originLsn, originTime }];
}

function readXids(bytes: Buffer, at: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => bytes.readUInt32LE(at + index * 4));
}
