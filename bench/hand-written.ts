/**
 * What one would write by hand for exactly these messages: the same bytes, the same care for room in the buffer and for
 * text beyond ASCII, and nothing else.
 */
import type { Insert, Tuple, Update } from '../src/pgoutput/messages.js';

export class HandWritten {
  buffer = Buffer.allocUnsafeSlow(1 << 17);
  offset = 0;

  update(message: Update): void {
    this.ensure(5);
    this.buffer[this.offset++] = 0x55;
    this.int32(message.relationId);
    const { oldTuple } = message;
    if (oldTuple !== null) {
      this.ensure(1);
      this.buffer[this.offset++] = oldTuple.marker === 'K' ? 0x4b : 0x4f;
      this.tuple(oldTuple.columns);
    }
    this.ensure(1);
    this.buffer[this.offset++] = 0x4e;
    this.tuple(message.newTuple);
  }

  insert(message: Insert): void {
    this.ensure(5);
    this.buffer[this.offset++] = 0x49;
    this.int32(message.relationId);
    this.ensure(1);
    this.buffer[this.offset++] = 0x4e;
    this.tuple(message.newTuple);
  }

  private tuple(tuple: Tuple): void {
    this.ensure(2);
    this.buffer[this.offset++] = tuple.length >>> 8;
    this.buffer[this.offset++] = tuple.length;
    for (let i = 0; i < tuple.length; i++) {
      const cell = tuple[i]!;
      if (typeof cell === 'string') this.text(cell);
      else {
        this.ensure(1);
        this.buffer[this.offset++] = 0x6e;
      }
    }
  }

  private text(text: string): void {
    this.ensure(5 + text.length * 3);
    const { buffer } = this;
    let offset = this.offset;
    buffer[offset++] = 0x74;
    const start = offset + 4;
    let end = start;
    if (text.length <= 32) {
      for (let i = 0; i < text.length; i++) {
        const unit = text.charCodeAt(i);
        if (unit > 0x7f) {
          end = start + buffer.write(text, start);
          break;
        }
        buffer[end++] = unit;
      }
    } else {
      end = start + buffer.write(text, start);
    }
    const length = end - start;
    buffer[offset++] = length >>> 24;
    buffer[offset++] = length >>> 16;
    buffer[offset++] = length >>> 8;
    buffer[offset++] = length;
    this.offset = end;
  }

  private int32(value: number): void {
    this.ensure(4);
    this.buffer[this.offset++] = value >>> 24;
    this.buffer[this.offset++] = value >>> 16;
    this.buffer[this.offset++] = value >>> 8;
    this.buffer[this.offset++] = value;
  }

  private ensure(count: number): void {
    if (this.offset + count > this.buffer.length) this.grow(count);
  }

  private grow(count: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(this.buffer.length * 2, this.offset + count));
    this.buffer.copy(grown, 0, 0, this.offset);
    this.buffer = grown;
  }
}
