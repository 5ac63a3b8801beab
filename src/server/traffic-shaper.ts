/**
 * How bytes travel under the network conditions of a scenario: which of them leave next, and when. A plan without sockets and
 * timers: times are monotonic milliseconds that the caller tells.
 *
 * What is held keeps the conditions under which it was sent. A segment leaves once its last byte has passed the line, so that
 * at no time more has arrived than delay and bandwidth allow.
 */
import type { NetworkConditions } from '../walsender/wire.js';

interface Conditions {
  readonly chunk: number;
  readonly delay: number;
  readonly bandwidth: number;
  readonly coalesce: boolean;
}

interface Held {
  readonly bytes: Uint8Array;
  readonly conditions: Conditions;
  /** Before this its first byte does not leave, whatever it is gathered with. */
  readonly at: number;
}

const unshaped: Conditions = { chunk: Infinity, delay: 0, bandwidth: Infinity, coalesce: false };

/** How long `coalesce` gathers. */
const gatherMilliseconds = 10;

/** A line of limited bandwidth is served this often, rather than with whole buffers after a long time. */
const sliceMilliseconds = 10;

export class TrafficShaper {
  /** Bytes that wait. */
  held = 0;
  #conditions = unshaped;
  /** Nothing that is sent from now on leaves before. */
  #notBefore = -Infinity;
  /** When the line has passed on what has left. */
  #lineFreeAt = -Infinity;
  readonly #queue: Held[] = [];
  /** Bytes of the first one that have left. */
  #gone = 0;

  /** What is sent now leaves now: there is nothing to plan. */
  get idle(): boolean {
    return this.#queue.length === 0 && this.#conditions === unshaped && this.#notBefore === -Infinity;
  }

  /** From now on; undefined: as before. */
  change({ chunk, delayMilliseconds, bandwidth, coalesce }: NetworkConditions): void {
    const before = this.#conditions;
    const changed = {
      chunk: chunk ?? before.chunk,
      delay: delayMilliseconds ?? before.delay,
      bandwidth: bandwidth ?? before.bandwidth,
      coalesce: coalesce ?? before.coalesce,
    };
    const isUnshaped = changed.chunk === Infinity && changed.delay === 0 && changed.bandwidth === Infinity;
    this.#conditions = isUnshaped && !changed.coalesce ? unshaped : changed;
  }

  /** What is sent from now on does not leave before. */
  holdUntil(time: number): void {
    this.#notBefore = Math.max(this.#notBefore, time);
  }

  push(bytes: Uint8Array, now: number): void {
    if (bytes.length === 0) return;
    const conditions = this.#conditions;
    const at = Math.max(now + conditions.delay, this.#notBefore);
    if (now >= this.#notBefore) this.#notBefore = -Infinity;
    this.#queue.push({ bytes, conditions, at });
    this.held += bytes.length;
  }

  /** When the next segment leaves; null: there is none. */
  get dueAt(): number | null {
    const first = this.#queue[0];
    return first ? this.#leavesAt(first, this.#segmentLength(first)) : null;
  }

  /** The next segment, if its time has come. */
  take(now: number): Uint8Array | null {
    const first = this.#queue[0];
    if (!first) return null;
    const length = this.#segmentLength(first);
    const leavesAt = this.#leavesAt(first, length);
    if (leavesAt > now) return null;
    this.#lineFreeAt = leavesAt;
    return this.#remove(first, this.#gatheredLength(first, length, now));
  }

  /** Everything, at once. */
  takeAll(): Uint8Array[] {
    const all = this.#queue.map(({ bytes }, i) => (i === 0 ? bytes.subarray(this.#gone) : bytes));
    this.#queue.length = 0;
    this.#gone = 0;
    this.held = 0;
    return all;
  }

  /** Of the first buffer alone. */
  #segmentLength({ bytes, conditions: { chunk, bandwidth } }: Held): number {
    const slice = bandwidth === Infinity ? Infinity : Math.max(1, Math.floor((bandwidth * sliceMilliseconds) / 1000));
    return Math.min(bytes.length - this.#gone, chunk, slice);
  }

  #leavesAt({ at, conditions: { bandwidth, coalesce } }: Held, length: number): number {
    return Math.max(coalesce ? at + gatherMilliseconds : at, this.#lineFreeAt) + (length / bandwidth) * 1000;
  }

  /** With those behind it that are gathered with it. */
  #gatheredLength(first: Held, length: number, now: number): number {
    const { chunk, bandwidth, coalesce } = first.conditions;
    if (!coalesce || bandwidth !== Infinity) return length;
    let gathered = -this.#gone;
    for (const { bytes, conditions, at } of this.#queue) {
      if (conditions !== first.conditions || at > now) break;
      gathered += bytes.length;
      if (gathered >= chunk) return chunk;
    }
    return Math.max(gathered, length);
  }

  #remove({ bytes }: Held, length: number): Uint8Array {
    this.held -= length;
    const left = bytes.length - this.#gone;
    if (length < left) {
      this.#gone += length;
      return bytes.subarray(this.#gone - length, this.#gone);
    }
    const parts = [bytes.subarray(this.#gone)];
    this.#queue.shift();
    this.#gone = 0;
    let missing = length - left;
    while (missing > 0) {
      const next = this.#queue[0]!.bytes;
      parts.push(next.subarray(0, missing));
      if (next.length > missing) this.#gone = missing;
      else this.#queue.shift();
      missing -= Math.min(missing, next.length);
    }
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  }
}
