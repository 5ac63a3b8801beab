/** One query for all that the system catalogs say about user tables, types and publications, as JSON. */

const systemSchemas = `('pg_catalog', 'information_schema', 'pg_toast', 'oracle')`;

/** Only what the server's major has; the rest is left out of the JSON. */
export function catalogQuery(major: number): string {
  const publicationColumns = [
    ...(major >= 11 ? [`'truncate', pubtruncate`] : []),
    ...(major >= 13 ? [`'viaRoot', pubviaroot`] : []),
    ...(major >= 15
      ? [
          `'schemas', (SELECT json_agg(nspname ORDER BY nspname) FROM pg_publication_namespace pn JOIN pg_namespace n ON n.oid = pnnspid WHERE pnpubid = p.oid)`,
        ]
      : []),
    ...(major >= 18 ? [`'generated', pubgencols`] : []),
  ];
  const memberColumns = major >= 15 ? `, 'columns', prattrs::int2[], 'where', pg_get_expr(prqual, prrelid)` : '';
  return `
SELECT json_build_object(
  'tables', (SELECT json_agg(json_build_object(
      'oid', c.oid::bigint, 'schema', nspname, 'name', relname, 'kind', relkind, 'persistence', relpersistence, 'identity', relreplident,
      'file', pg_relation_filenode(c.oid)::bigint, 'toastFile', pg_relation_filenode(nullif(reltoastrelid, 0))::bigint,
      'partitionOf', CASE WHEN relispartition THEN (SELECT inhparent::bigint FROM pg_inherits WHERE inhrelid = c.oid) END,
      'bound', pg_get_expr(relpartbound, c.oid),
      'inherits', CASE WHEN NOT relispartition THEN (SELECT json_agg(inhparent::bigint ORDER BY inhseqno) FROM pg_inherits WHERE inhrelid = c.oid) END,
      'partitionBy', (SELECT json_build_object('strategy', partstrat, 'attnums', partattrs::int2[]) FROM pg_partitioned_table WHERE partrelid = c.oid),
      'indexes', (SELECT json_agg(json_build_object('name', i.relname, 'unique', indisunique, 'primary', indisprimary, 'identity', indisreplident,
          'immediate', indimmediate, 'plain', indpred IS NULL AND indexprs IS NULL, 'attnums', indkey::int2[] ${major >= 11 ? `, 'keys', indnkeyatts` : ''}) ORDER BY i.oid)
        FROM pg_index x JOIN pg_class i ON i.oid = indexrelid WHERE indrelid = c.oid AND indisvalid),
      'columns', (SELECT json_agg(json_build_object('attnum', attnum, 'name', attname, 'type', atttypid::bigint, 'typeName', format_type(atttypid, atttypmod), 'notNull', attnotnull,
          'length', attlen, 'align', attalign, 'dropped', attisdropped, 'identity', attidentity ${major >= 12 ? `, 'generated', attgenerated` : ''}) ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0)) ORDER BY c.oid)
    FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
    WHERE relkind IN ('r', 'p') AND relpersistence <> 't' AND nspname NOT IN ${systemSchemas}),
  'types', (SELECT json_agg(json_build_object(
      'oid', t.oid::bigint, 'schema', nspname, 'name', typname, 'kind', typtype, 'category', typcategory, 'element', typelem::bigint, 'array', typarray::bigint,
      'base', typbasetype::bigint, 'baseName', format_type(nullif(typbasetype, 0), typtypmod),
      'labels', (SELECT json_agg(enumlabel ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid),
      'subtype', (SELECT format_type(rngsubtype, NULL) FROM pg_range WHERE rngtypid = t.oid),
      ${major >= 14 ? `'multirange', (SELECT rngmultitypid::bigint FROM pg_range WHERE rngtypid = t.oid),` : ''}
      'attributes', (SELECT json_agg(json_build_object('name', attname, 'type', atttypid::bigint, 'typeName', format_type(atttypid, atttypmod)) ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = typrelid AND attnum > 0 AND NOT attisdropped)) ORDER BY t.oid)
    FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace
    WHERE nspname NOT IN ${systemSchemas} AND nspname !~ '^pg_(toast_)?temp_'),
  'schemas', (SELECT json_agg(json_build_object('oid', oid::bigint, 'name', nspname) ORDER BY oid) FROM pg_namespace WHERE nspname !~ '^pg_(?!(toast_)?temp_)' AND nspname NOT IN ${systemSchemas}),
  'publications', (SELECT json_agg(json_build_object(
      'oid', p.oid::bigint, 'name', pubname, 'allTables', puballtables, 'insert', pubinsert, 'update', pubupdate, 'delete', pubdelete ${publicationColumns.map((column) => `, ${column}`).join('')},
      'tables', (SELECT json_agg(json_build_object('oid', prrelid::bigint ${memberColumns}) ORDER BY prrelid) FROM pg_publication_rel WHERE prpubid = p.oid)) ORDER BY p.oid)
    FROM pg_publication p))`;
}
