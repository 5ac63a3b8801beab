/** INSERT, UPDATE, DELETE and TRUNCATE, carried out in an open transaction of the emulated database. */
import type { DeleteStmt, InsertStmt, Node, RangeVar, TruncateStmt, UpdateStmt } from 'libpg-query';
import type { RowValues } from '../../database/index.js';
import { SqlMistake, type SqlTarget } from '../../scenario/sql-support.js';
import type { Column, RowFilter, Table } from '../../timeline/catalog.js';
import { OutOfLine, RawText, type Datum, type Row } from '../../timeline/datum.js';
import { createAnalysis } from '../analysis.js';
import { coerceToBoolean } from '../expression/coercion.js';
import { isTrue, type Frame, type Value } from '../expression/expression.js';
import { NotEmulated, sqlError } from '../failure.js';
import { analyzeFrom } from '../query/from.js';
import { Parameters } from '../query/parameters.js';
import { Scope, type Analysis } from '../query/scope.js';
import { findRelation } from '../relations/relation-lookup.js';
import { assigned, columnNamed } from './assignment.js';
import { generatedColumns } from './generated-columns.js';
import { frameOf, rowsToInsert, type NewRow } from './insert-source.js';
import { trackedContext } from './tracked-rows.js';

/** @throws SqlError, NotEmulated, ValueError; StatementError for what the database refuses */
export function executeDml(node: Node, target: SqlTarget): void {
  const analysis = createAnalysis(trackedContext(target.transaction, target.server), new Parameters([], false));
  if ('InsertStmt' in node) insert(node.InsertStmt, target, analysis);
  else if ('UpdateStmt' in node) update(node.UpdateStmt, target, analysis);
  else if ('DeleteStmt' in node) remove(node.DeleteStmt, target, analysis);
  else if ('TruncateStmt' in node) truncate(node.TruncateStmt, target, analysis);
  else {
    const message = 'a `sql` step takes INSERT, UPDATE, DELETE, TRUNCATE and transaction control: this is none of them';
    throw new SqlMistake('inexact', message, undefined, '', 'write DDL as a step: `create_table`, `alter` …');
  }
}

/** RETURNING asks for nothing that a stream shows. */
function insert(statement: InsertStmt, target: SqlTarget, analysis: Analysis): void {
  const { transaction, place } = target;
  const { onConflictClause, withClause, relation } = statement;
  if (onConflictClause !== undefined) throw new NotEmulated('ON CONFLICT', onConflictClause.location);
  if (withClause !== undefined) throw new NotEmulated('WITH before INSERT', withClause.location);
  const table = tableOf(relation!, analysis);
  const generated = generatedColumns(table, target, analysis, relation!.location ?? 0);
  let at = place;
  for (const row of rowsToInsert(statement, table, analysis)) {
    const values: Record<string, Datum> = {};
    for (const [column, value] of row) define(values, column, value);
    if (generated.columns.length > 0) {
      const known = table.columns.map((column) => newValue(column, row, table, target));
      generated.evaluate(known).forEach((value, i) => define(values, generated.columns[i]!, value));
    }
    transaction.insert(table, values, at);
    // A pin is the first row's.
    at = place.source === undefined ? {} : { source: place.source };
  }
}

/** Of a row to insert, where generated columns may need it. */
function newValue(column: Column, row: NewRow, table: Table, { transaction }: SqlTarget): Value {
  const given = row.get(column);
  if (given !== undefined || column.generated !== null) return given ?? null;
  return textOf(defaultOf(column, table, transaction));
}

function update(statement: UpdateStmt, target: SqlTarget, analysis: Analysis): void {
  const { transaction, place } = target;
  const { relation, fromClause, withClause, targetList = [] } = statement;
  if (fromClause !== undefined) throw new NotEmulated('UPDATE … FROM', relation!.location);
  if (withClause !== undefined) throw new NotEmulated('WITH before UPDATE', withClause.location);
  const table = tableOf(relation!, analysis);
  const generated = generatedColumns(table, target, analysis, relation!.location ?? 0);
  const scope = scopeOf(relation!, analysis);
  scope.clause = 'other';
  const assignments = targetList.map((node) => {
    const { ResTarget: written } = node as Extract<Node, { ResTarget: unknown }>;
    const column = columnNamed(written, table);
    return { column, value: assigned(sourceOf(written.val!), column, scope, analysis) };
  });
  checkOnce(assignments, targetList);
  const filter = filterOf(statement.whereClause, relation!, analysis);
  const frame = frameOf(scope, analysis);
  const set = (old: RowValues): RowValues => {
    frame.values = table.columns.map(({ name }) => textOf(old[name]!));
    const values: Record<string, Datum> = {};
    for (const { column, value } of assignments) {
      // A column set to itself stays the very same value, out of line where it was.
      if (value?.column?.depth === 0 && value.column.name === column.name) continue;
      define(values, column, value === null ? defaultOf(column, table, transaction) : value.evaluate(frame));
    }
    const row = table.columns.map(({ name }) => textOf(Object.hasOwn(values, name) ? values[name]! : old[name]!));
    generated.evaluate(row).forEach((value, i) => {
      const column = generated.columns[i]!;
      if (value !== textOf(old[column.name]!)) define(values, column, value);
    });
    return values;
  };
  transaction.update(table, { where: filter, set }, place);
}

/** (a, b) = (1, 2) comes as one row for each column. */
function sourceOf(node: Node): Node {
  if (!('MultiAssignRef' in node)) return node;
  const { source, colno = 1 } = node.MultiAssignRef;
  if (source === undefined || !('RowExpr' in source)) throw new NotEmulated('an assignment of several columns at once');
  return source.RowExpr.args![colno - 1]!;
}

function checkOnce(assignments: readonly { readonly column: Column }[], targets: readonly Node[]): void {
  assignments.forEach(({ column }, i) => {
    if (assignments.findIndex((other) => other.column === column) === i) return;
    const { location } = (targets[i] as Extract<Node, { ResTarget: unknown }>).ResTarget;
    throw sqlError('42601', `multiple assignments to same column "${column.name}"`, location);
  });
}

function defaultOf(column: Column, table: Table, transaction: SqlTarget['transaction']): Datum {
  const value = transaction.columnDefault(table, column.name);
  if (value === undefined) throw new NotEmulated(`the next value of identity column ${column.name}`);
  return value;
}

function remove(statement: DeleteStmt, { transaction, place }: SqlTarget, analysis: Analysis): void {
  const { relation, usingClause, withClause } = statement;
  if (usingClause !== undefined) throw new NotEmulated('DELETE … USING', relation!.location);
  if (withClause !== undefined) throw new NotEmulated('WITH before DELETE', withClause.location);
  const table = tableOf(relation!, analysis);
  transaction.delete(table, { where: filterOf(statement.whereClause, relation!, analysis) }, place);
}

function truncate(statement: TruncateStmt, { transaction, place }: SqlTarget, analysis: Analysis): void {
  const relations = (statement.relations ?? []).map((node) => (node as Extract<Node, { RangeVar: unknown }>).RangeVar);
  const tables = relations.map((relation) => tableOf(relation, analysis, true));
  const options = {
    cascade: statement.behavior === 'DROP_CASCADE',
    restartIdentity: statement.restart_seqs === true,
    only: relations.some(isOnly),
  };
  if (options.only && !relations.every(isOnly)) throw new NotEmulated('ONLY before some of the tables');
  transaction.truncate(tables, options, place);
}

function isOnly({ inh }: RangeVar): boolean {
  return inh !== true;
}

/** @throws SqlError 42P01; NotEmulated for what is no table of the scenario */
function tableOf(relation: RangeVar, { context }: Analysis, mayBeOnly = false): Table {
  const { schemaname, relname = '', location } = relation;
  const found = findRelation(context, schemaname, relname);
  const shown = schemaname === undefined ? relname : `${schemaname}.${relname}`;
  if (found === undefined) throw sqlError('42P01', `relation "${shown}" does not exist`, location);
  const table = context.catalog.tables.get(found.oid);
  if (table === undefined) throw new NotEmulated(`a change of ${shown}`, location);
  if (!mayBeOnly && isOnly(relation)) throw new NotEmulated('ONLY', location);
  return table;
}

function scopeOf(relation: RangeVar, analysis: Analysis): Scope {
  const scope = new Scope(null, new Map());
  analyzeFrom([{ RangeVar: relation }], scope, analysis);
  return scope;
}

function filterOf(node: Node | undefined, relation: RangeVar, analysis: Analysis): RowFilter {
  if (node === undefined) return { text: 'anything', columns: [], evaluate: () => true };
  const scope = scopeOf(relation, analysis);
  scope.clause = 'where';
  const condition = coerceToBoolean(analysis, analysis.expression(node, scope), 'WHERE');
  const frame = frameOf(scope, analysis);
  const names = scope.tables[0]!.columns.map(({ name }) => name);
  let known: readonly Column[] | null = null;
  let positions: readonly number[] = [];
  return {
    text: 'its WHERE',
    columns: [],
    evaluate: (row, columns) => {
      // Partitions have the same columns in an order of their own.
      if (columns !== known) positions = names.map((name) => columns.findIndex((column) => column.name === name));
      known = columns;
      fill(frame, row, positions);
      return isTrue(condition.evaluate(frame));
    },
  };
}

function fill(frame: Frame, row: Row, positions: readonly number[]): void {
  frame.values = positions.map((position) => textOf(row[position] ?? null));
  frame.memo.clear();
}

function textOf(datum: Datum): Value {
  return datum instanceof OutOfLine || datum instanceof RawText ? datum.text : typeof datum === 'string' ? datum : null;
}

/** A column may be called `__proto__`, too. */
function define(values: Record<string, Datum>, { name }: Column, value: Datum): void {
  Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
}
