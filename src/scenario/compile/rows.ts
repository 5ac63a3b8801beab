/** Rows as written → the values that a statement takes. */
import { GivenRow, type RowValues } from '../../database/index.js';
import type { Table } from '../../timeline/catalog.js';
import type { Datum } from '../../timeline/datum.js';
import { formatName } from '../format/names.js';
import { isBroken, type Row, type Value } from '../format/values.js';
import type { Span } from '../source.js';
import { didYouMean, quote } from '../suggestion.js';
import type { TemplateScope } from '../template.js';
import { CellError, datumOf, isConstant, type CellType } from './cells.js';
import type { Compilation } from './compilation.js';

interface Cell {
  readonly column: CellType;
  /** Of the column in its table. */
  readonly position: number;
  readonly value: Value;
}

/** A row for one version of a table, ready to be filled in again and again. */
interface Plan {
  readonly constants: RowValues;
  /** The same by position. */
  readonly given: GivenRow;
  readonly varying: readonly Cell[];
}

/** By row, then by the version of the table; null for a row that is no good. */
const plans = new WeakMap<Row, WeakMap<Table, Plan | null>>();

/** Undefined when something is wrong with it (reported). */
export function rowValues(
  row: Row,
  table: Table,
  compilation: Compilation,
  scope: TemplateScope,
): RowValues | undefined {
  const plan = planOf(row, table, compilation, scope);
  if (plan === null) return undefined;
  if (plan.varying.length === 0) return plan.constants;
  const values = { ...plan.constants };
  return fillIn(values, plan.varying, compilation, scope) ? values : undefined;
}

/** As `rowValues`, for an INSERT. */
export function givenRow(row: Row, table: Table, compilation: Compilation, scope: TemplateScope): GivenRow | undefined {
  const plan = planOf(row, table, compilation, scope);
  if (plan === null) return undefined;
  if (plan.varying.length === 0) return plan.given;
  const values = plan.given.values.slice();
  let usable = true;
  for (const cell of plan.varying) {
    const datum = read(cell, compilation, scope);
    if (datum === undefined) usable = false;
    else values[cell.position] = datum;
  }
  return usable ? new GivenRow(table, values) : undefined;
}

function planOf(row: Row, table: Table, compilation: Compilation, scope: TemplateScope): Plan | null {
  let byTable = plans.get(row);
  if (byTable === undefined) plans.set(row, (byTable = new WeakMap()));
  let plan = byTable.get(table);
  if (plan === undefined) byTable.set(table, (plan = makePlan(row, table, compilation, scope)));
  return plan;
}

function makePlan(row: Row, table: Table, compilation: Compilation, scope: TemplateScope): Plan | null {
  const constants: Record<string, Datum> = {};
  const varying: Cell[] = [];
  let usable = true;
  for (const { name, value } of row) {
    const position = table.columns.findIndex((candidate) => candidate.name === name.value);
    const column = table.columns[position];
    if (column === undefined) {
      reportColumn(name.value, name.at, table, compilation);
      usable = false;
    } else if (isBroken(value)) {
      usable = false;
    } else if (isConstant(value)) {
      usable = fillIn(constants, [{ column, position, value }], compilation, scope) && usable;
    } else {
      varying.push({ column, position, value });
    }
  }
  // Also of a row that is no good every value is looked at once.
  if (!usable) fillIn({}, varying, compilation, scope);
  if (!usable) return null;
  const given = table.columns.map((column) =>
    Object.hasOwn(constants, column.name) ? constants[column.name] : undefined,
  );
  return { constants, given: new GivenRow(table, given), varying };
}

/** Reports a column that its table does not have. */
export function reportColumn(name: string, at: Span, table: Table, compilation: Compilation): void {
  if (compilation.problems.explains(name)) return;
  const lost = compilation.lostColumns.get(formatName(table)) ?? [];
  const known = [...table.columns.map((column) => column.name), ...lost];
  const declared = compilation.declaredAt.get(table.oid);
  compilation.report('unknown-column', at, `the table ${quote(formatName(table))} has no column ${quote(name)}`, {
    hint: didYouMean(name, known) ?? `its columns are ${known.map(quote).join(', ')}`,
    related: declared && [{ at: declared, message: 'the table is declared here' }],
  });
}

function fillIn(
  values: Record<string, Datum>,
  cells: readonly Cell[],
  compilation: Compilation,
  scope: TemplateScope,
): boolean {
  let usable = true;
  for (const cell of cells) {
    const datum = read(cell, compilation, scope);
    const { name } = cell.column;
    if (datum === undefined) usable = false;
    // A column may have this name, too.
    else if (name === '__proto__') Object.defineProperty(values, name, { value: datum, enumerable: true });
    else values[name] = datum;
  }
  return usable;
}

/** Undefined when something is wrong with it (reported). */
function read({ column, value }: Cell, compilation: Compilation, scope: TemplateScope): Datum | undefined {
  try {
    return datumOf(value, column, compilation.major, scope);
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    return compilation.report(error.code, error.at, error.message, { hint: error.hint });
  }
}
