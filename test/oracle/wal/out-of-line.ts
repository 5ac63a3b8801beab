/** Which values of a stored tuple are pointers to TOAST. */
import type { StoredTuple } from './event.js';

/** What the layout of a tuple depends on: attlen, attalign, in attribute order, dropped columns included. */
export interface StoredColumn {
  readonly attnum: number;
  readonly length: number;
  readonly align: string;
}

const alignments: Readonly<Record<string, number>> = { c: 1, s: 2, i: 4, d: 8 };
/** First byte of a value that is stored elsewhere; the next one says how. */
const external = 0x01;
const onDisk = 18;

/** @returns the TOAST value's id (chunk_id) by attnum */
export function outOfLineValues(tuple: StoredTuple, columns: readonly StoredColumn[]): Map<number, number> {
  const found = new Map<number, number>();
  const { data } = tuple;
  let at = 0;
  columns.slice(0, tuple.attributes).forEach(({ attnum, length, align }, index) => {
    if (tuple.nulls.length > 0 && !(tuple.nulls[index >> 3]! & (1 << (index & 7)))) return;
    const boundary = alignments[align]!;
    // A one-byte header is never aligned, and never zero as padding is.
    if (length !== -1 || data[at] === 0) at = Math.ceil(at / boundary) * boundary;
    if (length > 0) at += length;
    else if (length === -2) at = data.indexOf(0, at) + 1;
    else if (data[at] === external) {
      if (data[at + 1] !== onDisk) throw new Error(`a stored tuple has a value of kind ${data[at + 1]}`);
      found.set(attnum, data.readUInt32LE(at + 10));
      at += 18;
    } else at += data[at]! & 1 ? data[at]! >> 1 : data.readUInt32LE(at) >>> 2;
  });
  return found;
}

/** The chunk_id of a row of a TOAST table: its first column. */
export function toastValueId({ data }: StoredTuple): number {
  return data.readUInt32LE(0);
}
