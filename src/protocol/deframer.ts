/**
 * Cuts what a client sends into messages, however the network cut it into chunks:
 *
 * ```
 *   ┌── Int32 length, body ──┐        ┌── Byte1 type, Int32 length, body ──┐
 *   │  start-up packets      │ ─────→ │  messages, once start-up is over   │
 *   └────────────────────────┘        └────────────────────────────────────┘
 * ```
 *
 * A body is a view of the chunk it came in where it came in one; it is valid until the next call.
 */

/** A declared length is too short for a message, or beyond the limit: the connection cannot go on. */
export class BadFrameLength extends Error {
  constructor(
    readonly declared: number,
    readonly limit: number,
  ) {
    super(`a message declares ${declared} bytes; the limit is ${limit}`);
    this.name = 'BadFrameLength';
  }
}

const nothing = new Uint8Array(0);

export class Deframer {
  #buffer: Uint8Array = nothing;
  #start = 0;
  #end = 0;

  /** Bytes received and not yet taken. */
  get buffered(): number {
    return this.#end - this.#start;
  }

  /** The chunk must not change afterwards. */
  push(chunk: Uint8Array): void {
    const kept = this.buffered;
    if (kept === 0) {
      this.#buffer = chunk;
      this.#start = 0;
      this.#end = chunk.length;
      return;
    }
    if (this.#end + chunk.length > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(2 * kept, kept + chunk.length));
      grown.set(this.#buffer.subarray(this.#start, this.#end));
      this.#buffer = grown;
      this.#start = 0;
      this.#end = kept;
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** The first byte to come; undefined when there is none. */
  peek(): number | undefined {
    return this.buffered > 0 ? this.#buffer[this.#start] : undefined;
  }

  /**
   * The body of a start-up packet; undefined while it is incomplete.
   *
   * @throws BadFrameLength where the length is under 8 or over `limit` bytes.
   */
  takeStartupPacket(limit: number): Uint8Array | undefined {
    if (this.buffered < 4) return undefined;
    const length = this.#int32(this.#start);
    if (length < 8 || length > limit) throw new BadFrameLength(length, limit);
    return this.#take(0, length);
  }

  /**
   * The body of the message whose type byte `peek` shows; undefined while it is incomplete.
   *
   * @throws BadFrameLength where the length is under 4 or over `limit` bytes.
   */
  takeMessage(limit: number): Uint8Array | undefined {
    if (this.buffered < 5) return undefined;
    const length = this.#int32(this.#start + 1);
    if (length < 4 || length > limit) throw new BadFrameLength(length, limit);
    return this.#take(1, length);
  }

  /** Everything received and not yet taken, for whoever takes over the connection. */
  takeRest(): Uint8Array {
    const rest = this.#buffer.subarray(this.#start, this.#end);
    this.#start = this.#end;
    return rest;
  }

  #take(typeBytes: number, length: number): Uint8Array | undefined {
    if (this.buffered < typeBytes + length) return undefined;
    const bodyStart = this.#start + typeBytes + 4;
    this.#start += typeBytes + length;
    return this.#buffer.subarray(bodyStart, this.#start);
  }

  #int32(position: number): number {
    const bytes = this.#buffer;
    return (bytes[position]! << 24) | (bytes[position + 1]! << 16) | (bytes[position + 2]! << 8) | bytes[position + 3]!;
  }
}
