/**
 * A connection's way out. Bytes go straight to the stream until the scenario asks for network conditions; from then on they
 * wait here and leave by the shaper's plan:
 *
 * ```
 *   direct ──shape(), hold()──→ shaped ──nothing is held, no conditions──→ direct
 * ```
 *
 * A segment is one write, and the next one follows when the operating system has taken it and the event loop has turned. With
 * TCP_NODELAY (and TLS: a record of its own) a peer that reads as it comes gets each by itself; one that is slow finds several
 * in its socket's buffer, as TCP keeps no boundaries.
 */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { NetworkConditions } from '../walsender/wire.js';
import type { ServerClock } from './system-clock.js';
import { TrafficShaper } from './traffic-shaper.js';

/** A session that waits for room is told each time so many bytes have left. */
const tellEvery = 16 * 1024;

export class Outlet {
  readonly #shaper = new TrafficShaper();
  #stopWaiting: (() => void) | null = null;
  #writing = false;
  /** Bytes that left since the session was told. */
  #untold = 0;
  #whenEmpty: (() => void) | null = null;

  constructor(
    private stream: Duplex,
    private readonly clock: ServerClock,
    /** Bytes that were pending have left. */
    private readonly onLess: () => void,
  ) {}

  /** Another stream carries the bytes from now on: TLS. */
  replace(stream: Duplex): void {
    this.stream = stream;
  }

  /** Bytes that the operating system has not taken. */
  get pending(): number {
    return this.#shaper.held + this.stream.writableLength;
  }

  /** @returns whether the bytes can be written to again */
  send(bytes: Uint8Array): boolean {
    if (this.stream.destroyed) return true;
    if (this.#shaper.idle && !this.#writing) {
      this.stream.write(bytes);
      // What a socket has not taken at once is pending; other streams hand the very bytes on.
      return this.stream instanceof Socket && this.stream.writableLength === 0;
    }
    this.#shaper.push(bytes, this.clock.monotonic());
    this.#pump();
    return false;
  }

  shape(conditions: NetworkConditions): void {
    this.#shaper.change(conditions);
  }

  hold(milliseconds: number): void {
    this.#shaper.holdUntil(this.clock.monotonic() + milliseconds);
  }

  /** Ends the stream after what was sent; `ended` is called when that is so. */
  end(ended: () => void): void {
    this.#whenEmpty = () => {
      this.#whenEmpty = null;
      this.stream.end();
      ended();
    };
    this.#pump();
  }

  /** There is no more time for conditions: what is held leaves now. */
  hurry(): void {
    for (const bytes of this.#shaper.takeAll()) if (!this.stream.destroyed) this.stream.write(bytes);
    this.#pump();
  }

  /** Forgets what is held. */
  close(): void {
    this.#stopWaiting?.();
    this.#shaper.takeAll();
    this.#whenEmpty = null;
  }

  #pump(): void {
    if (this.#writing || this.stream.destroyed) return;
    this.#stopWaiting?.();
    this.#stopWaiting = null;
    const segment = this.#shaper.take(this.clock.monotonic());
    if (segment !== null) return this.#write(segment);
    const { dueAt } = this.#shaper;
    if (dueAt === null) this.#whenEmpty?.();
    else this.#stopWaiting = this.clock.at(dueAt, () => this.#pump());
  }

  #write(segment: Uint8Array): void {
    this.#writing = true;
    this.stream.write(segment, () => {
      this.#untold += segment.length;
      setImmediate(() => {
        this.#writing = false;
        this.#pump();
      });
      if (this.#untold < tellEvery && this.#shaper.held > 0) return;
      this.#untold = 0;
      this.onLess();
    });
  }
}
