/** ALTER TABLE, action by action: the next version of a table, and what becomes of its rows. */
import type { Column } from '../timeline/catalog.js';
import type { Datum, Row } from '../timeline/datum.js';
import { ValueError } from '../postgres/pg-type.js';
import { datumText } from './row-values.js';
import type { AlterTable } from './statement.js';
import { StatementError } from './statement-error.js';
import { checkColumn } from './table-definition.js';
import {
  columnPosition,
  makeColumn,
  withIdentity,
  withIndex,
  withPrimaryKey,
  withReplicaIdentity,
  type StoredTable,
} from './stored-table.js';

export interface AlteredTable {
  readonly table: StoredTable;
  /** Null: rows stay as they are. */
  readonly rewrite: ((row: Row) => Row) | null;
}

/** Actions that partitions and inheriting tables take part in. */
export function reachesDescendants(action: AlterTable): boolean {
  return !['renameTo', 'setSchema', 'replicaIdentity', 'rewrite'].includes(action.kind);
}

/** @throws StatementError for what the server would refuse */
export function alterTable(table: StoredTable, action: AlterTable, major: number): AlteredTable {
  switch (action.kind) {
    case 'addColumn':
      return addColumn(table, action);
    case 'dropColumn':
      return dropColumn(table, action.name);
    case 'renameColumn': {
      const position = columnPosition(table, action.from);
      if (table.columns.some((column) => column.name === action.to)) throw duplicateColumn(table, action.to);
      return { table: withColumn(table, position, { name: action.to }), rewrite: null };
    }
    case 'alterType':
      return alterType(table, action, major);
    case 'setNotNull':
      return {
        table: withColumn(table, columnPosition(table, action.name), { notNull: action.notNull }),
        rewrite: null,
      };
    case 'renameTo':
      return { table: { ...table, name: action.name }, rewrite: null };
    case 'setSchema':
      return { table: { ...table, namespace: action.namespace }, rewrite: null };
    case 'replicaIdentity':
      return { table: withReplicaIdentity(table, action.identity), rewrite: null };
    case 'dropPrimaryKey':
      return { table: dropPrimaryKey(table), rewrite: null };
    case 'primaryKey':
      return { table: withPrimaryKey(table, action.primaryKey), rewrite: null };
    case 'addIndex':
      return { table: withIndex(table, action), rewrite: null };
    case 'dropIndex': {
      const indexes = table.indexes.filter((index) => index.name !== action.name);
      if (indexes.length === table.indexes.length) {
        throw new StatementError(
          { code: '42704', message: `index "${action.name}" does not exist` },
          { kind: 'index', name: action.name },
        );
      }
      return { table: withIdentity({ ...table, indexes }), rewrite: null };
    }
    case 'rewrite':
      return { table, rewrite: null };
  }
}

function addColumn(table: StoredTable, action: AlterTable & { kind: 'addColumn' }): AlteredTable {
  const { column } = action;
  if (table.columns.some((other) => other.name === column.name)) throw duplicateColumn(table, column.name);
  checkColumn(column);
  const value: Datum = column.default ?? null;
  return {
    table: {
      ...table,
      columns: [...table.columns, makeColumn(column)],
      attnums: [...table.attnums, table.nextAttnum],
      defaults: [...table.defaults, column.default],
      toasted: [...table.toasted, column.toasted ?? false],
      nextAttnum: table.nextAttnum + 1,
    },
    rewrite: (row) => [...row, value],
  };
}

/** The column's indexes go with it, and the primary key when the column is in it. */
function dropColumn(table: StoredTable, name: string): AlteredTable {
  const dropped = columnPosition(table, name);
  if (table.partitioning?.columns.includes(dropped) === true) {
    throw new StatementError(
      {
        code: '42P16',
        message: `cannot drop column "${name}" because it is part of the partition key of relation "${table.name}"`,
      },
      { kind: 'column', name },
    );
  }
  const without = <T>(list: readonly T[]): T[] => list.filter((_, i) => i !== dropped);
  const shifted = (positions: readonly number[]): number[] => positions.map((i) => (i > dropped ? i - 1 : i));
  const { primaryKey, partitioning } = table;
  return {
    table: withIdentity({
      ...table,
      columns: without(table.columns),
      attnums: without(table.attnums),
      defaults: without(table.defaults),
      toasted: without(table.toasted),
      primaryKey:
        primaryKey === null || primaryKey.columns.includes(dropped)
          ? null
          : { ...primaryKey, columns: shifted(primaryKey.columns) },
      indexes: table.indexes
        .filter((index) => !index.columns.includes(dropped))
        .map((index) => ({ ...index, columns: shifted(index.columns) })),
      partitioning: partitioning && { ...partitioning, columns: shifted(partitioning.columns) },
    }),
    rewrite: without,
  };
}

function alterType(table: StoredTable, action: AlterTable & { kind: 'alterType' }, major: number): AlteredTable {
  const { name, type, typeModifier = -1 } = action.column;
  const position = columnPosition(table, name);
  const subject = { kind: 'column', name } as const;
  const { using } = action;
  let next = 0;
  const convert = (datum: Datum): Datum => {
    if (using !== undefined) {
      if (next >= using.length) {
        throw new StatementError(
          {
            code: '22023',
            message: `column "${name}": ${using.length} values given, but table "${table.name}" has more rows`,
          },
          subject,
        );
      }
      return using[next++]!;
    }
    const text = datumText(datum);
    if (text === null) return null;
    try {
      return type.input(text, typeModifier, major);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      throw new StatementError({ code: error.sqlState, message: error.message }, subject);
    }
  };
  return {
    table: withColumn(table, position, { type, typeModifier }),
    rewrite: (row) => row.map((datum, i) => (i === position ? convert(datum) : datum)),
  };
}

function dropPrimaryKey(table: StoredTable): StoredTable {
  if (table.primaryKey === null) {
    throw new StatementError(
      { code: '42704', message: `constraint "${table.name}_pkey" of relation "${table.name}" does not exist` },
      { kind: 'table', name: table.name },
    );
  }
  return withIdentity({ ...table, primaryKey: null });
}

function withColumn(table: StoredTable, position: number, change: Partial<Column>): StoredTable {
  return {
    ...table,
    columns: table.columns.map((column, i) => (i === position ? { ...column, ...change } : column)),
  };
}

function duplicateColumn(table: StoredTable, name: string): StatementError {
  return new StatementError(
    { code: '42701', message: `column "${name}" of relation "${table.name}" already exists` },
    { kind: 'column', name },
  );
}
