import type { CatalogSnapshot, CatalogTable } from '../recorder/catalog.js';

export function findTable(catalog: CatalogSnapshot, oid: number): CatalogTable | undefined {
  return catalog.tables?.find((table) => table.oid === oid);
}

/** Whether two snapshots differ in what a scenario can say: files of tables are their own affair. */
export function sameCatalog(a: CatalogSnapshot, b: CatalogSnapshot): boolean {
  return a === b || text(a) === text(b);
}

/** The same but for the names of its columns' types, which follow from renaming those. */
export function sameTable(a: CatalogTable, b: CatalogTable): boolean {
  const named = (table: CatalogTable): object => ({
    ...table,
    columns: table.columns?.map((column) => ({ ...column, typeName: '' })),
  });
  return text(named(a)) === text(named(b));
}

/** OIDs of the tables that differ, and of all that a publication that differs has or had. */
export function changedTables(before: CatalogSnapshot, after: CatalogSnapshot): Set<number> {
  const changed = new Set<number>();
  for (const [old, other] of [
    [before, after],
    [after, before],
  ] as const) {
    for (const table of old.tables ?? []) {
      if (text(table) !== text(findTable(other, table.oid))) changed.add(table.oid);
    }
    for (const publication of old.publications ?? []) {
      if (text(publication) === text(other.publications?.find(({ oid }) => oid === publication.oid))) continue;
      const { allTables, tables, schemas } = publication;
      for (const { oid } of tables ?? []) changed.add(oid);
      for (const { oid, schema } of old.tables ?? []) if (allTables || schemas?.includes(schema)) changed.add(oid);
    }
  }
  return changed;
}

function text(value: object | undefined): string {
  return JSON.stringify([value], (key, inner: unknown) => (key === 'file' || key === 'toastFile' ? undefined : inner));
}
