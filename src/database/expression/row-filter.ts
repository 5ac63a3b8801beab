/** Row filters: CREATE PUBLICATION … WHERE (…). */
import { formatType } from '../../postgres/index.js';
import type { Column, RowFilter } from '../../timeline/catalog.js';
import type { Row } from '../../timeline/datum.js';
import { datumText } from '../row-values.js';
import { baseType, coerce, types, type EvaluatedRow } from './coercion.js';
import { compile } from './compile.js';
import { expressionError } from './expression-error.js';
import { parseExpression } from './parser.js';
import { startOf } from './syntax-tree.js';

/**
 * Reads the text of a row filter for a table with these columns. Text is compared by code point (collation C).
 * @throws StatementError with `position`, 1-based in `text`: syntax errors, unknown columns, bad constants, what a server
 * refuses in row filters, and what is not supported
 */
export function parseRowFilter(text: string, columns: readonly Column[], major: number): RowFilter {
  const slots = new Map<string, { position: number }>();
  const expression = parseExpression(text);
  const compiled = compile(expression, { columns, major, slots });
  if (compiled.type !== null && baseType(compiled.type).name !== 'bool') {
    const type = formatType(compiled.type, -1);
    throw expressionError(
      '42804',
      `argument of PUBLICATION WHERE must be type boolean, not type ${type}`,
      startOf(expression),
    );
  }
  const condition = coerce(compiled, types.bool, major);
  const view = new RowView();
  let known: readonly Column[] | null = null;
  return {
    text,
    columns: [...slots.keys()],
    evaluate: (row, rowColumns) => {
      if (rowColumns !== known) {
        for (const [name, slot] of slots) slot.position = rowColumns.findIndex((column) => column.name === name);
        known = rowColumns;
      }
      view.row = row;
      const value = condition.evaluate(view);
      return value === null ? null : value === 't';
    },
  };
}

class RowView implements EvaluatedRow {
  row: Row = [];

  text(position: number): string | null {
    return datumText(this.row[position] ?? null);
  }
}
