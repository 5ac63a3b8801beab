/** From a name or an OID to a relation: system catalogs, and the tables of the scenario. */
import type { StatementContext } from '../context.js';
import { NotEmulated } from '../failure.js';
import { perMajor } from '../system/lines.js';
import type { Value } from '../expression/expression.js';
import { catalogBuilders, emptyCatalogs } from './catalog-builders.js';
import type { CatalogRow, Relation } from './relation.js';
import { systemRelations, type SystemRelation } from './system-schema.js';
import { indexesOf } from './table-facts.js';
import { tableRelation } from './table-relation.js';

const systemByName = perMajor((major) => {
  const relations = new Map<string, Relation>();
  for (const [name, schema] of systemRelations(major)) relations.set(name, systemRelation(name, schema, major));
  return relations;
});

function systemRelation(name: string, schema: SystemRelation, major: number): Relation {
  const position = schema.columns.findIndex((column) => column.name === 'oid');
  const build = catalogBuilders[name];
  const names = schema.columns.map((column) => column.name);
  // Rows that are the same in every statement are put in order once.
  const known = new WeakMap<CatalogRow, readonly Value[]>();
  return {
    ...schema,
    // Catalogs have primary keys from 14 on.
    primaryKey: major >= 14 && schema.kind === 'r' && position >= 0 ? [position] : undefined,
    rows: (context) => {
      if (build !== undefined) return valuesOf(build(context), names, known);
      if (emptyCatalogs.has(name)) return [];
      throw new NotEmulated(`the contents of ${name}`);
    },
  };
}

function* valuesOf(
  rows: Iterable<CatalogRow>,
  names: readonly string[],
  known: WeakMap<CatalogRow, readonly Value[]>,
): Generator<readonly Value[]> {
  for (const row of rows) {
    let values = known.get(row);
    if (values === undefined) {
      values = names.map((name) => row[name] ?? null);
      known.set(row, values);
    }
    yield values;
  }
}

/**
 * By name, looked for in search_path (pg_catalog first) where no schema is given.
 * @returns undefined where there is none
 */
export function findRelation(
  context: StatementContext,
  schema: string | undefined,
  name: string,
): Relation | undefined {
  if (schema !== undefined) return inSchema(context, schema, name);
  const { session, catalog } = context;
  for (const candidate of ['pg_catalog', ...session.searchPath(catalog)]) {
    const found = inSchema(context, candidate, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function inSchema(context: StatementContext, schema: string, name: string): Relation | undefined {
  const system = systemByName(context.major).get(`${schema}.${name}`);
  if (system !== undefined) return system;
  for (const table of context.catalog.tables.values()) {
    if (table.name === name && table.namespace === schema) return tableRelation(table);
  }
  return undefined;
}

export interface NamedRelation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
}

/** Tables and indexes of the scenario. */
function* userRelations({ catalog }: StatementContext): Generator<NamedRelation> {
  for (const table of catalog.tables.values()) {
    yield { oid: table.oid, schema: table.namespace, name: table.name };
    for (const index of indexesOf(table)) yield { oid: index.oid, schema: table.namespace, name: index.name };
  }
}

/** Indexes included, which have names too but cannot be read. */
export function relationByOid(context: StatementContext, oid: number): NamedRelation | undefined {
  for (const relation of userRelations(context)) if (relation.oid === oid) return relation;
  for (const relation of systemByName(context.major).values()) if (relation.oid === oid) return relation;
  return undefined;
}

/** By name, as `findRelation`, indexes included. */
export function relationByName(
  context: StatementContext,
  schema: string | undefined,
  name: string,
): NamedRelation | undefined {
  const schemas = schema === undefined ? ['pg_catalog', ...context.session.searchPath(context.catalog)] : [schema];
  for (const candidate of schemas) {
    const system = systemByName(context.major).get(`${candidate}.${name}`);
    if (system !== undefined) return system;
    for (const relation of userRelations(context))
      if (relation.name === name && relation.schema === candidate) return relation;
  }
  return undefined;
}
