/** What ALTER TABLE on columns means to column lists and row filters, which refer to columns. */
import type { Column, Publication, RowFilter } from '../timeline/catalog.js';
import type { AlterTable } from './statement.js';
import { StatementError } from './statement-error.js';
import type { StoredCatalog, StoredTable } from './stored-table.js';

/** @throws StatementError 2BP01 or 0A000 when a publication's list or filter stands in the way */
export function checkUnpublished(catalog: StoredCatalog, table: StoredTable, action: AlterTable): void {
  if (action.kind !== 'dropColumn' && action.kind !== 'alterType') return;
  const name = action.kind === 'dropColumn' ? action.name : action.column.name;
  for (const publication of catalog.publications?.values() ?? []) {
    const published = publication.tables.get(table.oid);
    const filtered = published?.where?.columns.includes(name) === true;
    if (action.kind === 'dropColumn' && (filtered || published?.columns?.includes(name) === true)) {
      const part = `column ${name} of table ${table.name}`;
      throw new StatementError(
        {
          code: '2BP01',
          message: `cannot drop ${part} because other objects depend on it`,
          detail: `publication of table ${table.name} in publication ${publication.name} depends on ${part}`,
          hint: 'Use DROP ... CASCADE to drop the dependent objects too.',
        },
        { kind: 'column', name },
      );
    }
    if (action.kind === 'alterType' && filtered) {
      throw new StatementError(
        {
          code: '0A000',
          message: 'cannot alter type of a column used by a publication WHERE clause',
          detail: `publication of table ${table.name} in publication ${publication.name} depends on column "${name}"`,
        },
        { kind: 'column', name },
      );
    }
  }
}

/** The publication after a column of one of its tables was renamed: lists and filters refer to columns, not to names. */
export function withRenamedColumn(publication: Publication, oid: number, from: string, to: string): Publication {
  const published = publication.tables.get(oid)!;
  const renamed = {
    columns: published.columns?.map((name) => (name === from ? to : name)) ?? null,
    where:
      published.where?.columns.includes(from) === true ? renamedFilter(published.where, from, to) : published.where,
  };
  return { ...publication, tables: new Map([...publication.tables, [oid, renamed]]) };
}

function renamedFilter(filter: RowFilter, from: string, to: string): RowFilter {
  let seen: readonly Column[] | null = null;
  let translated: readonly Column[] = [];
  return {
    text: filter.text,
    columns: filter.columns.map((name) => (name === from ? to : name)),
    evaluate: (row, columns) => {
      if (columns !== seen) {
        seen = columns;
        translated = columns.map((column) => (column.name === to ? { ...column, name: from } : column));
      }
      return filter.evaluate(row, translated);
    },
  };
}
