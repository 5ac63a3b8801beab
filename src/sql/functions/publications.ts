/** Functions about publications and replica identity. */
import type { Value } from '../expression/expression.js';
import { sqlError } from '../failure.js';
import {
  findPublication,
  filterOf,
  publishedAttnums,
  publishedTables,
  type PublicationEntry,
} from '../relations/publications.js';
import { replicaIdentityIndex } from '../relations/table-facts.js';
import { arrayElements } from '../types/array-values.js';
import { typeOids } from '../types/type-oids.js';
import { functions, setFunctions, type Call } from './definition.js';

/** @throws SqlError 42704 */
function entriesOf({ context }: Call, name: string): PublicationEntry[] {
  const publication = findPublication(context, name);
  if (publication === undefined) throw sqlError('42704', `publication "${name}" does not exist`);
  return publishedTables(context, publication);
}

function attrs(entry: PublicationEntry, major: number): Value {
  return publishedAttnums(entry, major)?.join(' ') ?? null;
}

function* manyPublications(call: Call, names: string): Generator<readonly Value[]> {
  const { types, major } = call.context;
  const entries = arrayElements(types, typeOids.textArray, names).flatMap((name) => entriesOf(call, name!));
  const roots = new Set(
    entries.filter(({ publication }) => publication.viaPartitionRoot).map(({ table }) => table.oid),
  );
  for (const entry of entries) {
    // A partition does not count where its root is published through another publication.
    const { table, publication } = entry;
    if (table.partitionOf !== null && roots.has(table.partitionOf)) continue;
    yield [String(publication.oid), String(table.oid), attrs(entry, major), filterOf(entry)];
  }
}

export const publicationFunctions = [
  setFunctions({
    '[-14]pg_get_publication_tables(pubname text) setof (relid oid)': (call, name) =>
      entriesOf(call, name).map(({ table }) => String(table.oid)),
    '[15-15]pg_get_publication_tables(pubname text) setof (relid oid, attrs int2vector, qual pg_node_tree)': (
      call,
      name,
    ) => entriesOf(call, name).map((entry) => [String(entry.table.oid), attrs(entry, 15), filterOf(entry)]),
    '[16-]pg_get_publication_tables(variadic pubname _text) setof (pubid oid, relid oid, attrs int2vector, qual pg_node_tree)':
      manyPublications,
    '[19-]pg_get_publication_tables(_text, oid) setof (pubid oid, relid oid, attrs int2vector, qual pg_node_tree)':
      function* (call, names, relation) {
        for (const row of manyPublications(call, names)) if (row[1] === relation) yield row;
      },
  }),
  functions({
    'pg_get_replica_identity_index(regclass) regclass': ({ context }, relation) => {
      const table = context.catalog.tables.get(Number(relation));
      return (table && replicaIdentityIndex(table)?.oid.toString()) ?? null;
    },
    'pg_relation_is_publishable(regclass) bool': ({ context }, relation) => {
      const table = context.catalog.tables.get(Number(relation));
      return table !== undefined && (table.kind === 'r' || context.major >= 13) ? 't' : 'f';
    },
  }),
];
