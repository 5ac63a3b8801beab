/**
 * What the system catalogs hold at one moment. Immutable: DDL makes a new Catalog that shares what did not change,
 * so that every change in a timeline can refer to the version of its table that was current then.
 */
import type { PgType } from '../postgres/pg-type.js';
import type { ReplicaIdentity } from '../pgoutput/messages.js';
import type { Datum } from './datum.js';

export interface Column {
  readonly name: string;
  readonly type: PgType;
  /** atttypmod; -1 for none. */
  readonly typeModifier: number;
  readonly notNull: boolean;
  readonly generated: 'stored' | 'virtual' | null;
  /** Identity column (GENERATED … AS IDENTITY): an ordinary column on the wire. */
  readonly identity: boolean;
}

/** One version of a table. Dropped columns are gone; `columns` are in attribute order. */
export interface Table {
  readonly oid: number;
  readonly namespace: string;
  readonly name: string;
  /** relkind: r ordinary, p partitioned. */
  readonly kind: 'r' | 'p';
  readonly replicaIdentity: ReplicaIdentity;
  /** Positions in `columns` of the replica identity index (usable primary key or chosen index); empty for none. */
  readonly identityColumns: readonly number[];
  readonly primaryKey: { readonly columns: readonly number[]; readonly deferrable: boolean } | null;
  readonly indexes: readonly Index[];
  readonly columns: readonly Column[];
  /** attnum of each of `columns` (gaps where columns were dropped). */
  readonly attnums: readonly number[];
  /** Partitioned table that this is a partition of. */
  readonly partitionOf: number | null;
  /** Inheritance parents (not partitioning). */
  readonly inherits: readonly number[];
  readonly partitioning: Partitioning | null;
  /** The bound of a partition, as the scenario gave it; null for others. */
  readonly bound: PartitionBound | null;
}

export interface Index {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly number[];
}

export interface Partitioning {
  readonly strategy: 'range' | 'list' | 'hash';
  readonly columns: readonly number[];
}

export type PartitionBound =
  | { readonly kind: 'range'; readonly from: readonly (string | null)[]; readonly to: readonly (string | null)[] }
  | { readonly kind: 'list'; readonly values: readonly (string | null)[] }
  | { readonly kind: 'hash'; readonly modulus: number; readonly remainder: number }
  | { readonly kind: 'default' };

export interface PublishedTable {
  /** Column list (names); null for none. */
  readonly columns: readonly string[] | null;
  /** Row filter; null for none. */
  readonly where: RowFilter | null;
}

/** A row filter (CREATE PUBLICATION … WHERE): its text and its compiled form with SQL's three-valued logic. */
export interface RowFilter {
  readonly text: string;
  /** True, false, or null (unknown, which counts as false). `columns` are those of the table version evaluated. */
  evaluate(row: readonly Datum[], columns: readonly Column[]): boolean | null;
  /** Names of the columns used. */
  readonly columns: readonly string[];
}

export interface Publication {
  readonly oid: number;
  readonly name: string;
  readonly allTables: boolean;
  readonly schemas: readonly string[];
  /** By table OID. */
  readonly tables: ReadonlyMap<number, PublishedTable>;
  readonly publish: {
    readonly insert: boolean;
    readonly update: boolean;
    readonly delete: boolean;
    readonly truncate: boolean;
  };
  readonly viaPartitionRoot: boolean;
  readonly generatedColumns: 'none' | 'stored';
}

export interface Catalog {
  readonly tables: ReadonlyMap<number, Table>;
  /** Null: the scenario declares none, so every publication name exists and publishes everything. */
  readonly publications: ReadonlyMap<string, Publication> | null;
  /** User-defined types by OID. */
  readonly types: ReadonlyMap<number, PgType>;
}
