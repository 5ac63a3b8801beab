/** DDL, as part of a transaction: the next change of the table is preceded by its new Relation. */
import type {
  AlterPublication,
  AlterTable,
  OpenTransaction,
  PublicationDeclaration,
  ReplicaIdentityDeclaration,
  TableName,
} from '../database/index.js';
import { parseQualifiedName } from '../scenario/format/names.js';
import { readColumn, type ColumnDefinition } from './column-definition.js';
import { statement, type Statement } from './statement.js';
import type { AnyTable } from './table.js';
import { catalogTypes } from './type-scope.js';

/** A table, or the name of one that a scenario has: `public.users`. */
export type TableLike = TableName | AnyTable | string;

function alter(
  table: TableLike,
  what: string,
  actions: (transaction: OpenTransaction, major: number) => readonly AlterTable[],
): Statement {
  const name = nameOf(table);
  return statement(`ALTER TABLE ${name.name} ${what}`, tablesOf(table), (transaction, major) =>
    transaction.alterTable(name, actions(transaction, major)),
  );
}

/** DDL by kind: each is a statement, for `tx` or `publish`. What a real server would refuse is a StatementError when it runs. */
export const ddl = {
  /** CREATE TABLE, in mid-stream: tables that statements name are otherwise there from the start. */
  createTable: (table: AnyTable): Statement =>
    statement(`CREATE TABLE ${table.name}`, [], (transaction, major) => {
      transaction.createTable(table.declarationFor(transaction.catalog, major));
    }),

  /** DROP TABLE. */
  dropTable: (table: TableLike): Statement =>
    statement(`DROP TABLE ${nameOf(table).name}`, tablesOf(table), (transaction) =>
      transaction.dropTable(nameOf(table)),
    ),

  /**
   * ALTER TABLE … ADD COLUMN.
   * @param definition as `table()` takes it: `text not null`
   */
  addColumn: (table: TableLike, name: string, definition: ColumnDefinition): Statement =>
    alter(table, `ADD COLUMN ${name}`, ({ catalog }, major) => [
      { kind: 'addColumn', column: readColumn(name, definition, major, catalogTypes(catalog)).declaration },
    ]),

  /** ALTER TABLE … DROP COLUMN. */
  dropColumn: (table: TableLike, name: string): Statement =>
    alter(table, `DROP COLUMN ${name}`, () => [{ kind: 'dropColumn', name }]),

  /** ALTER TABLE … RENAME COLUMN. */
  renameColumn: (table: TableLike, from: string, to: string): Statement =>
    alter(table, `RENAME COLUMN ${from}`, () => [{ kind: 'renameColumn', from, to }]),

  /**
   * ALTER TABLE … ALTER COLUMN … TYPE.
   * @param type as `varchar(20)`
   */
  alterType: (table: TableLike, name: string, type: string): Statement =>
    alter(table, `ALTER COLUMN ${name} TYPE ${type}`, ({ catalog }, major) => [
      { kind: 'alterType', column: readColumn(name, type, major, catalogTypes(catalog)).declaration },
    ]),

  /**
   * ALTER TABLE … RENAME TO.
   * @param to the new name, without its schema
   */
  renameTable: (table: TableLike, to: string): Statement =>
    alter(table, `RENAME TO ${to}`, () => [{ kind: 'renameTo', name: to }]),

  /** ALTER TABLE … REPLICA IDENTITY. */
  replicaIdentity: (table: TableLike, identity: ReplicaIdentityDeclaration): Statement =>
    alter(table, 'REPLICA IDENTITY', () => [{ kind: 'replicaIdentity', identity }]),

  /** CREATE PUBLICATION. From the first one on only what publications say is published: without any, every name exists and publishes everything. */
  createPublication: (declaration: PublicationDeclaration): Statement =>
    statement(`CREATE PUBLICATION ${declaration.name}`, [], (transaction) =>
      transaction.createPublication(declaration),
    ),

  /** ALTER PUBLICATION. */
  alterPublication: (name: string, change: AlterPublication): Statement =>
    statement(`ALTER PUBLICATION ${name}`, [], (transaction) => transaction.alterPublication(name, change)),

  /** DROP PUBLICATION. */
  dropPublication: (name: string): Statement =>
    statement(`DROP PUBLICATION ${name}`, [], (transaction) => transaction.dropPublication(name)),
} as const;

/** @throws TypeError for a text that is no name */
function nameOf(table: TableLike): TableName {
  if (typeof table !== 'string') return table;
  const name = parseQualifiedName(table);
  if (name === undefined) throw new TypeError(`${JSON.stringify(table)} is not the name of a table: schema.table`);
  return name;
}

function tablesOf(table: TableLike): AnyTable[] {
  return typeof table !== 'string' && 'kind' in table ? [table] : [];
}
