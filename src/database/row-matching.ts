/** Which tracked rows a statement means. */
import type { RowFilter } from '../timeline/catalog.js';
import type { Datum, Row } from '../timeline/datum.js';
import { NeedsDatabase, type DatabaseState } from './database-state.js';
import type { RowValues } from './declaration.js';
import { datumText } from './row-values.js';
import type { Owner, StoredRow } from './row-store.js';
import type { Where } from './statement.js';
import type { TransactionWriter } from './transaction-writer.js';
import { columnPosition, rowTables, type StoredCatalog, type StoredTable } from './stored-table.js';

export interface Match {
  readonly leaf: StoredTable;
  readonly stored: StoredRow;
  readonly row: Row;
}

/** Rows of a table, its partitions and inheriting tables that fulfil a condition, as `reader` sees them. */
export function matchingRows(
  state: DatabaseState,
  catalog: StoredCatalog,
  table: StoredTable,
  where: Where,
  reader: Owner,
): Match[] {
  const matches: Match[] = [];
  for (const leaf of rowTables(catalog, table)) {
    const store = state.store(leaf);
    if (isFilter(where)) {
      refuseRowsElsewhere(state, leaf);
      for (const stored of store.visibleTo(reader)) {
        const row = stored.visibleTo(reader)!;
        if (where.evaluate(row, leaf.columns) === true) matches.push({ leaf, stored, row });
      }
      continue;
    }
    const wanted = wantedValues(leaf, where);
    const found = store.byUniqueKey(wanted.positions, wanted.row, reader);
    if (found === undefined || (found === null && state.rowsElsewhere !== null)) refuseRowsElsewhere(state, leaf);
    for (const stored of found === undefined ? store.visibleTo(reader) : found === null ? [] : [found]) {
      const row = stored.visibleTo(reader)!;
      if (equal(leaf, row, wanted)) matches.push({ leaf, stored, row });
    }
  }
  return matches;
}

/** The tracked row that a spelled-out old row (or the key in it) means; null when it is not tracked. */
export function trackedRow(
  state: DatabaseState,
  leaf: StoredTable,
  old: Row,
  keyOnly: boolean,
  reader: Owner,
): StoredRow | null {
  const store = state.store(leaf);
  for (const columns of [leaf.primaryKey?.columns ?? [], leaf.identityColumns]) {
    if (columns.length === 0) continue;
    const found = store.byUniqueKey(columns, old, reader);
    if (found !== undefined) {
      if (found === null) refuseRowsElsewhere(state, leaf);
      return found;
    }
  }
  refuseRowsElsewhere(state, leaf);
  const positions = keyOnly ? leaf.identityColumns : leaf.columns.map((_, i) => i);
  if (positions.length === 0) return null;
  for (const stored of store.visibleTo(reader)) {
    if (equal(leaf, stored.visibleTo(reader)!, { positions, row: old })) return stored;
  }
  return null;
}

/** Rows of one table as a transaction sees them. */
export function visibleRows(writer: TransactionWriter, oid: number): Row[] {
  const table = writer.catalog.tables.get(oid);
  if (table === undefined) return [];
  refuseRowsElsewhere(writer.state, table);
  return Array.from(writer.state.store(table).visibleTo(writer), (stored) => stored.visibleTo(writer)!);
}

/** In a stand-in: rows that only the database knows could be meant. */
export function refuseRowsElsewhere(state: DatabaseState, table: StoredTable): void {
  if (state.rowsElsewhere?.(table.oid) === true) throw new NeedsDatabase();
}

export function isFilter(where: Where): where is RowFilter {
  return typeof where['evaluate'] === 'function';
}

/** `id = 1 and grp is null`, for messages. */
export function describeWhere(where: Where): string {
  if (isFilter(where)) return where.text;
  const terms = Object.entries(where).map(([name, value]) => {
    const text = datumText(value);
    return text === null ? `${name} is null` : `${name} = ${text}`;
  });
  return terms.join(' and ') || 'anything';
}

interface Wanted {
  readonly positions: readonly number[];
  /** Only `positions` count. */
  readonly row: Row;
}

function wantedValues(table: StoredTable, values: RowValues): Wanted {
  const row: Datum[] = table.columns.map(() => null);
  const positions = Object.keys(values).map((name) => {
    const position = columnPosition(table, name);
    row[position] = values[name]!;
    return position;
  });
  return { positions, row };
}

function equal(table: StoredTable, row: Row, { positions, row: wanted }: Wanted): boolean {
  return positions.every((i) => {
    const a = datumText(row[i]!);
    const b = datumText(wanted[i]!);
    return a === b || (a !== null && b !== null && table.columns[i]!.type.compare?.(a, b) === 0);
  });
}
