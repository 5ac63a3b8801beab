/** Rows that the recorder told ↔ their WAL records. */
import type { CatalogTable } from '../recorder/catalog.js';
import type { Told, ToldRow } from '../recorder/told.js';
import type { StoredTuple, Written } from '../wal/event.js';
import { outOfLineValues, toastValueId } from '../wal/out-of-line.js';
import { liveColumns, type RowChange } from './history.js';

type RowEvent = Written & {
  readonly lsn: bigint;
  readonly xid: number;
  readonly kind: ToldRow['kind'];
  readonly tuple?: StoredTuple | undefined;
};

/** The rows that one statement told. A place in a file can be written more than once, then in the order told. */
export class ToldRows {
  readonly #byPlace = new Map<string, ToldRow[]>();

  constructor(told: readonly Told[]) {
    for (const row of told) {
      if (row.kind === 'ddl' || row.kind === 'truncate') continue;
      const place = placeOf(row);
      const rows = this.#byPlace.get(place);
      if (rows) rows.push(row);
      else this.#byPlace.set(place, [row]);
    }
  }

  find(event: RowEvent): ToldRow | undefined {
    return this.#byPlace.get(placeOf(event))?.shift();
  }
}

function placeOf({ kind, file, tid }: Pick<RowEvent, 'kind' | 'file' | 'tid'>): string {
  return `${kind} ${file} ${tid}`;
}

/** Of one transaction: knows which TOAST values were written for the next row. */
export class RowMatcher {
  readonly #fresh = new Set<number>();

  /** A record of no row that was told: of a catalog, an index's table, or of TOAST, whose rows have three columns. */
  pass({ kind, tuple }: RowEvent): void {
    if (kind === 'insert' && tuple?.attributes === 3) this.#fresh.add(toastValueId(tuple));
  }

  /** What was written before belongs to rows that are done, such as those of a table that was rewritten. */
  forget(): void {
    this.#fresh.clear();
  }

  match(event: RowEvent, told: ToldRow, table: CatalogTable): RowChange {
    const columns = liveColumns(table);
    for (const values of [told.old, told.new]) {
      if (values !== null && values.length !== columns.length) {
        throw new Error(`a row of ${table.name} has ${values.length} values for ${columns.length} columns`);
      }
    }
    const outOfLine = new Set<string>();
    const unchanged = new Set<string>();
    if (event.tuple) {
      const found = outOfLineValues(event.tuple, table.columns ?? []);
      for (const { attnum, name } of columns) {
        const id = found.get(attnum);
        if (id === undefined) continue;
        outOfLine.add(name);
        if (!this.#fresh.has(id)) unchanged.add(name);
      }
    }
    this.#fresh.clear();
    const { kind, lsn, xid } = event;
    const bytes = event.tuple?.data.length ?? 0;
    return { kind, lsn, xid, table, old: told.old, new: told.new, outOfLine, unchanged, bytes };
  }
}
