/** Values of a program as the database stores them: canonical text by the column's type. */
import { StatementError } from '../database/index.js';
import { cellOf, type CellValue } from '../pgoutput/cell-value.js';
import { ValueError, type PgType } from '../postgres/index.js';
import type { Column, Table } from '../timeline/catalog.js';
import { OutOfLine, RawText, unchanged, type Datum } from '../timeline/datum.js';
import type { Toasted, WrittenValue } from './column-definition.js';

type Target = Pick<Column, 'name' | 'type'> & { readonly typeModifier?: number };
type RowValue = WrittenValue | undefined;

/** A value that is stored out of line (TOAST), whatever its size. */
export function toasted<V extends string | Uint8Array | bigint>(value: V): Toasted<V> {
  return { toasted: value };
}

/** A text that is sent as it stands, though no output function would print it so. */
export function raw(text: string): RawText {
  return new RawText(text);
}

/** What is undefined counts as left out. @throws StatementError 42703, and what the types' input functions refuse */
export function rowDatums(table: Table, row: object, major: number): Record<string, Datum> {
  const datums: Record<string, Datum> = {};
  for (const [name, value] of Object.entries(row) as [string, RowValue][]) {
    if (value === undefined) continue;
    const column = table.columns.find((candidate) => candidate.name === name);
    if (!column) {
      throw new StatementError(
        { code: '42703', message: `column "${name}" of relation "${table.name}" does not exist` },
        { kind: 'column', name },
      );
    }
    datums[name] = datumOf(column, value, major);
  }
  return datums;
}

/** @throws StatementError for a text that the type's input function refuses; EncodeError for a value of another type */
export function datumOf(column: Target, value: WrittenValue, major: number): Datum {
  if (value === null || value === unchanged || value instanceof RawText) return value;
  if (typeof value === 'object' && 'toasted' in value) {
    const text = textOf(column, value.toasted, major);
    return text === null ? null : new OutOfLine(text);
  }
  return textOf(column, value as CellValue, major);
}

function textOf({ name, type, typeModifier = -1 }: Target, value: CellValue, major: number): string | null {
  const { oid: typeOid } = baseType(type);
  const cell = cellOf('insert', name, { key: false, name, typeOid, typeModifier }, value);
  if (typeof cell !== 'string') return null;
  try {
    return type.input(cell, typeModifier, major);
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new StatementError(
      { code: error.sqlState, message: `column "${name}": ${error.message}` },
      { kind: 'column', name },
    );
  }
}

function baseType(type: PgType): PgType {
  return type.kind === 'domain' && type.element ? baseType(type.element) : type;
}
