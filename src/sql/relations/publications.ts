/** Publications: which tables each publishes, and pg_publication with its relatives. */
import { printArray } from '../../postgres/index.js';
import type { Catalog, Publication, PublishedTable, Table } from '../../timeline/catalog.js';
import type { StatementContext } from '../context.js';
import { oidOfPublicationEntry, oidOfSchema } from '../derived-oids.js';
import { bool, type CatalogBuilders, type CatalogRow } from './relation.js';
import { superuserOid } from './roles.js';

/** A table that a publication publishes. */
export interface PublicationEntry {
  readonly publication: Publication;
  readonly table: Table;
  /** The entry that names the table itself; undefined where it is published with its schema, its root, or all tables. */
  readonly own: PublishedTable | undefined;
}

const everything = { insert: true, update: true, delete: true, truncate: true };

/** Where the scenario declares no publications, every name is one of all tables. */
export function impliedPublication(name: string): Publication {
  return {
    oid: oidOfPublicationEntry(
      1,
      Array.from(name).reduce((sum, character) => (sum * 31 + character.codePointAt(0)!) >>> 0, 7),
    ),
    name,
    allTables: true,
    schemas: [],
    tables: new Map(),
    publish: everything,
    viaPartitionRoot: false,
    generatedColumns: 'none',
  };
}

export function publicationsOf({ catalog, impliedPublications }: StatementContext): readonly Publication[] {
  return catalog.publications === null ? impliedPublications : [...catalog.publications.values()];
}

export function findPublication(context: StatementContext, name: string): Publication | undefined {
  if (context.catalog.publications === null) return impliedPublication(name);
  return context.catalog.publications.get(name);
}

/** With via_partition_root the roots stand for their partitions; without it the leaves for their roots. */
export function publishedTables({ catalog, major }: StatementContext, publication: Publication): PublicationEntry[] {
  const named = [...catalog.tables.values()].filter(
    (table) =>
      publication.allTables || publication.tables.has(table.oid) || publication.schemas.includes(table.namespace),
  );
  const chosen = new Set<Table>();
  for (const table of named) {
    if (publication.viaPartitionRoot) {
      if (!ancestors(catalog, table).some((ancestor) => named.includes(ancestor))) chosen.add(table);
    } else for (const leaf of leaves(catalog, table)) chosen.add(leaf);
  }
  const ordered = [...chosen].filter((table) => major >= 13 || table.kind === 'r').sort((a, b) => a.oid - b.oid);
  return ordered.map((table) => ({ publication, table, own: publication.tables.get(table.oid) }));
}

export function ancestors(catalog: Catalog, table: Table): Table[] {
  const found: Table[] = [];
  for (let at = table; at.partitionOf !== null;) {
    const parent = catalog.tables.get(at.partitionOf);
    if (parent === undefined) break;
    found.push(parent);
    at = parent;
  }
  return found;
}

function leaves(catalog: Catalog, table: Table): Table[] {
  if (table.kind === 'r') return [table];
  return [...catalog.tables.values()].filter((t) => t.partitionOf === table.oid).flatMap((t) => leaves(catalog, t));
}

/** attnums of the columns that are published; null where the server shows none because there is no column list. */
export function publishedAttnums(
  { publication, table, own }: PublicationEntry,
  major: number,
): readonly number[] | null {
  const list = own?.columns;
  if (!list && major < 16) return null;
  const isShown = (position: number): boolean => {
    const { name, generated } = table.columns[position]!;
    if (list) return list.includes(name);
    return generated === null || (generated === 'stored' && publication.generatedColumns === 'stored');
  };
  return table.attnums.filter((_, position) => isShown(position));
}

/** A row filter as pg_node_tree values have it here: its text. */
export function filterOf({ own }: PublicationEntry): string | null {
  return own?.where?.text ?? null;
}

function publicationRow(publication: Publication): CatalogRow {
  const { publish } = publication;
  return {
    oid: String(publication.oid),
    pubname: publication.name,
    pubowner: String(superuserOid),
    puballtables: bool(publication.allTables),
    pubinsert: bool(publish.insert),
    pubupdate: bool(publish.update),
    pubdelete: bool(publish.delete),
    pubtruncate: bool(publish.truncate),
    pubviaroot: bool(publication.viaPartitionRoot),
    pubgencols: publication.generatedColumns === 'stored' ? 's' : 'n',
  };
}

function* entries(context: StatementContext): Generator<CatalogRow> {
  for (const publication of publicationsOf(context)) {
    for (const [oid, { columns, where }] of publication.tables) {
      const table = context.catalog.tables.get(oid);
      if (table === undefined) continue;
      const positions = columns?.map((name) => table.columns.findIndex((column) => column.name === name)) ?? null;
      yield {
        oid: String(oidOfPublicationEntry(publication.oid, oid)),
        prpubid: String(publication.oid),
        prrelid: String(oid),
        prqual: where?.text ?? null,
        prattrs:
          positions &&
          positions
            .map((position) => table.attnums[position]!)
            .sort((a, b) => a - b)
            .join(' '),
      };
    }
  }
}

function* schemaEntries(context: StatementContext): Generator<CatalogRow> {
  for (const publication of publicationsOf(context)) {
    for (const schema of publication.schemas) {
      const oid = oidOfSchema(schema, context.major);
      yield {
        oid: String(oidOfPublicationEntry(publication.oid, oid)),
        pnpubid: String(publication.oid),
        pnnspid: String(oid),
      };
    }
  }
}

function* publicationTables(context: StatementContext): Generator<CatalogRow> {
  for (const publication of publicationsOf(context)) {
    for (const entry of publishedTables(context, publication)) {
      const { table } = entry;
      // 15 shows generated columns too where there is no column list.
      const attnums = publishedAttnums(entry, context.major) ?? table.attnums;
      const names = attnums.map((attnum) => table.columns[table.attnums.indexOf(attnum)]!.name);
      const filter = filterOf(entry);
      yield {
        pubname: publication.name,
        schemaname: table.namespace,
        tablename: table.name,
        attnames: printArray({ lengths: [names.length], lowerBounds: [1], elements: names }, ','),
        rowfilter: filter === null ? null : context.printFilter(table, filter),
      };
    }
  }
}

export const publicationBuilders: CatalogBuilders = {
  'pg_catalog.pg_publication': (context) => publicationsOf(context).map(publicationRow),
  'pg_catalog.pg_publication_rel': entries,
  'pg_catalog.pg_publication_namespace': schemaEntries,
  'pg_catalog.pg_publication_tables': publicationTables,
};
