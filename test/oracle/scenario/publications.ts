/** Catalogs → `publications:`. */
import type { CatalogPublication, CatalogSnapshot } from '../recorder/catalog.js';
import { qualified } from './names.js';
import { columnNames } from './tables.js';
import type { YamlMap } from './yaml.js';

export function publicationsOf(catalog: CatalogSnapshot): YamlMap {
  return Object.fromEntries(
    (catalog.publications ?? []).map((publication) => [publication.name, publicationDeclaration(publication, catalog)]),
  );
}

export function publicationDeclaration(publication: CatalogPublication, catalog: CatalogSnapshot): YamlMap {
  return {
    oid: publication.oid,
    ...(publication.allTables ? { all_tables: true } : { tables: publishedTables(publication, catalog) }),
    schemas: publication.schemas ?? undefined,
    ...publicationOptions(publication),
  };
}

export function publishedTables({ tables }: CatalogPublication, catalog: CatalogSnapshot): YamlMap {
  const members = new Set(tables?.map(({ oid }) => oid));
  const entries = (tables ?? []).flatMap(({ oid, columns, where }) => {
    const table = catalog.tables!.find((candidate) => candidate.oid === oid)!;
    // Tables that inherit from a published one are members without being named.
    if (table.inherits?.some((parent) => members.has(parent))) return [];
    const list = columns && columnNames(table, columns);
    return [[qualified(table), { columns: list ?? undefined, where: where ?? undefined }] as const];
  });
  return Object.fromEntries(entries);
}

export function publicationOptions(publication: CatalogPublication): YamlMap {
  const known = knownActions(publication);
  const published = known.filter((action) => publication[action]);
  return {
    publish: published.length === known.length ? undefined : published,
    via_partition_root: publication.viaRoot || undefined,
    generated_columns: publication.generated === 's' ? 'stored' : undefined,
  };
}

/** Major 10 has no truncate. */
export function knownActions(publication: CatalogPublication): ('insert' | 'update' | 'delete' | 'truncate')[] {
  return (['insert', 'update', 'delete', 'truncate'] as const).filter((action) => publication[action] !== undefined);
}
