/**
 * Which system catalogs DDL updates or deletes rows of, the first ones written first. Rows that it only inserts are left
 * out: their records have no tuples for decoding.
 */
import type { SystemCatalog } from '../timeline/timeline.js';
import type { PublicationStatement } from './ddl-statements.js';
import type { AlterTable } from './statement.js';

export const ofDroppedTable: readonly SystemCatalog[] = ['pg_depend', 'pg_attribute', 'pg_class', 'pg_type'];

export function ofAlterTable(action: AlterTable): readonly SystemCatalog[] {
  switch (action.kind) {
    case 'addColumn':
      return (action.column.default ?? null) === null ? ['pg_class'] : ['pg_class', 'pg_attribute'];
    case 'dropColumn':
    case 'renameColumn':
    case 'alterType':
    case 'setNotNull':
      return ['pg_attribute'];
    case 'renameTo':
      return ['pg_class', 'pg_type'];
    case 'setSchema':
      return ['pg_class', 'pg_depend', 'pg_type'];
    case 'dropPrimaryKey':
    case 'dropIndex':
      return ['pg_index', 'pg_attribute', 'pg_class', 'pg_depend'];
    case 'primaryKey':
    case 'addIndex':
      return [];
    case 'replicaIdentity':
      return typeof action.identity === 'object' ? ['pg_class', 'pg_index'] : ['pg_class'];
    case 'rewrite':
      return ['pg_class'];
  }
}

export function ofPublication(statement: PublicationStatement): readonly SystemCatalog[] {
  switch (statement) {
    case 'create':
    case 'addTables':
      return [];
    case 'dropTables':
    case 'setTables':
      return ['pg_publication_rel', 'pg_depend'];
    case 'drop':
      return ['pg_publication', 'pg_publication_rel', 'pg_depend'];
    case 'options':
    case 'rename':
      return ['pg_publication'];
  }
}
