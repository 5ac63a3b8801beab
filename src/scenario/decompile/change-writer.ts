/** The changes of one transaction → steps. */
import type { Message, OldTuple, Truncate, Update } from '../../pgoutput/messages.js';
import { unchanged } from '../../pgoutput/messages.js';
import { recordSize } from '../../database/index.js';
import {
  CollectError,
  relationsOf,
  type CapturedMessage,
  type SeenTable,
  type SeenTables,
} from '../../timeline/collect.js';
import type { Announcements } from './announcements.js';
import type { CellPrinter } from './cells.js';
import type { TransactionPins } from './pins.js';
import type { Savepoints } from './savepoints.js';
import { seenTable, tableName, whatBecame, type TableContext } from './tables.js';
import { flag, lsn as lsnText, tagged, text, type YamlObject, type YamlValue } from '../yaml-node.js';

export interface ChangeContext {
  readonly cells: CellPrinter;
  readonly tables: TableContext;
  readonly seen: SeenTables;
  readonly announcements: Announcements;
  /** As declared, or as the last `as:` said. */
  readonly current: Map<number, SeenTable>;
  /** Tables of which a row lies out of line: it came unchanged. */
  readonly outOfLine: Set<number>;
  /** By xid: tables truncated anywhere in the transaction. */
  readonly truncated: ReadonlyMap<number, readonly number[]>;
}

export type RowChange = Extract<Message, { kind: 'insert' | 'update' | 'delete' | 'truncate' | 'message' }>;

export class ChangeWriter {
  /** Relations that came and are not accounted for. */
  #pending: { readonly table: SeenTable; readonly xid: number | undefined }[] = [];

  /** Savepoint steps that wait for the change after them. */
  #prelude: YamlObject[] = [];

  /** Of the open block: subtransactions that show nothing, and have not been told yet. */
  #hidden: number[] = [];
  #firstLsn: bigint | null = null;

  constructor(
    private readonly context: ChangeContext,
    readonly xid: number,
    readonly pins: TransactionPins,
    readonly savepoints: Savepoints,
    /** Changes go out in blocks. */
    private readonly streamed: boolean,
    private readonly output: (step: YamlObject, comment?: string) => void,
  ) {}

  relation(table: SeenTable, xid: number | undefined): void {
    this.#pending.push({ table, xid });
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  change(captured: CapturedMessage & { readonly message: RowChange }, index: number): void {
    const { message, lsn } = captured;
    const xid = message.kind === 'message' ? this.xid : (message.xid ?? this.xid);
    this.#announceBefore(message, lsn, index);
    this.#enter(xid, index);
    switch (message.kind) {
      case 'insert': {
        const table = this.#table(message.relationId, index);
        const row = this.context.cells.row(table.columns, message.newTuple);
        const pin = this.#row(lsn, message.newTuple.includes(unchanged));
        this.write({ insert: tableName(table), new: row, lsn: lsnText(pin) });
        break;
      }
      case 'update':
        this.#update(message, lsn, index);
        break;
      case 'delete': {
        const table = this.#table(message.relationId, index);
        const pin = this.#row(lsn, false);
        this.write({ delete: tableName(table), ...this.#old(message.oldTuple, table), lsn: lsnText(pin) });
        break;
      }
      case 'truncate':
        this.#truncate(message, lsn, index);
        break;
      case 'message': {
        const pin = this.pins.toEnd(recordSize.message, message.lsn);
        this.write({ message: messageOf(message), lsn: lsnText(pin) });
        break;
      }
    }
  }

  #update({ relationId, oldTuple, newTuple }: Update, lsn: bigint | null, index: number): void {
    const table = this.#table(relationId, index);
    const { cells } = this.context;
    const isShifted = newTuple.includes(unchanged);
    // A tracked row that lies out of line shifts what is not pinned: which one this is, only the database knows.
    const pin = this.#row(lsn, isShifted, this.context.outOfLine.has(relationId));
    if (isShifted) this.context.outOfLine.add(relationId);
    const old = oldTuple === null ? {} : this.#old(oldTuple, table);
    this.write({ update: tableName(table), ...old, new: cells.row(table.columns, newTuple), lsn: lsnText(pin) });
  }

  #old({ marker, columns }: OldTuple, table: SeenTable): YamlObject {
    const { cells } = this.context;
    if (marker === 'O') return { old: cells.row(table.columns, columns) };
    const isWhole = columns.some((cell, i) => cell !== null && !table.columns[i]!.key);
    if (!isWhole) return { key: cells.key(table.columns, columns) };
    return { key: cells.row(table.columns, columns), logged: 'full' };
  }

  #truncate({ relationIds, cascade, restartIdentity }: Truncate, lsn: bigint | null, index: number): void {
    const tables = relationIds.map((oid) => this.#table(oid, index));
    const { made, inPlace } = this.#files(relationIds);
    for (const oid of made) this.savepoints.ownFiles.add(oid);
    // New files are catalog work before the record itself: where that lies is settled by a pin.
    const at = lsn ?? this.pins.limit;
    if (at !== null) for (const oids of [inPlace, made]) if (oids.length > 0) this.pins.before(at);
    const pin = this.pins.change(recordSize.truncate, at) ?? at ?? undefined;
    this.write({
      truncate: tables.map(tableName),
      only: 'true',
      cascade: flag(cascade),
      restart_identity: flag(restartIdentity),
      lsn: lsnText(pin),
    });
  }

  #row(lsn: bigint | null, outOfLine: boolean, forced = false): bigint | undefined {
    const inSubtransaction = this.savepoints.depth > 1;
    return this.pins.change(recordSize.change, lsn, { outOfLine, inSubtransaction, forced });
  }

  /** A block begins. @param hidden - its subtransactions that show nothing but their end */
  beginBlock(hidden: readonly number[]): void {
    this.#hidden = [...hidden].sort((a, b) => a - b);
  }

  /** @param firstLsn - of the block's Stream Start, or of the Origin behind it */
  beginAt(firstLsn: bigint | null): void {
    this.#firstLsn = firstLsn;
  }

  /** What the block's changes have not brought up by themselves. */
  endBlock(index: number): void {
    for (const xid of this.#hidden.splice(0)) this.#tellHidden(xid, index);
  }

  /** A change that shows nowhere but in the abort of its subtransaction. */
  #tellHidden(xid: number, index: number): void {
    this.#enter(xid, index);
    const wanted = this.pins.blockFirst === null ? this.#firstLsn : this.pins.last;
    const pin = this.pins.change(recordSize.change, wanted, { inSubtransaction: true });
    this.write({ announce: [], lsn: lsnText(pin) });
  }

  #table(oid: number, index: number): SeenTable {
    const table = this.context.current.get(oid);
    if (table === undefined) throw new CollectError(`the relation ${oid} is not known`, index);
    return table;
  }

  #enter(xid: number, index: number): void {
    const around = this.#hidden.filter((hidden) => this.savepoints.isAround(hidden, xid));
    this.#hidden = this.#hidden.filter((hidden) => !around.includes(hidden));
    for (const hidden of around) this.#tellHidden(hidden, index);
    this.#prelude.push(...this.savepoints.enter(xid, index));
  }

  private write(step: YamlObject, comment?: string): void {
    for (const earlier of this.#prelude) this.output(earlier);
    this.#prelude = [];
    this.output(step, comment);
  }

  /** Relations that a change does not bring along by itself are announced. */
  #announceBefore(message: RowChange, lsn: bigint | null, index: number): void {
    const { announcements, current } = this.context;
    const streamedXid = this.streamed ? this.xid : null;
    // A TRUNCATE's catalog work comes before its Relations.
    const { made, inPlace } = this.#files(message.kind === 'truncate' ? message.relationIds : []);
    const stale = announcements.madeStale(this.xid, made, inPlace, this.context.truncated.get(this.xid) ?? []);
    const needed = [...new Set(relationsOf(message))].filter(
      (oid) => stale.has(oid) || announcements.needs(oid, streamedXid),
    );
    const pending = this.#pending;
    // These Relations come with the TRUNCATE: only what their tables have become is to be said.
    for (const { table, xid } of pending) {
      if (!stale.has(table.oid) || current.get(table.oid) === table) continue;
      this.#enter(xid ?? this.xid, index);
      const comment = whatBecame(current.get(table.oid)!, table);
      this.#announce(lsn, { ...this.#become(table), quiet: 'true' }, comment);
    }
    const isExpected =
      pending.length === needed.length &&
      pending.every(({ table }, i) => table.oid === needed[i] && current.get(table.oid) === table);
    if (isExpected) {
      this.#pending = [];
      announcements.truncate(this.xid, [...made, ...inPlace], stale);
      for (const { table } of pending) announcements.sent(table, streamedXid);
      return;
    }
    this.announcePending(lsn, index);
    announcements.truncate(this.xid, [...made, ...inPlace], stale);
    const missing = needed.find((oid) => announcements.needs(oid, streamedXid));
    if (missing === undefined) return;
    const { namespace, name } = current.get(missing)!;
    throw new CollectError(
      `a server sends the Relation of ${namespace}.${name} before this ${message.kind}, and it is not in the capture (was this a server of another major?)`,
      index,
    );
  }

  /** Tables that get a new file, and those that had one from the same (sub)transaction and have an index. */
  #files(oids: readonly number[]): { readonly made: readonly number[]; readonly inPlace: readonly number[] } {
    const { ownFiles } = this.savepoints;
    return {
      made: oids.filter((oid) => !ownFiles.has(oid)),
      inPlace: oids.filter((oid) => ownFiles.has(oid) && hasIndex(this.context.current.get(oid)!)),
    };
  }

  /** @param lsn - of the change that follows; null: unknown, or there is none */
  announcePending(lsn: bigint | null, index: number): void {
    const { announcements, current } = this.context;
    let together: SeenTable[] = [];
    const flush = (): void => {
      if (together.length > 0) this.#announce(lsn, { announce: together.map(tableName) });
      together = [];
    };
    for (const { table, xid } of this.#pending) {
      this.#enter(xid ?? this.xid, index);
      announcements.sent(table, this.streamed ? this.xid : null);
      if (current.get(table.oid) === table) together.push(table);
      else {
        flush();
        const comment = whatBecame(current.get(table.oid)!, table);
        this.#announce(lsn, this.#become(table), comment);
      }
    }
    flush();
    this.#pending = [];
  }

  #announce(lsn: bigint | null, step: YamlObject, comment?: string): void {
    const wanted = lsn ?? (this.pins.last > 0n ? this.pins.last : null);
    const pin = this.pins.change(recordSize.change, wanted, { inSubtransaction: this.savepoints.depth > 1 });
    this.write({ ...step, lsn: lsnText(pin) }, comment);
  }

  /** Another version of a table. */
  #become(table: SeenTable): YamlObject {
    const { current, tables } = this.context;
    const before = current.get(table.oid)!;
    const isRenamed = before.name !== table.name || before.namespace !== table.namespace;
    current.set(table.oid, table);
    const as = { ...(isRenamed ? { name: tableName(table) } : {}), ...seenTable(table, tables) };
    return { announce: tableName(before), as };
  }
}

/** A replica identity that is an index's. */
function hasIndex({ replicaIdentity, columns }: SeenTable): boolean {
  return replicaIdentity !== 'full' && columns.some((column) => column.key);
}

export function messageOf({ prefix, content }: { readonly prefix: string; readonly content: Uint8Array }): YamlObject {
  return { prefix: text(prefix), content: contentOf(content) };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function contentOf(content: Uint8Array): YamlValue {
  try {
    const decoded = utf8.decode(content);
    if (!/[\x00-\x08\x0b-\x1f]/.test(decoded)) return text(decoded);
  } catch {
    // Not text.
  }
  return tagged('!bytes', Array.from(content, (byte) => byte.toString(16).padStart(2, '0')).join(''));
}
