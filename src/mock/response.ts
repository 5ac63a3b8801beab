/** What handlers answer with. */
import { typeByName, type PgType } from '../postgres/index.js';
import { printFloat8 } from '../postgres/float.js';
import type { SqlOutput } from '../sql/index.js';
import { formatHex } from '../values/hex.js';
import { WireError, type WireErrorFields } from '../values/wire-error.js';
import type { Answer } from '../walsender/answers.js';

type CellValue = bigint | number | boolean | string | Uint8Array | Date | object | null | undefined;

/** Options of `query.rows`. */
export interface RowsOptions {
  /** Column → type name, as `int8`; absent: by the first value that is not null, text where there is none. */
  readonly columns?: Readonly<Record<string, string>>;
  /** The command tag; `SELECT n` where absent. */
  readonly tag?: string;
}

/**
 * A result set. Columns are those of `columns`, or of the first row; what a row leaves out is NULL.
 * @throws TypeError for a type name that is not built in
 */
export function rows(rowList: readonly object[], options: RowsOptions = {}): Answer {
  const names = Object.keys(options.columns ?? rowList[0] ?? {});
  const values = rowList.map((row) => names.map((name) => (row as Readonly<Record<string, CellValue>>)[name]));
  const types = names.map((name, i) =>
    columnType(
      options.columns?.[name] ??
        typeNameOf(values.map((row) => row[i]).find((value) => value !== null && value !== undefined)),
    ),
  );
  const outputs: SqlOutput[] = [
    {
      kind: 'rowDescription',
      fields: names.map((name, i) => {
        const { oid: typeOid, length: typeLength } = types[i]!;
        return { name, tableOid: 0, attnum: 0, typeOid, typeLength, typeModifier: -1, format: 0 };
      }),
    },
    ...values.map((row) => ({ kind: 'row', values: row.map(textOf) }) as const),
    { kind: 'complete', tag: options.tag ?? `SELECT ${rowList.length}` },
  ];
  return { kind: 'outputs', outputs };
}

/** No result set, only a command tag: `INSERT 0 1`. */
export function complete(tag: string): Answer {
  return { kind: 'outputs', outputs: [{ kind: 'complete', tag }] };
}

/**
 * ErrorResponse.
 * @param code SQLSTATE, five characters
 * @param more severity, detail, hint, position, where; with severity FATAL the connection ends
 */
export function error(
  code: string,
  message: string,
  more: Partial<WireErrorFields> = {},
): Answer & { readonly kind: 'error' } {
  return { kind: 'error', error: new WireError({ ...more, code, message }) };
}

/** Hangs up: `end` in good order, `reset` with RST. */
export function disconnect(how: 'end' | 'reset' = 'reset'): Answer & { readonly kind: 'disconnect' } {
  return { kind: 'disconnect', how };
}

/** The server answers itself, whatever other handlers there are. */
export function passthrough(): Answer & { readonly kind: 'pass' } {
  return { kind: 'pass' };
}

/** The answers of `query` and `command`, which have them as properties. */
export const answers = {
  /** A result set. */
  rows,
  /** No result set, only a command tag. */
  complete,
  /** ErrorResponse. */
  error,
  /** Hangs up. */
  disconnect,
  /** The server answers itself. */
  passthrough,
};

function columnType(name: string): PgType {
  const type = typeByName(name);
  if (type) return type;
  throw new TypeError(`${JSON.stringify(name)} is not the name of a built-in type, as int8, text or _text are`);
}

function typeNameOf(value: CellValue): string {
  switch (typeof value) {
    case 'bigint':
      return 'int8';
    case 'number':
      return Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? 'int4' : 'float8';
    case 'boolean':
      return 'bool';
    case 'object':
      return value instanceof Uint8Array ? 'bytea' : value instanceof Date ? 'timestamptz' : 'json';
    default:
      return 'text';
  }
}

function textOf(value: CellValue): string | null {
  if (value === null || value === undefined) return null;
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
      return value ? 't' : 'f';
    case 'number':
      return printFloat8(value);
    case 'object':
      if (value instanceof Uint8Array) return `\\x${formatHex(value)}`;
      return value instanceof Date ? value.toISOString().replace('T', ' ').replace('Z', '+00') : JSON.stringify(value);
    default:
      return String(value);
  }
}
