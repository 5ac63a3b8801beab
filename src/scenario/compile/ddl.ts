/** DDL of a transaction. */
import type { AlterPublication, AlterTable } from '../../database/index.js';
import type { PgType } from '../../postgres/index.js';
import type { Table } from '../../timeline/catalog.js';
import type { ChangeOf } from '../format/changes.js';
import { formatName, parseQualifiedName } from '../format/names.js';
import type { Publication } from '../format/publications.js';
import type { PartitionBounds } from '../format/tables.js';
import type { Named } from '../object.js';
import { didYouMean, quote } from '../suggestion.js';
import { place, type ChangeRunner } from './changes.js';
import type { Compilation } from './compilation.js';
import {
  boundWithin,
  columnDeclaration,
  constantDatum,
  indexDeclaration,
  primaryKeyDeclaration,
  publicationDeclaration,
  publicationOptions,
  publishedTables,
  replicaIdentityOf,
  tableDeclaration,
  withName,
} from './declarations.js';

type Alter = ChangeOf<'alter'>;

/** One ALTER TABLE, with its actions in the order in which the author wrote them. */
export function alterTable(runner: ChangeRunner, change: Alter): void {
  const table = runner.table(change.alter);
  if (table === undefined) return;
  const before = runner.compilation.problems.list.length;
  const actions = Object.keys(change.keys).flatMap((key) => actionsOf(key, change, table, runner.compilation));
  const attached = (change.attachPartition ?? []).map((entry) => attachedPartition(entry, table, runner));
  if (runner.compilation.problems.list.length > before) return runner.lose(change);
  runner.attempt(change, `ALTER TABLE ${formatName(table)}`, () => {
    const { transaction } = runner;
    for (const partition of attached) {
      if (partition) transaction.attachPartition(change.alter.value, partition.name, partition.bound, place(change));
    }
    if (change.detachPartition)
      transaction.detachPartition(change.alter.value, change.detachPartition.value, place(change));
    if (actions.length > 0) transaction.alterTable(change.alter.value, actions, place(change));
  });
}

/** The one table of an announce, as it was seen. */
export function announceAs(
  runner: ChangeRunner,
  change: ChangeOf<'announce'>,
  seen: NonNullable<ChangeOf<'announce'>['as']>,
): void {
  const [table] = change.announce;
  const known = table && runner.table(table);
  if (table === undefined || known === undefined) return runner.lose(change);
  const { catalog } = runner.transaction;
  const declaration = tableDeclaration(seen.name?.value ?? table.value, seen, catalog, runner.compilation);
  if (declaration === undefined) return runner.lose(change);
  runner.attempt(change, `announce ${formatName(known)}`, () =>
    runner.transaction.announceAs(table.value, declaration, change.quiet?.value === true, place(change)),
  );
}

function attachedPartition({ name, value }: Named<PartitionBounds>, parent: Table, runner: ChangeRunner) {
  const qualified = parseQualifiedName(name.value);
  const bound = boundWithin(value, parent, runner.compilation);
  if (qualified === undefined || bound === undefined) return undefined;
  if (runner.table({ value: qualified, at: name.at }) === undefined) return undefined;
  return { name: qualified, bound };
}

function actionsOf(key: string, change: Alter, table: Table, compilation: Compilation): readonly AlterTable[] {
  switch (key) {
    case 'add_column':
      return (change.addColumn ?? []).flatMap((added) => {
        const column = columnDeclaration(added, compilation);
        return column === undefined ? [] : [{ kind: 'addColumn', column }];
      });
    case 'drop_column':
      return (change.dropColumn ?? []).map(({ value: name }) => ({ kind: 'dropColumn', name }));
    case 'rename_column':
      return (change.renameColumn ?? []).map(({ name, value }) => ({
        kind: 'renameColumn',
        from: name.value,
        to: value.value,
      }));
    case 'alter_type':
      return alterTypes(change, compilation);
    case 'set_not_null':
      return (change.setNotNull ?? []).map(({ value: name }) => ({ kind: 'setNotNull', name, notNull: true }));
    case 'drop_not_null':
      return (change.dropNotNull ?? []).map(({ value: name }) => ({ kind: 'setNotNull', name, notNull: false }));
    case 'rename_to':
      return change.renameTo ? [{ kind: 'renameTo', name: change.renameTo.value }] : [];
    case 'set_schema':
      return change.setSchema ? [{ kind: 'setSchema', namespace: change.setSchema.value }] : [];
    case 'replica_identity':
      return change.replicaIdentity
        ? [{ kind: 'replicaIdentity', identity: replicaIdentityOf(change.replicaIdentity) }]
        : [];
    case 'drop_primary_key':
      return change.dropPrimaryKey?.value === true ? [{ kind: 'dropPrimaryKey' }] : [];
    case 'primary_key':
      return change.primaryKey ? [{ kind: 'primaryKey', primaryKey: primaryKeyDeclaration(change.primaryKey) }] : [];
    case 'add_index':
      return (change.addIndex ?? []).map((index) => ({ kind: 'addIndex', ...indexDeclaration(index) }));
    case 'drop_index':
      return (change.dropIndex ?? []).map(({ value: name }) => ({ kind: 'dropIndex', name }));
    case 'rewrite':
      return change.rewrite?.value === true ? [{ kind: 'rewrite' }] : [];
    case 'using':
      unusedUsing(change, table, compilation);
      return [];
    default:
      return [];
  }
}

function alterTypes(change: Alter, compilation: Compilation): AlterTable[] {
  return (change.alterType ?? []).flatMap(({ name, value: reference }) => {
    const resolved = compilation.types.resolve(reference);
    if (resolved === undefined) return [];
    const column = { name: name.value, type: resolved.type, typeModifier: resolved.typeModifier };
    const written = change.using?.find((entry) => entry.name.value === name.value)?.value;
    const using = written?.map((value) => constantDatum(value, column, compilation));
    if (using?.includes(undefined) === true) return [];
    return [{ kind: 'alterType', column, ...(using && { using: using.map((datum) => datum ?? null) }) }];
  });
}

function unusedUsing(change: Alter, table: Table, compilation: Compilation): void {
  for (const { name } of change.using ?? []) {
    if (change.alterType?.some((entry) => entry.name.value === name.value) === true) continue;
    const message = `\`using\` gives values for ${formatName(table)}.${name.value}, whose type is not altered`;
    compilation.report('conflicting-keys', name.at, message);
  }
}

export function createTables(runner: ChangeRunner, change: ChangeOf<'create_table'>): void {
  const { compilation, transaction } = runner;
  for (const { name, value: definition } of change.createTable) {
    const qualified = parseQualifiedName(name.value);
    if (qualified === undefined) {
      compilation.report('invalid-value', name.at, `${name.value} is not the name of a table`);
      continue;
    }
    const declaration = tableDeclaration(qualified, definition, transaction.catalog, compilation);
    if (declaration === undefined) {
      runner.lose(change);
      continue;
    }
    runner.attempt(withName({ name, value: definition }), `CREATE TABLE ${name.value}`, () => {
      const table = transaction.createTable(declaration, place(change));
      compilation.declaredAt.set(table.oid, name.at);
    });
  }
}

export function createTypes(runner: ChangeRunner, change: ChangeOf<'create_type'>): void {
  const { transaction } = runner;
  const maker = {
    takeOid: (pin?: number) => transaction.takeOid(pin),
    createType: (type: PgType) => transaction.createType(type, place(change)),
  };
  for (const type of change.createType) {
    runner.attempt(change, `CREATE TYPE ${type.name.value}`, () => runner.compilation.types.declare(type, maker));
  }
}

/** ALTER TYPE. Types that consist of it change with it. */
export function alterUserType(runner: ChangeRunner, change: ChangeOf<'alter_type'>): void {
  const { types } = runner.compilation;
  const { value: name, at } = change.alterType;
  const type = types.find(name.namespace, name.name);
  if (type === undefined) {
    runner.compilation.report('unknown-type', at, `there is no type ${quote(formatName(name))}`, {
      hint: didYouMean(name.name, types.names()),
    });
    return;
  }
  const relabelled = new Map(change.renameValue?.map((entry) => [entry.name.value, entry.value.value]));
  const labels = type.labels && [
    ...type.labels.map((label) => relabelled.get(label) ?? label),
    ...(change.addValue ? [change.addValue.value] : []),
  ];
  const altered = {
    name: change.renameTo?.value ?? name.name,
    namespace: change.setSchema?.value ?? name.namespace,
    labels,
  };
  runner.attempt(change, `ALTER TYPE ${formatName(name)}`, () => {
    for (const replaced of types.alter(type, altered)) runner.transaction.replaceType(replaced, place(change));
  });
}

export function createPublications(runner: ChangeRunner, change: ChangeOf<'create_publication'>): void {
  for (const publication of change.createPublication) {
    const declaration = publicationDeclaration(publication, runner.transaction.catalog, runner.compilation);
    runner.attempt(withName(publication), `CREATE PUBLICATION ${publication.name.value}`, () => {
      runner.transaction.createPublication(declaration, place(change));
    });
  }
}

export function alterPublication(runner: ChangeRunner, change: ChangeOf<'alter_publication'>): void {
  const { transaction } = runner;
  for (const [kind, parts] of [
    ['add', change.add],
    ['drop', change.drop],
    ['set', change.set],
  ] as const) {
    if (parts === undefined) continue;
    for (const statement of publicationStatements(kind, parts, runner)) {
      runner.attempt(change, `ALTER PUBLICATION ${change.alterPublication.value}`, () => {
        transaction.alterPublication(change.alterPublication.value, statement, place(change));
      });
    }
  }
  if (change.renameTo !== undefined) {
    const { value: to } = change.renameTo;
    runner.attempt(change, `ALTER PUBLICATION ${change.alterPublication.value}`, () => {
      transaction.alterPublication(change.alterPublication.value, { kind: 'rename', to }, place(change));
    });
  }
}

type Parts = NonNullable<ChangeOf<'alter_publication'>['add']>;

function publicationStatements(kind: 'add' | 'drop' | 'set', parts: Parts, runner: ChangeRunner): AlterPublication[] {
  const { compilation, transaction } = runner;
  const keys = Array.isArray(parts) ? undefined : (parts as Partial<Publication> & Pick<Publication, 'keys'>);
  const written = keys === undefined ? (parts as Publication['tables']) : keys.tables;
  const tables = written && publishedTables(written, transaction.catalog, compilation);
  const schemas = keys?.schemas?.map((schema) => schema.value);
  const statements: AlterPublication[] = [];
  if (tables !== undefined || schemas !== undefined) {
    statements.push({ kind, ...(tables && { tables }), ...(schemas && { schemas }) });
  }
  const options = keys && publicationOptions(keys as Publication);
  if (options !== undefined && Object.keys(options).length > 0) {
    if (kind === 'set') statements.push({ kind: 'options', ...options });
    else
      compilation.report('conflicting-keys', (keys as Publication).at, `only \`set\` takes options of a publication`);
  }
  if (keys?.allTables !== undefined) {
    compilation.report('conflicting-keys', keys.keys['all_tables']!, 'ALTER PUBLICATION cannot change FOR ALL TABLES');
  }
  return statements;
}
