/** Heap records (heapam_xlog.h). */
import type { StoredTuple, WalEvent } from './event.js';
import type { BlockReference, WalRecord } from './record.js';

type WithoutBase<T> = T extends unknown ? Omit<T, 'lsn' | 'endLsn' | 'xid' | 'topXid' | 'origin'> : never;
export type EventBody = WithoutBase<WalEvent>;

const operation = 0x70;
const insert = 0x00;
const remove = 0x10;
const update = 0x20;
const truncate = 0x30;
const hotUpdate = 0x40;
/** In HEAP2. */
const multiInsert = 0x50;
const initPage = 0x80;

const deleteIsSuper = 0x08;
const insertIsSpeculative = 0x04;
const updateHasNewTuple = 0x10;
const updateFromOld = 0x20 | 0x40;

/** Bytes before the null bitmap in a heap tuple: WAL leaves them out. */
const tupleHeader = 23;

export function readHeap({ info, main, blocks }: WalRecord, database: number): EventBody[] {
  const kind = info & operation;
  if (kind === truncate) {
    if (main.readUInt32LE(0) !== database) return [];
    const relations = Array.from({ length: main.readUInt32LE(4) }, (_, index) => main.readUInt32LE(12 + index * 4));
    const flags = main[8]!;
    return [{ kind: 'truncate', relations, cascade: (flags & 1) !== 0, restart: (flags & 2) !== 0 }];
  }
  const [block] = blocks;
  if (!isOurs(block, database)) return [];
  if (kind === insert) {
    const speculative = (main[2]! & insertIsSpeculative) !== 0;
    return [{ kind: 'insert', ...place(block, main.readUInt16LE(0)), tuple: readTuple(block.data, 0), speculative }];
  }
  if (kind === remove) {
    // The removal of a speculative insertion that met a conflict is no delete.
    return main[7]! & deleteIsSuper ? [] : [{ kind: 'delete', ...place(block, main.readUInt16LE(4)) }];
  }
  if (kind === update || kind === hotUpdate) {
    const whole = main[7]! & updateHasNewTuple && !(main[7]! & updateFromOld);
    return [
      { kind: 'update', ...place(block, main.readUInt16LE(12)), tuple: whole ? readTuple(block.data, 0) : undefined },
    ];
  }
  return [];
}

export function readHeap2({ info, main, blocks }: WalRecord, database: number): EventBody[] {
  const [block] = blocks;
  if ((info & operation) !== multiInsert || !isOurs(block, database)) return [];
  const count = main.readUInt16LE(2);
  const events: EventBody[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    const offset = info & initPage ? index + 1 : main.readUInt16LE(4 + index * 2);
    // Each tuple: aligned to two bytes, the length of what follows its header, the header.
    at += at % 2;
    const end = at + 7 + block.data.readUInt16LE(at);
    const tuple = readTuple(block.data.subarray(0, end), at + 2);
    events.push({ kind: 'insert', ...place(block, offset), tuple, speculative: false });
    at = end;
  }
  return events;
}

/** Catalogs that all databases share count as each one's: decoding keeps a transaction that changes them. */
function isOurs(block: BlockReference | undefined, database: number): block is BlockReference {
  return block !== undefined && (block.database === database || block.database === 0);
}

function place({ file, block }: BlockReference, offset: number): { file: number; tid: string } {
  return { file, tid: `(${block},${offset})` };
}

/** xl_heap_header, the null bitmap, padding, the values. */
function readTuple(data: Buffer, at: number): StoredTuple | undefined {
  if (data.length < at + 5) return undefined;
  const attributes = data.readUInt16LE(at) & 0x07ff;
  const hasNulls = (data.readUInt16LE(at + 2) & 1) !== 0;
  const values = at + 5 + data[at + 4]! - tupleHeader;
  return { attributes, nulls: hasNulls ? data.subarray(at + 5, values) : Buffer.alloc(0), data: data.subarray(values) };
}
