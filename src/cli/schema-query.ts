/** The schema of a database, asked for by ordinary queries, as the SQL that would make it: what `pg_dump --schema-only` does. */
import { Connection, quoteIdentifier, type Target } from '../client/index.js';

type Row = readonly (string | null)[];

const ownSchemas = `n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'`;

/** @throws DatabaseError, ConnectionError */
export async function databaseSchema(target: Target): Promise<{ readonly sql: string; readonly version: string }> {
  const connection = await Connection.open(target, { replication: false });
  try {
    const version = connection.parameters.get('server_version') ?? '';
    const major = Number.parseInt(version, 10);
    const ask = async (text: string): Promise<readonly Row[]> => (await connection.query(text)).rows;
    // Names come with their schemas then.
    await ask(`SELECT pg_catalog.set_config('search_path', '', false)`);
    const parts = [
      await types(ask),
      await tables(ask, major),
      await constraints(ask),
      await attachments(ask),
      await identities(ask),
      await publications(ask, major),
    ];
    return { sql: parts.flat().join('\n'), version: String(major) };
  } finally {
    connection.end();
  }
}

type Ask = (text: string) => Promise<readonly Row[]>;

/** In the order in which they were made: a type stands behind those that it consists of. */
async function types(ask: Ask): Promise<string[]> {
  const found = await ask(`
    SELECT t.oid, t.typtype, n.nspname, t.typname, pg_catalog.format_type(t.typbasetype, t.typtypmod), t.typrelid
    FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
    LEFT JOIN pg_catalog.pg_class c ON c.oid = t.typrelid
    WHERE ${ownSchemas} AND t.typtype IN ('e', 'd', 'c', 'r') AND (t.typrelid = 0 OR c.relkind = 'c')
    ORDER BY t.oid`);
  const statements: string[] = [];
  for (const [oid, kind, schema, name, base, relation] of found) {
    const head = `${kind === 'd' ? 'CREATE DOMAIN' : 'CREATE TYPE'} ${quoted(schema, name)} AS`;
    if (kind === 'd') statements.push(`${head} ${base!};`);
    else if (kind === 'e') {
      const labels = await ask(
        `SELECT enumlabel FROM pg_catalog.pg_enum WHERE enumtypid = ${oid!} ORDER BY enumsortorder`,
      );
      statements.push(`${head} ENUM (${labels.map(([label]) => literal(label)).join(', ')});`);
    } else if (kind === 'r') {
      const [range] = await ask(
        `SELECT pg_catalog.format_type(rngsubtype, NULL) FROM pg_catalog.pg_range WHERE rngtypid = ${oid!}`,
      );
      statements.push(`${head} RANGE (subtype = ${range![0]!});`);
    } else {
      const attributes = await ask(`
        SELECT attname, pg_catalog.format_type(atttypid, atttypmod) FROM pg_catalog.pg_attribute
        WHERE attrelid = ${relation!} AND attnum > 0 AND NOT attisdropped ORDER BY attnum`);
      statements.push(
        `${head} (${attributes.map(([attribute, type]) => `${quoteIdentifier(attribute!)} ${type!}`).join(', ')});`,
      );
    }
  }
  return statements;
}

async function tables(ask: Ask, major: number): Promise<string[]> {
  const found = await ask(`
    SELECT c.oid, n.nspname, c.relname, c.relkind,
      CASE WHEN c.relkind = 'p' THEN pg_catalog.pg_get_partkeydef(c.oid) END
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE ${ownSchemas} AND c.relkind IN ('r', 'p') AND c.relpersistence = 'p' ORDER BY c.oid`);
  const generated = major >= 12 ? 'a.attgenerated' : `''`;
  const statements: string[] = [];
  for (const [oid, schema, name, , partitioning] of found) {
    const columns = await ask(`
      SELECT a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, ${generated},
        pg_catalog.pg_get_expr(d.adbin, d.adrelid)
      FROM pg_catalog.pg_attribute a
      LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = ${oid!} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`);
    const parents = await ask(`
      SELECT n.nspname, c.relname FROM pg_catalog.pg_inherits i
      JOIN pg_catalog.pg_class c ON c.oid = i.inhparent JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE i.inhrelid = ${oid!} AND c.relkind = 'r' ORDER BY i.inhseqno`);
    const inherits = parents.length === 0 ? '' : ` INHERITS (${parents.map(([s, n]) => quoted(s, n)).join(', ')})`;
    const by = partitioning ? ` PARTITION BY ${partitioning}` : '';
    statements.push(
      `CREATE TABLE ${quoted(schema, name)} (\n  ${columns.map(columnText).join(',\n  ')}\n)${inherits}${by};`,
    );
  }
  return statements;
}

function columnText([name, type, notNull, identity, generated, expression]: Row): string {
  const parts = [quoteIdentifier(name!), type!];
  if (generated === 's' || generated === 'v') {
    parts.push(`GENERATED ALWAYS AS (${expression!}) ${generated === 's' ? 'STORED' : 'VIRTUAL'}`);
  } else if (expression) parts.push(`DEFAULT ${expression}`);
  if (identity === 'a' || identity === 'd') parts.push('GENERATED BY DEFAULT AS IDENTITY');
  if (notNull === 't') parts.push('NOT NULL');
  return parts.join(' ');
}

/** Keys, and indexes that are none. */
async function constraints(ask: Ask): Promise<string[]> {
  const keys = await ask(`
    SELECT n.nspname, c.relname, k.conname, pg_catalog.pg_get_constraintdef(k.oid)
    FROM pg_catalog.pg_constraint k JOIN pg_catalog.pg_class c ON c.oid = k.conrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE ${ownSchemas} AND k.contype IN ('p', 'u') AND c.relkind IN ('r', 'p') AND c.relpersistence = 'p' ORDER BY k.oid`);
  const indexes = await ask(`
    SELECT pg_catalog.pg_get_indexdef(i.indexrelid)
    FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE ${ownSchemas} AND c.relkind IN ('r', 'p') AND c.relpersistence = 'p' AND i.indisvalid
      AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
    ORDER BY i.indexrelid`);
  return [
    ...keys.map(([schema, table, name, definition]) => {
      return `ALTER TABLE ONLY ${quoted(schema, table)} ADD CONSTRAINT ${quoteIdentifier(name!)} ${definition!};`;
    }),
    ...indexes.map(([definition]) => `${definition!};`),
  ];
}

async function attachments(ask: Ask): Promise<string[]> {
  const partitions = await ask(`
    SELECT pn.nspname, p.relname, n.nspname, c.relname, pg_catalog.pg_get_expr(c.relpartbound, c.oid)
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_catalog.pg_inherits i ON i.inhrelid = c.oid
    JOIN pg_catalog.pg_class p ON p.oid = i.inhparent JOIN pg_catalog.pg_namespace pn ON pn.oid = p.relnamespace
    WHERE ${ownSchemas} AND c.relispartition AND c.relkind IN ('r', 'p') ORDER BY c.oid`);
  return partitions.map(([parentSchema, parent, schema, name, bound]) => {
    return `ALTER TABLE ONLY ${quoted(parentSchema, parent)} ATTACH PARTITION ${quoted(schema, name)} ${bound!};`;
  });
}

async function identities(ask: Ask): Promise<string[]> {
  const found = await ask(`
    SELECT n.nspname, c.relname, c.relreplident,
      (SELECT x.relname FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class x ON x.oid = i.indexrelid
       WHERE i.indrelid = c.oid AND i.indisreplident)
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE ${ownSchemas} AND c.relkind IN ('r', 'p') AND c.relpersistence = 'p' AND c.relreplident <> 'd' ORDER BY c.oid`);
  return found.map(([schema, name, kind, index]) => {
    const identity = kind === 'f' ? 'FULL' : kind === 'n' ? 'NOTHING' : `USING INDEX ${quoteIdentifier(index ?? '')}`;
    return `ALTER TABLE ONLY ${quoted(schema, name)} REPLICA IDENTITY ${identity};`;
  });
}

async function publications(ask: Ask, major: number): Promise<string[]> {
  const truncate = major >= 11 ? 'pubtruncate' : 'true';
  const viaRoot = major >= 13 ? 'pubviaroot' : 'false';
  const generated = major >= 18 ? 'pubgencols' : `'n'`;
  const found = await ask(`
    SELECT oid, pubname, puballtables, pubinsert, pubupdate, pubdelete, ${truncate}, ${viaRoot}, ${generated}
    FROM pg_catalog.pg_publication ORDER BY oid`);
  const statements: string[] = [];
  for (const [oid, name, all, insert, update, remove, truncated, root, columns] of found) {
    const actions = { insert, update, delete: remove, ...(major >= 11 && { truncate: truncated }) };
    const publish = Object.entries(actions).flatMap(([action, isSet]) => (isSet === 't' ? [action] : []));
    const options = [
      ...(publish.length < 4 ? [`publish = ${literal(publish.join(', '))}`] : []),
      ...(root === 't' ? ['publish_via_partition_root = true'] : []),
      ...(columns === 's' ? ['publish_generated_columns = stored'] : []),
    ];
    const withOptions = options.length === 0 ? '' : ` WITH (${options.join(', ')})`;
    statements.push(
      `CREATE PUBLICATION ${quoteIdentifier(name!)}${all === 't' ? ' FOR ALL TABLES' : ''}${withOptions};`,
    );
    for (const member of await members(ask, oid!, major)) {
      statements.push(`ALTER PUBLICATION ${quoteIdentifier(name!)} ADD ${member};`);
    }
  }
  return statements;
}

/** Its tables with their columns and filters, and its schemas. */
async function members(ask: Ask, publication: string, major: number): Promise<string[]> {
  const columns = `(SELECT string_agg(pg_catalog.quote_ident(a.attname), ', ' ORDER BY a.attnum) FROM pg_catalog.pg_attribute a
    WHERE a.attrelid = r.prrelid AND a.attnum = ANY (r.prattrs))`;
  const parts = major >= 15 ? `${columns}, pg_catalog.pg_get_expr(r.prqual, r.prrelid)` : 'NULL, NULL';
  const listed = await ask(`
    SELECT n.nspname, c.relname, ${parts}
    FROM pg_catalog.pg_publication_rel r JOIN pg_catalog.pg_class c ON c.oid = r.prrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE r.prpubid = ${publication} ORDER BY r.oid`);
  const schemas =
    major < 15
      ? []
      : await ask(`
    SELECT n.nspname FROM pg_catalog.pg_publication_namespace p JOIN pg_catalog.pg_namespace n ON n.oid = p.pnnspid
    WHERE p.pnpubid = ${publication} ORDER BY p.oid`);
  return [
    ...listed.map(([schema, table, list, filter]) => {
      return `TABLE ONLY ${quoted(schema, table)}${list ? ` (${list})` : ''}${filter ? ` WHERE (${filter})` : ''}`;
    }),
    ...schemas.map(([schema]) => `TABLES IN SCHEMA ${quoteIdentifier(schema!)}`),
  ];
}

function quoted(schema: string | null | undefined, name: string | null | undefined): string {
  return `${quoteIdentifier(schema ?? '')}.${quoteIdentifier(name ?? '')}`;
}

function literal(text: string | null | undefined): string {
  return `'${(text ?? '').replaceAll("'", "''")}'`;
}
