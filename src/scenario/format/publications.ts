/** Publications, as CREATE and ALTER PUBLICATION have them. */
import { byKind } from '../alternative.js';
import { list, mapOf, object, oneOrMany, optional, type Named, type Read, type ReadOf } from '../object.js';
import { boolean, choice, name, oid, text } from '../scalars.js';
import type { Shape } from '../shape.js';
import type { Located } from '../source.js';
import { parseQualifiedName, tableName, type QualifiedName } from './names.js';
import { columnNames } from './tables.js';

const publishedTableFields = {
  columns: optional(columnNames, 'Column list: nothing else is published.', ['id', 'email']),
  where: optional(text, 'Row filter: an SQL expression over columns.', 'amount > 10'),
  only: optional(boolean, 'ONLY: without the tables that inherit from it.', true),
};

/** A table that a publication has, with its column list and row filter. */
export interface PublishedTable {
  readonly table: Located<QualifiedName>;
  readonly columns: readonly Located<string>[] | undefined;
  readonly where: Located<string> | undefined;
  readonly only: Located<boolean> | undefined;
}

const tablesWithOptions = mapOf(
  byKind<never, never, ReadOf<typeof publishedTableFields>, Partial<Read>>({
    expected: 'a column list and a row filter',
    map: object(publishedTableFields, { expected: 'a column list and a row filter' }),
    empty: () => ({}),
  }),
  'a map from tables to their column lists and row filters',
);

const plainTables = list(tableName, 'a list of tables');

/** `[public.users]` or `{ public.users: { columns: […], where: … } }`. */
export const publishedTables: Shape<readonly PublishedTable[]> = {
  expected: 'a list of tables, or a map from tables to their column lists and row filters',
  read(node, reader) {
    if (node.kind === 'list') return plainTables.read(node, reader)?.map(plain);
    if (node.kind !== 'map') return reader.mismatch(node, publishedTables);
    return tablesWithOptions.read(node, reader)?.flatMap((entry) => withOptions(entry) ?? []);

    function withOptions({ name: { value, at }, value: options }: Named<object>): PublishedTable | undefined {
      const parsed = parseQualifiedName(value);
      if (parsed === undefined) {
        reader.report('invalid-value', at, `${reader.subject()} takes names of tables as its keys`);
        return undefined;
      }
      return { ...plain({ value: parsed, at }), ...(options as Partial<PublishedTable>) };
    }
  },
  jsonSchema: () => ({ anyOf: [plainTables.jsonSchema(), tablesWithOptions.jsonSchema()] }),
};

function plain(table: Located<QualifiedName>): PublishedTable {
  return { table, columns: undefined, where: undefined, only: undefined };
}

export const publicationFields = {
  tables: optional(publishedTables, 'Published tables.', ['public.users'], {
    'public.users': { columns: ['id', 'email'], where: 'amount > 10' },
  }),
  all_tables: optional(boolean, 'FOR ALL TABLES.', true),
  schemas: optional(oneOrMany(name, 'names of schemas'), 'FOR TABLES IN SCHEMA.', ['public']),
  publish: optional(
    oneOrMany(choice('insert', 'update', 'delete', 'truncate'), 'insert, update, delete or truncate'),
    'Published operations; all of them where left out.',
    ['insert', 'update'],
  ),
  via_partition_root: optional(boolean, 'publish_via_partition_root.', true),
  generated_columns: optional(choice('none', 'stored'), 'publish_generated_columns (18 and later).', 'stored'),
};

const declaredPublicationFields = { ...publicationFields, oid: optional(oid, 'Pins the OID.', 16400) };
export const publication = object(declaredPublicationFields, { expected: 'a publication: its tables and options' });
export type Publication = ReadOf<typeof declaredPublicationFields>;
export const publications = mapOf(publication, 'a map of publications');
