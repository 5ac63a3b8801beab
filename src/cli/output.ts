/** Writes many small pieces to a stream in large ones, no faster than they are taken. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';

const pieceSize = 1 << 16;

export class Output {
  #text = '';

  constructor(readonly stream: Writable) {}

  line(text: string): void {
    this.#text += text;
    this.#text += '\n';
  }

  /** True when it is time to flush. */
  get full(): boolean {
    return this.#text.length >= pieceSize;
  }

  /** Writes what was collected; resolves when the stream takes more. */
  async flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text !== '') await writeTo(this.stream, text);
  }
}

export async function writeTo(stream: Writable, data: string | Uint8Array): Promise<void> {
  if (!stream.write(data)) await once(stream, 'drain');
}
