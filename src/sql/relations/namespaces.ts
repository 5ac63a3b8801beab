/** Schemas: those that every database has, and those that something of the scenario is in. */
import type { StatementContext } from '../context.js';
import { oidOfSchema } from '../derived-oids.js';
import { superuserOid } from './roles.js';
import type { CatalogBuilders } from './relation.js';

const always = ['pg_catalog', 'pg_toast', 'public', 'information_schema'];

export function namespaceNames({ catalog }: StatementContext): readonly string[] {
  const names = new Set(always);
  for (const table of catalog.tables.values()) names.add(table.namespace);
  for (const type of catalog.types.values()) names.add(type.namespace);
  for (const publication of catalog.publications?.values() ?? [])
    for (const schema of publication.schemas) names.add(schema);
  return [...names];
}

export const namespaceBuilders: CatalogBuilders = {
  'pg_catalog.pg_namespace': (context) =>
    namespaceNames(context).map((name) => ({
      oid: String(oidOfSchema(name, context.major)),
      nspname: name,
      nspowner: String(name === 'public' && context.major >= 15 ? databaseOwnerOid : superuserOid),
      nspacl: accessOf(name, context.major),
    })),
};

const databaseOwnerOid = 6171;

function accessOf(name: string, major: number): string | null {
  if (name === 'pg_toast') return null;
  if (name !== 'public') return '{postgres=UC/postgres,=U/postgres}';
  if (major >= 15) return '{pg_database_owner=UC/pg_database_owner,=U/pg_database_owner}';
  return '{postgres=UC/postgres,=UC/postgres}';
}
