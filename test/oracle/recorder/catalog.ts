/** What the catalogs say at one moment, as catalog-sql.ts asks for it. Absent keys: the major does not have it. */
import type { StoredColumn } from '../wal/out-of-line.js';

export interface CatalogColumn extends StoredColumn {
  readonly name: string;
  readonly type: number;
  /** As format_type has it: user-defined types with their schema. Null for a dropped column. */
  readonly typeName: string | null;
  readonly notNull: boolean;
  readonly dropped: boolean;
  /** a always, d by default, empty none. */
  readonly identity: string;
  /** s stored, v virtual, empty none. */
  readonly generated?: string;
}

export interface CatalogIndex {
  readonly name: string;
  readonly unique: boolean;
  readonly primary: boolean;
  /** Chosen as the replica identity. */
  readonly identity: boolean;
  /** Not deferrable. */
  readonly immediate: boolean;
  /** Neither partial nor with expressions. */
  readonly plain: boolean;
  readonly attnums: readonly number[];
  /** How many of `attnums` are key columns (from 11 on). */
  readonly keys?: number;
}

export interface CatalogTable {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: 'r' | 'p';
  readonly persistence: 'p' | 'u';
  readonly identity: 'd' | 'n' | 'f' | 'i';
  readonly file: number | null;
  readonly toastFile: number | null;
  readonly partitionOf: number | null;
  readonly bound: string | null;
  readonly inherits: readonly number[] | null;
  readonly partitionBy: { readonly strategy: 'r' | 'l' | 'h'; readonly attnums: readonly number[] } | null;
  readonly indexes: readonly CatalogIndex[] | null;
  readonly columns: readonly CatalogColumn[] | null;
}

export interface CatalogType {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  /** typtype: b base, c composite, d domain, e enum, m multirange, r range, p pseudo. */
  readonly kind: string;
  /** A for arrays. */
  readonly category: string;
  readonly element: number;
  readonly array: number;
  /** Of a domain. */
  readonly base: number;
  readonly baseName: string | null;
  readonly labels: readonly string[] | null;
  readonly subtype: string | null;
  readonly multirange?: number | null;
  readonly attributes: readonly { readonly name: string; readonly type: number; readonly typeName: string }[] | null;
}

export interface CatalogPublication {
  readonly oid: number;
  readonly name: string;
  readonly allTables: boolean;
  readonly insert: boolean;
  readonly update: boolean;
  readonly delete: boolean;
  readonly truncate?: boolean;
  readonly viaRoot?: boolean;
  /** n none, s stored. */
  readonly generated?: string;
  readonly schemas?: readonly string[] | null;
  readonly tables: readonly PublishedTable[] | null;
}

export interface PublishedTable {
  readonly oid: number;
  readonly columns?: readonly number[] | null;
  readonly where?: string | null;
}

export interface CatalogSnapshot {
  readonly tables: readonly CatalogTable[] | null;
  readonly types: readonly CatalogType[] | null;
  readonly schemas: readonly { readonly oid: number; readonly name: string }[] | null;
  readonly publications: readonly CatalogPublication[] | null;
}
