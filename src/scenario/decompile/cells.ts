/** Cells of captured rows → values of a scenario: what prints them again byte by byte. */
import type { Scalar, YAMLMap } from 'yaml';
import { defaultSettings, typeByOid, type OutputSettings, type PgType } from '../../postgres/index.js';
import { unchanged, type Cell, type Tuple } from '../../pgoutput/messages.js';
import type { SeenColumn } from '../../timeline/collect.js';
import { readBinary } from './binary.js';
import { flow, plain, tagged, text, unchangedMark } from '../yaml-node.js';

const numbers = new Set(['int2', 'int4', 'int8', 'oid', 'float4', 'float8', 'numeric']);
const number = /^-?\d+(?:\.\d+)?(?:e[-+]?\d+)?$/;

/** The PgType of a column, where its values are checked: built-in types, and those that the scenario declares. */
export type TypeOf = (column: SeenColumn) => PgType | undefined;

export class CellPrinter {
  readonly #settings: OutputSettings;

  constructor(
    private readonly major: number,
    /** The session asked for binary: a text cell is then of a type without binary form. */
    private readonly binary: boolean,
    private readonly typeOf: TypeOf = ({ typeOid }) => typeByOid(typeOid),
  ) {
    this.#settings = defaultSettings(major);
  }

  row(columns: readonly SeenColumn[], tuple: Tuple): YAMLMap {
    return flow(columns.map((column, i) => [column.name, this.cell(tuple[i]!, column)] as const));
  }

  /** Of a row of which only the key is known. */
  key(columns: readonly SeenColumn[], tuple: Tuple): YAMLMap {
    const entries = columns.flatMap((column, i) =>
      column.key ? [[column.name, this.cell(tuple[i]!, column)] as const] : [],
    );
    return flow(entries);
  }

  cell(cell: Cell, column: SeenColumn): Scalar {
    if (cell === null) return plain('null');
    if (cell === unchanged) return unchangedMark();
    const type = this.typeOf(column);
    if (typeof cell === 'string') return this.#text(cell, column, type);
    const canonical = type && readBinary(type, cell);
    const isExact =
      canonical !== undefined && this.#isCanonical(canonical, column, type!) && this.#sends(type!, canonical, cell);
    return isExact ? printed(canonical, type!) : tagged('!binary', hex(cell));
  }

  #text(cell: string, column: SeenColumn, type: PgType | undefined): Scalar {
    if (type === undefined) return text(cell);
    const { output } = type;
    const isExact =
      !(this.binary && type.send !== undefined) &&
      this.#isCanonical(cell, column, type) &&
      (output === undefined || output(cell, this.#settings) === cell);
    return isExact ? printed(cell, type) : tagged('!raw', cell);
  }

  /** What the input function makes of it is the same again. */
  #isCanonical(value: string, column: SeenColumn, type: PgType): boolean {
    try {
      return type.input(value, column.typeModifier, this.major) === value;
    } catch {
      return false;
    }
  }

  #sends(type: PgType, canonical: string, bytes: Uint8Array): boolean {
    try {
      const sent = type.send?.(canonical, this.#settings);
      return sent !== undefined && sent.length === bytes.length && sent.every((byte, i) => byte === bytes[i]);
    } catch {
      return false;
    }
  }
}

function printed(value: string, { name }: PgType): Scalar {
  if (name === 'bool') return plain(value === 't' ? 'true' : 'false');
  if (numbers.has(name) && number.test(value)) return plain(value);
  if (name === 'bytea' && value.startsWith('\\x')) return tagged('!bytes', value.slice(2));
  return text(value);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
