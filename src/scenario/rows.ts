/** The tables that a correct consumer ends with. */
import type { Publication, Table } from '../timeline/catalog.js';
import type { Row } from '../timeline/datum.js';
import { datumText } from './compile/cells.js';
import { formatName } from './format/names.js';
import type { Scenario } from './scenario.js';

/** Column name → text as the server prints it, or NULL. */
export type ConsumedRow = Readonly<Record<string, string | null>>;
/** By table name with its schema. */
export type ConsumedTables = Readonly<Record<string, readonly ConsumedRow[]>>;

/** Which rows: where in the stream, and of which publication. */
export interface RowsOptions {
  /** As of this label; the end of the stream where absent. */
  readonly at?: string | undefined;
  /** Only what this publication publishes. */
  readonly publication?: string | undefined;
}

/**
 * The rows that a consumer should have, once it has applied the snapshot and the stream.
 * @throws RangeError for a label or publication that the scenario does not have
 */
export function rows(scenario: Scenario, { at, publication: name }: RowsOptions = {}): ConsumedTables {
  // Every row counts here, those of a `repeat` too.
  const { database, labels } = scenario.execute({ keepRows: true });
  const lsn = at === undefined ? database.lsn : labels.get(at);
  if (lsn === undefined) throw new RangeError(`the scenario has no label "${at}"`);
  const { timeline } = database;
  const { tables, publications } = timeline.catalogAt(lsn);
  const publication = name === undefined || publications === null ? null : publications.get(name);
  if (publication === undefined) throw new RangeError(`the scenario has no publication "${name}"`);
  if (publication !== null && !Object.values(publication.publish).every(Boolean)) {
    throw new RangeError(
      `publication "${name}" leaves out kinds of changes: what its consumer ends with cannot be said yet`,
    );
  }
  const stored = timeline.tablesAt(lsn);
  const result: Record<string, ConsumedRow[]> = {};
  for (const table of tables.values()) {
    const root = publication?.viaPartitionRoot === true ? rootOf(table, tables) : table;
    if (table.kind !== 'r' || (publication !== null && !isPublished(table, publication, tables))) continue;
    const { columns, where } = publishedColumns(table, root, publication);
    const kept = (stored.get(table.oid) ?? []).filter((row) => where?.evaluate(row, table.columns) ?? true);
    (result[formatName(root)] ??= []).push(...kept.map((row) => textsOf(row, table, columns)));
  }
  return result;
}

function textsOf(row: Row, table: Table, columns: readonly string[]): ConsumedRow {
  return Object.fromEntries(
    columns.map((name) => [name, datumText(row[table.columns.findIndex((column) => column.name === name)] ?? null)]),
  );
}

function rootOf(table: Table, tables: ReadonlyMap<number, Table>): Table {
  let root = table;
  for (let parent = root.partitionOf; parent !== null; parent = root.partitionOf) root = tables.get(parent)!;
  return root;
}

function isPublished(table: Table, publication: Publication, tables: ReadonlyMap<number, Table>): boolean {
  if (publication.allTables || publication.schemas.includes(table.namespace)) return true;
  for (let one: Table | undefined = table; one !== undefined; one = tables.get(one.partitionOf ?? 0)) {
    if (publication.tables.has(one.oid)) return true;
  }
  return false;
}

function publishedColumns(table: Table, root: Table, publication: Publication | null) {
  const published = publication?.tables.get(table.oid) ?? publication?.tables.get(root.oid);
  const generated = publication?.generatedColumns === 'stored' ? 'stored' : null;
  const visible = root.columns.filter((column) => column.generated === null || column.generated === generated);
  return { columns: published?.columns ?? visible.map((column) => column.name), where: published?.where ?? null };
}
