/** CREATE and ALTER PUBLICATION: what a server accepts, by major. */
import type { Publication, PublishedTable } from '../timeline/catalog.js';
import type { PublicationDeclaration, PublishedAction, PublishedTableDeclaration, TableName } from './declaration.js';
import type { AlterPublication } from './statement.js';
import { StatementError, type StatementSubject } from './statement-error.js';
import { columnPosition, descendants, findTable, type StoredCatalog, type StoredTable } from './stored-table.js';

const allActions: readonly PublishedAction[] = ['insert', 'update', 'delete', 'truncate'];

/** @throws StatementError for what this major's CREATE PUBLICATION refuses or does not know */
export function definePublication(
  declaration: PublicationDeclaration,
  catalog: StoredCatalog,
  major: number,
  oid: number,
): Publication {
  const { name } = declaration;
  if (catalog.publications?.has(name) === true) {
    throw new StatementError({ code: '42710', message: `publication "${name}" already exists` }, about(name));
  }
  const schemas = declaration.schemas ?? [];
  checkFeatures(declaration, major);
  const publication: Publication = {
    oid,
    name,
    allTables: declaration.allTables ?? false,
    schemas,
    tables: new Map(),
    publish: publishFlags(declaration.publish ?? allActions),
    viaPartitionRoot: declaration.viaPartitionRoot ?? false,
    generatedColumns: declaration.generatedColumns ?? 'none',
  };
  return addTables(publication, declaration.tables ?? [], catalog, major);
}

/** @throws StatementError 42704, 42710 or as definePublication */
export function changePublication(
  publication: Publication,
  change: AlterPublication,
  catalog: StoredCatalog,
  major: number,
): Publication {
  switch (change.kind) {
    case 'rename':
      return { ...publication, name: change.to };
    case 'options':
      checkFeatures({ ...change, name: publication.name }, major);
      return checkPartitionedTables(
        {
          ...publication,
          publish: change.publish === undefined ? publication.publish : publishFlags(change.publish),
          viaPartitionRoot: change.viaPartitionRoot ?? publication.viaPartitionRoot,
          generatedColumns: change.generatedColumns ?? publication.generatedColumns,
        },
        catalog,
      );
    case 'set': {
      checkFeatures({ ...change, name: publication.name }, major);
      refuseAllTables(publication);
      const emptied = {
        ...publication,
        tables: change.tables === undefined ? publication.tables : new Map<number, PublishedTable>(),
        schemas: change.schemas ?? publication.schemas,
      };
      return addTables(emptied, change.tables ?? [], catalog, major);
    }
    case 'add': {
      checkFeatures({ ...change, name: publication.name }, major);
      refuseAllTables(publication);
      const known = change.schemas?.find((schema) => publication.schemas.includes(schema));
      if (known !== undefined) {
        throw new StatementError(
          { code: '42710', message: `schema "${known}" is already member of publication "${publication.name}"` },
          { kind: 'schema', name: known },
        );
      }
      const grown = { ...publication, schemas: [...publication.schemas, ...(change.schemas ?? [])] };
      return addTables(grown, change.tables ?? [], catalog, major);
    }
    case 'drop':
      refuseAllTables(publication);
      return dropMembers(publication, change.tables ?? [], change.schemas ?? [], catalog);
  }
}

/**
 * OIDs of the tables that a server invalidates when a publication with these members changes: partitions of every depth
 * included. FOR ALL TABLES empties the whole relation cache, of which the plugin takes notice from 15 on.
 */
export function memberOids(publication: Publication, catalog: StoredCatalog, major: number): number[] {
  if (publication.allTables) return major >= 15 ? [...catalog.tables.keys()] : [];
  const members = [...catalog.tables.values()].filter(
    (table) => publication.tables.has(table.oid) || publication.schemas.includes(table.namespace),
  );
  return withDescendants(members, catalog);
}

/** OIDs of tables whose membership differs between two versions of a publication. */
export function changedMemberOids(before: Publication, after: Publication, catalog: StoredCatalog): number[] {
  const differs = (table: StoredTable): boolean =>
    !isSameMember(before.tables.get(table.oid), after.tables.get(table.oid)) ||
    before.schemas.includes(table.namespace) !== after.schemas.includes(table.namespace);
  return withDescendants([...catalog.tables.values()].filter(differs), catalog);
}

/** SET TABLE leaves those alone that stay as they are. */
function isSameMember(a: PublishedTable | undefined, b: PublishedTable | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.where?.text === b.where?.text && String(a.columns) === String(b.columns);
}

function withDescendants(tables: readonly StoredTable[], catalog: StoredCatalog): number[] {
  const oids = new Set<number>();
  for (const table of tables) {
    oids.add(table.oid);
    if (table.kind === 'p') for (const below of descendants(catalog, table)) oids.add(below.oid);
  }
  return [...oids];
}

function addTables(
  publication: Publication,
  declarations: readonly PublishedTableDeclaration[],
  catalog: StoredCatalog,
  major: number,
): Publication {
  const tables = new Map(publication.tables);
  for (const declaration of declarations) {
    const table = findTable(catalog, declaration);
    if (tables.has(table.oid)) {
      throw new StatementError(
        { code: '42710', message: `relation "${table.name}" is already member of publication "${publication.name}"` },
        { kind: 'table', name: table.name },
      );
    }
    if (table.kind === 'p' && major < 13) {
      throw new StatementError(
        {
          code: '22023',
          message: `"${table.name}" is a partitioned table`,
          detail: 'Adding partitioned tables to publications is not supported.',
          hint: 'You can add the table partitions individually.',
        },
        { kind: 'table', name: table.name },
      );
    }
    checkColumns(table, declaration.columns ?? [], major);
    for (const name of declaration.where?.columns ?? []) columnPosition(table, name);
    const published: PublishedTable = { columns: declaration.columns ?? null, where: declaration.where ?? null };
    tables.set(table.oid, published);
    // FOR TABLE takes inheriting tables in with their parent; partitions follow theirs without being listed.
    for (const child of table.kind === 'p' || declaration.only === true ? [] : descendants(catalog, table)) {
      if (!tables.has(child.oid)) tables.set(child.oid, published);
    }
  }
  return checkPartitionedTables({ ...publication, tables }, catalog);
}

function dropMembers(
  publication: Publication,
  tableNames: readonly TableName[],
  schemas: readonly string[],
  catalog: StoredCatalog,
): Publication {
  const tables = new Map(publication.tables);
  for (const name of tableNames) {
    const table = findTable(catalog, name);
    if (!tables.delete(table.oid)) {
      throw new StatementError(
        { code: '42704', message: `relation "${table.name}" is not part of the publication` },
        { kind: 'table', name: table.name },
      );
    }
    for (const child of table.kind === 'p' ? [] : descendants(catalog, table)) tables.delete(child.oid);
  }
  for (const schema of schemas) {
    if (!publication.schemas.includes(schema)) {
      throw new StatementError(
        { code: '42704', message: `tables from schema "${schema}" are not part of the publication` },
        { kind: 'schema', name: schema },
      );
    }
  }
  return { ...publication, tables, schemas: publication.schemas.filter((schema) => !schemas.includes(schema)) };
}

function checkColumns(table: StoredTable, names: readonly string[], major: number): void {
  const seen = new Set<string>();
  for (const name of names) {
    const column = table.columns[columnPosition(table, name)]!;
    const subject = { kind: 'column', name } as const;
    if (column.generated === 'virtual' || (column.generated === 'stored' && major < 18)) {
      const which = column.generated === 'virtual' ? 'virtual generated' : 'generated';
      throw new StatementError(
        { code: '42P10', message: `cannot use ${which} column "${name}" in publication column list` },
        subject,
      );
    }
    if (seen.has(name)) {
      throw new StatementError(
        { code: '42710', message: `duplicate column "${name}" in publication column list` },
        subject,
      );
    }
    seen.add(name);
  }
}

/** Column lists and row filters of a partitioned table need publication through the root; lists and schemas exclude each other. */
function checkPartitionedTables(publication: Publication, catalog: StoredCatalog): Publication {
  for (const [oid, { columns, where }] of publication.tables) {
    const table = catalog.tables.get(oid);
    if (table === undefined) continue;
    const fullName = `${table.namespace}.${table.name}`;
    const subject = { kind: 'table', name: table.name } as const;
    if (columns !== null && publication.schemas.length > 0) {
      throw new StatementError(
        {
          code: '22023',
          message: `cannot use column list for relation "${fullName}" in publication "${publication.name}"`,
          detail: 'Column lists cannot be specified in publications containing FOR TABLES IN SCHEMA elements.',
        },
        subject,
      );
    }
    if (table.kind !== 'p' || publication.viaPartitionRoot) continue;
    if (columns !== null) {
      throw new StatementError(
        {
          code: '22023',
          message: `cannot use column list for relation "${fullName}" in publication "${publication.name}"`,
          detail: 'Column lists cannot be specified for partitioned tables when publish_via_partition_root is false.',
        },
        subject,
      );
    }
    if (where !== null) {
      throw new StatementError(
        {
          code: '22023',
          message: `cannot use publication WHERE clause for relation "${table.name}"`,
          detail: 'WHERE clause cannot be used for a partitioned table when publish_via_partition_root is false.',
        },
        subject,
      );
    }
  }
  return publication;
}

function checkFeatures(
  declaration: PublicationDeclaration | (AlterPublication & { name: string }),
  major: number,
): void {
  const { name, tables, schemas, publish, viaPartitionRoot, generatedColumns } = declaration as PublicationDeclaration;
  const need = (used: boolean, since: number, what: string): void => {
    if (!used || major >= since) return;
    throw new StatementError(
      { code: '0A000', message: `publication "${name}": ${what} came with major ${since}, the server is ${major}` },
      about(name),
    );
  };
  need(tables?.some((table) => (table.columns?.length ?? 0) > 0) === true, 15, 'column lists');
  need(tables?.some((table) => table.where !== undefined) === true, 15, 'row filters');
  need((schemas?.length ?? 0) > 0, 15, 'TABLES IN SCHEMA');
  need(viaPartitionRoot === true, 13, 'publish_via_partition_root');
  need(generatedColumns === 'stored', 18, 'publish_generated_columns');
  // The list's default has all actions that the major knows, so only a list with nothing but truncate tells a mistake.
  need(publish?.length === 1 && publish[0] === 'truncate', 11, 'publish = truncate');
}

function refuseAllTables(publication: Publication): void {
  if (!publication.allTables) return;
  throw new StatementError(
    {
      code: '55000',
      message: `publication "${publication.name}" is defined as FOR ALL TABLES`,
      detail: 'Tables cannot be added to or dropped from FOR ALL TABLES publications.',
    },
    about(publication.name),
  );
}

function publishFlags(actions: readonly PublishedAction[]): Publication['publish'] {
  return {
    insert: actions.includes('insert'),
    update: actions.includes('update'),
    delete: actions.includes('delete'),
    truncate: actions.includes('truncate'),
  };
}

function about(name: string): StatementSubject {
  return { kind: 'publication', name };
}
