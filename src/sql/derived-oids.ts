/**
 * OIDs of objects whose numbers a timeline leaves open: indexes, constraints, row types, the rows of pg_publication_rel …
 * They are worked out from the OID of the table (or the name of the schema) they belong to, so that they are the same in
 * every query and every run. They lie from 2^30 up, where no counter that starts at 16384 comes.
 */

const firstOfTables = 0x4000_0000;
const perTable = 64;
const firstOfSchemas = 0x3000_0000;

/** What can belong to a table, in a fixed order. */
const places = ['rowType', 'rowArray', 'primaryKey', 'primaryKeyConstraint', 'toast', 'attrdef'] as const;
/** After these, the table's other indexes. */
const firstIndex = 16;

export type TableObject = (typeof places)[number];

export function oidOfTableObject(tableOid: number, object: TableObject): number {
  return firstOfTables + ((tableOid * perTable + places.indexOf(object)) % firstOfTables);
}

/** @param position in the table's `indexes` */
export function oidOfIndex(tableOid: number, position: number): number {
  return firstOfTables + ((tableOid * perTable + firstIndex + position) % firstOfTables);
}

/** An entry of a publication: a table or a schema. */
export function oidOfPublicationEntry(publicationOid: number, entryOid: number): number {
  return firstOfSchemas + (((publicationOid * 0x9e37 + entryOid) >>> 0) % 0x0fff_ffff);
}

const knownSchemas = new Map([
  ['pg_catalog', 11],
  ['pg_toast', 99],
  ['public', 2200],
]);

export function oidOfSchema(name: string, major: number): number {
  if (name === 'information_schema') return informationSchemaOids[Math.min(major, 18) - 10]!;
  const known = knownSchemas.get(name);
  if (known !== undefined) return known;
  // FNV-1a, 32 bits.
  let hash = 0x811c_9dc5;
  for (const character of name) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x0100_0193) >>> 0;
  return firstOfSchemas + (hash % 0x0fff_ffff);
}

/** Of majors 10 to 18. */
const informationSchemaOids = [12649, 12794, 13096, 13099, 13329, 13124, 13127, 13134, 13144];
