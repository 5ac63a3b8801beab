/**
 * Captured payloads in a file, in order, to be read as often as wanted: a capture is told as a scenario in two passes,
 * and its length must not be a question of memory.
 *
 *   Int32 length of what follows, UInt64 LSN (all bits set: unknown), Float64 place, payload
 */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDecoder, DecodeError, type Streaming } from '../../pgoutput/index.js';
import type { CapturedMessage } from '../../timeline/collect.js';
import { maxLsn } from '../../values/lsn.js';

const headSize = 20;
const pieceSize = 1 << 18;

export interface SpooledPayload {
  readonly payload: Buffer;
  readonly lsn: bigint | null;
  /** Where it stood, for errors. */
  readonly at: number;
}

export class Spool {
  readonly #folder: string;
  readonly #file: number;
  readonly #pending: Buffer[] = [];
  #pendingSize = 0;
  #size = 0;
  count = 0;

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'fake-walsender-'));
    this.#file = openSync(join(this.#folder, 'capture'), 'w+', 0o600);
  }

  add(payload: Buffer, lsn: bigint | null, at: number): void {
    const head = Buffer.allocUnsafe(headSize);
    head.writeUInt32BE(headSize - 4 + payload.length, 0);
    head.writeBigUInt64BE(lsn ?? maxLsn, 4);
    head.writeDoubleBE(at, 12);
    this.#pending.push(head, Buffer.from(payload));
    this.#pendingSize += headSize + payload.length;
    this.count++;
    if (this.#pendingSize >= pieceSize) this.#flush();
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#pending, this.#pendingSize);
    for (let written = 0; written < bytes.length;) {
      written += writeSync(this.#file, bytes, written, bytes.length - written, this.#size + written);
    }
    this.#size += bytes.length;
    this.#pending.length = 0;
    this.#pendingSize = 0;
  }

  /** From the first one on, each time. Each payload is overwritten by the next. */
  *[Symbol.iterator](): Generator<SpooledPayload> {
    this.#flush();
    let buffer = Buffer.allocUnsafe(pieceSize);
    let [start, end, position] = [0, 0, 0];
    for (;;) {
      const length = end - start < 4 ? 4 : 4 + buffer.readUInt32BE(start);
      if (end - start < length) {
        const larger = buffer.length < length ? Buffer.allocUnsafe(length + pieceSize) : buffer;
        buffer.copy(larger, 0, start, end);
        buffer = larger;
        [start, end] = [0, end - start];
        const read = readSync(this.#file, buffer, end, buffer.length - end, position);
        if (read === 0) return;
        position += read;
        end += read;
        continue;
      }
      if (length < headSize) continue;
      const lsn = buffer.readBigUInt64BE(start + 4);
      const payload = buffer.subarray(start + headSize, start + length);
      yield { payload, lsn: lsn === maxLsn ? null : lsn, at: buffer.readDoubleBE(start + 12) };
      start += length;
    }
  }

  /** What the payloads say. @param onError - names the place of bytes that say nothing */
  messages(
    streaming: Streaming | undefined,
    onError: (error: DecodeError, at: number) => never,
  ): Iterable<CapturedMessage> {
    const decodeAll = (): Generator<CapturedMessage> => decodeEach(this, streaming, onError);
    return { [Symbol.iterator]: decodeAll };
  }

  /** Where the payload with this number (from 0) stood. */
  placeOf(index: number): number {
    let i = 0;
    for (const { at } of this) if (i++ === index) return at;
    return 0;
  }

  close(): void {
    closeSync(this.#file);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function* decodeEach(
  spool: Spool,
  streaming: Streaming | undefined,
  onError: (error: DecodeError, at: number) => never,
): Generator<CapturedMessage> {
  const decoder = createDecoder(streaming === undefined ? {} : { streaming });
  for (const { payload, lsn, at } of spool) {
    try {
      yield { message: decoder.decode(payload), lsn };
    } catch (error) {
      if (error instanceof DecodeError) onError(error, at);
      throw error;
    }
  }
}
