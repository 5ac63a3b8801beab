/** How to take back what one transaction did to rows and catalogs, newest last. */
import { undoRow, type Owner, type UndoRow } from './row-store.js';

type Undo = UndoRow | (() => void);

export class UndoLog {
  #entries: Undo[] = [];

  get length(): number {
    return this.#entries.length;
  }

  push(undo: Undo): void {
    this.#entries.push(undo);
  }

  /** Takes back everything beyond the first `length` entries. */
  undoTo(length: number): void {
    while (this.#entries.length > length) {
      const undo = this.#entries.pop()!;
      if (typeof undo === 'function') undo();
      else undoRow(undo);
    }
  }

  /** Makes the rows everybody's. */
  commitRows(owner: Owner, endLsn: bigint): void {
    for (const undo of this.#entries) if (typeof undo !== 'function') undo.stored.commit(owner, endLsn);
  }

  mark(): () => void {
    const entries = [...this.#entries];
    return () => {
      this.#entries = entries;
    };
  }
}
