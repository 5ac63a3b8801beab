/** References to columns, whole rows, and parts of composite values. */
import type { A_Indirection, ColumnRef, Node } from 'libpg-query';
import { parseComposite, printComposite, quoteIdentifier } from '../../postgres/index.js';
import { NotEmulated, sqlError } from '../failure.js';
import { kindOf, stringOf } from '../nodes.js';
import type { Analysis, Scope, ScopeTable } from '../query/scope.js';
import { typeOids } from '../types/type-oids.js';
import type { Handlers } from './analyze.js';
import { typeName } from './coercion.js';
import type { Expression, RecordField } from './expression.js';
import { subscriptOf } from './subscripts.js';

function columnOf(node: ColumnRef, scope: Scope): Expression {
  const fields = node.fields ?? [];
  const location = node.location ?? 0;
  if (fields.some((field) => kindOf(field) === 'A_Star')) throw new NotEmulated('* in an expression', location);
  const names = fields.map(stringOf);
  if (names.length === 1) return bareName(names[0]!, scope, location);
  const [schema, alias, name] =
    names.length === 2 ? [undefined, names[0]!, names[1]!] : [names.at(-3), names.at(-2)!, names.at(-1)!];
  const found = scope.table(schema, alias, location);
  if (found === undefined) {
    // `column.field`, which is not standard but works in parentheses only.
    throw missingTable(scope, [schema, alias].filter((part) => part !== undefined).join('.'), location);
  }
  const position = found.table.columns.findIndex((column) => column.name === name);
  if (position >= 0) return scope.tableColumn(found.table, found.depth, position, location);
  throw sqlError('42703', `column ${alias}.${quoteIdentifierLoosely(name)} does not exist`, location);
}

/** The server quotes nothing in this message. */
function quoteIdentifierLoosely(name: string): string {
  return name;
}

function bareName(name: string, scope: Scope, location: number): Expression {
  const column = scope.column(name, location);
  if (column !== undefined) return column;
  const found = scope.table(undefined, name, location);
  if (found !== undefined) return wholeRow(found.table, found.depth, scope, location);
  throw sqlError('42703', `column "${name}" does not exist`, location);
}

export function missingTable(scope: Scope, name: string, location: number): Error {
  const hidden = scope.tables.find(
    (table) => table.alias !== name && table.columns[0]?.tableOid && table.realName === name,
  );
  if (hidden !== undefined) {
    return sqlError('42P01', `invalid reference to FROM-clause entry for table "${name}"`, location, {
      hint: `Perhaps you meant to reference the table alias "${hidden.alias}".`,
    });
  }
  return sqlError('42P01', `missing FROM-clause entry for table "${name}"`, location);
}

/** `t` for all of t's columns as one value; of a function that gives one value, that value. */
function wholeRow(table: ScopeTable, depth: number, scope: Scope, location: number): Expression {
  const columns = table.columns
    .map((_, i) => scope.tableColumn(table, depth, i, location))
    .filter((_, i) => !table.columns[i]!.hidden);
  if (table.isScalar) return columns[0]!;
  const fields = columns.map((column) => ({ name: column.column!.name, type: column.type, typmod: column.typmod }));
  return {
    type: table.rowType,
    typmod: -1,
    key: `row(${columns.map((column) => column.key).join()})`,
    children: columns,
    evaluate: (frame) => {
      const values = columns.map((column) => column.evaluate(frame));
      // The row of an outer join that found nothing.
      return values.every((value) => value === null) ? null : printComposite(values);
    },
    print: () => `${quoteIdentifier(table.alias)}.*`,
    fields,
    origin: { tableOid: table.columns[0]?.tableOid ?? 0, attnum: 0 },
    location,
  };
}

/** Fields of a composite value; undefined where they are not known. */
export function fieldsOf(expression: Expression, analysis: Analysis): readonly RecordField[] | undefined {
  return expression.fields ?? analysis.context.types.fieldsOf(expression.type);
}

export function fieldOf(record: Expression, name: string, analysis: Analysis, location: number): Expression {
  const fields = fieldsOf(record, analysis);
  const position = fields?.findIndex((field) => field.name === name) ?? -1;
  if (fields === undefined && record.type !== typeOids.record) {
    const type = typeName(analysis.context, record.type);
    throw sqlError(
      '42809',
      `column notation .${name} applied to type ${type}, which is not a composite type`,
      location,
    );
  }
  if (fields === undefined)
    throw sqlError('42703', `could not identify column "${name}" in record data type`, location);
  if (position < 0) {
    const type = typeName(analysis.context, record.type);
    throw sqlError('42703', `column "${name}" not found in data type ${type}`, location);
  }
  return fieldAt(record, fields, position, location);
}

export function fieldAt(
  record: Expression,
  fields: readonly RecordField[],
  position: number,
  location: number,
): Expression {
  const field = fields[position]!;
  return {
    type: field.type,
    typmod: field.typmod,
    key: `${record.key}.${position}`,
    children: [record],
    evaluate: (frame) => {
      const value = record.evaluate(frame);
      return value === null ? null : parseComposite(value, fields.length)[position]!;
    },
    print: record.print && (() => `(${record.print!()}).${quoteIdentifier(field.name)}`),
    location,
  };
}

/** `(value).field`, `array[1]`. */
function indirection(node: A_Indirection, scope: Scope, analysis: Analysis): Expression {
  let value = analysis.expression(node.arg!, scope);
  const subscripts: Node[] = [];
  const takeSubscripts = (): void => {
    if (subscripts.length > 0) value = subscriptOf(value, subscripts.splice(0), scope, analysis);
  };
  for (const step of node.indirection ?? []) {
    if ('A_Indices' in step) {
      subscripts.push(step);
      continue;
    }
    takeSubscripts();
    if (kindOf(step) === 'A_Star') throw new NotEmulated('.* in an expression', value.location);
    value = fieldOf(value, stringOf(step), analysis, value.location);
  }
  takeSubscripts();
  return value;
}

export const columnNodes: Handlers = { ColumnRef: columnOf, A_Indirection: indirection };
