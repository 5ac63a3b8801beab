/** Writes many small pieces to a stream in large ones, no faster than they are taken. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { Writer } from '../bytes/writer.js';

const pieceSize = 1 << 16;

export class Output {
  /** Bytes to come. */
  readonly writer = new Writer(pieceSize);

  constructor(readonly stream: Writable) {}

  line(text: string): void {
    this.writer.text(text);
    this.writer.uint8(0x0a);
  }

  /** True when it is time to flush. */
  get full(): boolean {
    return this.writer.position >= pieceSize;
  }

  /** Writes what was collected; resolves when the stream takes more. */
  async flush(): Promise<void> {
    if (this.writer.position === 0) return;
    const bytes = this.writer.copy();
    this.writer.position = 0;
    await writeTo(this.stream, bytes);
  }
}

export async function writeTo(stream: Writable, data: string | Uint8Array): Promise<void> {
  if (!stream.write(data)) await once(stream, 'drain');
}
