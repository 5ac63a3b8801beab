/**
 * The stack of a transaction's open subtransactions. An xid is assigned when something is written, the parents' first:
 *
 *   savepoint a ─→ [top][a:-] ─ write ─→ [top:7][a:8] ─ savepoint b, write ─→ [top:7][a:8][b:9]
 *   release b   ─→ [top:7][a:8 children 9]     rollback to a ─→ aborts 9, then 8; [top:7][a:-]
 */
import { StatementError } from './statement-error.js';
import type { Wal } from './wal.js';

export interface Frame {
  /** Null for the top level and for a subtransaction without a name. */
  readonly name: string | null;
  /** 0: none assigned yet. */
  xid: number;
  readonly pinnedXid: number | undefined;
  /** Committed children's xids, ascending. */
  children: number[];
  /** Length of the undo log when it began. */
  readonly undoMark: number;
  /** OIDs of tables to which it gave a new file (CREATE TABLE, TRUNCATE). */
  readonly ownFiles: Set<number>;
}

export class Subtransactions {
  #frames: Frame[] = [];

  constructor(
    private readonly wal: Wal,
    pinnedXid: number | undefined,
  ) {
    this.push(null, 0, pinnedXid);
    if (pinnedXid !== undefined) this.topXid();
  }

  get top(): Frame {
    return this.#frames[0]!;
  }

  get innermost(): Frame {
    return this.#frames.at(-1)!;
  }

  get depth(): number {
    return this.#frames.length;
  }

  topXid(): number {
    if (this.top.xid === 0) this.top.xid = this.wal.takeXid(this.top.pinnedXid);
    return this.top.xid;
  }

  /** The innermost one's. */
  currentXid(): number {
    if (this.innermost.xid === 0) {
      for (const frame of this.#frames) if (frame.xid === 0) frame.xid = this.wal.takeXid(frame.pinnedXid);
    }
    return this.innermost.xid;
  }

  push(name: string | null, undoMark: number, pinnedXid: number | undefined): void {
    this.#frames.push({ name, xid: 0, pinnedXid, children: [], undoMark, ownFiles: new Set() });
  }

  /** The innermost one made the table's file. */
  ownsFile(oid: number): boolean {
    return this.innermost.ownFiles.has(oid);
  }

  ownFiles(oids: readonly number[]): void {
    for (const oid of oids) this.innermost.ownFiles.add(oid);
  }

  mark(): () => void {
    const frames = this.#frames.map((frame) => ({
      ...frame,
      children: [...frame.children],
      ownFiles: new Set(frame.ownFiles),
    }));
    return () => {
      this.#frames = frames;
    };
  }

  /** Position of the innermost savepoint of that name. @throws StatementError 3B001 */
  find(name: string): number {
    const position = this.#frames.findLastIndex((frame) => frame.name === name);
    if (position < 1) {
      throw new StatementError(
        { code: '3B001', message: `savepoint "${name}" does not exist` },
        { kind: 'savepoint', name },
      );
    }
    return position;
  }

  /** Position of the innermost subtransaction without a name. @throws StatementError 3B001 */
  findUnnamed(): number {
    const position = this.#frames.findLastIndex((frame) => frame.name === null);
    if (position < 1) throw new StatementError({ code: '3B001', message: 'no subtransaction is open' });
    return position;
  }

  /** Commits the frames from `position` up into the one below. */
  release(position: number): void {
    while (this.#frames.length > position) {
      const frame = this.#frames.pop()!;
      const parent = this.innermost;
      for (const oid of frame.ownFiles) parent.ownFiles.add(oid);
      parent.children.push(...(frame.xid === 0 ? [] : [frame.xid]), ...frame.children);
      parent.children.sort((a, b) => a - b);
    }
  }

  /** Takes the innermost frame off. */
  pop(): Frame {
    return this.#frames.pop()!;
  }
}
