/** Messages on their way from the encoder to the connection, for faults that are waiting for one of them. */
import type { Message, MessageKind } from '../../pgoutput/messages.js';
import type { Output } from '../output.js';

/** CopyData's type and length, XLogData's type, two positions and the time: what stands before the payload. */
const headerLength = 1 + 4 + 1 + 8 + 8 + 8;

/** A message as CopyData, the last thing that was written. */
export class Frame {
  constructor(
    readonly message: Message,
    readonly lsn: bigint,
    private readonly output: Output,
    private readonly start: number,
  ) {}

  /** Bytes, type and length included. */
  get length(): number {
    return this.output.writer.position - this.start;
  }

  get payloadLength(): number {
    return this.length - headerLength;
  }

  /** Forgets all but the first bytes. */
  keep(count: number): void {
    this.output.writer.position = this.start + count;
  }

  /** Takes away all but the first bytes, for them to be written later. */
  takeFrom(count: number): Uint8Array {
    const rest = this.output.writer.written().slice(this.start + count);
    this.keep(count);
    return rest;
  }

  /** Changes one byte of the payload. Returns what it was; undefined when there is no such byte. */
  change(index: number, to: number): number | undefined {
    if (index >= this.payloadLength) return undefined;
    const at = this.start + headerLength + index;
    const { bytes } = this.output.writer;
    const was = bytes[at];
    bytes[at] = to;
    return was;
  }
}

export interface Interception {
  readonly kind: 'next_message' | MessageKind;
  /**
   * sent: perhaps changed; split: part of it has left, so nobody else can change it; dropped: it was never there; muted: what is
   * left of it is the last that is sent.
   */
  readonly act: (frame: Frame) => 'sent' | 'split' | 'dropped' | 'muted';
  /** The stream ended before such a message came. */
  readonly abandoned: () => void;
}

export class Tampering {
  /** There is something to look after: the only thing that is looked at while there is nothing. */
  active = false;
  #muted = false;
  #interrupted = false;
  #interceptions: Interception[] = [];

  constructor(private readonly output: Output) {}

  intercept(interception: Interception): void {
    this.#interceptions.push(interception);
    this.#update();
  }

  /** The sender is to stop after this message: there is something else to do first. */
  get interrupted(): boolean {
    return this.#interrupted;
  }
  set interrupted(interrupted: boolean) {
    this.#interrupted = interrupted;
    this.#update();
  }

  /** @param start where the message, just written, begins. False: it does not count as sent */
  passes(message: Message, lsn: bigint, start: number): boolean {
    if (!this.#muted && this.#interceptions.length === 0) return true;
    const frame = new Frame(message, lsn, this.output, start);
    for (const interception of this.#interceptions) {
      if (this.#muted) break;
      if (interception.kind !== 'next_message' && interception.kind !== message.kind) continue;
      this.#interceptions = this.#interceptions.filter((other) => other !== interception);
      const outcome = interception.act(frame);
      if (outcome === 'muted') this.#muted = true;
      this.#update();
      if (outcome !== 'sent') return outcome === 'split';
    }
    if (this.#muted) frame.keep(0);
    return !this.#muted;
  }

  /** The stream is over. */
  release(): void {
    for (const { abandoned } of this.#interceptions) abandoned();
    this.#interceptions = [];
  }

  #update(): void {
    this.active = this.#muted || this.#interrupted || this.#interceptions.length > 0;
  }
}
