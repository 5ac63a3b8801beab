/** Transactions that come as a whole: Begin (Prepare), changes, Commit or Prepare. */
import { recordSize } from '../../database/index.js';
import { ChangeWriter } from './change-writer.js';
import { TransactionPins, type EndPin } from './pins.js';
import { Savepoints } from './savepoints.js';
import { pinText, type Telling } from './telling.js';
import { lsn as lsnText, text, time as timeText, type YamlObject } from '../yaml-node.js';

interface Head {
  readonly xid: number;
  readonly beginLsn: bigint | null;
  readonly commitLsn: bigint;
  readonly commitTime: bigint;
  readonly gid: string | undefined;
  readonly origin: YamlObject | undefined;
}

export class WholeTransactions {
  /** Of the open one. */
  writer: ChangeWriter | null = null;
  /** A Begin (Prepare) whose first change has not come. */
  #head: Head | null = null;
  /** The last transaction begun. */
  #current: Head | null = null;

  constructor(private readonly telling: Telling) {}

  /** A change is about to come. @param lsn - where its record starts; null where that shows nowhere */
  expect(lsn: bigint | null): void {
    if (this.writer?.pins.isEmpty === true) this.#settleBegin(lsn);
  }

  /** The capture ends in a transaction. */
  breakOff(index: number): void {
    if (this.writer === null) return;
    const { gid, commitLsn, commitTime } = this.#current!;
    if (gid !== undefined) {
      this.telling.note(`the capture ends before the Prepare of ${gid}: what has come of it is left out`);
      return;
    }
    const pin = this.end(recordSize.commit, commitLsn, commitLsn + recordSize.commit, index);
    this.telling.printer.end({
      commit_lsn: lsnText(pin.lsn),
      commit_time: timeText(this.telling.wal.time(commitTime)),
      unfinished: 'true',
    });
  }

  begin(head: {
    xid: number;
    lsn: bigint | null;
    commitLsn: bigint;
    commitTime: bigint;
    gid: string | undefined;
  }): void {
    const { xid, lsn, commitLsn, commitTime, gid } = head;
    this.#head = { xid, commitLsn, commitTime, gid, beginLsn: lsn, origin: undefined };
    this.#current = this.#head;
    const pins = new TransactionPins(this.telling.wal, undefined, this.telling.facts.limits.get(xid) ?? commitLsn);
    this.writer = new ChangeWriter(
      this.telling.context,
      xid,
      pins,
      new Savepoints(xid, undefined, this.telling.wal),
      false,
      (step, comment) => {
        this.#openHead();
        this.telling.printer.change(step, comment);
      },
    );
  }

  origin(origin: YamlObject, lsn: bigint | null): void {
    if (this.#head !== null) this.#head = { ...this.#head, origin, beginLsn: lsn };
  }

  /** Begin shows the position of the first record: up to 14, and of prepared transactions. */
  #settleBegin(first: bigint | null, isEmpty = false): void {
    if (this.#head === null || this.writer === null) return;
    const { beginLsn, gid, commitLsn } = this.#head;
    if (gid === undefined && this.telling.major >= 15) return;
    if (beginLsn === null || beginLsn === 0n) {
      // An empty transaction is told by its begin alone, wherever that was.
      if (isEmpty) this.writer.pins.beginLsn = commitLsn;
    } else if (first !== beginLsn) this.writer.pins.beginLsn = beginLsn;
  }

  #openHead(): void {
    if (this.#head === null) return;
    const { xid, gid, origin } = this.#head;
    const head = {
      prepare: gid === undefined ? undefined : text(gid),
      xid: pinText(this.telling.wal.xid(xid)),
      begin_lsn: lsnText(this.writer!.pins.beginLsn),
      origin,
    };
    this.#head = null;
    this.telling.printer.begin(head, gid === undefined);
  }

  /** Its last record. @returns what must be pinned of it */
  end(size: bigint, commitLsn: bigint, endLsn: bigint, index: number): EndPin {
    const writer = this.writer!;
    if (writer.pins.isEmpty) this.#settleBegin(null, !writer.hasPending);
    writer.announcePending(null, index);
    this.#openHead();
    this.writer = null;
    this.telling.context.announcements.executed(writer.xid);
    if (size === recordSize.commit) this.telling.context.announcements.forget(writer.xid);
    const { pins } = writer;
    const after = pins.last === 0n ? (pins.beginLsn ?? 0n) : pins.last;
    return this.telling.wal.end(size, after, { lsn: commitLsn, endLsn });
  }
}
