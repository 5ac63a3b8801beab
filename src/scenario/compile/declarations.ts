/** Types, tables with their rows, and publications: what exists before the stream. */
import { parseRowFilter, StatementError, type Database } from '../../database/index.js';
import type {
  ColumnDeclaration as DatabaseColumn,
  IndexDeclaration,
  PartitionDeclaration,
  PartitioningDeclaration,
  PrimaryKeyDeclaration,
  PublicationDeclaration,
  PublishedTableDeclaration,
  ReplicaIdentityDeclaration,
  TableDeclaration,
} from '../../database/index.js';
import type { Catalog, PartitionBound, Table as CatalogTable } from '../../timeline/catalog.js';
import type { ScenarioDocument } from '../document.js';
import { hashRound } from '../faker.js';
import type { ColumnDeclaration } from '../format/columns.js';
import { formatName, parseQualifiedName, type QualifiedName } from '../format/names.js';
import type { Publication, PublishedTable } from '../format/publications.js';
import type { Partition, PartitionBounds, Table, TableDefinition } from '../format/tables.js';
import type { Value } from '../format/values.js';
import type { Named, Read } from '../object.js';
import { sourcePosition, type Located } from '../source.js';
import { CellError, datumOf } from './cells.js';
import type { Compilation } from './compilation.js';
import { attempt } from './refusal.js';
import { reportColumn, rowValues } from './rows.js';

/** Makes everything that the document declares, in an order in which it can refer to each other. */
export function declareAll(document: ScenarioDocument, database: Database, compilation: Compilation): void {
  for (const type of document.types) {
    attempt(compilation, { what: `type ${type.name.value}`, step: withName(type) }, () =>
      compilation.types.declare(type, database),
    );
  }
  for (const table of document.tables) declareTable(table, database, compilation);
  for (const table of document.tables) loadRows(table, database, compilation);
  for (const publication of document.publications ?? []) {
    const declaration = publicationDeclaration(publication, database.catalog, compilation);
    const parts = { what: `publication ${publication.name.value}`, step: withName(publication) };
    attempt(compilation, parts, () => void database.createPublication(declaration));
  }
}

/** What is said of it is lost with its name. */
export function withName({ name, value }: Named<Read>): Read {
  return { ...value, whole: { ...value.whole, start: name.at.start } };
}

function declareTable({ name, value: table }: Named<Table>, database: Database, compilation: Compilation): void {
  const qualified = parseQualifiedName(name.value);
  if (qualified === undefined) {
    compilation.report('invalid-value', name.at, `${name.value} is not the name of a table`, {
      hint: 'schema.table; a name with a dot or a space needs double quotes',
    });
    return;
  }
  const declaration = tableDeclaration(qualified, table, database.catalog, compilation);
  if (declaration === undefined) return;
  attempt(compilation, { what: `table ${name.value}`, step: withName({ name, value: table }) }, () => {
    compilation.declaredAt.set(database.createTable(declaration).oid, name.at);
  });
}

/** Any form of a table: declared, created, or as its Relation shows it. */
type SeenTable = Pick<Table, 'keys'> & {
  readonly [K in Exclude<keyof TableDefinition, 'keys'>]?: TableDefinition[K] | undefined;
};

/** Without the columns whose type is unknown (reported); undefined when there is no telling what it is (reported). */
export function tableDeclaration(
  name: QualifiedName,
  table: SeenTable,
  catalog: Catalog,
  compilation: Compilation,
): TableDeclaration | undefined {
  const columns = (table.columns ?? []).flatMap((column) => columnDeclaration(column, compilation) ?? []);
  for (const { name: column, value } of table.columns ?? []) {
    if (value.generatedAs !== undefined)
      compilation.generatedAs.set(`${formatName(name)}.${column.value}`, value.generatedAs);
  }
  const lost = (table.columns ?? []).flatMap(({ name: { value } }) =>
    columns.some((column) => column.name === value) ? [] : [value],
  );
  if (lost.length > 0) compilation.lostColumns.set(formatName(name), lost);
  const parent = table.partitionOf ? parentOf(table.partitionOf, catalog, compilation) : null;
  if (parent === undefined) return undefined;
  const key = primaryKeyOf(table, compilation);
  const bounds = (partition: Named<Partition>, by: Table['partitionBy']): PartitionDeclaration | undefined =>
    partitionDeclaration(partition, by, columns, compilation);
  const partitions = table.partitions?.flatMap((partition) => bounds(partition, table.partitionBy) ?? []);
  const inherits = table.inherits?.flatMap((parent) => compilation.table(parent, catalog) ?? []);
  return {
    ...name,
    columns,
    ...(table.oid && { oid: table.oid.value }),
    ...(key && { primaryKey: key }),
    ...(table.indexes && { indexes: table.indexes.map(indexDeclaration) }),
    ...(table.replicaIdentity && { replicaIdentity: replicaIdentityOf(table.replicaIdentity) }),
    ...(table.partitionBy && { partitionBy: partitioningOf(table.partitionBy) }),
    ...(partitions && { partitions }),
    ...(inherits && { inherits }),
    ...(parent && { partitionOf: parent }),
  };
}

function parentOf(of: NonNullable<TableDefinition['partitionOf']>, catalog: Catalog, compilation: Compilation) {
  const parent = compilation.table(of.table, catalog);
  const bound = parent && boundWithin(of, parent, compilation);
  return bound && { parent: of.table.value, bound };
}

/** The bound of a partition that a table gets later. Undefined when it is none (reported). */
export function boundWithin(bounds: PartitionBounds, parent: CatalogTable, compilation: Compilation) {
  const { partitioning } = parent;
  if (partitioning === null) {
    return compilation.report('wrong-type', bounds.at, `${formatName(parent)} is not a partitioned table`);
  }
  const keys = partitioning.columns.map((position) => parent.columns[position]!.name);
  return boundOf(bounds, { strategy: partitioning.strategy, columns: keys }, parent.columns, compilation);
}

export function columnDeclaration(
  { name, value: column }: Named<ColumnDeclaration>,
  compilation: Compilation,
): DatabaseColumn | undefined {
  const resolved = compilation.types.resolve(column.type);
  if (resolved === undefined) {
    compilation.problems.lost.push(name.at);
    return undefined;
  }
  const { type, typeModifier, serial } = resolved;
  const declared = { name: name.value, type, typeModifier };
  const value = column.default && constantDatum(column.default, declared, compilation);
  return {
    ...declared,
    notNull: column.notNull || serial,
    identity: column.identity || serial,
    toasted: column.toasted,
    ...(value !== undefined && { default: value }),
    ...(column.generated && { generated: column.generated }),
  };
}

/** A value that stands alone: a default, a bound. Undefined when the type refuses it (reported). */
export function constantDatum(
  value: Value,
  column: Pick<DatabaseColumn, 'name' | 'type' | 'typeModifier'>,
  compilation: Compilation,
) {
  try {
    const cell = { name: column.name, type: column.type, typeModifier: column.typeModifier ?? -1 };
    return datumOf(value, cell, compilation.major, compilation.scope(undefined, 0));
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    return compilation.report(error.code, error.at, error.message, { hint: error.hint });
  }
}

function primaryKeyOf(table: SeenTable, compilation: Compilation): PrimaryKeyDeclaration | undefined {
  const marked = (table.columns ?? []).filter((column) => column.value.primaryKey).map((column) => column.name);
  const [first] = marked;
  if (table.primaryKey === undefined) return first && { columns: marked.map((name) => name.value) };
  const key = primaryKeyDeclaration(table.primaryKey);
  // Saying the same twice does no harm.
  const isSame = marked.length === key.columns.length && marked.every(({ value }) => key.columns.includes(value));
  if (first !== undefined && !isSame) {
    compilation.report(
      'conflicting-keys',
      first.at,
      `${first.value} is marked as primary key, and \`primary_key\` says something else`,
      {
        related: [{ at: table.keys['primary_key']!, message: '`primary_key` stands here' }],
      },
    );
  }
  return key;
}

export function primaryKeyDeclaration(key: NonNullable<Table['primaryKey']>): PrimaryKeyDeclaration {
  if (!('columns' in key)) return { columns: key.map((name) => name.value) };
  return { columns: key.columns.map((name) => name.value), deferrable: key.deferrable?.value ?? false };
}

export function replicaIdentityOf(identity: NonNullable<Table['replicaIdentity']>): ReplicaIdentityDeclaration {
  return 'index' in identity ? { index: identity.index.value } : identity.value;
}

export function indexDeclaration({ name, value: index }: NonNullable<Table['indexes']>[number]): IndexDeclaration {
  const columns = (index.unique ?? index.columns ?? []).map((column) => column.value);
  return { name: name.value, unique: index.unique !== undefined, columns };
}

function partitioningOf(by: NonNullable<Table['partitionBy']>) {
  const strategy = by.range ? 'range' : by.list ? 'list' : 'hash';
  return { strategy, columns: (by[strategy] ?? []).map((name) => name.value) } as const;
}

function partitionDeclaration(
  { name, value: partition }: Named<Partition>,
  by: Table['partitionBy'],
  columns: readonly DatabaseColumn[],
  compilation: Compilation,
): PartitionDeclaration | undefined {
  const qualified = parseQualifiedName(name.value);
  const bound = boundOf(partition, by && partitioningOf(by), columns, compilation);
  if (qualified === undefined || bound === undefined) return undefined;
  const children = partition.partitions?.flatMap(
    (child) => partitionDeclaration(child, partition.partitionBy, columns, compilation) ?? [],
  );
  return {
    name: qualified.name,
    bound,
    ...(name.value.includes('.') && { namespace: qualified.namespace }),
    ...(partition.oid && { oid: partition.oid.value }),
    ...(partition.columns && { columnOrder: partition.columns.map((column) => column.value) }),
    ...(partition.primaryKey && { primaryKey: primaryKeyDeclaration(partition.primaryKey) }),
    ...(partition.indexes && { indexes: partition.indexes.map(indexDeclaration) }),
    ...(partition.replicaIdentity && { replicaIdentity: replicaIdentityOf(partition.replicaIdentity) }),
    ...(partition.partitionBy && { partitionBy: partitioningOf(partition.partitionBy) }),
    ...(children && { partitions: children }),
  };
}

function boundOf(
  partition: PartitionBounds,
  by: PartitioningDeclaration | undefined,
  columns: readonly Pick<DatabaseColumn, 'name' | 'type' | 'typeModifier'>[],
  compilation: Compilation,
): PartitionBound | undefined {
  if (partition.default?.value === true) return { kind: 'default' };
  if (by === undefined) return undefined;
  const { strategy, columns: keys } = by;
  const bound = (value: Value, key: string | undefined, unbounded?: string): string | null => {
    // No bound at all is null in a range.
    if (value.kind === 'text' && value.text.toUpperCase() === unbounded) return null;
    if (value.kind === 'null' && unbounded !== undefined) {
      compilation.report('invalid-value', value.at, `NULL is no bound of a range: write ${unbounded} for none`);
    }
    const column = columns.find((candidate) => candidate.name === key);
    const datum = column && constantDatum(value, column, compilation);
    return typeof datum === 'string' ? datum : null;
  };
  if (strategy === 'range' && partition.from !== undefined && partition.to !== undefined) {
    const from = partition.from.map((value, i) => bound(value, keys[i], 'MINVALUE'));
    return { kind: 'range', from, to: partition.to.map((value, i) => bound(value, keys[i], 'MAXVALUE')) };
  }
  if (strategy === 'list' && partition.values !== undefined) {
    return { kind: 'list', values: partition.values.map((value) => bound(value, keys[0])) };
  }
  if (strategy === 'hash' && partition.modulus !== undefined && partition.remainder !== undefined) {
    return { kind: 'hash', modulus: partition.modulus.value, remainder: partition.remainder.value };
  }
  const needed = { range: '`from` and `to`', list: '`values`', hash: '`modulus` and `remainder`' }[strategy];
  return compilation.report(
    'missing-key',
    partition.at,
    `a partition by ${strategy} needs ${needed}, or \`default: true\``,
  );
}

function loadRows({ name, value: table }: Named<Table>, database: Database, compilation: Compilation): void {
  const qualified = parseQualifiedName(name.value);
  if (qualified === undefined || table.rows === undefined) return;
  const made = [...database.catalog.tables.values()].find((one) => formatName(one) === formatName(qualified));
  if (made === undefined) return;
  const whole = { ...table.whole, start: name.at.start };
  for (const { row, repeat, at } of table.rows) {
    const step = { at, whole, keys: {}, source: sourcePosition(at) };
    const load = (index: number | undefined): boolean => {
      const values = rowValues(row, made, compilation, compilation.scope(index, hashRound(0, index ?? 0)));
      if (values === undefined) compilation.problems.lostRows.push(whole);
      if (values === undefined) return false;
      return attempt(
        compilation,
        { what: `row of ${name.value}`, step, rows: [row], repeated: index !== undefined },
        () => {
          database.loadRows(qualified, [values]);
        },
      );
    };
    if (repeat === null) load(undefined);
    else for (let index = 0; index < repeat.value && load(index); index++);
  }
}

/** Without the tables that are not there (reported). */
export function publicationDeclaration(
  { name, value: publication }: Named<Publication>,
  catalog: Catalog,
  compilation: Compilation,
): PublicationDeclaration {
  const tables = publication.tables && publishedTables(publication.tables, catalog, compilation);
  return {
    name: name.value,
    ...(publication.oid && { oid: publication.oid.value }),
    ...(publication.allTables && { allTables: publication.allTables.value }),
    ...(publication.schemas && { schemas: publication.schemas.map((schema) => schema.value) }),
    ...(tables && { tables }),
    ...publicationOptions(publication),
  };
}

export function publicationOptions(
  publication: Pick<Publication, 'publish' | 'viaPartitionRoot' | 'generatedColumns'>,
) {
  return {
    ...(publication.publish && { publish: publication.publish.map((action) => action.value) }),
    ...(publication.viaPartitionRoot && { viaPartitionRoot: publication.viaPartitionRoot.value }),
    ...(publication.generatedColumns && { generatedColumns: publication.generatedColumns.value }),
  };
}

export function publishedTables(
  tables: readonly PublishedTable[],
  catalog: Catalog,
  compilation: Compilation,
): readonly PublishedTableDeclaration[] {
  return tables.flatMap(({ table, columns, where, only }) => {
    const found = compilation.table(table, catalog);
    if (found === undefined) return [];
    for (const column of columns ?? []) checkColumn(column, found, compilation);
    const filter = where && rowFilter(where, found, compilation);
    const names = columns?.map((column) => column.value);
    return [
      {
        ...table.value,
        ...(names && { columns: names }),
        ...(filter && { where: filter }),
        ...(only && { only: only.value }),
      },
    ];
  });
}

function checkColumn({ value, at }: Located<string>, table: CatalogTable, compilation: Compilation): void {
  if (!table.columns.some((column) => column.name === value)) reportColumn(value, at, table, compilation);
}

/** Undefined when it is refused (reported where it is wrong). */
function rowFilter({ value: text, at }: Located<string>, table: CatalogTable, compilation: Compilation) {
  try {
    return parseRowFilter(text, table.columns, compilation.major);
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    const written = at.source.text.slice(at.start, at.end).indexOf(text);
    const start = at.start + written + (error.position ?? 1) - 1;
    const span = written < 0 || start >= at.end ? at : { ...at, start, end: at.start + written + text.length };
    return compilation.report('refused-by-server', span, `row filter: ${error.message} (${error.code})`);
  }
}
