/**
 * Which Relations an encoder will send by itself, as `timeline/relation-cache` remembers them: what it would not send must
 * be announced. In a decompiled stream nothing but TRUNCATE makes it send one again.
 */
import type { SeenTable } from '../../timeline/collect.js';

interface Entry {
  sent: boolean;
  stale: boolean;
  /** Top-level xids of streamed transactions that have sent it. */
  readonly streamed: Set<number>;
}

export class Announcements {
  readonly #entries = new Map<number, Entry>();
  /** Tables that streamed transactions have truncated so far, by top-level xid. */
  readonly #truncated = new Map<number, Set<number>>();

  constructor(private readonly major: number) {}

  /** Looks a table up, as every change does. @returns whether its Relation is sent by itself */
  needs(oid: number, streamedXid: number | null): boolean {
    const entry = this.#valid(oid);
    return streamedXid === null ? !entry.sent : !entry.streamed.has(streamedXid);
  }

  sent({ oid }: Pick<SeenTable, 'oid'>, streamedXid: number | null): void {
    const entry = this.#valid(oid);
    if (streamedXid === null) entry.sent = true;
    else entry.streamed.add(streamedXid);
  }

  #valid(oid: number): Entry {
    let entry = this.#entries.get(oid);
    if (entry === undefined) {
      entry = { sent: false, stale: false, streamed: new Set() };
      this.#entries.set(oid, entry);
    } else if (entry.stale) {
      entry.sent = false;
      entry.stale = false;
      entry.streamed.clear();
    }
    return entry;
  }

  invalidate(oids: Iterable<number>): void {
    for (const oid of oids) {
      const entry = this.#entries.get(oid);
      if (entry !== undefined) entry.stale = true;
    }
  }

  /**
   * What a TRUNCATE's catalog work makes stale. @param made - tables that get a new file
   * @param inPlace - tables whose indexes alone tell of it, which up to 13 decoding does not see
   * @param all - tables truncated anywhere in the transaction: up to 13 they count at once
   */
  madeStale(xid: number, made: readonly number[], inPlace: readonly number[], all: readonly number[]): Set<number> {
    if (this.major >= 14) return new Set([...made, ...inPlace]);
    return new Set(made.length > 0 ? [...(this.#truncated.get(xid) ?? []), ...all] : []);
  }

  truncate(xid: number, tables: readonly number[], stale: ReadonlySet<number>): void {
    if (tables.length === 0) return;
    let known = this.#truncated.get(xid);
    if (known === undefined) this.#truncated.set(xid, (known = new Set()));
    for (const oid of tables) known.add(oid);
    this.invalidate(stale);
  }

  /** A block, or a transaction that is told as a whole, is through. */
  executed(xid: number): void {
    this.invalidate(this.#truncated.get(xid) ?? []);
  }

  /** What a streamed transaction sent holds from now on, or is forgotten. */
  streamEnded(xid: number, committed: boolean): void {
    for (const entry of this.#entries.values()) {
      if (entry.streamed.delete(xid) && committed) entry.sent = true;
    }
  }

  forget(xid: number): void {
    this.#truncated.delete(xid);
  }
}
