/** pg_tables, pg_indexes, pg_stat_user_tables. */
import type { Table } from '../../timeline/catalog.js';
import type { StatementContext } from '../context.js';
import { bool, type CatalogBuilders, type CatalogRow } from './relation.js';
import { systemRelations } from './system-schema.js';
import { indexDefinition, indexesOf } from './table-facts.js';

function tableRow(schema: string, name: string, owner: string, hasIndexes: boolean): CatalogRow {
  return {
    schemaname: schema,
    tablename: name,
    tableowner: owner,
    tablespace: null,
    hasindexes: bool(hasIndexes),
    hasrules: 'f',
    hastriggers: 'f',
    rowsecurity: 'f',
  };
}

function* tables({ catalog, major, host }: StatementContext): Generator<CatalogRow> {
  const owner = host.roles[0]?.name ?? 'postgres';
  for (const table of catalog.tables.values())
    yield tableRow(table.namespace, table.name, owner, indexesOf(table).length > 0);
  for (const { schema, name, kind } of systemRelations(major).values())
    if (kind === 'r') yield tableRow(schema, name, owner, true);
}

function* indexes({ catalog, major }: StatementContext): Generator<CatalogRow> {
  for (const table of catalog.tables.values()) {
    // Those of partitioned tables show from 12 on.
    if (table.kind === 'p' && major < 12) continue;
    for (const index of indexesOf(table)) {
      yield {
        schemaname: table.namespace,
        tablename: table.name,
        indexname: index.name,
        tablespace: null,
        indexdef: indexDefinition(index),
      };
    }
  }
}

/** Nothing is counted but the rows that are there. */
function statistics(table: Table, context: StatementContext): CatalogRow {
  const rows = context.host.tablesAt(context.snapshotLsn).get(table.oid)?.length ?? 0;
  const zeros = Object.fromEntries(counters.map((name) => [name, '0']));
  const never = Object.fromEntries(times.map((name) => [name, null]));
  const hasIndexes = indexesOf(table).length > 0;
  return {
    ...zeros,
    ...never,
    relid: String(table.oid),
    schemaname: table.namespace,
    relname: table.name,
    idx_scan: hasIndexes ? '0' : null,
    idx_tup_fetch: hasIndexes ? '0' : null,
    n_live_tup: String(rows),
    n_tup_ins: String(rows),
  };
}

const counters = [
  ...['seq_scan', 'seq_tup_read', 'n_tup_upd', 'n_tup_del', 'n_tup_hot_upd', 'n_tup_newpage_upd', 'n_dead_tup'],
  ...[
    'n_mod_since_analyze',
    'n_ins_since_vacuum',
    'vacuum_count',
    'autovacuum_count',
    'analyze_count',
    'autoanalyze_count',
  ],
  ...['total_vacuum_time', 'total_autovacuum_time', 'total_analyze_time', 'total_autoanalyze_time'],
];

const times = ['last_seq_scan', 'last_idx_scan', 'last_vacuum', 'last_autovacuum', 'last_analyze', 'last_autoanalyze'];

export const tableViewBuilders: CatalogBuilders = {
  'pg_catalog.pg_tables': tables,
  'pg_catalog.pg_indexes': indexes,
  'pg_catalog.pg_stat_user_tables': (context) =>
    [...context.catalog.tables.values()].filter(({ kind }) => kind === 'r').map((table) => statistics(table, context)),
};
