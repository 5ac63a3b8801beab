import { DecodeError } from './decode-error.js';
import { NodeBuffer } from './platform.js';

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A cursor over the bytes of one message. All integers are big-endian. Whatever does not fit throws a DecodeError that
 * names what `messageKind`, `field` and `index` say was being read. To be reused for message after message: see `open`.
 */
export class Reader {
  offset = 0;
  /** What is being read, for errors: set by the decoder as it goes. */
  messageKind: string | null = null;
  field: string | null = null;
  /** Element of `field`; -1 for none. */
  index = -1;
  #bytes: Uint8Array = new Uint8Array(0);
  #view: DataView | null = null;

  constructor(bytes?: Uint8Array) {
    if (bytes !== undefined) this.open(bytes);
  }

  /** Starts over on other bytes. */
  open(bytes: Uint8Array): void {
    this.#bytes =
      NodeBuffer === undefined || bytes instanceof NodeBuffer
        ? bytes
        : NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#view = null;
    this.offset = 0;
    this.messageKind = null;
    this.field = null;
    this.index = -1;
  }

  get remaining(): number {
    return this.#bytes.length - this.offset;
  }

  /** @param what it is, for the error when nothing is left. */
  uint8(what = 'one byte more'): number {
    if (this.offset >= this.#bytes.length) this.#fellShort(what);
    return this.#bytes[this.offset++]!;
  }

  int16(): number {
    const start = this.#advance(2, 'an Int16');
    return ((this.#bytes[start]! << 24) >> 16) | this.#bytes[start + 1]!;
  }

  int32(): number {
    const start = this.#advance(4, 'an Int32');
    const bytes = this.#bytes;
    return (bytes[start]! << 24) | (bytes[start + 1]! << 16) | (bytes[start + 2]! << 8) | bytes[start + 3]!;
  }

  uint32(): number {
    return this.int32() >>> 0;
  }

  int64(): bigint {
    const start = this.#advance(8, 'an Int64');
    return this.#int64View().getBigInt64(start);
  }

  uint64(): bigint {
    const start = this.#advance(8, 'an Int64');
    return this.#int64View().getBigUint64(start);
  }

  /** An Int16 that counts something. */
  count16(): number {
    const count = this.int16();
    if (count < 0) this.fail('a count of 0 or more', String(count), this.offset - 2);
    return count;
  }

  /** An Int32 that counts things of which each takes at least `size` bytes; there must be room for as many. */
  count32(size = 1): number {
    const count = this.int32();
    if (count < 0) this.fail('a length of 0 or more', String(count), this.offset - 4);
    if (count * size > this.remaining) this.#fellShort(`${count * size} bytes more`);
    return count;
  }

  /** UTF-8 text of `length` bytes. NUL bytes are refused: no text value of the server's has any. */
  text(length: number): string {
    if (length > this.remaining) this.#fellShort(`${length} bytes of text`);
    const start = this.offset;
    this.offset = start + length;
    const text = this.#utf8(start, this.offset);
    if (text.includes('\0')) this.fail('text', 'a NUL byte', this.#bytes.indexOf(0, start));
    return text;
  }

  /** UTF-8 text up to a NUL. */
  cstring(): string {
    const start = this.offset;
    const end = this.#bytes.indexOf(0, start);
    if (end < 0) this.#fellShort('text that ends in a NUL byte');
    this.offset = end + 1;
    return this.#utf8(start, end);
  }

  /** A copy of the next `length` bytes. */
  raw(length: number): Uint8Array {
    if (length > this.remaining) this.#fellShort(`${length} bytes`);
    const start = this.offset;
    this.offset = start + length;
    return Uint8Array.prototype.slice.call(this.#bytes, start, start + length);
  }

  /** Refuses bytes that are left over. */
  end(): void {
    if (this.remaining > 0) this.fail('the end of the message', `${this.remaining} bytes more`);
  }

  fail(expected: string, found: string, offset = this.offset): never {
    const field = this.field !== null && this.index >= 0 ? `${this.field}[${this.index}]` : this.field;
    throw new DecodeError(this.messageKind, field, offset, expected, found);
  }

  /** The byte that was just read is none of those expected. */
  failAtByte(expected: string, byte: number): never {
    const letter = byte > 0x20 && byte < 0x7f ? ` (${String.fromCharCode(byte)})` : '';
    this.fail(expected, `0x${byte.toString(16).padStart(2, '0')}${letter}`, this.offset - 1);
  }

  #fellShort(expected: string): never {
    this.fail(expected, this.remaining === 0 ? 'the end' : `the end after ${this.remaining}`);
  }

  /** Moves past `count` bytes; returns where they start. */
  #advance(count: number, what: string): number {
    const start = this.offset;
    if (count > this.#bytes.length - start) this.#fellShort(what);
    this.offset = start + count;
    return start;
  }

  #int64View(): DataView {
    const bytes = this.#bytes;
    return (this.#view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  #utf8(start: number, end: number): string {
    if (NodeBuffer !== undefined) {
      const text = (this.#bytes as Buffer).toString(undefined, start, end);
      // U+FFFD stands for bytes that were not UTF-8, unless it was there before.
      if (!text.includes('\ufffd')) return text;
    }
    const bytes = this.#bytes.subarray(start, end);
    try {
      return strictDecoder.decode(bytes);
    } catch {
      return this.fail('UTF-8 text', `bytes ${hexStart(bytes)}`, start);
    }
  }
}

/** The first bytes in hexadecimal, for an error. */
function hexStart(bytes: Uint8Array): string {
  const shown = Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return bytes.length > 16 ? `${shown} …` : shown;
}
