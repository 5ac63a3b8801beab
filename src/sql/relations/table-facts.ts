/** What the catalogs say about tables beyond the timeline's own words: indexes, constraints, access. */
import { quoteIdentifier } from '../../postgres/index.js';
import type { Table } from '../../timeline/catalog.js';
import { oidOfIndex, oidOfTableObject } from '../derived-oids.js';

export interface IndexFacts {
  readonly oid: number;
  readonly name: string;
  readonly table: Table;
  /** Positions in the table's columns. */
  readonly columns: readonly number[];
  readonly isUnique: boolean;
  readonly isPrimary: boolean;
  readonly isDeferrable: boolean;
  /** REPLICA IDENTITY USING INDEX names it. */
  readonly isReplicaIdentity: boolean;
}

const maxIdentifier = 63;

/** The name that the server gives a primary key. */
export function primaryKeyName(table: Table): string {
  return `${table.name.slice(0, maxIdentifier - 5)}_pkey`;
}

export function indexesOf(table: Table): readonly IndexFacts[] {
  const indexes: IndexFacts[] = [];
  const { primaryKey } = table;
  const isChosen = (columns: readonly number[]): boolean =>
    table.replicaIdentity === 'index' && columns.join() === table.identityColumns.join();
  if (primaryKey !== null) {
    indexes.push({
      oid: oidOfTableObject(table.oid, 'primaryKey'),
      name: primaryKeyName(table),
      table,
      columns: primaryKey.columns,
      isUnique: true,
      isPrimary: true,
      isDeferrable: primaryKey.deferrable,
      isReplicaIdentity: false,
    });
  }
  table.indexes.forEach(({ name, unique, columns }, i) => {
    indexes.push({
      oid: oidOfIndex(table.oid, i),
      name,
      table,
      columns,
      isUnique: unique,
      isPrimary: false,
      isDeferrable: false,
      isReplicaIdentity: unique && isChosen(columns) && !indexes.some((index) => index.isReplicaIdentity),
    });
  });
  return indexes;
}

/** The index by which rows are told apart in replication: pg_get_replica_identity_index(). */
export function replicaIdentityIndex(table: Table): IndexFacts | undefined {
  const indexes = indexesOf(table);
  if (table.replicaIdentity === 'index') return indexes.find((index) => index.isReplicaIdentity);
  if (table.replicaIdentity !== 'default') return undefined;
  return indexes.find((index) => index.isPrimary && !index.isDeferrable);
}

export function attnumsOf({ table, columns }: Pick<IndexFacts, 'table' | 'columns'>): readonly number[] {
  return columns.map((position) => table.attnums[position]!);
}

function columnList({ table, columns }: IndexFacts): string {
  return columns.map((position) => quoteIdentifier(table.columns[position]!.name)).join(', ');
}

export function qualifiedName(table: Table): string {
  return `${quoteIdentifier(table.namespace)}.${quoteIdentifier(table.name)}`;
}

/** pg_get_indexdef(). */
export function indexDefinition(index: IndexFacts): string {
  const only = index.table.kind === 'p' ? 'ONLY ' : '';
  const unique = index.isUnique ? 'UNIQUE ' : '';
  return `CREATE ${unique}INDEX ${quoteIdentifier(index.name)} ON ${only}${qualifiedName(index.table)} USING btree (${columnList(index)})`;
}

/** pg_get_constraintdef() of a primary key. */
export function constraintDefinition(index: IndexFacts): string {
  return `PRIMARY KEY (${columnList(index)})${index.isDeferrable ? ' DEFERRABLE' : ''}`;
}

/** `FOR VALUES FROM ('1') TO ('10')`, as pg_get_expr(relpartbound) prints it. */
export function boundText(table: Table): string | null {
  const { bound } = table;
  const literal = (value: string | null, forNull: string): string =>
    value === null ? forNull : `'${value.replaceAll("'", "''")}'`;
  switch (bound?.kind) {
    case undefined:
      return null;
    case 'default':
      return 'DEFAULT';
    case 'hash':
      return `FOR VALUES WITH (modulus ${bound.modulus}, remainder ${bound.remainder})`;
    case 'list':
      return `FOR VALUES IN (${bound.values.map((value) => literal(value, 'NULL')).join(', ')})`;
    case 'range': {
      const list = (values: readonly (string | null)[], open: string): string =>
        values.map((value) => literal(value, open)).join(', ');
      return `FOR VALUES FROM (${list(bound.from, 'MINVALUE')}) TO (${list(bound.to, 'MAXVALUE')})`;
    }
  }
}
