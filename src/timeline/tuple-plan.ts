/** Rows → tuples: for one version of a table, as it is published, in one session's formats. Worked out once, used for every row. */
import type { Cell, Tuple } from '../pgoutput/messages.js';
import type { OutputSettings } from '../postgres/pg-type.js';
import type { Column, Table } from './catalog.js';
import { OutOfLine, RawText, unchanged, type Datum, type Row } from './datum.js';
import { isColumnPublished, type Publishing } from './publishing.js';
import { isUnsent } from './replica-identity.js';

export interface TupleFormat {
  readonly binary: boolean;
  readonly settings: OutputSettings;
}

/** Canonical text → what is sent; null: the canonical text itself. */
type Render = ((canonical: string) => string | Uint8Array) | null;

export class TuplePlan {
  /** For each published column, where its value stands in a row. */
  readonly #sources: readonly number[];
  readonly #renders: readonly Render[];
  /** Published columns that belong to the row's own table's identity. */
  readonly #identity: readonly number[];
  readonly #nulls: readonly null[];
  /** A row of strings and NULLs is its own tuple. */
  readonly #asItIs: boolean;
  /** For each column of `target`, where its value stands in a row; null where rows have that form already. */
  readonly #toTarget: readonly number[] | null;

  /**
   * @param table - whose rows these are
   * @param target - the table that they are published as
   */
  constructor(
    private readonly table: Table,
    readonly target: Table,
    publishing: Publishing,
    format: TupleFormat,
  ) {
    const positions = table === target ? null : target.columns.map((column) => positionOf(table, column.name));
    const published = target.columns
      .map((column, i) => ({ column, source: positions === null ? i : positions[i]!, attnum: target.attnums[i]! }))
      .filter(({ column, attnum }) => isColumnPublished(column, attnum, publishing, format.settings.major));
    this.#sources = published.map(({ source }) => source);
    this.#renders = published.map(({ column }) => renderOf(column, format));
    this.#identity = this.#sources.flatMap((source, i) => (table.identityColumns.includes(source) ? i : []));
    this.#nulls = this.#sources.map(() => null);
    this.#asItIs =
      this.#renders.every((render) => render === null) &&
      this.#sources.length === table.columns.length &&
      this.#sources.every((source, i) => source === i);
    this.#toTarget = positions;
  }

  /** The new row. @param old - tells which out-of-line values are still the same; null for an INSERT */
  newTuple(row: Row, old: Row | null): Tuple {
    if (this.#asItIs && isPlain(row)) return row as Tuple;
    const cells: Cell[] = [];
    for (let i = 0; i < this.#sources.length; i++) {
      const source = this.#sources[i]!;
      const datum = row[source]!;
      cells.push(isUnsent(datum, old, source) ? unchanged : this.#cell(datum, i));
    }
    return cells;
  }

  /** The whole old row, out-of-line values in full. */
  oldTuple(row: Row): Tuple {
    return this.newTuple(row, null);
  }

  /** The old row of which only the identity columns are known. */
  keyTuple(row: Row): Tuple {
    const cells: Cell[] = this.#nulls.slice();
    for (let i = 0; i < this.#identity.length; i++) {
      const column = this.#identity[i]!;
      cells[column] = this.#cell(row[this.#sources[column]!]!, column);
    }
    return cells;
  }

  /**
   * The row of an INSERT that a row filter makes of an UPDATE: values that the logged old row has are filled in, others
   * that did not change stay unsent.
   */
  filledTuple(row: Row, old: Row, logged: 'key' | 'full'): Tuple {
    const { identityColumns } = this.table;
    const filled = row.map((datum, i) => {
      if (!isUnsent(datum, old, i) || (logged === 'key' && !identityColumns.includes(i))) return datum;
      const before = old[i]!;
      return before instanceof OutOfLine ? new OutOfLine(before.text) : before;
    });
    return this.newTuple(filled, old);
  }

  /** The row as a row filter sees it: in the columns of the target. */
  filterRow(row: Row): Row {
    const positions = this.#toTarget;
    return positions === null ? row : positions.map((position) => row[position] ?? null);
  }

  /** As `filterRow`, of an old row of which only the identity columns are known. */
  filterKeyRow(row: Row): Row {
    const { identityColumns } = this.table;
    return this.filterRow(row.map((datum, i) => (identityColumns.includes(i) ? datum : null)));
  }

  #cell(datum: Datum, column: number): Cell {
    if (datum === null || datum === unchanged) return datum;
    if (datum instanceof RawText) return datum.bytes ?? datum.text;
    const text = typeof datum === 'string' ? datum : datum.text;
    const render = this.#renders[column] ?? null;
    return render === null ? text : render(text);
  }
}

function positionOf(table: Table, name: string): number {
  return table.columns.findIndex((column) => column.name === name);
}

/** Binary where asked for and the type has a send function; else text, which session settings can change. */
function renderOf({ type }: Column, { binary, settings }: TupleFormat): Render {
  const { send, output } = type;
  if (binary && send !== undefined) return (canonical) => send(canonical, settings);
  return output === undefined ? null : (canonical) => output(canonical, settings);
}

function isPlain(row: Row): boolean {
  for (let i = 0; i < row.length; i++) {
    const datum = row[i];
    if (typeof datum !== 'string' && datum !== null) return false;
  }
  return true;
}
