/**
 * What the subscribed publications make of one table: which actions, under which relation, which columns, which row
 * filters (pgoutput's get_rel_sync_entry and the functions that it calls).
 */
import type { WireErrorFields } from '../values/wire-error.js';
import type { Catalog, Column, Publication, RowFilter, Table } from './catalog.js';

export interface PublishedActions {
  insert: boolean;
  update: boolean;
  delete: boolean;
  truncate: boolean;
}

export interface Publishing {
  readonly actions: Readonly<PublishedActions>;
  /** The table itself, or the ancestor under which it is published. */
  readonly publishAs: number;
  /** Column list, as attnums of `publishAs`; null for none. */
  readonly columnList: ReadonlySet<number> | null;
  /** Stored generated columns too, where there is no column list. */
  readonly storedGenerated: boolean;
  /** Per action: a row passes when one of them is true; null: every row passes. */
  readonly filters: {
    readonly insert: readonly RowFilter[] | null;
    readonly update: readonly RowFilter[] | null;
    readonly delete: readonly RowFilter[] | null;
  };
}

const noFilters: Publishing['filters'] = { insert: null, update: null, delete: null };

/** How a table is published when the scenario declares no publications. */
export function publishedWhole(table: Table): Publishing {
  return {
    actions: { insert: true, update: true, delete: true, truncate: true },
    publishAs: table.oid,
    columnList: null,
    storedGenerated: false,
    filters: noFilters,
  };
}

/** @param fail - raises the plugin's error: column lists or publish_generated_columns that contradict each other */
export function publishingOf(
  catalog: Catalog,
  table: Table,
  publications: readonly Publication[],
  major: number,
  fail: (error: WireErrorFields) => never,
): Publishing {
  const ancestors = ancestorsOf(catalog, table);
  const actions: PublishedActions = { insert: false, update: false, delete: false, truncate: false };
  let publishAs = table;
  let level = 0;
  let through: Publication[] = [];
  for (const publication of publications) {
    const found = memberLevel(publication, table, ancestors);
    if (found === null || (table.kind === 'p' && !publication.viaPartitionRoot)) continue;
    actions.insert ||= publication.publish.insert;
    actions.update ||= publication.publish.update;
    actions.delete ||= publication.publish.delete;
    actions.truncate ||= publication.publish.truncate;
    const publishedLevel = publication.viaPartitionRoot ? found : 0;
    // The topmost ancestor of all publications wins, and then only the publications that name it count.
    if (level > publishedLevel) continue;
    if (level < publishedLevel) {
      level = publishedLevel;
      publishAs = ancestors[level - 1]!;
      through = [];
    }
    through.push(publication);
  }
  const rows = actions.insert || actions.update || actions.delete;
  if (!rows || major < 15) {
    return { actions, publishAs: publishAs.oid, columnList: null, storedGenerated: false, filters: noFilters };
  }
  const filters = rowFilters(publishAs, through);
  const storedGenerated = major >= 18 && generatedColumns(publishAs, through, fail);
  const columnList = columnListOf(publishAs, through, storedGenerated, major, fail);
  return { actions, publishAs: publishAs.oid, columnList, storedGenerated, filters };
}

/** Whether a column is in Relation and tuples. `attnum` is the column's own, in whichever table it is. */
export function isColumnPublished(column: Column, attnum: number, publishing: Publishing, major: number): boolean {
  const { columnList, storedGenerated } = publishing;
  if (major < 18) return column.generated === null && (columnList === null || columnList.has(attnum));
  if (columnList !== null) return columnList.has(attnum);
  return column.generated === null || (column.generated === 'stored' && storedGenerated);
}

/** How far above the table the publication takes hold: 0 the table itself, n its nth ancestor; null: not at all. */
function memberLevel(publication: Publication, table: Table, ancestors: readonly Table[]): number | null {
  if (publication.allTables) return ancestors.length;
  const contains = (candidate: Table): boolean =>
    publication.tables.has(candidate.oid) || publication.schemas.includes(candidate.namespace);
  const topmost = ancestors.findLastIndex(contains);
  if (topmost >= 0) return topmost + 1;
  return contains(table) ? 0 : null;
}

/** Nearest first. */
function ancestorsOf(catalog: Catalog, table: Table): Table[] {
  const ancestors: Table[] = [];
  for (let parent = table.partitionOf; parent !== null;) {
    const ancestor: Table = catalog.tables.get(parent)!;
    ancestors.push(ancestor);
    parent = ancestor.partitionOf;
  }
  return ancestors;
}

function rowFilters(table: Table, publications: readonly Publication[]): Publishing['filters'] {
  return {
    insert: filtersFor('insert', table, publications),
    update: filtersFor('update', table, publications),
    delete: filtersFor('delete', table, publications),
  };
}

/** One publication without a filter lets every row pass. */
function filtersFor(
  action: 'insert' | 'update' | 'delete',
  table: Table,
  publications: readonly Publication[],
): readonly RowFilter[] | null {
  const filters: RowFilter[] = [];
  for (const publication of publications) {
    if (!publication.publish[action]) continue;
    const wholeSchema = publication.allTables || publication.schemas.includes(table.namespace);
    const where = wholeSchema ? null : (publication.tables.get(table.oid)?.where ?? null);
    if (where === null) return null;
    filters.push(where);
  }
  return filters.length > 0 ? filters : null;
}

function generatedColumns(
  table: Table,
  publications: readonly Publication[],
  fail: (error: WireErrorFields) => never,
): boolean {
  if (table.columns.every((column) => column.generated === null)) return false;
  const settings = publications
    .filter((publication) => listIn(publication, table) === null)
    .map((publication) => publication.generatedColumns);
  if (settings.some((setting) => setting !== settings[0])) {
    fail({
      code: '0A000',
      message: `cannot use different values of publish_generated_columns for table "${table.namespace}.${table.name}" in different publications`,
    });
  }
  return settings[0] === 'stored';
}

function columnListOf(
  table: Table,
  publications: readonly Publication[],
  storedGenerated: boolean,
  major: number,
  fail: (error: WireErrorFields) => never,
): ReadonlySet<number> | null {
  const lists = publications.map((publication) => {
    const list = listIn(publication, table);
    if (list === null) return major >= 18 ? defaultList(table, storedGenerated) : null;
    const attnums = new Set(table.attnums.filter((_, i) => list.includes(table.columns[i]!.name)));
    // Up to 17 a list of all columns counts as none; later it stays one, which matters for columns added afterwards.
    const complete = table.columns.filter((column) => column.generated === null).length;
    return major < 18 && attnums.size === complete ? null : attnums;
  });
  if (lists.some((list) => !sameList(list, lists[0]!))) {
    fail({
      code: '0A000',
      message: `cannot use different column lists for table "${table.namespace}.${table.name}" in different publications`,
    });
  }
  return publications.some((publication) => listIn(publication, table) !== null) ? lists[0]! : null;
}

function listIn(publication: Publication, table: Table): readonly string[] | null {
  return publication.allTables ? null : (publication.tables.get(table.oid)?.columns ?? null);
}

function defaultList(table: Table, storedGenerated: boolean): ReadonlySet<number> {
  return new Set(
    table.attnums.filter((_, i) => {
      const { generated } = table.columns[i]!;
      return generated === null || (generated === 'stored' && storedGenerated);
    }),
  );
}

function sameList(a: ReadonlySet<number> | null, b: ReadonlySet<number> | null): boolean {
  if (a === null || b === null) return a === b;
  return a.size === b.size && [...a].every((attnum) => b.has(attnum));
}
