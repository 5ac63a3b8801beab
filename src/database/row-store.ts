/**
 * The tracked rows of one table, with every version that was ever committed: statements see the newest, `tablesAt` any.
 * One open transaction at a time can have changed a row; what it made of it is kept beside the committed version.
 */
import type { Row } from '../timeline/datum.js';
import { StatementError } from './statement-error.js';
import { datumText } from './row-values.js';
import type { StoredTable } from './stored-table.js';

interface Version {
  /** End LSN of the commit that made it; 0n for rows loaded before the stream. */
  readonly since: bigint;
  /** Null: deleted. */
  readonly row: Row | null;
  readonly previous: Version | null;
  /** Where it stands in the table's file: each version is written behind those before it. */
  readonly place: number;
}

/** How to take back what was done to rows whoever did it, newest last; null while nobody may want to. */
export interface RowJournal {
  entries: (() => void)[] | null;
}

/** Whoever changes rows: an open transaction. Its xid is named when others run into it. */
export interface Owner {
  readonly xid: number;
}

export class StoredRow {
  committed: Version | null = null;
  owner: Owner | null = null;
  /** What the owner made of it; null: deleted. */
  pending: Row | null = null;
  #pendingPlace = 0;

  constructor(readonly store: RowStore) {}

  visibleTo(reader: Owner): Row | null {
    return this.owner === reader ? this.pending : (this.committed?.row ?? null);
  }

  /** @returns how to take it back. @throws StatementError 55P03 when another open transaction has changed it */
  change(owner: Owner, row: Row | null): UndoRow {
    this.checkOwner(owner);
    const undo = { stored: this, owner: this.owner, pending: this.pending, place: this.#pendingPlace };
    if (row !== null) this.store.checkUnique(this, row, owner);
    this.note();
    if (row !== null) this.#pendingPlace = this.store.takePlace(this.visibleTo(owner) !== null);
    this.owner = owner;
    this.pending = row;
    if (row !== null) this.store.enter(this, row);
    return undo;
  }

  undo({ owner, pending, place }: UndoRow): void {
    this.note();
    this.owner = owner;
    this.pending = pending;
    this.#pendingPlace = place;
  }

  /** Where the version that the reader sees stands in the file. */
  placeFor(reader: Owner): number {
    return this.owner === reader ? this.#pendingPlace : (this.committed?.place ?? 0);
  }

  /** For the journal: what it is now. */
  note(): void {
    const { committed, owner, pending } = this;
    const place = this.#pendingPlace;
    this.store.journal.entries?.push(() => {
      Object.assign(this, { committed, owner, pending });
      this.#pendingPlace = place;
    });
  }

  /** @throws StatementError 55P03 */
  checkOwner(owner: Owner): void {
    if (this.owner === null || this.owner === owner) return;
    const { name } = this.store.table;
    throw new StatementError(
      {
        code: '55P03',
        message: `a row of table "${name}" is changed by another open transaction (xid ${this.owner.xid})`,
        hint: 'A real server would wait for that transaction to end.',
      },
      { kind: 'table', name },
    );
  }

  /** Makes what the owner made of it everybody's. */
  commit(owner: Owner, endLsn: bigint): void {
    if (this.owner !== owner) return;
    this.note();
    const previous = this.committed;
    if (previous !== null || this.pending !== null) {
      this.committed = { since: endLsn, row: this.pending, previous, place: this.#pendingPlace };
    }
    this.owner = null;
    this.pending = null;
  }

  /** The version of that moment: null when there was none. */
  at(lsn: bigint): Row | null {
    let version = this.committed;
    while (version !== null && version.since > lsn) version = version.previous;
    return version?.row ?? null;
  }
}

export interface UndoRow {
  readonly stored: StoredRow;
  readonly owner: Owner | null;
  readonly pending: Row | null;
  readonly place: number;
}

export function undoRow(undo: UndoRow): void {
  undo.stored.undo(undo);
}

interface UniqueIndex {
  readonly name: string;
  readonly columns: readonly number[];
  readonly deferrable: boolean;
  /** Rows that have or had the key; which of them have it now is checked when asked. */
  readonly rows: Map<string, StoredRow[]>;
}

export class RowStore {
  readonly #rows: StoredRow[] = [];
  #indexes: readonly UniqueIndex[] | null = null;
  #nextPlace = 0;
  /** A row was updated: the file has another order than `#rows`. */
  #isReordered = false;

  constructor(
    /** The version of the table that the newest rows have. */
    public table: StoredTable,
    readonly journal: RowJournal,
    private readonly checksUnique = true,
  ) {}

  /** Takes a new version of the table. Its rows must have that version's columns already. */
  define(table: StoredTable): void {
    const before = this.table;
    this.journal.entries?.push(() => this.define(before));
    this.table = table;
    this.#indexes = null;
  }

  /** As `define`, and gives the newest rows its form. */
  redefine(table: StoredTable, convert: (row: Row) => Row): void {
    this.define(table);
    for (const stored of this.#rows) {
      if (stored.committed?.row) stored.committed = { ...stored.committed, row: convert(stored.committed.row) };
      if (stored.pending !== null) stored.pending = convert(stored.pending);
    }
  }

  /** Built when first needed: rows made in passing never need them. */
  #uniqueIndexes(): readonly UniqueIndex[] {
    if (this.#indexes !== null) return this.#indexes;
    this.#indexes = uniqueIndexes(this.table);
    for (const stored of this.#rows) {
      const row = stored.owner === null ? stored.committed?.row : stored.pending;
      if (row) this.enter(stored, row);
    }
    return this.#indexes;
  }

  /** @throws StatementError 55P03 when another open transaction has changed any row */
  checkOwner(owner: Owner): void {
    for (const stored of this.#rows) stored.checkOwner(owner);
  }

  add(): StoredRow {
    const stored = new StoredRow(this);
    this.#rows.push(stored);
    this.journal.entries?.push(() => this.#rows.pop());
    return stored;
  }

  /** Rows loaded before the stream. */
  load(row: Row): void {
    const stored = this.add();
    this.checkUnique(stored, row, nobody);
    stored.committed = { since: 0n, row, previous: null, place: this.takePlace(false) };
    this.enter(stored, row);
  }

  /** @param isUpdate of a row that is there already */
  takePlace(isUpdate: boolean): number {
    this.#isReordered ||= isUpdate;
    return this.#nextPlace++;
  }

  /** Everything that the reader sees, in the order of a sequential scan: an update writes its row anew, behind the others. */
  *visibleTo(reader: Owner): Generator<StoredRow> {
    if (this.#isReordered) {
      const visible = this.#rows.filter((stored) => stored.visibleTo(reader) !== null);
      yield* visible.sort((a, b) => a.placeFor(reader) - b.placeFor(reader));
      return;
    }
    for (const stored of this.#rows) if (stored.visibleTo(reader) !== null) yield stored;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  committedRows(): Row[] {
    return this.#rows.flatMap((stored) => (stored.committed?.row ? [stored.committed.row] : []));
  }

  rowsAt(lsn: bigint): Row[] {
    return this.#rows.map((stored) => stored.at(lsn)).filter((row) => row !== null);
  }

  /** The row with these values in the columns of a unique index; undefined when no index has just these columns. */
  byUniqueKey(columns: readonly number[], row: Row, reader: Owner): StoredRow | null | undefined {
    const index = this.#uniqueIndexes().find(
      (candidate) => candidate.columns.length === columns.length && columns.every((i) => candidate.columns.includes(i)),
    );
    if (index === undefined) return undefined;
    const key = keyOf(index, this.table, row);
    if (key === null) return undefined;
    for (const stored of index.rows.get(key) ?? []) {
      const visible = stored.visibleTo(reader);
      if (visible !== null && keyOf(index, this.table, visible) === key) return stored;
    }
    return null;
  }

  /** @throws StatementError 23505, or 55P03 when the key is another open transaction's */
  checkUnique(stored: StoredRow, row: Row, reader: Owner): void {
    if (!this.checksUnique) return;
    for (const index of this.#uniqueIndexes()) {
      if (index.deferrable) continue;
      const key = keyOf(index, this.table, row);
      const rival = key === null ? undefined : this.#holders(index, key, reader).find((other) => other !== stored);
      if (rival === undefined) continue;
      rival.checkOwner(reader);
      const names = index.columns.map((i) => this.table.columns[i]!.name).join(', ');
      const values = index.columns.map((i) => datumText(row[i]!)).join(', ');
      throw new StatementError(
        {
          code: '23505',
          message: `duplicate key value violates unique constraint "${index.name}"`,
          detail: `Key (${names})=(${values}) already exists.`,
        },
        { kind: 'index', name: index.name },
      );
    }
  }

  /** Other rows that hold a key of this one. */
  rivals(stored: StoredRow, row: Row, reader: Owner): readonly StoredRow[] {
    const rivals = new Set<StoredRow>();
    for (const index of this.#uniqueIndexes()) {
      const key = keyOf(index, this.table, row);
      if (key !== null) for (const holder of this.#holders(index, key, reader)) rivals.add(holder);
    }
    rivals.delete(stored);
    return [...rivals];
  }

  enter(stored: StoredRow, row: Row): void {
    for (const index of this.#indexes ?? []) {
      const key = keyOf(index, this.table, row);
      if (key === null) continue;
      const rows = index.rows.get(key);
      if (rows === undefined) index.rows.set(key, [stored]);
      else if (!rows.includes(stored)) rows.push(stored);
    }
  }

  #holders(index: UniqueIndex, key: string, reader: Owner): StoredRow[] {
    const holds = (row: Row | null): boolean => row !== null && keyOf(index, this.table, row) === key;
    return (index.rows.get(key) ?? []).filter((stored) => {
      if (holds(stored.visibleTo(reader))) return true;
      // What another open transaction has inserted, deleted or moved away holds the key too: a real server would wait.
      return stored.owner !== null && stored.owner !== reader && holds(stored.pending);
    });
  }
}

const nobody: Owner = { xid: 0 };

function uniqueIndexes(table: StoredTable): UniqueIndex[] {
  const indexes = table.indexes
    .filter((index) => index.unique)
    .map(({ name, columns }) => ({ name, columns, deferrable: false, rows: new Map<string, StoredRow[]>() }));
  if (table.primaryKey !== null) {
    indexes.unshift({ ...table.primaryKey, name: `${table.name}_pkey`, rows: new Map() });
  }
  return indexes;
}

/** Equal for rows whose key is equal as the types compare it; null where a column is NULL: NULLs are distinct. */
function keyOf(index: UniqueIndex, table: StoredTable, row: Row): string | null {
  let key = '';
  for (const i of index.columns) {
    const text = datumText(row[i]!);
    if (text === null) return null;
    key += `${comparable(table.columns[i]!.type.name, text)}\0`;
  }
  return key;
}

/** Numerics are equal whatever their scale, unlike their texts. */
function comparable(typeName: string, text: string): string {
  return typeName === 'numeric' && text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}
