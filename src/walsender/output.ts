/**
 * What a session has written and not yet sent. It bounds memory: a producer asks `open` between messages and stops while the
 * peer does not read, so that at most `highWater`, one chunk and one message are held for a connection.
 */
import { Writer } from '../bytes/writer.js';
import type { NetworkConditions, Wire } from './wire.js';

/** Written bytes are sent when there are this many, or when the session's turn ends. */
const chunkSize = 64 * 1024;

/** Bytes pending at the wire at which producers stop. */
const highWater = 256 * 1024;

/** Bytes after which a turn ends, so that one fast reader does not keep the others waiting. */
const turnBudget = 1024 * 1024;

/** A buffer for a chunk and the message that fills it; larger ones are not kept. */
const bufferSize = chunkSize + 8 * 1024;

/** Up to this size a copy is cheaper than a fresh buffer. */
const smallChunk = 8 * 1024;

export class Output {
  /** Replaced when its buffer is given away: read it anew after each message. */
  writer = new Writer(1024);
  #sentInTurn = 0;
  /** Bytes up to which a producer need not ask for more; none in a turn that begins with too much pending. */
  #freeBytes = chunkSize;

  constructor(private readonly wire: Wire) {}

  /** Sends full chunks; false when a producer must stop, for now. */
  get open(): boolean {
    if (this.writer.position < this.#freeBytes) return true;
    this.flush();
    return this.#sentInTurn < turnBudget && this.wire.pending < highWater;
  }

  /** The peer keeps up (or a producer would wait for `session.writable()`). */
  get drained(): boolean {
    return this.wire.pending < highWater;
  }

  /** What is written from now on travels like this. */
  shape(conditions: NetworkConditions): void {
    this.flush();
    this.wire.shape(conditions);
  }

  /** Nothing that is written from now on leaves before so many milliseconds are over. */
  hold(milliseconds: number): void {
    this.flush();
    this.wire.hold(milliseconds);
  }

  /** The peer's system has everything that was flushed. */
  get taken(): boolean {
    return this.wire.pending === 0;
  }

  /** The turn ended because of its budget: another one must follow without the peer's doing. */
  get exhausted(): boolean {
    return this.#sentInTurn >= turnBudget && this.drained;
  }

  beginTurn(): void {
    this.#sentInTurn = 0;
    this.#freeBytes = this.drained ? chunkSize : 0;
  }

  flush(): void {
    const { writer } = this;
    const count = writer.position;
    if (count === 0) return;
    this.#sentInTurn += count;
    if (count <= smallChunk) {
      this.wire.send(writer.copy());
      writer.position = 0;
    } else if (this.wire.send(writer.written()) && writer.bytes.length <= bufferSize) {
      writer.position = 0;
    } else {
      this.writer = new Writer(bufferSize);
    }
  }
}
