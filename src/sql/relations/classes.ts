/** pg_class, pg_attribute and what hangs on them. */
import type { Table } from '../../timeline/catalog.js';
import type { StatementContext } from '../context.js';
import { oidOfSchema, oidOfTableObject } from '../derived-oids.js';
import { perMajor } from '../system/lines.js';
import { builtinTypeFacts } from '../types/type-facts.js';
import { bool, type CatalogBuilders, type CatalogRow } from './relation.js';
import { superuserOid } from './roles.js';
import { systemRelations, type SystemRelation } from './system-schema.js';
import { boundText, indexesOf, type IndexFacts } from './table-facts.js';

const heap = '2';
const btree = '403';
const identities = { default: 'd', nothing: 'n', full: 'f', index: 'i' } as const;

function classRow(row: Partial<Record<string, string | null>>): CatalogRow {
  return {
    reltype: '0',
    reloftype: '0',
    relowner: String(superuserOid),
    relam: '0',
    reltablespace: '0',
    relpages: '0',
    reltuples: '0',
    relallvisible: '0',
    relallfrozen: '0',
    reltoastrelid: '0',
    relhasindex: 'f',
    relisshared: 'f',
    relpersistence: 'p',
    relchecks: '0',
    relhasoids: 'f',
    relhaspkey: 'f',
    relhasrules: 'f',
    relhastriggers: 'f',
    relhassubclass: 'f',
    relrowsecurity: 'f',
    relforcerowsecurity: 'f',
    relispopulated: 't',
    relreplident: 'n',
    relispartition: 'f',
    relrewrite: '0',
    relfrozenxid: '0',
    relminmxid: '0',
    relacl: null,
    reloptions: null,
    relpartbound: null,
    ...row,
  };
}

const systemClasses = perMajor((major) =>
  [...systemRelations(major).values()].map((relation) => systemClass(relation, major)),
);

function systemClass({ oid, schema, name, kind, columns, rowType }: SystemRelation, major: number): CatalogRow {
  return classRow({
    oid: String(oid),
    relname: name,
    relnamespace: String(oidOfSchema(schema, major)),
    reltype: String(rowType),
    relam: kind === 'r' && major >= 12 ? heap : '0',
    relfilenode: kind === 'r' ? String(oid) : '0',
    relkind: kind,
    relnatts: String(columns.filter(({ hidden }) => !hidden).length),
    relhasoids: bool(columns.some(({ hidden }) => hidden)),
    relhasrules: bool(kind === 'v'),
    relhasindex: bool(kind === 'r'),
  });
}

function tableClass(table: Table, { catalog, major }: StatementContext): CatalogRow {
  const { oid, kind } = table;
  const isParent = [...catalog.tables.values()].some((t) => t.partitionOf === oid || t.inherits.includes(oid));
  return classRow({
    oid: String(oid),
    relname: table.name,
    relnamespace: String(oidOfSchema(table.namespace, major)),
    reltype: String(oidOfTableObject(oid, 'rowType')),
    relam: kind === 'r' && major >= 12 ? heap : '0',
    relfilenode: kind === 'r' ? String(oid) : '0',
    // Never analyzed: unknown from 14 on.
    reltuples: major >= 14 ? '-1' : '0',
    relkind: kind,
    relnatts: String(Math.max(0, ...table.attnums)),
    relhasindex: bool(indexesOf(table).length > 0),
    relhaspkey: bool(table.primaryKey !== null),
    relhassubclass: bool(isParent),
    relreplident: identities[table.replicaIdentity],
    relispartition: bool(table.partitionOf !== null),
    relpartbound: boundText(table),
  });
}

function indexClass(index: IndexFacts, major: number): CatalogRow {
  return classRow({
    oid: String(index.oid),
    relname: index.name,
    relnamespace: String(oidOfSchema(index.table.namespace, major)),
    relam: btree,
    relfilenode: index.table.kind === 'r' ? String(index.oid) : '0',
    relkind: index.table.kind === 'p' ? 'I' : 'i',
    relnatts: String(index.columns.length),
    relispartition: bool(index.table.partitionOf !== null && index.isPrimary),
    relreplident: 'n',
  });
}

function* classes(context: StatementContext): Generator<CatalogRow> {
  yield* systemClasses(context.major);
  for (const table of context.catalog.tables.values()) {
    yield tableClass(table, context);
    for (const index of indexesOf(table)) yield indexClass(index, context.major);
  }
}

function attributeRow(row: Partial<Record<string, string | null>>, major: number): CatalogRow {
  return {
    attstattarget: major >= 17 ? null : '-1',
    attndims: '0',
    attcacheoff: '-1',
    attcompression: '',
    attnotnull: 'f',
    atthasdef: 'f',
    atthasmissing: 'f',
    attidentity: '',
    attgenerated: '',
    attisdropped: 'f',
    attislocal: 't',
    attinhcount: '0',
    attcollation: '0',
    attacl: null,
    attoptions: null,
    attfdwoptions: null,
    attmissingval: null,
    ...row,
  };
}

interface TypeStorage {
  readonly oid: number;
  readonly length: number;
  readonly byValue: boolean;
  readonly align: string;
  readonly storage: string;
  readonly collation: number;
}

function storageOf(type: TypeStorage | undefined): Partial<Record<string, string>> {
  return {
    atttypid: String(type?.oid ?? 0),
    attlen: String(type?.length ?? 0),
    attbyval: bool(type?.byValue ?? false)!,
    attalign: type?.align ?? 'i',
    attstorage: type?.storage ?? 'p',
    attcollation: String(type?.collation ?? 0),
  };
}

const systemAttributes = perMajor((major) => {
  const types = new Map(builtinTypeFacts(major).map((facts) => [facts.oid, facts]));
  return [...systemRelations(major).values()].flatMap(({ oid, columns }) =>
    columns.map(({ name, type, typmod, attnum }) =>
      attributeRow(
        {
          attrelid: String(oid),
          attname: name,
          attnum: String(attnum),
          atttypmod: String(typmod),
          ...storageOf(types.get(type)),
        },
        major,
      ),
    ),
  );
});

/** Columns that were dropped leave an entry behind. */
function* tableAttributes(table: Table, { types, major }: StatementContext): Generator<CatalogRow> {
  const last = Math.max(0, ...table.attnums);
  const isPartition = table.partitionOf !== null;
  for (let attnum = 1; attnum <= last; attnum++) {
    const position = table.attnums.indexOf(attnum);
    const column = table.columns[position];
    const common = { attrelid: String(table.oid), attnum: String(attnum) };
    if (column === undefined) {
      const attname = `........pg.dropped.${attnum}........`;
      yield attributeRow({ ...common, attname, atttypmod: '-1', attisdropped: 't', ...storageOf(undefined) }, major);
      continue;
    }
    const isArray = column.type.kind === 'array';
    yield attributeRow(
      {
        ...common,
        attname: column.name,
        atttypmod: String(column.typeModifier),
        attndims: isArray ? '1' : '0',
        attnotnull: bool(column.notNull),
        atthasdef: bool(column.generated !== null),
        attidentity: column.identity ? 'd' : '',
        attgenerated: column.generated === null ? '' : column.generated === 'stored' ? 's' : 'v',
        attislocal: bool(!isPartition),
        attinhcount: isPartition ? '1' : '0',
        ...storageOf(types.byOid(column.type.oid)),
      },
      major,
    );
  }
}

function* indexAttributes(index: IndexFacts, { types, major }: StatementContext): Generator<CatalogRow> {
  for (const [i, position] of index.columns.entries()) {
    const column = index.table.columns[position]!;
    yield attributeRow(
      {
        attrelid: String(index.oid),
        attname: column.name,
        attnum: String(i + 1),
        atttypmod: String(column.typeModifier),
        ...storageOf(types.byOid(column.type.oid)),
      },
      major,
    );
  }
}

function* attributes(context: StatementContext): Generator<CatalogRow> {
  yield* systemAttributes(context.major);
  for (const table of context.catalog.tables.values()) {
    yield* tableAttributes(table, context);
    for (const index of indexesOf(table)) yield* indexAttributes(index, context);
  }
}

export const classBuilders: CatalogBuilders = {
  'pg_catalog.pg_class': classes,
  'pg_catalog.pg_attribute': attributes,
};
