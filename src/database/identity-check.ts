/** CheckCmdReplicaIdentity: may UPDATE and DELETE change this table while it is published as it is? */
import type { Publication } from '../timeline/catalog.js';
import { StatementError } from './statement-error.js';
import type { StoredCatalog, StoredTable } from './stored-table.js';

/** Per action: what stands in its way; null when nothing does. */
interface Verdict {
  readonly catalog: StoredCatalog;
  readonly update: StatementError | null;
  readonly delete: StatementError | null;
}

const verdicts = new WeakMap<StoredTable, Verdict>();

/**
 * All publications count, not only those that somebody subscribes to.
 * @throws StatementError 42P10 or 55000, with the server's text and hint
 */
export function checkReplicaIdentity(
  catalog: StoredCatalog,
  table: StoredTable,
  action: 'update' | 'delete',
  major: number,
): void {
  let verdict = verdicts.get(table);
  if (verdict?.catalog !== catalog) {
    verdict = {
      catalog,
      update: obstacle(catalog, table, 'update', major),
      delete: obstacle(catalog, table, 'delete', major),
    };
    verdicts.set(table, verdict);
  }
  const error = verdict[action];
  if (error !== null) throw error;
}

function obstacle(
  catalog: StoredCatalog,
  table: StoredTable,
  action: 'update' | 'delete',
  major: number,
): StatementError | null {
  const ancestors = ancestorsOf(catalog, table);
  // Without declared publications every name exists and publishes everything.
  const publications = catalog.publications;
  const publishing =
    publications === null
      ? null
      : [...publications.values()].filter(
          (publication) => publication.publish[action] && contains(publication, [table, ...ancestors]),
        );
  const published = publishing === null || publishing.length > 0;
  for (const violated of ['filter', 'list', 'generated'] as const) {
    if (publishing?.some((publication) => violates(publication, table, ancestors, major)[violated]) === true) {
      return refusal(table, action, violated);
    }
  }
  if (table.identityColumns.length > 0 || table.replicaIdentity === 'full' || !published) return null;
  return noIdentity(table, action);
}

/** What is wrong with a publication for a table whose old rows must be identified by what is sent. */
function violates(
  publication: Publication,
  table: StoredTable,
  ancestors: readonly StoredTable[],
  major: number,
): { filter: boolean; list: boolean; generated: boolean } {
  const topmost = publication.viaPartitionRoot
    ? ancestors.findLast((ancestor) => contains(publication, [ancestor]))
    : undefined;
  const member = publication.allTables ? undefined : publication.tables.get((topmost ?? table).oid);
  const full = table.replicaIdentity === 'full';
  const identity = table.identityColumns.map((i) => table.columns[i]!);
  const list = member?.columns ?? null;
  const unpublished = (full ? table.columns : identity).filter(
    (column) =>
      column.generated === 'virtual' || (column.generated === 'stored' && publication.generatedColumns === 'none'),
  );
  return {
    filter: !full && (member?.where?.columns.some((name) => !identity.some((c) => c.name === name)) ?? false),
    list: list !== null && (full || identity.some((column) => !list.includes(column.name))),
    generated: major >= 18 && (full || list === null) && unpublished.length > 0,
  };
}

/** Nearest first. */
export function ancestorsOf(catalog: StoredCatalog, table: StoredTable): StoredTable[] {
  const ancestors: StoredTable[] = [];
  let parent = table.partitionOf;
  while (parent !== null) {
    const ancestor: StoredTable = catalog.tables.get(parent)!;
    ancestors.push(ancestor);
    parent = ancestor.partitionOf;
  }
  return ancestors;
}

function contains(publication: Publication, tables: readonly StoredTable[]): boolean {
  return (
    publication.allTables ||
    tables.some((table) => publication.tables.has(table.oid) || publication.schemas.includes(table.namespace))
  );
}

const verbs = { update: 'update', delete: 'delete from' } as const;
const details = {
  filter: 'Column used in the publication WHERE expression is not part of the replica identity.',
  list: 'Column list used by the publication does not cover the replica identity.',
  generated: 'Replica identity must not contain unpublished generated columns.',
} as const;

function refusal(table: StoredTable, action: 'update' | 'delete', reason: keyof typeof details): StatementError {
  return new StatementError(
    { code: '42P10', message: `cannot ${verbs[action]} table "${table.name}"`, detail: details[reason] },
    { kind: 'table', name: table.name },
  );
}

function noIdentity(table: StoredTable, action: 'update' | 'delete'): StatementError {
  const gerund = { update: 'updating the table', delete: 'deleting from the table' }[action];
  return new StatementError(
    {
      code: '55000',
      message: `cannot ${verbs[action]} table "${table.name}" because it does not have a replica identity and publishes ${action}s`,
      hint: `To enable ${gerund}, set REPLICA IDENTITY using ALTER TABLE.`,
    },
    { kind: 'table', name: table.name },
  );
}
