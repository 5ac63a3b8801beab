/**
 * A first look at a whole capture. Some things that come first in a scenario show last on the wire: the tables, where WAL
 * stood, which subtransactions are rolled back together, where a transaction ends whose blocks have no positions.
 */
import type { Message, StreamAbort, Tuple } from '../pgoutput/messages.js';
import { CollectError, relationsOf, SeenTables, type CapturedMessage, type SeenTable } from './collect.js';

/** Subtransactions that one abort record names; the last one is the one that was rolled back, if it shows at all. */
export interface AbortGroup {
  readonly subxids: number[];
  /** Number of the first message about it. */
  readonly index: number;
}

/** What a streamed transaction comes to. */
export interface StreamedFacts {
  /** Number of the last message of each xid. */
  readonly lastUse: Map<number, number>;
  readonly aborts: Map<number, AbortGroup>;
  /** Subtransactions that show in nothing but their abort, by the number of the Stream Start before it. */
  readonly hidden: Map<number, number[]>;
}

export interface PreparedBefore {
  readonly gid: string;
  readonly xid: number;
  /** Where the outcome tells them (Rollback Prepared). */
  readonly endLsn: bigint | null;
  readonly time: bigint | null;
}

export interface Survey {
  /** Majors that can have sent this. */
  readonly oldestMajor: number;
  readonly newestMajor: number;
  readonly streaming: 'off' | 'on' | 'parallel';
  readonly twoPhase: boolean;
  readonly messages: boolean;
  readonly binary: boolean;
  /** First versions, in the order in which they came. */
  readonly tables: readonly SeenTable[];
  readonly streamed: ReadonlyMap<number, StreamedFacts>;
  /** By table: names of columns that held a NULL. */
  readonly nulls: ReadonlyMap<number, ReadonlySet<string>>;
  /** By top-level xid: the lowest position that a message of it tells where headers tell none. Before it there is nothing unknown. */
  readonly limits: ReadonlyMap<number, bigint>;
  /** By xid: tables truncated in the transaction. */
  readonly truncated: ReadonlyMap<number, readonly number[]>;
  /** Prepared transactions of which only the outcome is in the capture. */
  readonly preparedBefore: readonly PreparedBefore[];
  readonly firstXid: number | null;
  readonly firstTime: bigint | null;
  /** Lowest position of a record; null when none shows. */
  readonly lowestLsn: bigint | null;
  /** Lowest start of a record that ends something, message records included. */
  readonly lowestEnd: bigint | null;
}

/** More than the record of a ROLLBACK PREPARED takes. */
const longestOutcome = 0x100n;

/** @throws CollectError when the capture begins in the middle of a transaction, or lacks a Relation */
export function survey(capture: Iterable<CapturedMessage>): Survey {
  const surveyor = new Surveyor();
  for (const captured of capture) surveyor.follow(captured);
  surveyor.finish();
  return surveyor;
}

class Surveyor implements Survey {
  oldestMajor = 10;
  newestMajor = 20;
  streaming: 'off' | 'on' | 'parallel' = 'off';
  twoPhase = false;
  messages = false;
  binary = false;
  readonly tables: SeenTable[] = [];
  readonly streamed = new Map<number, StreamedFacts>();
  readonly nulls = new Map<number, Set<string>>();
  readonly limits = new Map<number, bigint>();
  readonly truncated = new Map<number, number[]>();
  readonly preparedBefore: PreparedBefore[] = [];
  firstXid: number | null = null;
  firstTime: bigint | null = null;
  lowestLsn: bigint | null = null;
  lowestEnd: bigint | null = null;
  readonly #seen = new SeenTables();
  readonly #known = new Set<number>();
  readonly #gids = new Set<string>();
  #index = -1;
  /** Of the open transaction or block. */
  #xid: number | null = null;
  #inBlock = false;
  /** Number of the last Stream Start of each transaction. */
  readonly #lastBlocks = new Map<number, number>();
  /** Position of the open Begin, until a change has come. */
  #beginLsn: bigint | null = null;
  #isEmpty = false;
  /** Begun by Begin. */
  #isPlain = false;
  #abort: { readonly group: AbortGroup; readonly xid: number; readonly lsn: bigint | null } | null = null;

  follow({ message, lsn }: CapturedMessage): void {
    this.#index++;
    if (lsn !== null && lsn !== 0n) this.#meetLsn(lsn);
    if (message.kind !== 'streamAbort') this.#abort = null;
    const table = this.#seen.follow(message, this.#index);
    if (table !== null && !this.#known.has(table.oid)) {
      this.#known.add(table.oid);
      this.tables.push(table);
    }
    for (const oid of relationsOf(message)) if (!this.#known.has(oid)) this.#missing(oid, message.kind);
    this.#features(message);
    this.#place(message, lsn);
  }

  /** From 15 on no Begin comes without a change. */
  finish(): void {
    if (this.#isPlain && this.#isEmpty && this.#xid !== null) this.#atMost(14);
  }

  #missing(oid: number, kind: string): never {
    throw new CollectError(
      `this ${kind} is about the relation ${oid}, whose Relation message has not come yet: the capture begins in the middle of a session`,
      this.#index,
    );
  }

  #features(message: Message): void {
    switch (message.kind) {
      case 'streamStart':
        this.#atLeast(14);
        if (this.streaming === 'off') this.streaming = 'on';
        break;
      case 'streamAbort':
        if (message.abortLsn !== undefined) {
          this.#atLeast(16);
          this.streaming = 'parallel';
        }
        break;
      case 'message':
        this.#atLeast(14);
        this.messages = true;
        break;
      case 'truncate':
        this.#atLeast(11);
        break;
      case 'beginPrepare':
      case 'prepare':
      case 'commitPrepared':
      case 'rollbackPrepared':
      case 'streamPrepare':
        this.#atLeast(15);
        this.twoPhase = true;
        break;
      case 'insert':
      case 'update':
        this.binary ||= message.newTuple.some((cell) => cell instanceof Uint8Array);
        this.#meetNulls(message.relationId, message.newTuple);
        break;
      case 'delete':
        this.binary ||= message.oldTuple.columns.some((cell) => cell instanceof Uint8Array);
        if (message.oldTuple.marker === 'O') this.#meetNulls(message.relationId, message.oldTuple.columns);
        break;
      default:
    }
  }

  #meetNulls(oid: number, tuple: Tuple): void {
    const { columns } = this.#seen.get(oid)!;
    for (let i = 0; i < columns.length; i++) {
      if (tuple[i] !== null) continue;
      let names = this.nulls.get(oid);
      if (names === undefined) this.nulls.set(oid, (names = new Set()));
      names.add(columns[i]!.name);
    }
  }

  #place(message: Message, lsn: bigint | null): void {
    switch (message.kind) {
      case 'begin':
        this.#begin(message.xid, lsn);
        this.#isPlain = true;
        this.#meetEnd(message.finalLsn, message.commitTime);
        break;
      case 'beginPrepare':
        this.#begin(message.xid, null);
        this.#meetEnd(message.prepareLsn, message.prepareTime);
        this.#gids.add(message.gid);
        break;
      case 'origin':
        if (this.#beginLsn !== null) this.#beginLsn = lsn;
        break;
      case 'commit':
        if (this.#isEmpty) this.#atMost(14);
        this.#end(message.kind);
        break;
      case 'prepare':
        this.#gids.add(message.gid);
        this.#xid = null;
        break;
      case 'streamStart':
        this.#begin(message.xid, null);
        this.#lastBlocks.set(message.xid, this.#index);
        this.#inBlock = true;
        if (!this.streamed.has(message.xid)) {
          this.streamed.set(message.xid, { lastUse: new Map(), aborts: new Map(), hidden: new Map() });
        }
        break;
      case 'streamStop':
        this.#inBlock = false;
        this.#end(message.kind);
        break;
      case 'streamAbort':
        this.#streamAbort(message, lsn);
        break;
      case 'streamCommit':
        this.#endStreamed(message.xid, message.commitLsn, message.commitTime, message.kind);
        break;
      case 'streamPrepare':
        this.#gids.add(message.gid);
        this.#endStreamed(message.xid, message.prepareLsn, message.prepareTime, message.kind);
        break;
      case 'commitPrepared':
        this.#meetEnd(message.commitLsn, message.commitTime);
        this.#outcome({ gid: message.gid, xid: message.xid, endLsn: null, time: null });
        break;
      case 'rollbackPrepared': {
        const { gid, xid, prepareEndLsn, prepareTime, rollbackEndLsn, rollbackTime } = message;
        // Where its record starts, nobody is told.
        this.#meetEnd(rollbackEndLsn - longestOutcome, rollbackTime);
        this.#outcome({ gid, xid, endLsn: prepareEndLsn, time: prepareTime });
        break;
      }
      case 'message':
        this.#meetLsn(message.lsn);
        if (message.transactional) {
          this.#change(message.kind, lsn);
          if (lsn === null) this.#limit(this.#xid!, message.lsn);
        }
        if (!message.transactional && (this.lowestEnd === null || message.lsn < this.lowestEnd))
          this.lowestEnd = message.lsn;
        break;
      case 'relation':
      case 'type':
        this.#within(message.kind);
        break;
      case 'truncate': {
        const xid = message.xid ?? this.#xid!;
        this.truncated.set(this.#xid!, [...(this.truncated.get(this.#xid!) ?? []), ...message.relationIds]);
        this.#use(xid);
        this.#change(message.kind, lsn);
        break;
      }
      default:
        this.#use(message.xid);
        this.#change(message.kind, lsn);
    }
  }

  #begin(xid: number, lsn: bigint | null): void {
    this.firstXid ??= xid;
    this.#xid = xid;
    this.#beginLsn = lsn;
    this.#isEmpty = true;
    this.#isPlain = false;
  }

  #end(kind: string): void {
    this.#within(kind);
    this.#xid = null;
    this.#beginLsn = null;
  }

  #change(kind: string, lsn: bigint | null): void {
    this.#within(kind);
    // From 15 on Begin waits for the first change, and has its position.
    if (this.#isEmpty && this.#beginLsn !== null && this.#beginLsn !== 0n && lsn !== null && this.#beginLsn !== lsn) {
      this.#atMost(14);
    }
    this.#isEmpty = false;
  }

  #within(kind: string): void {
    if (this.#xid !== null) return;
    throw new CollectError(`this ${kind} has no Begin before it: the capture begins in a transaction`, this.#index);
  }

  #use(xid: number | undefined): void {
    if (!this.#inBlock || xid === undefined) return;
    this.streamed.get(this.#xid!)!.lastUse.set(xid, this.#index);
  }

  #streamAbort({ xid, subxid, abortLsn }: StreamAbort, lsn: bigint | null): void {
    const facts = this.streamed.get(xid);
    if (facts === undefined) {
      throw new CollectError(`the streamed transaction ${xid} began before the capture`, this.#index);
    }
    if (abortLsn !== undefined) {
      this.#meetLsn(abortLsn);
      this.#limit(xid, abortLsn);
    }
    if (xid === subxid) {
      this.#abort = null;
      return;
    }
    const at = abortLsn ?? lsn;
    if (this.#abort?.xid !== xid || this.#abort.lsn !== at) {
      this.#abort = { group: { subxids: [], index: this.#index }, xid, lsn: at };
    }
    this.#abort.group.subxids.push(subxid);
    if (!facts.lastUse.has(subxid)) {
      const block = this.#lastBlocks.get(xid)!;
      facts.hidden.set(block, [...(facts.hidden.get(block) ?? []), subxid]);
    }
    facts.aborts.set(subxid, this.#abort.group);
  }

  #endStreamed(xid: number, lsn: bigint, time: bigint, kind: string): void {
    const facts = this.streamed.get(xid);
    if (facts === undefined) {
      throw new CollectError(`this ${kind} ends the transaction ${xid}, which began before the capture`, this.#index);
    }
    this.#limit(xid, lsn);
    this.#meetEnd(lsn, time);
  }

  #limit(xid: number, lsn: bigint): void {
    const known = this.limits.get(xid);
    if (known === undefined || lsn < known) this.limits.set(xid, lsn);
  }

  #outcome(prepared: PreparedBefore): void {
    if (this.#gids.has(prepared.gid)) this.#gids.delete(prepared.gid);
    else this.preparedBefore.push(prepared);
  }

  #meetEnd(lsn: bigint, time: bigint): void {
    this.firstTime ??= time;
    this.#meetLsn(lsn);
    if (this.lowestEnd === null || lsn < this.lowestEnd) this.lowestEnd = lsn;
  }

  #meetLsn(lsn: bigint): void {
    if (this.lowestLsn === null || lsn < this.lowestLsn) this.lowestLsn = lsn;
  }

  #atLeast(major: number): void {
    this.oldestMajor = Math.max(this.oldestMajor, major);
  }

  #atMost(major: number): void {
    this.newestMajor = Math.min(this.newestMajor, major);
  }
}
