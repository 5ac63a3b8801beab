/** A table as the database keeps it: the timeline's `Table`, and what INSERT needs beyond that. */
import type { PgType } from '../postgres/pg-type.js';
import type { Catalog, Column, Index, Table } from '../timeline/catalog.js';
import type { Datum } from '../timeline/datum.js';
import type {
  ColumnDeclaration,
  IndexDeclaration,
  PrimaryKeyDeclaration,
  ReplicaIdentityDeclaration,
  TableName,
} from './declaration.js';
import { StatementError } from './statement-error.js';

export interface StoredTable extends Table {
  /** One for each of `columns`; undefined: none. */
  readonly defaults: readonly (Datum | undefined)[];
  /** Column by column: every non-null value is stored out of line. */
  readonly toasted: readonly boolean[];
  /** The chosen identity index's name where replicaIdentity is 'index'. */
  readonly identityIndex: string | null;
  /** attnum of the next column added. */
  readonly nextAttnum: number;
}

export interface StoredCatalog extends Catalog {
  readonly tables: ReadonlyMap<number, StoredTable>;
}

/** What is looked up again and again in one version of the catalogs. */
interface Lookups {
  readonly byName: ReadonlyMap<string, StoredTable>;
  readonly rowTables: Map<number, readonly StoredTable[]>;
}

const lookupsOf = new WeakMap<StoredCatalog, Lookups>();

function lookups(catalog: StoredCatalog): Lookups {
  let found = lookupsOf.get(catalog);
  if (found === undefined) {
    const byName = new Map<string, StoredTable>();
    for (const table of catalog.tables.values()) byName.set(`${table.namespace}\0${table.name}`, table);
    found = { byName, rowTables: new Map() };
    lookupsOf.set(catalog, found);
  }
  return found;
}

/** @throws StatementError 42P01 */
export function findTable(catalog: StoredCatalog, { namespace, name }: TableName): StoredTable {
  const table = lookups(catalog).byName.get(`${namespace}\0${name}`);
  if (table === undefined) {
    throw new StatementError(
      { code: '42P01', message: `relation "${namespace}.${name}" does not exist` },
      { kind: 'table', name },
    );
  }
  return table;
}

/** @throws StatementError 42703 */
export function columnPosition(table: Pick<Table, 'name' | 'columns'>, name: string): number {
  const position = table.columns.findIndex((column) => column.name === name);
  if (position < 0) {
    throw new StatementError(
      { code: '42703', message: `column "${name}" of relation "${table.name}" does not exist` },
      { kind: 'column', name },
    );
  }
  return position;
}

export function columnPositions(table: Pick<Table, 'name' | 'columns'>, names: readonly string[]): number[] {
  return names.map((name) => columnPosition(table, name));
}

export function makeColumn(declaration: ColumnDeclaration): Column {
  return {
    name: declaration.name,
    type: declaration.type,
    typeModifier: declaration.typeModifier ?? -1,
    notNull: declaration.notNull === true || declaration.identity === true,
    generated: declaration.generated ?? null,
    identity: declaration.identity ?? false,
  };
}

/** @throws StatementError 42P16, 42703 or 0A000 */
export function withPrimaryKey(table: StoredTable, { columns, deferrable }: PrimaryKeyDeclaration): StoredTable {
  if (table.primaryKey !== null) {
    throw new StatementError(
      { code: '42P16', message: `multiple primary keys for table "${table.name}" are not allowed` },
      { kind: 'table', name: table.name },
    );
  }
  const positions = columnPositions(table, columns);
  for (const position of positions) {
    if (table.columns[position]!.generated === 'virtual') {
      throw new StatementError(
        { code: '0A000', message: 'primary keys on virtual generated columns are not supported' },
        { kind: 'column', name: table.columns[position]!.name },
      );
    }
  }
  return withIdentity({
    ...table,
    columns: table.columns.map((column, i) => (positions.includes(i) ? { ...column, notNull: true } : column)),
    primaryKey: { columns: positions, deferrable: deferrable ?? false },
  });
}

/** @throws StatementError 42P07 or 42703 */
export function withIndex(table: StoredTable, declaration: IndexDeclaration): StoredTable {
  if (table.indexes.some((index) => index.name === declaration.name)) {
    throw new StatementError(
      { code: '42P07', message: `relation "${declaration.name}" already exists` },
      { kind: 'index', name: declaration.name },
    );
  }
  const index: Index = {
    name: declaration.name,
    unique: declaration.unique,
    columns: columnPositions(table, declaration.columns),
  };
  return { ...table, indexes: [...table.indexes, index] };
}

/** @throws StatementError 42704, 42809 where the index cannot serve as identity */
export function withReplicaIdentity(table: StoredTable, identity: ReplicaIdentityDeclaration): StoredTable {
  if (typeof identity === 'string') return withIdentity({ ...table, replicaIdentity: identity, identityIndex: null });
  const index = table.indexes.find((candidate) => candidate.name === identity.index);
  const subject = { kind: 'index', name: identity.index } as const;
  if (index === undefined) {
    throw new StatementError(
      { code: '42704', message: `index "${identity.index}" for table "${table.name}" does not exist` },
      subject,
    );
  }
  if (!index.unique) {
    throw new StatementError(
      { code: '42809', message: `cannot use non-unique index "${index.name}" as replica identity` },
      subject,
    );
  }
  const nullable = index.columns.map((i) => table.columns[i]!).find((column) => !column.notNull);
  if (nullable !== undefined) {
    throw new StatementError(
      {
        code: '42809',
        message: `index "${index.name}" cannot be used as replica identity because column "${nullable.name}" is nullable`,
      },
      subject,
    );
  }
  return withIdentity({ ...table, replicaIdentity: 'index', identityIndex: index.name });
}

/** Works out `identityColumns` anew: a deferrable primary key is no identity, and the chosen index may be gone. */
export function withIdentity(table: StoredTable): StoredTable {
  const { replicaIdentity, primaryKey } = table;
  let identityColumns: readonly number[] = [];
  if (replicaIdentity === 'default' && primaryKey !== null && !primaryKey.deferrable) {
    identityColumns = primaryKey.columns;
  } else if (replicaIdentity === 'index') {
    identityColumns = table.indexes.find((index) => index.name === table.identityIndex)?.columns ?? [];
  }
  return { ...table, identityColumns };
}

/** Tables that hold rows for `table`: itself when ordinary, with those that inherit from it; the leaves below it when partitioned. */
export function rowTables(catalog: StoredCatalog, table: StoredTable): readonly StoredTable[] {
  const known = lookups(catalog).rowTables;
  let found = known.get(table.oid);
  if (found === undefined) {
    found = [table, ...descendants(catalog, table)].filter((candidate) => candidate.kind === 'r');
    known.set(table.oid, found);
  }
  return found;
}

/** Partitions and inheriting tables, at any depth: level by level, in OID order, as find_all_inheritors lists them. */
export function descendants(catalog: StoredCatalog, table: StoredTable): StoredTable[] {
  const found: StoredTable[] = [];
  let level = [table.oid];
  while (level.length > 0) {
    const next: StoredTable[] = [];
    for (const parent of level) {
      for (const candidate of catalog.tables.values()) {
        const child = candidate.partitionOf === parent || candidate.inherits.includes(parent);
        if (child && !found.includes(candidate) && !next.includes(candidate)) next.push(candidate);
      }
    }
    next.sort((a, b) => a.oid - b.oid);
    found.push(...next);
    level = next.map((child) => child.oid);
  }
  return found;
}

/** Only variable-length values can be stored out of line. */
export function canBeToasted(type: PgType): boolean {
  return type.length === -1;
}
