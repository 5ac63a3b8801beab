/** What the statements of a dump are called, for the note about those that are not used. */
import type { AlterTableType, Node as SqlNode } from 'libpg-query';

const known: Readonly<Record<string, string>> = {
  CreateFunctionStmt: 'CREATE FUNCTION',
  CreateTrigStmt: 'CREATE TRIGGER',
  CreateEventTrigStmt: 'CREATE EVENT TRIGGER',
  ViewStmt: 'CREATE VIEW',
  CreateSeqStmt: 'CREATE SEQUENCE',
  AlterSeqStmt: 'ALTER SEQUENCE',
  CreateSchemaStmt: 'CREATE SCHEMA',
  CreateExtensionStmt: 'CREATE EXTENSION',
  CommentStmt: 'COMMENT',
  AlterOwnerStmt: 'OWNER',
  GrantStmt: 'GRANT',
  GrantRoleStmt: 'GRANT',
  AlterDefaultPrivilegesStmt: 'ALTER DEFAULT PRIVILEGES',
  SelectStmt: 'SELECT',
  RuleStmt: 'CREATE RULE',
  CreatePolicyStmt: 'CREATE POLICY',
  CreateStatsStmt: 'CREATE STATISTICS',
  CreateForeignTableStmt: 'CREATE FOREIGN TABLE',
  CreateForeignServerStmt: 'CREATE SERVER',
  CreateFdwStmt: 'CREATE FOREIGN DATA WRAPPER',
  CreateUserMappingStmt: 'CREATE USER MAPPING',
  CreateCastStmt: 'CREATE CAST',
  CreateSubscriptionStmt: 'CREATE SUBSCRIPTION',
  CreateRoleStmt: 'CREATE ROLE',
  AlterRoleStmt: 'ALTER ROLE',
  CreatedbStmt: 'CREATE DATABASE',
  DefineStmt: 'CREATE AGGREGATE, OPERATOR, COLLATION or base type',
  InsertStmt: 'INSERT',
  CopyStmt: 'COPY',
  CreateTableAsStmt: 'CREATE TABLE AS',
  RenameStmt: 'RENAME',
  AlterEnumStmt: 'ALTER TYPE',
  RefreshMatViewStmt: 'REFRESH MATERIALIZED VIEW',
  TransactionStmt: 'transaction control',
  DoStmt: 'DO',
};

export function statementName(node: SqlNode): string {
  const kind = Object.keys(node)[0] ?? '';
  if ('DropStmt' in node) return `DROP ${(node.DropStmt.removeType ?? '').replace('OBJECT_', '')}`;
  if ('AlterObjectSchemaStmt' in node) return 'ALTER … SET SCHEMA';
  // A materialized view is made like a table, but is none.
  if ('CreateTableAsStmt' in node && node.CreateTableAsStmt.objtype === 'OBJECT_MATVIEW')
    return 'CREATE MATERIALIZED VIEW';
  return (
    known[kind] ??
    kind
      .replace(/Stmt$/, '')
      .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toUpperCase()
  );
}

/** What ALTER TABLE does that a scenario can tell, or that it must not pass over. Anything else is not used. */
export const alterEffects: Readonly<Partial<Record<AlterTableType, 'read' | 'refused'>>> = {
  AT_AddConstraint: 'read',
  AT_AddColumn: 'read',
  AT_AddIdentity: 'read',
  AT_ColumnDefault: 'read',
  AT_SetNotNull: 'read',
  AT_DropNotNull: 'read',
  AT_ReplicaIdentity: 'read',
  AT_AttachPartition: 'read',
  AT_DetachPartition: 'refused',
  AT_DropColumn: 'refused',
  AT_AlterColumnType: 'refused',
  AT_DropConstraint: 'refused',
  AT_DropIdentity: 'refused',
  AT_DropExpression: 'refused',
  AT_AddInherit: 'refused',
  AT_DropInherit: 'refused',
  AT_AddOf: 'refused',
};

export function alterName(subtype: AlterTableType, objectType: string): string {
  if (subtype === 'AT_ChangeOwner') return 'OWNER';
  const words = subtype
    .replace('AT_', '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toUpperCase();
  return `ALTER ${objectType.replace('OBJECT_', '')} … ${words}`;
}
