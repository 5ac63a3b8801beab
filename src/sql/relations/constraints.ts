/** pg_index, pg_constraint, inheritance and partitioning. */
import type { Table } from '../../timeline/catalog.js';
import type { StatementContext } from '../context.js';
import { oidOfSchema, oidOfTableObject } from '../derived-oids.js';
import { bool, type CatalogBuilders, type CatalogRow } from './relation.js';
import { attnumsOf, indexesOf, type IndexFacts } from './table-facts.js';

function allIndexes({ catalog }: StatementContext): IndexFacts[] {
  return [...catalog.tables.values()].flatMap((table) => indexesOf(table));
}

function indexRow(index: IndexFacts, { types }: StatementContext): CatalogRow {
  const attnums = attnumsOf(index);
  const columns = index.columns.map((position) => index.table.columns[position]!);
  return {
    indexrelid: String(index.oid),
    indrelid: String(index.table.oid),
    indnatts: String(attnums.length),
    indnkeyatts: String(attnums.length),
    indisunique: bool(index.isUnique),
    indnullsnotdistinct: 'f',
    indisprimary: bool(index.isPrimary),
    indisexclusion: 'f',
    indimmediate: bool(!index.isDeferrable),
    indisclustered: 'f',
    indisvalid: 't',
    indcheckxmin: 'f',
    indisready: 't',
    indislive: 't',
    indisreplident: bool(index.isReplicaIdentity),
    indkey: attnums.join(' '),
    indcollation: columns.map(({ type }) => types.byOid(type.oid)?.collation ?? 0).join(' '),
    // Operator classes have no OIDs here.
    indclass: columns.map(() => 0).join(' '),
    indoption: columns.map(() => 0).join(' '),
    indexprs: null,
    indpred: null,
  };
}

function constraintRow(row: Partial<Record<string, string | null>>): CatalogRow {
  return {
    condeferrable: 'f',
    condeferred: 'f',
    conenforced: 't',
    convalidated: 't',
    contypid: '0',
    conindid: '0',
    conparentid: '0',
    confrelid: '0',
    confupdtype: '',
    confdeltype: '',
    confmatchtype: '',
    conislocal: 't',
    coninhcount: '0',
    connoinherit: 'f',
    conperiod: 'f',
    confkey: null,
    conpfeqop: null,
    conppeqop: null,
    conffeqop: null,
    confdelsetcols: null,
    conexclop: null,
    conbin: null,
    consrc: null,
    ...row,
  };
}

function* constraints(context: StatementContext): Generator<CatalogRow> {
  const { major } = context;
  for (const index of allIndexes(context).filter(({ isPrimary }) => isPrimary)) {
    const { table } = index;
    yield constraintRow({
      oid: String(oidOfTableObject(table.oid, 'primaryKeyConstraint')),
      conname: index.name,
      connamespace: String(oidOfSchema(table.namespace, major)),
      contype: 'p',
      condeferrable: bool(index.isDeferrable),
      conrelid: String(table.oid),
      conindid: String(index.oid),
      connoinherit: bool(table.partitionOf === null && table.kind === 'r'),
      conislocal: bool(table.partitionOf === null),
      coninhcount: table.partitionOf === null ? '0' : '1',
      conkey: `{${attnumsOf(index).join(',')}}`,
    });
  }
  // NOT NULL is a constraint with a name from 18 on.
  if (major >= 18) for (const table of context.catalog.tables.values()) yield* notNullConstraints(table, major);
}

function* notNullConstraints(table: Table, major: number): Generator<CatalogRow> {
  for (const [i, column] of table.columns.entries()) {
    if (!column.notNull) continue;
    yield constraintRow({
      oid: String(oidOfTableObject(table.oid, 'attrdef') + 0x1000_0000 + i),
      conname: `${table.name}_${column.name}_not_null`,
      connamespace: String(oidOfSchema(table.namespace, major)),
      contype: 'n',
      conrelid: String(table.oid),
      conislocal: bool(table.partitionOf === null),
      coninhcount: table.partitionOf === null ? '0' : '1',
      conkey: `{${table.attnums[i]!}}`,
    });
  }
}

function* inheritance({ catalog }: StatementContext): Generator<CatalogRow> {
  for (const table of catalog.tables.values()) {
    const parents = table.partitionOf === null ? table.inherits : [table.partitionOf];
    for (const [i, parent] of parents.entries()) {
      yield { inhrelid: String(table.oid), inhparent: String(parent), inhseqno: String(i + 1), inhdetachpending: 'f' };
    }
  }
  for (const index of [...catalog.tables.values()].flatMap((table) => indexesOf(table))) {
    if (!index.isPrimary || index.table.partitionOf === null) continue;
    const parent = oidOfTableObject(index.table.partitionOf, 'primaryKey');
    yield { inhrelid: String(index.oid), inhparent: String(parent), inhseqno: '1', inhdetachpending: 'f' };
  }
}

const strategies = { range: 'r', list: 'l', hash: 'h' } as const;

function* partitioned({ catalog }: StatementContext): Generator<CatalogRow> {
  for (const table of catalog.tables.values()) {
    if (table.partitioning === null) continue;
    const { strategy, columns } = table.partitioning;
    const fallback = [...catalog.tables.values()].find(
      (t) => t.partitionOf === table.oid && t.bound?.kind === 'default',
    );
    yield {
      partrelid: String(table.oid),
      partstrat: strategies[strategy],
      partnatts: String(columns.length),
      partdefid: String(fallback?.oid ?? 0),
      partattrs: columns.map((position) => table.attnums[position]!).join(' '),
      partclass: columns.map(() => 0).join(' '),
      partcollation: columns.map(() => 0).join(' '),
      partexprs: null,
    };
  }
}

export const constraintBuilders: CatalogBuilders = {
  'pg_catalog.pg_index': (context) => allIndexes(context).map((index) => indexRow(index, context)),
  'pg_catalog.pg_constraint': constraints,
  'pg_catalog.pg_inherits': inheritance,
  'pg_catalog.pg_partitioned_table': partitioned,
};
