/** Bytes of a stream, put together as far as somebody needs them. */
export class ByteSource {
  #bytes: Buffer = Buffer.alloc(0);
  /** Offset of `bytes` in the stream. */
  #position = 0;
  #ended = false;
  readonly #chunks: AsyncIterator<Buffer>;

  constructor(input: AsyncIterable<Buffer>) {
    this.#chunks = input[Symbol.asyncIterator]();
  }

  /** What has been read and not been taken. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  get position(): number {
    return this.#position;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Reads until `length` bytes are there, or no more come. @returns whether they are */
  async reach(length: number): Promise<boolean> {
    const chunks = [this.#bytes];
    let available = this.#bytes.length;
    while (available < length && !this.#ended) {
      const step = await this.#chunks.next();
      if (step.done === true) this.#ended = true;
      else {
        chunks.push(step.value);
        available += step.value.length;
      }
    }
    if (chunks.length > 1) this.#bytes = Buffer.concat(chunks, available);
    return available >= length;
  }

  take(length: number): Buffer {
    const taken = this.#bytes.subarray(0, length);
    this.#bytes = this.#bytes.subarray(length);
    this.#position += length;
    return taken;
  }

  /** All that has not been taken. */
  async *rest(): AsyncGenerator<Buffer> {
    if (this.#bytes.length > 0) yield this.take(this.#bytes.length);
    while (!this.#ended) {
      const step = await this.#chunks.next();
      if (step.done === true) this.#ended = true;
      else yield step.value;
    }
  }
}
