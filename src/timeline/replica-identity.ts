/** What of a changed row's old version is in WAL (heap_update's and heap_delete's ExtractReplicaIdentity). */
import type { Table } from './catalog.js';
import { OutOfLine, unchanged, type Datum, type Row } from './datum.js';
import type { DeleteChange, UpdateChange } from './timeline.js';

/** Nothing; the identity columns; the whole row. */
export type LoggedOldRow = 'nothing' | 'key' | 'full';

/**
 * An UPDATE logs the identity columns when the stored bytes of one changed, or when one is stored out of line: the new
 * row then has no more than a pointer to the value.
 */
export function loggedByUpdate(change: UpdateChange): LoggedOldRow {
  if (change.old === null || change.logged === 'nothing') return 'nothing';
  if (change.logged !== 'derived') return change.logged;
  const { table, old } = change;
  if (table.replicaIdentity === 'full') return 'full';
  const { identityColumns } = table;
  for (let i = 0; i < identityColumns.length; i++) {
    const position = identityColumns[i]!;
    const before = old[position]!;
    if (before instanceof OutOfLine || isChanged(before, change.new[position]!)) return 'key';
  }
  return 'nothing';
}

export function loggedByDelete(change: DeleteChange): LoggedOldRow {
  if (change.logged !== 'derived') return change.logged;
  return oldRowOfDelete(change.table);
}

function oldRowOfDelete(table: Table): LoggedOldRow {
  if (table.replicaIdentity === 'full') return 'full';
  return table.identityColumns.length > 0 ? 'key' : 'nothing';
}

/** A value of the new row that is not sent: its out-of-line value is still the old row's. */
export function isUnsent(datum: Datum, old: Row | null, position: number): boolean {
  if (datum === unchanged) return true;
  return datum instanceof OutOfLine && old !== null && old[position] === datum;
}

function isChanged(before: Datum, after: Datum): boolean {
  if (before === after || after === unchanged) return false;
  return textOf(before) !== textOf(after);
}

function textOf(datum: Datum): string | null {
  return typeof datum === 'string' || datum === null || datum === unchanged ? (datum as string | null) : datum.text;
}
