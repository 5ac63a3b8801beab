/** The schema of corpus.yaml as a catalog. */
import { domainType, enumType, arrayOf, parseTypeName, type PgType } from '../../src/postgres/index.js';
import type { Catalog, Column, Publication, RowFilter, Table } from '../../src/timeline/catalog.js';
import type { Row } from '../../src/timeline/datum.js';
import { oidOfSchema, oidOfTableObject } from '../../src/sql/derived-oids.js';
import { indexesOf } from '../../src/sql/relations/table-facts.js';

export interface Fixture {
  readonly catalog: Catalog;
  readonly rows: ReadonlyMap<number, readonly Row[]>;
  /** Names of objects by OID, as recorded answers have them: `<table users>`. */
  readonly names: ReadonlyMap<number, string>;
  /** {{users}} → the table's OID. */
  readonly fill: (sql: string) => string;
}

const named = [
  ...['type _mood', 'type mood', 'type _price', 'type price', 'schema app'],
  ...[
    'table users',
    'table orders',
    'table log',
    'table items',
    'table Weird Name',
    'table m',
    'table m_24',
    'table m_25',
    'table gen',
  ],
  ...[
    'publication all_pub',
    'publication app_pub',
    'publication ins_pub',
    'publication root_pub',
    'publication leaf_pub',
  ],
  ...['publication cols_pub', 'publication schema_pub', 'publication gen_pub'],
];
const objects: Readonly<Record<string, number>> = Object.fromEntries(named.map((name, i) => [name, 16_384 + 10 * i]));

/** Objects whose OIDs are worked out. */
function derivedNames(tables: readonly Table[], major: number): [number, string][] {
  return [
    [oidOfSchema('app', major), '<schema app>'],
    ...tables.flatMap((table): [number, string][] => [
      [oidOfTableObject(table.oid, 'rowType'), `<type ${table.name}>`],
      [oidOfTableObject(table.oid, 'rowArray'), `<type _${table.name}>`],
      ...indexesOf(table).map(({ oid, name }): [number, string] => [oid, `<index ${name}>`]),
    ]),
  ];
}

function filter(text: string, columns: readonly string[]): RowFilter {
  return { text, columns, evaluate: () => true };
}

export function fixture(major: number): Fixture {
  const mood = enumType(
    { oid: objects['type mood']!, namespace: 'public', name: 'mood', arrayOid: objects['type _mood']! },
    ['sad', 'ok', 'happy'],
  );
  const numeric = parseTypeName('numeric(10,2)', major);
  // Domains have array types from 11 on.
  const priceArray = major >= 11 ? objects['type _price']! : 0;
  const price = domainType(
    { oid: objects['type price']!, namespace: 'public', name: 'price', arrayOid: priceArray },
    numeric.type,
    numeric.typeModifier,
  );
  const types: PgType[] = [mood, price];
  if (priceArray !== 0) types.push(arrayOf(price));
  const typeOf = (name: string): { type: PgType; typeModifier: number } => {
    const own = types.find((type) => type.name === name);
    return own ? { type: own, typeModifier: -1 } : parseTypeName(name, major);
  };

  /** Columns as `name type`, `name type not null`. */
  const columns = (...declarations: string[]): Column[] =>
    declarations.map((declaration) => {
      const [, name, type, notNull] = /^(\S+) (.+?)( not null)?$/.exec(declaration)!;
      const { type: pgType, typeModifier } = typeOf(type!);
      return {
        name: name!,
        type: pgType,
        typeModifier,
        notNull: notNull !== undefined,
        generated: null,
        identity: false,
      };
    });
  const table = (name: string, cols: readonly Column[], more: Partial<Table> = {}): Table => ({
    oid: objects[`table ${name}`]!,
    namespace: 'public',
    name,
    kind: 'r',
    replicaIdentity: 'default',
    identityColumns: more.primaryKey?.columns ?? [],
    primaryKey: null,
    indexes: [],
    columns: cols,
    attnums: cols.map((_, i) => i + 1),
    partitionOf: null,
    inherits: [],
    partitioning: null,
    bound: null,
    ...more,
  });
  const key = (...positions: number[]): Partial<Table> => ({ primaryKey: { columns: positions, deferrable: false } });

  const users = table(
    'users',
    columns(
      'id bigint not null',
      'email text not null',
      'bio text',
      'amount numeric(10,2)',
      'created timestamptz',
      'feeling mood',
      'tags text[]',
      'cost price',
    ),
    { ...key(0), indexes: [{ name: 'users_email', unique: true, columns: [1] }] },
  );
  const orders = table('orders', columns('id int not null', 'line int not null', 'note varchar(20)'), {
    ...key(0, 1),
    replicaIdentity: 'full',
  });
  const log = table('log', columns('v text'), { attnums: [2], replicaIdentity: 'nothing' });
  const items = table('items', columns('id int not null', 'code text not null'), {
    ...key(0),
    namespace: 'app',
    replicaIdentity: 'index',
    identityColumns: [1],
    indexes: [{ name: 'items_code', unique: true, columns: [1] }],
  });
  const weird = table('Weird Name', columns('Id int not null', 'select text'), key(0));
  const tables = [users, orders, log, items, weird];
  const rows = new Map<number, Row[]>([
    [
      users.oid,
      [
        ['1', 'ann@example.com', 'x', '10.50', '2024-03-01 12:00:00.25+00', 'ok', '{a,"b c",NULL}', '3.00'],
        ['2', 'bob@example.com', null, null, null, null, null, null],
        ['3', 'tab\tnew\nline\\', 'é', '-1.00', '1999-12-31 23:59:59+00', 'happy', '{}', '0.10'],
      ],
    ],
    [
      orders.oid,
      [
        ['1', '1', 'first'],
        ['1', '2', null],
        ['2', '1', 'he said "hi", ok'],
      ],
    ],
    [items.oid, [['1', 'a']]],
  ]);
  if (major >= 11) {
    const parts = columns('id int not null', 'day date not null', 'v text');
    const root = table('m', parts, { ...key(0, 1), kind: 'p', partitioning: { strategy: 'range', columns: [1] } });
    const in24 = table('m_24', parts, {
      ...key(0, 1),
      partitionOf: root.oid,
      bound: { kind: 'range', from: ['2024-01-01'], to: ['2025-01-01'] },
    });
    const rest = table('m_25', parts, { ...key(0, 1), partitionOf: root.oid, bound: { kind: 'default' } });
    tables.push(root, in24, rest);
    rows.set(in24.oid, [['1', '2024-05-05', 'in']]);
    rows.set(rest.oid, [['2', '2020-01-01', 'out']]);
  }
  if (major >= 12) {
    const cols = columns('id int not null', 'a int', 'b int');
    const gen = table('gen', [...cols.slice(0, 2), { ...cols[2]!, generated: 'stored' }], key(0));
    tables.push(gen);
    rows.set(gen.oid, [['1', '4', '8']]);
  }
  const catalogTables = new Map(tables.map((t) => [t.oid, t]));
  const catalog: Catalog = {
    tables: catalogTables,
    publications: publications(major),
    types: new Map(types.map((type) => [type.oid, type])),
  };
  const pinned = Object.entries(objects).map(([name, oid]): [number, string] => [oid, `<${name}>`]);
  return {
    catalog,
    rows,
    names: new Map([...pinned, ...derivedNames(tables, major)]),
    fill: (sql) => sql.replace(/\{\{(.*?)\}\}/g, (_, name: string) => String(objects[`table ${name}`])),
  };
}

function publications(major: number): Map<string, Publication> {
  const everything = { insert: true, update: true, delete: true, truncate: true };
  const inserts = { insert: true, update: false, delete: false, truncate: false };
  const plain = { columns: null, where: null };
  const all: Publication[] = [];
  const add = (name: string, more: Partial<Publication>): void => {
    all.push({
      oid: objects[`publication ${name}`]!,
      name,
      allTables: false,
      schemas: [],
      tables: new Map(),
      publish: everything,
      viaPartitionRoot: false,
      generatedColumns: 'none',
      ...more,
    });
  };
  const oid = (name: string): number => objects[`table ${name}`]!;
  add('all_pub', { allTables: true });
  add('app_pub', {
    tables: new Map([
      [oid('users'), plain],
      [oid('orders'), plain],
    ]),
  });
  add('ins_pub', { tables: new Map([[oid('items'), plain]]), publish: inserts });
  if (major >= 13) {
    add('root_pub', { tables: new Map([[oid('m'), plain]]), viaPartitionRoot: true });
    add('leaf_pub', { tables: new Map([[oid('m'), plain]]) });
  }
  if (major >= 15) {
    add('cols_pub', {
      tables: new Map([
        [oid('users'), { columns: ['id', 'email'], where: filter('id > 10 AND email IS NOT NULL', ['id', 'email']) }],
        [oid('orders'), { columns: null, where: filter("line IN (1, 3) OR note = 'x'", ['line', 'note']) }],
      ]),
      publish: inserts,
    });
    add('schema_pub', { schemas: ['app'] });
  }
  if (major >= 18) add('gen_pub', { tables: new Map([[oid('gen'), plain]]), generatedColumns: 'stored' });
  return new Map(all.map((publication) => [publication.name, publication]));
}
