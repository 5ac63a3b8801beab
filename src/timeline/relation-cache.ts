/**
 * What one connection remembers of relations (pgoutput's RelationSyncCache): how each is published, and whether its
 * Relation has been sent. Entries are not updated when something changes but marked, and worked out anew at their next use:
 *
 *   (none) ─first change─→ valid ─DDL on the table or on publications─→ stale ─next change─→ valid, Relation to be sent again
 *
 * Streamed transactions are tracked apart: their client applies them later, and in an order that is not known yet.
 */
import type { Relation, Type } from '../pgoutput/messages.js';
import { firstGeneratedOid } from '../values/oid.js';
import type { WireErrorFields } from '../values/wire-error.js';
import type { Catalog, Column, Publication, Table } from './catalog.js';
import { isColumnPublished, publishedWhole, publishingOf, type Publishing } from './publishing.js';
import type { Invalidation, SystemCatalog } from './timeline.js';
import { TuplePlan, type TupleFormat } from './tuple-plan.js';

export class RelationEntry {
  valid = false;
  /** Set while stale: whether Relation must be sent again when the entry is worked out anew. */
  resend = true;
  /** Whether working it out anew would read the catalogs themselves, and not what is cached of them. */
  cold = true;
  /** Set while stale: whether publications must be looked at again. */
  republish = true;
  schemaSent = false;
  /** Top-level xids of streamed transactions that have sent it. */
  streamedXids: readonly number[] = [];
  /** Versions that `plan` is for. */
  table!: Table;
  target!: Table;
  publishing!: Publishing;
  plan!: TuplePlan;
}

export interface RelationCacheOptions {
  readonly major: number;
  readonly publicationNames: readonly string[];
  readonly format: TupleFormat;
  /** Raises an error of the output plugin. */
  readonly fail: (error: WireErrorFields) => never;
  readonly warn: (error: WireErrorFields) => void;
}

export class RelationCache {
  readonly #entries = new Map<number, RelationEntry>();
  /** System catalogs of which decoding knows the file. */
  readonly #files = new Set<SystemCatalog>();
  /** Names of the publications found; null: to be looked up. */
  #publications: readonly string[] | null = null;

  constructor(private readonly options: RelationCacheOptions) {}

  /** An entry that is valid for this version of the table. May raise errors of the plugin. */
  entry(table: Table, catalog: Catalog): RelationEntry {
    let entry = this.#entries.get(table.oid);
    if (entry === undefined) {
      entry = new RelationEntry();
      this.#entries.set(table.oid, entry);
    }
    if (!entry.valid) this.#validate(entry, table, catalog);
    else if (
      entry.table !== table ||
      (entry.target !== table && entry.target !== catalog.tables.get(entry.target.oid))
    ) {
      this.#plan(entry, table, catalog);
    }
    return entry;
  }

  /** Looking the table up would read the catalogs: it is not cached, or not any more. */
  isCold(table: Table): boolean {
    const entry = this.#entries.get(table.oid);
    return entry === undefined || (!entry.valid && entry.cold);
  }

  /** Looking up what the file of one of these is would read the catalogs. */
  areColdCatalogs(catalogs: readonly SystemCatalog[]): boolean {
    return catalogs.some((catalog) => !this.#files.has(catalog));
  }

  meetCatalogs(catalogs: readonly SystemCatalog[]): void {
    for (const catalog of catalogs) this.#files.add(catalog);
  }

  #validate(entry: RelationEntry, table: Table, catalog: Catalog): void {
    if (entry.resend) {
      entry.schemaSent = false;
      entry.streamedXids = [];
    }
    if (entry.republish) entry.publishing = this.#publish(table, catalog);
    this.#plan(entry, table, catalog);
    entry.valid = true;
    entry.resend = false;
    entry.cold = false;
    entry.republish = false;
  }

  #publish(table: Table, catalog: Catalog): Publishing {
    const { major, fail } = this.options;
    const { publications } = catalog;
    this.#publications ??= this.#load(catalog);
    if (publications === null) return publishedWhole(table);
    return publishingOf(catalog, table, present(publications, this.#publications), major, fail);
  }

  #plan(entry: RelationEntry, table: Table, catalog: Catalog): void {
    const { publishAs } = entry.publishing;
    entry.table = table;
    entry.target = publishAs === table.oid ? table : catalog.tables.get(publishAs)!;
    entry.plan = new TuplePlan(table, entry.target, entry.publishing, this.options.format);
  }

  #load({ publications }: Catalog): readonly string[] {
    const { publicationNames, major, fail, warn } = this.options;
    return publicationNames.filter((name) => {
      if (publications?.has(name) !== false) return true;
      if (major < 18) fail({ code: '42704', message: `publication "${name}" does not exist` });
      warn(skippedPublication(name));
      return false;
    });
  }

  invalidate(invalidation: Invalidation): void {
    const { major } = this.options;
    switch (invalidation.kind) {
      case 'tables':
        // Up to 14 the answer of the publications is kept: a table that becomes a partition stays unpublished.
        for (const oid of invalidation.oids) this.#stale(this.#entries.get(oid), true, major >= 15);
        break;
      case 'publication': {
        const { statement, oids } = invalidation;
        const publicationRow = !['addTables', 'dropTables', 'setTables'].includes(statement);
        if (publicationRow) this.#publications = null;
        // Up to 14 publications are looked at anew, and no Relation is sent for it; from 18 on only their own tables are.
        for (const entry of this.#entries.values()) {
          entry.cold = true;
          if (major < 18) this.#stale(entry, major >= 15);
        }
        if (invalidation.allTables === true) this.#files.clear();
        if (statement === 'rename' && major < 18) break;
        for (const oid of oids) this.#stale(this.#entries.get(oid), true);
        break;
      }
      case 'schema':
        if (major >= 16) for (const entry of this.#entries.values()) this.#stale(entry, true, true, false);
        break;
      case 'all':
        this.#publications = null;
        this.#files.clear();
        for (const entry of this.#entries.values()) this.#stale(entry, true);
        break;
      case 'none':
        break;
    }
  }

  #stale(entry: RelationEntry | undefined, resend: boolean, republish = true, cold = true): void {
    if (entry === undefined) return;
    entry.valid = false;
    entry.resend ||= resend;
    entry.cold ||= cold;
    entry.republish ||= republish;
  }

  /** A streamed transaction committed: what it sent holds from now on. Aborted, in part or whole: the client forgets it. */
  streamEnded(xid: number, committed: boolean): void {
    for (const entry of this.#entries.values()) {
      if (!entry.streamedXids.includes(xid)) continue;
      if (committed) entry.schemaSent = true;
      entry.streamedXids = entry.streamedXids.filter((other) => other !== xid);
    }
  }
}

/** Type messages and the Relation of a table, with the columns published. */
export function schemaMessages(table: Table, publishing: Publishing, major: number): (Type | Relation)[] {
  const positions = table.columns
    .map((_, i) => i)
    .filter((i) => isColumnPublished(table.columns[i]!, table.attnums[i]!, publishing, major));
  const types = positions
    .map((i) => table.columns[i]!)
    .filter(({ type }) => type.oid >= firstGeneratedOid)
    .map(typeMessage);
  const full = table.replicaIdentity === 'full';
  return [
    ...types,
    {
      kind: 'relation',
      relationId: table.oid,
      namespace: shownNamespace(table.namespace),
      name: table.name,
      replicaIdentity: table.replicaIdentity,
      columns: positions.map((i) => {
        const { name, type, typeModifier } = table.columns[i]!;
        return { key: full || table.identityColumns.includes(i), name, typeOid: type.oid, typeModifier };
      }),
    },
  ];
}

/** A domain goes by its own OID and the name of what it is a domain over. */
function typeMessage({ type }: Column): Type {
  let base = type;
  while (base.kind === 'domain') base = base.element!;
  return { kind: 'type', typeOid: type.oid, namespace: shownNamespace(base.namespace), name: base.name };
}

function present(publications: ReadonlyMap<string, Publication>, names: readonly string[]): Publication[] {
  return names.map((name) => publications.get(name)).filter((publication) => publication !== undefined);
}

function shownNamespace(namespace: string): string {
  return namespace === 'pg_catalog' ? '' : namespace;
}

function skippedPublication(name: string): WireErrorFields {
  return {
    severity: 'WARNING',
    code: '55000',
    message: `skipped loading publication "${name}"`,
    detail: 'The publication does not exist at this point in the WAL.',
    hint: 'Create the publication if it does not exist.',
  };
}
