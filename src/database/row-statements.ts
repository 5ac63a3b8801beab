/** INSERT, UPDATE, DELETE and TRUNCATE on tracked rows. */
import { OutOfLine, unchanged, type Row } from '../timeline/datum.js';
import type { Change, DeleteChange, SourcePosition, UpdateChange } from '../timeline/timeline.js';
import type { RowValues, TableName } from './declaration.js';
import type { GivenRow } from './given-row.js';
import { checkReplicaIdentity } from './identity-check.js';
import { checkPartitionConstraint, reorder, routeRow } from './partition-routing.js';
import { describeWhere, matchingRows, refuseRowsElsewhere, trackedRow } from './row-matching.js';
import {
  checkNotNull,
  completeRow,
  completeValues,
  copiedRow,
  keyRow,
  rowValues,
  seenRow,
  spelledOutRows,
  updatedRow,
} from './row-values.js';
import type { StoredRow } from './row-store.js';
import {
  sourceOf,
  type DeleteStatement,
  type Place,
  type SeenKey,
  type TruncateOptions,
  type UpdateStatement,
} from './statement.js';
import { StatementError } from './statement-error.js';
import { descendants, findTable, type StoredTable } from './stored-table.js';
import type { TransactionWriter } from './transaction-writer.js';
import { recordSize } from './wal.js';

/** Rows of one COPY record. */
const rowsPerRecord = 1000;

export function insertRow(writer: TransactionWriter, name: TableName, values: RowValues, place: Place): void {
  const table = openTable(writer, name);
  insertComplete(writer, table, completeRow(table, values, writer.state), place);
}

export function insertGivenRow(writer: TransactionWriter, { table, values }: GivenRow, place: Place): void {
  writer.checkOpen();
  const stored = writer.catalog.tables.get(table.oid);
  if (stored === undefined || stored !== table) throw new TypeError('the row is for another version of the table');
  writer.state.checkDdlLock(stored, writer);
  insertComplete(writer, stored, completeValues(stored, values, writer.state), place);
}

function insertComplete(writer: TransactionWriter, table: StoredTable, complete: Row, place: Place): void {
  const { leaf, row } = storeRow(writer, table, complete);
  const lsn = writer.writeRow(hasOutOfLine(row), place.lsn);
  writer.push(insertion(writer, leaf, row, lsn, place.source));
}

/** Partitions are not looked for: the table is the one that was seen. */
export function insertSeenRow(writer: TransactionWriter, name: TableName, values: RowValues, place: Place): void {
  const table = openTable(writer, name);
  const row = seenRow(table, values);
  if (!row.includes(unchanged)) takePlace(writer, table, writer.state.store(table).add(), row);
  const lsn = writer.writeRow(hasOutOfLine(row), place.lsn);
  writer.push(insertion(writer, table, row, lsn, place.source));
}

/** A spelt-out row owes nothing to tracked ones: where they disagree about a key, its author knows better. */
function takePlace(writer: TransactionWriter, table: StoredTable, stored: StoredRow, row: Row): void {
  for (const rival of writer.state.store(table).rivals(stored, row, writer)) writer.keep(rival, null);
  writer.keep(stored, row);
}

export function copyRows(writer: TransactionWriter, name: TableName, rows: readonly RowValues[], place: Place): void {
  const table = openTable(writer, name);
  let lsn = 0n;
  rows.forEach((values, i) => {
    const { leaf, row } = storeRow(writer, table, completeRow(table, values, writer.state));
    if (i % rowsPerRecord === 0) lsn = writer.write(recordSize.change, i === 0 ? place.lsn : undefined);
    writer.push(insertion(writer, leaf, row, lsn, place.source));
  });
}

function storeRow(writer: TransactionWriter, table: StoredTable, row: Row): { leaf: StoredTable; row: Row } {
  const { catalog } = writer;
  const routed = routeRow(catalog, table, row);
  if (table.partitionOf !== null) checkPartitionConstraint(catalog, routed.leaf, routed.row);
  keepNew(writer, routed.leaf, routed.row);
  return routed;
}

function keepNew(writer: TransactionWriter, leaf: StoredTable, row: Row): void {
  checkNotNull(leaf, row, writer.state.major);
  writer.keep(writer.state.store(leaf).add(), row);
}

/** @throws StatementError 02000 when no tracked row matches */
export function updateRows(
  writer: TransactionWriter,
  name: TableName,
  statement: UpdateStatement,
  place: Place,
): number {
  const table = openTable(writer, name);
  if (!('where' in statement)) {
    updateSpelledOut(writer, table, statement, place);
    return 1;
  }
  checkIdentity(writer, table, 'update');
  const matches = matchingRows(writer.state, writer.catalog, table, statement.where, writer);
  if (matches.length === 0) throw noRows(table, describeWhere(statement.where));
  // Made before anything changes: a statement sees the rows as they were when it began.
  const updated = matches.map(({ leaf, row }) =>
    updatedRow(leaf, row, typeof statement.set === 'function' ? statement.set(rowValues(leaf, row)) : statement.set),
  );
  matches.forEach(({ leaf, stored, row }, i) => {
    const next = updated[i]!;
    const target = partitionAfter(writer, table, leaf, next);
    const lsn = writer.writeRow(hasOutOfLine(row) || hasOutOfLine(next), i === 0 ? place.lsn : undefined);
    if (target.leaf === leaf) {
      checkIdentity(writer, leaf, 'update');
      checkNotNull(leaf, next, writer.state.major);
      writer.keep(stored, next);
      writer.push(update(writer, leaf, row, next, 'derived', lsn, place.source));
    } else {
      writer.keep(stored, null);
      writer.push(deletion(writer, leaf, row, 'derived', lsn, place.source));
      moveTo(writer, target.leaf, target.row, place.source);
    }
  });
  return matches.length;
}

/** The leaf for a row after its UPDATE: the statement's table decides how far up its way down begins. */
function partitionAfter(
  writer: TransactionWriter,
  table: StoredTable,
  leaf: StoredTable,
  row: Row,
): { leaf: StoredTable; row: Row } {
  if (leaf.partitionOf === null) return { leaf, row };
  if (table.kind === 'p') return routeRow(writer.catalog, table, reorder(leaf, table, row));
  checkPartitionConstraint(writer.catalog, leaf, row);
  return { leaf, row };
}

/** An UPDATE that moves a row is a DELETE and an INSERT, of which each has a record. */
function moveTo(writer: TransactionWriter, leaf: StoredTable, row: Row, source: SourcePosition | undefined): void {
  const moved = copiedRow(row);
  keepNew(writer, leaf, moved);
  writer.push(insertion(writer, leaf, moved, writer.writeRow(hasOutOfLine(moved)), source));
}

/** Rows as the author gives them. Where the old row happens to be tracked, the new one takes its place. */
function updateSpelledOut(
  writer: TransactionWriter,
  table: StoredTable,
  statement: Exclude<UpdateStatement, { where: unknown }>,
  place: Place,
): void {
  const { state, catalog } = writer;
  const rows =
    'old' in statement
      ? spelledOutRows(table, statement.old, statement.new, state)
      : { old: 'key' in statement ? seenKey(table, statement) : null, new: seenRow(table, statement.new) };
  const from = routeRow(catalog, table, rows.old ?? rows.new);
  const to = routeRow(catalog, table, rows.new);
  checkIdentity(writer, from.leaf, 'update');
  const old = rows.old === null ? null : from.row;
  const tracked = trackedRow(state, from.leaf, from.row, !('old' in statement), writer);
  const before = tracked?.visibleTo(writer) ?? null;
  const lsn = writer.writeRow(hasOutOfLine(to.row) || (before !== null && hasOutOfLine(before)), place.lsn);
  if (from.leaf !== to.leaf) {
    if (tracked !== null) writer.keep(tracked, null);
    writer.push(
      deletion(writer, from.leaf, old ?? from.row, 'old' in statement ? 'derived' : 'key', lsn, place.source),
    );
    moveTo(writer, to.leaf, to.row, place.source);
    return;
  }
  const known = to.row.map((datum, i) => (datum === unchanged && before !== null ? before[i]! : datum));
  if (!known.includes(unchanged)) {
    checkNotNull(to.leaf, known, state.major);
    takePlace(writer, to.leaf, tracked ?? state.store(to.leaf).add(), known);
  }
  const logged = 'old' in statement ? 'derived' : 'key' in statement ? (statement.logged ?? 'key') : 'nothing';
  writer.push(update(writer, to.leaf, old, to.row, logged, lsn, place.source));
}

function seenKey(table: StoredTable, { key, logged }: SeenKey): Row {
  return logged === 'full' ? seenRow(table, key) : keyRow(table, key);
}

/** @throws StatementError 02000 when no tracked row matches */
export function deleteRows(
  writer: TransactionWriter,
  name: TableName,
  statement: DeleteStatement,
  place: Place,
): number {
  const table = openTable(writer, name);
  const { state, catalog } = writer;
  if (!('where' in statement)) {
    const given = 'old' in statement ? completeRow(table, statement.old, state) : seenKey(table, statement);
    const { leaf, row } = routeRow(catalog, table, given);
    checkIdentity(writer, leaf, 'delete');
    const tracked = trackedRow(state, leaf, row, 'key' in statement, writer);
    if (tracked !== null) writer.keep(tracked, null);
    const lsn = writer.write(recordSize.change, place.lsn);
    const logged = 'old' in statement ? 'derived' : (statement.logged ?? 'key');
    writer.push(deletion(writer, leaf, row, logged, lsn, place.source));
    return 1;
  }
  checkIdentity(writer, table, 'delete');
  const matches = matchingRows(state, catalog, table, statement.where, writer);
  if (matches.length === 0) throw noRows(table, describeWhere(statement.where));
  matches.forEach(({ leaf, stored, row }, i) => {
    checkIdentity(writer, leaf, 'delete');
    writer.keep(stored, null);
    const lsn = writer.write(recordSize.change, i === 0 ? place.lsn : undefined);
    writer.push(deletion(writer, leaf, row, 'derived', lsn, place.source));
  });
  return matches.length;
}

export function truncateTables(
  writer: TransactionWriter,
  names: readonly TableName[],
  options: TruncateOptions,
  place: Place,
): void {
  const tables = new Set<StoredTable>();
  for (const name of names) {
    const table = openTable(writer, name);
    tables.add(table);
    if (options.only === true) continue;
    for (const one of descendants(writer.catalog, table)) tables.add(one);
  }
  const emptied = [...tables].filter((table) => table.kind === 'r');
  for (const table of emptied) {
    refuseRowsElsewhere(writer.state, table);
    writer.lock(table.oid);
    for (const stored of [...writer.state.store(table).visibleTo(writer)]) writer.keep(stored, null);
    if (options.restartIdentity === true) writer.state.restartSequences(table.oid);
  }
  // Each table gets a new file, which is catalog work that lies before the record of the TRUNCATE itself; a file that the
  // same (sub)transaction made is emptied in place, and only its indexes tell of that.
  const before = place.lsn === undefined ? undefined : writer.records.lsnBefore(place.lsn);
  const invalidate = (oids: readonly number[], inPlace: boolean): void => {
    if (oids.length === 0) return;
    const lsn = writer.write(recordSize.catalog, before);
    writer.invalidate({ kind: 'tables', oids }, inPlace ? [] : ['pg_class'], lsn, place.source, inPlace);
  };
  const [own, fresh] = [
    emptied.filter((table) => writer.subtransactions.ownsFile(table.oid)),
    emptied.filter((table) => !writer.subtransactions.ownsFile(table.oid)),
  ];
  invalidate(
    own.filter(isIndexed).map((table) => table.oid),
    true,
  );
  invalidate(
    fresh.map((table) => table.oid),
    false,
  );
  writer.subtransactions.ownFiles(fresh.map((table) => table.oid));
  writer.push({
    kind: 'truncate',
    tables: [...tables],
    cascade: options.cascade ?? false,
    restartIdentity: options.restartIdentity ?? false,
    lsn: writer.write(recordSize.truncate, place.lsn),
    xid: writer.currentXid,
    ...sourceOf(place.source),
  });
}

function openTable(writer: TransactionWriter, name: TableName): StoredTable {
  writer.checkOpen();
  const table = findTable(writer.catalog, name);
  writer.state.checkDdlLock(table, writer);
  return table;
}

function checkIdentity(writer: TransactionWriter, table: StoredTable, action: 'update' | 'delete'): void {
  if (table.kind === 'r') checkReplicaIdentity(writer.catalog, table, action, writer.state.major);
}

function insertion(
  writer: TransactionWriter,
  table: StoredTable,
  row: Row,
  lsn: bigint,
  source: SourcePosition | undefined,
): Change {
  return { kind: 'insert', lsn, xid: writer.currentXid, table, new: row, ...sourceOf(source) };
}

function update(
  writer: TransactionWriter,
  table: StoredTable,
  old: Row | null,
  next: Row,
  logged: UpdateChange['logged'],
  lsn: bigint,
  source: SourcePosition | undefined,
): Change {
  return { kind: 'update', lsn, xid: writer.currentXid, table, old, new: next, logged, ...sourceOf(source) };
}

function deletion(
  writer: TransactionWriter,
  table: StoredTable,
  old: Row,
  logged: DeleteChange['logged'],
  lsn: bigint,
  source: SourcePosition | undefined,
): Change {
  return { kind: 'delete', lsn, xid: writer.currentXid, table, old, logged, ...sourceOf(source) };
}

function hasOutOfLine(row: Row): boolean {
  return row.some((datum) => datum instanceof OutOfLine || datum === unchanged);
}

function isIndexed(table: StoredTable): boolean {
  return table.primaryKey !== null || table.indexes.length > 0;
}

function noRows(table: StoredTable, condition: string): StatementError {
  return new StatementError(
    {
      code: '02000',
      message: `no row of table "${table.name}" matches ${condition}`,
      hint: 'Rows that are not in the table can be changed with `old`/`new` or `key`/`new`.',
    },
    { kind: 'table', name: table.name },
  );
}
