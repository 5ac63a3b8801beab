/** Transactions that come in blocks, each with what it needs until its end. */
import { recordSize } from '../../database/index.js';
import type { StreamAbort } from '../../pgoutput/messages.js';
import { formatLsn } from '../../values/lsn.js';
import { ChangeWriter } from './change-writer.js';
import { TransactionPins, type EndPin } from './pins.js';
import { Savepoints } from './savepoints.js';
import { pinText, type Telling } from './telling.js';
import { lsn as lsnText, time as timeText, type YamlObject } from '../yaml-node.js';

/** A transaction of which blocks have come. */
interface Streamed {
  readonly label: string;
  readonly pins: TransactionPins;
  readonly savepoints: Savepoints;
  readonly writer: ChangeWriter;
  begun: boolean;
}

interface Block {
  readonly stream: Streamed;
  /** Header of Stream Start, or of the Origin behind it. */
  firstLsn: bigint | null;
  head: YamlObject;
  /** Something of it is printed. */
  open: boolean;
}

export class StreamedTransactions {
  readonly #streams = new Map<number, Streamed>();
  #block: Block | null = null;

  constructor(private readonly telling: Telling) {}

  /** Of the open block. */
  get writer(): ChangeWriter | null {
    return this.#block?.stream.writer ?? null;
  }

  origin(origin: YamlObject, lsn: bigint | null): void {
    if (this.#block === null) return;
    this.#block.firstLsn = lsn;
    this.#block.stream.writer.beginAt(lsn);
    this.#block.head = { ...this.#block.head, origin };
  }

  start(xid: number, lsn: bigint | null, index: number): void {
    let stream = this.#streams.get(xid);
    if (stream === undefined) {
      const facts = this.telling.facts.streamed.get(xid)!;
      const pins = new TransactionPins(this.telling.wal, undefined, this.telling.facts.limits.get(xid) ?? null);
      const savepoints = new Savepoints(xid, facts, this.telling.wal);
      const write = (step: YamlObject, comment?: string): void => {
        this.#openBlock();
        this.telling.printer.change(step, comment);
      };
      const writer = new ChangeWriter(this.telling.context, xid, pins, savepoints, true, write);
      stream = { label: label(xid), pins, savepoints, writer, begun: false };
      this.#streams.set(xid, stream);
    }
    stream.pins.blockFirst = null;
    // Its xid is taken before those of its subtransactions.
    const head = stream.begun ? {} : { xid: pinText(this.telling.wal.xid(xid)) };
    stream.begun = true;
    this.#block = { stream, firstLsn: lsn, head, open: false };
    stream.writer.beginBlock(this.telling.facts.streamed.get(xid)!.hidden.get(index) ?? []);
    stream.writer.beginAt(lsn);
  }

  #openBlock(): void {
    const block = this.#block;
    if (block === null || block.open) return;
    block.open = true;
    const { stream, head, firstLsn } = block;
    const first = firstLsn === null || firstLsn === stream.pins.blockFirst ? undefined : lsnText(firstLsn);
    this.telling.printer.begin({ open: stream.label, ...head, first_lsn: first }, false);
  }

  stop(lsn: bigint | null, index: number): void {
    const { stream, firstLsn } = this.#block!;
    stream.writer.announcePending(null, index);
    stream.writer.endBlock(index);
    // An empty block has a record that shows nowhere.
    if (!this.#block!.open) {
      const pin = stream.pins.change(recordSize.change, firstLsn);
      this.#block!.firstLsn = pin ?? null;
      stream.pins.blockFirst = null;
    }
    this.#openBlock();
    this.telling.printer.end({ last_lsn: lsn === null || lsn === stream.pins.last ? undefined : lsnText(lsn) });
    this.#block = null;
    this.telling.context.announcements.executed(stream.writer.xid);
  }

  abort({ xid, subxid, abortLsn, abortTime }: StreamAbort, lsn: bigint | null): void {
    const stream = this.#streams.get(xid)!;
    const at = abortLsn ?? lsn;
    if (subxid === xid) {
      this.#streams.delete(xid);
      const { depth } = stream.savepoints;
      const pin = stream.pins.toEnd(recordSize.abort, at, depth > 1);
      // Subtransactions that show nothing are rolled back with it, at the same place.
      const lsns = pin === undefined ? undefined : Array.from({ length: depth }, () => formatLsn(pin));
      const abort_lsn = depth > 1 ? lsns : lsns?.[0];
      this.telling.printer.step({ abort: stream.label, abort_lsn, abort_time: timeText(abortTime) });
      if (abortTime === undefined) this.telling.wal.passTime();
      else this.telling.wal.time(abortTime);
      this.telling.context.announcements.streamEnded(xid, false);
      this.telling.context.announcements.executed(xid);
      return;
    }
    this.telling.context.announcements.streamEnded(xid, false);
    const rollback = stream.savepoints.rollback(subxid);
    // Already told with another subtransaction of the same record.
    if (rollback === undefined) return;
    const { before, name } = rollback;
    const pins = { abort_lsn: lsnText(stream.pins.toEnd(recordSize.abort, at)), abort_time: timeText(abortTime) };
    this.#rollbackStep(stream, [...before, { rollback_to: name, ...pins }, { release: name }]);
  }

  /** A block of its own, which shows nothing but the rollback. */
  #rollbackStep(stream: Streamed, steps: readonly YamlObject[]): void {
    this.telling.printer.begin({ open: stream.label }, false);
    for (const step of steps) this.telling.printer.change(step);
    this.telling.printer.end({});
  }

  end({ xid }: { readonly xid: number }, lsn: bigint, endLsn: bigint, size: bigint): EndPin {
    const stream = this.#streams.get(xid)!;
    this.#streams.delete(xid);
    return this.telling.wal.end(size, stream.pins.last, { lsn, endLsn });
  }

  /** The capture ends. @param index - how many messages there were */
  finish(index: number): void {
    if (this.#block !== null) {
      this.telling.note('the capture ends in a streamed block: the scenario ends the block');
      this.stop(null, index);
    }
    const unfinished = [...this.#streams.values()].map((stream) => stream.label);
    if (unfinished.length === 0) return;
    this.telling.printer.comment('The capture ends before these do.');
    this.telling.printer.step({ unfinished });
  }
}

/** What the scenario calls a transaction. */
export function label(xid: number): string {
  return `x${xid}`;
}
