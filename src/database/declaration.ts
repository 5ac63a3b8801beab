/** What a caller says about tables and publications; the database works out the rest (OIDs, attnums, identity columns). */
import type { PgType } from '../postgres/pg-type.js';
import type { PartitionBound, RowFilter } from '../timeline/catalog.js';
import type { Datum } from '../timeline/datum.js';

export interface ColumnDeclaration {
  readonly name: string;
  readonly type: PgType;
  /** atttypmod; -1 for none (the default). */
  readonly typeModifier?: number;
  /** Implied by a primary key and by `identity`. */
  readonly notNull?: boolean;
  /** For rows that leave the column out; null or absent: NULL. */
  readonly default?: Datum;
  /** A generated column: its value comes with the row, as if the expression had made it. */
  readonly generated?: 'stored' | 'virtual';
  /** GENERATED … AS IDENTITY or serial: rows that leave it out get 1, 2, 3 … */
  readonly identity?: boolean;
  /** Every non-null value is stored out of line. */
  readonly toasted?: boolean;
}

export interface PrimaryKeyDeclaration {
  readonly columns: readonly string[];
  readonly deferrable?: boolean;
}

export interface IndexDeclaration {
  readonly name: string;
  readonly unique: boolean;
  readonly columns: readonly string[];
}

/** REPLICA IDENTITY, as ALTER TABLE says it. */
export type ReplicaIdentityDeclaration = 'default' | 'full' | 'nothing' | { readonly index: string };

export interface PartitioningDeclaration {
  readonly strategy: 'range' | 'list' | 'hash';
  readonly columns: readonly string[];
}

export interface TableDeclaration {
  /** Pins the OID. */
  readonly oid?: number;
  readonly namespace: string;
  readonly name: string;
  readonly columns: readonly ColumnDeclaration[];
  /** attnums of the columns, ascending: gaps tell of dropped columns. 1, 2, 3 … where absent. */
  readonly attnums?: readonly number[];
  readonly primaryKey?: PrimaryKeyDeclaration;
  readonly indexes?: readonly IndexDeclaration[];
  readonly replicaIdentity?: ReplicaIdentityDeclaration;
  readonly partitionBy?: PartitioningDeclaration;
  readonly partitions?: readonly PartitionDeclaration[];
  /** Inheritance parents (not partitioning): their columns come first. */
  readonly inherits?: readonly TableName[];
  /** CREATE TABLE … PARTITION OF: the columns and key are the parent's, `columns` stays empty. */
  readonly partitionOf?: { readonly parent: TableName; readonly bound: PartitionBound };
}

/** A partition has its parent's columns and primary key; their order and its identity can be its own, and a key that the parent lacks. */
export interface PartitionDeclaration {
  readonly oid?: number;
  /** The parent's where absent. */
  readonly namespace?: string;
  readonly name: string;
  readonly bound: PartitionBound;
  /** Every column of the parent, in the partition's own order. */
  readonly columnOrder?: readonly string[];
  /** As a table's; column lists of the root count by them when they tell which columns of a leaf its Relation shows. */
  readonly attnums?: readonly number[];
  readonly primaryKey?: PrimaryKeyDeclaration;
  readonly indexes?: readonly IndexDeclaration[];
  readonly replicaIdentity?: ReplicaIdentityDeclaration;
  readonly partitionBy?: PartitioningDeclaration;
  readonly partitions?: readonly PartitionDeclaration[];
}

/** A table's name, and its schema. */
export interface TableName {
  readonly namespace: string;
  readonly name: string;
}

export interface PublishedTableDeclaration extends TableName {
  /** Column list. */
  readonly columns?: readonly string[];
  readonly where?: RowFilter;
  /** ONLY: without the tables that inherit from it. */
  readonly only?: boolean;
}

/** A kind of change that a publication may leave out. */
export type PublishedAction = 'insert' | 'update' | 'delete' | 'truncate';

/** A publication, as CREATE PUBLICATION says it. */
export interface PublicationDeclaration {
  readonly oid?: number;
  readonly name: string;
  readonly allTables?: boolean;
  readonly schemas?: readonly string[];
  readonly tables?: readonly PublishedTableDeclaration[];
  /** All four where absent. */
  readonly publish?: readonly PublishedAction[];
  readonly viaPartitionRoot?: boolean;
  readonly generatedColumns?: 'none' | 'stored';
}

/** A row as statements give it: column name → canonical text, NULL, or a special form. Absent columns get their default. */
export type RowValues = Readonly<Record<string, Datum>>;
