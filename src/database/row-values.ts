/** RowValues → rows: defaults, NOT NULL, generated and out-of-line columns. */
import { OutOfLine, unchanged, type Datum, type Row } from '../timeline/datum.js';
import type { RowValues } from './declaration.js';
import type { GivenRow } from './given-row.js';
import { StatementError } from './statement-error.js';
import { columnPosition, type StoredTable } from './stored-table.js';

/** The text of a stored value; null for NULL. `unchanged` has none: it counts as NULL where only tracked rows would know. */
export function datumText(datum: Datum): string | null {
  if (typeof datum === 'string' || datum === null) return datum;
  return datum === unchanged ? null : datum.text;
}

/** What INSERT must know of columns that a row leaves out. */
export interface Sequences {
  next(table: StoredTable, position: number): string;
}

/** The complete row of an INSERT. @throws StatementError 42703 or 22023; NULLs are checked where the row is stored */
export function completeRow(table: StoredTable, values: RowValues, sequences: Sequences): Row {
  checkNames(table, values);
  const given = table.columns.map(({ name }) => (Object.hasOwn(values, name) ? values[name] : undefined));
  return completeValues(table, given, sequences);
}

/** As `completeRow`. @param given - one for each column; undefined: left out */
export function completeValues(table: StoredTable, given: GivenRow['values'], sequences: Sequences): Row {
  const { columns, defaults } = table;
  const row: Datum[] = [];
  for (let i = 0; i < columns.length; i++) {
    const datum = given[i];
    if (datum === unchanged) throw misplacedUnchanged(columns[i]!.name);
    if (datum !== undefined) row.push(stored(table, i, datum));
    else row.push(columns[i]!.identity ? sequences.next(table, i) : stored(table, i, defaults[i] ?? null));
  }
  return row;
}

/** The row after SET: what is not set stays the very same datum, so that out-of-line values count as unchanged. */
export function updatedRow(table: StoredTable, old: Row, set: RowValues): Row {
  checkNames(table, set);
  return table.columns.map((column, i) => {
    const given = Object.hasOwn(set, column.name) ? set[column.name]! : undefined;
    return given === undefined || given === unchanged ? old[i]! : stored(table, i, given);
  });
}

/** Both rows of an UPDATE that spells them out. `unchanged` stands for the old value, which was out of line then. */
export function spelledOutRows(
  table: StoredTable,
  oldValues: RowValues,
  newValues: RowValues,
  sequences: Sequences,
): { old: Row; new: Row } {
  const old = [...completeRow(table, oldValues, sequences)];
  checkNames(table, newValues);
  const next = table.columns.map((column, i) => {
    const given = Object.hasOwn(newValues, column.name) ? newValues[column.name]! : undefined;
    if (given === unchanged) {
      if (typeof old[i] === 'string') old[i] = new OutOfLine(old[i]);
      return old[i]!;
    }
    return stored(table, i, given ?? table.defaults[i] ?? null);
  });
  return { old, new: next };
}

/** The new row of an UPDATE given as it was seen on the wire: `unchanged` stays. */
export function seenRow(table: StoredTable, values: RowValues): Row {
  checkNames(table, values);
  return table.columns.map((column, i) => {
    const given = Object.hasOwn(values, column.name) ? values[column.name]! : undefined;
    return given === unchanged ? unchanged : stored(table, i, given ?? table.defaults[i] ?? null);
  });
}

/** An old row of which only the key was seen. @throws StatementError for columns outside the identity, or identity columns left out */
export function keyRow(table: StoredTable, key: RowValues): Row {
  checkNames(table, key);
  for (const [name, datum] of Object.entries(key)) if (datum === unchanged) throw misplacedUnchanged(name);
  const identity = table.replicaIdentity === 'full' ? table.columns.map((_, i) => i) : table.identityColumns;
  for (const name of Object.keys(key)) {
    if (!identity.includes(columnPosition(table, name))) {
      throw new StatementError(
        { code: '22023', message: `column "${name}" is not part of the replica identity of table "${table.name}"` },
        { kind: 'column', name },
      );
    }
  }
  for (const position of table.identityColumns) {
    const { name } = table.columns[position]!;
    if (!Object.hasOwn(key, name)) {
      throw new StatementError(
        { code: '22023', message: `the key of table "${table.name}" needs column "${name}"` },
        { kind: 'column', name },
      );
    }
  }
  return table.columns.map((column, i) =>
    Object.hasOwn(key, column.name) ? stored(table, i, key[column.name]!) : null,
  );
}

/** A row as callers see one. */
export function rowValues(table: StoredTable, row: Row): RowValues {
  const values: Record<string, Datum> = Object.create(null) as Record<string, Datum>;
  table.columns.forEach((column, i) => (values[column.name] = row[i]!));
  return values;
}

/** @throws StatementError 23502 */
export function checkNotNull(table: StoredTable, row: Row, major: number): void {
  for (let i = 0; i < row.length; i++) {
    if (row[i] === null && table.columns[i]!.notNull) {
      const { name } = table.columns[i]!;
      const of = major >= 13 ? ` of relation "${table.name}"` : '';
      throw new StatementError(
        { code: '23502', message: `null value in column "${name}"${of} violates not-null constraint` },
        { kind: 'column', name },
      );
    }
  }
}

/** A moved row is written anew: its out-of-line values get chunks of their own. */
export function copiedRow(row: Row): Row {
  return row.map((datum) => (datum instanceof OutOfLine ? new OutOfLine(datum.text) : datum));
}

function stored(table: StoredTable, position: number, datum: Datum): Datum {
  if (typeof datum === 'string' && table.toasted[position]!) return new OutOfLine(datum);
  if (datum instanceof OutOfLine && table.columns[position]!.type.length !== -1) {
    const { name, type } = table.columns[position]!;
    throw new StatementError(
      { code: '22023', message: `a value of type ${type.name} cannot be stored out of line` },
      { kind: 'column', name },
    );
  }
  // The caller's object may be shared by many rows; only a row's own object says "unchanged".
  return datum instanceof OutOfLine ? new OutOfLine(datum.text) : datum;
}

function checkNames(table: StoredTable, values: RowValues): void {
  for (const name of Object.keys(values)) columnPosition(table, name);
}

function misplacedUnchanged(name: string): StatementError {
  return new StatementError(
    { code: '22023', message: `column "${name}": only the new row of an UPDATE can leave a value unchanged` },
    { kind: 'column', name },
  );
}
