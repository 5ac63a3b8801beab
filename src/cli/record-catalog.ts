/** What the catalogs of a server say of recorded tables and types, beyond what Relations do. */
import { Connection, type Target } from '../client/index.js';
import { domainType, enumType, formatType, parseTypeName, type PgType } from '../postgres/index.js';
import type { DeclaredTypes } from '../scenario/decompile/declared-types.js';
import type { TableFacts } from '../scenario/decompile/tables.js';

export interface CatalogFacts extends DeclaredTypes {
  readonly tables: ReadonlyMap<number, TableFacts>;
}

interface MutableFacts {
  primaryKey: string[];
  readonly notNull: Set<string>;
  identityIndex: string | null;
}

/** @throws DatabaseError, ConnectionError */
export async function readCatalog(target: Target, relationIds: Iterable<number>, major: number): Promise<CatalogFacts> {
  const oids = [...relationIds];
  const connection = await Connection.open(target, { replication: false });
  try {
    return {
      tables: oids.length === 0 ? new Map() : await tableFacts(connection, oids),
      ...(oids.length === 0 ? noTypes : await userTypes(connection, oids, major)),
    };
  } finally {
    connection.end();
  }
}

const noTypes: DeclaredTypes = { types: new Map(), declarations: [] };

async function tableFacts(connection: Connection, oids: readonly number[]): Promise<Map<number, TableFacts>> {
  const facts = new Map<number, MutableFacts>(
    oids.map((oid) => [oid, { primaryKey: [], notNull: new Set(), identityIndex: null }]),
  );
  const notNull = await connection.query(
    `SELECT attrelid, attname FROM pg_catalog.pg_attribute
      WHERE attrelid IN (${oids.join()}) AND attnum > 0 AND attnotnull AND NOT attisdropped`,
  );
  for (const [oid, name] of notNull.rows) facts.get(Number(oid))?.notNull.add(name!);
  const keys = await connection.query(
    `SELECT i.indrelid, c.relname, i.indisprimary, i.indisreplident, a.attname
       FROM pg_catalog.pg_index i
       JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
       JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indexrelid
      WHERE i.indrelid IN (${oids.join()}) AND i.indimmediate AND (i.indisprimary OR i.indisreplident)
      ORDER BY i.indexrelid, a.attnum`,
  );
  for (const [oid, index, isPrimary, isIdentity, column] of keys.rows) {
    const table = facts.get(Number(oid))!;
    if (isPrimary === 't') table.primaryKey.push(column!);
    if (isIdentity === 't') table.identityIndex = index!;
  }
  return facts;
}

/** Enums and domains over built-in types; others are written with their OIDs. */
async function userTypes(connection: Connection, oids: readonly number[], major: number): Promise<DeclaredTypes> {
  const { rows } = await connection.query(
    `SELECT t.oid, n.nspname, t.typname, t.typarray, t.typtype, t.typbasetype,
            pg_catalog.format_type(NULLIF(t.typbasetype, 0), NULLIF(t.typtypmod, -1)), e.enumlabel
       FROM pg_catalog.pg_type t
       JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
       LEFT JOIN pg_catalog.pg_enum e ON e.enumtypid = t.oid
      WHERE t.typtype IN ('e', 'd') AND t.oid IN
            (SELECT a.atttypid FROM pg_catalog.pg_attribute a WHERE a.attrelid IN (${oids.join()}) AND a.attnum > 0)
      ORDER BY t.oid, e.enumsortorder`,
  );
  const types = new Map<number, PgType>();
  const labels = new Map<number, string[]>();
  const declarations: DeclaredTypes['declarations'][number][] = [];
  for (const [oidText, namespace, name, array, kind, , base, label] of rows) {
    const [oid, arrayOid] = [Number(oidText), Number(array)];
    const fields = { oid, arrayOid, namespace: namespace!, name: name! };
    if (kind === 'e') {
      const known = labels.get(oid) ?? [];
      labels.set(oid, [...known, label!]);
      types.set(oid, enumType(fields, [...known, label!]));
    } else {
      const type = builtin(base!, major);
      if (type !== undefined) {
        types.set(oid, domainType(fields, type.type, type.typeModifier));
        declarations.push({ ...fields, domain: formatType(type.type, type.typeModifier, major) });
      }
    }
  }
  for (const [oid, list] of labels) {
    const { arrayOid, namespace, name } = types.get(oid)!;
    declarations.push({ oid, arrayOid, namespace, name, labels: list });
  }
  return { types, declarations };
}

function builtin(name: string, major: number) {
  try {
    return parseTypeName(name, major);
  } catch {
    return undefined;
  }
}
