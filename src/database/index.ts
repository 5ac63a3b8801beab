export { Database, type DatabaseOptions } from './database.js';
export type {
  ColumnDeclaration,
  IndexDeclaration,
  PartitionDeclaration,
  PartitioningDeclaration,
  PrimaryKeyDeclaration,
  PublicationDeclaration,
  PublishedAction,
  PublishedTableDeclaration,
  ReplicaIdentityDeclaration,
  RowValues,
  TableDeclaration,
  TableName,
} from './declaration.js';
export { parseRowFilter } from './expression/row-filter.js';
export type { PublicationStatement } from './ddl-statements.js';
export { GivenRow } from './given-row.js';
export { keepMap } from './keep-map.js';
export { OpenTransaction } from './open-transaction.js';
export type { Publisher } from './publisher.js';
export type { RepeatOptions } from './repeat.js';
export { StatementError, type StatementSubject } from './statement-error.js';
export type {
  AbortPins,
  AlterPublication,
  AlterTable,
  BeginOptions,
  BlockPins,
  DeleteStatement,
  EndPins,
  MessageStatement,
  Place,
  TruncateOptions,
  UpdateStatement,
  Where,
} from './statement.js';
export { recordSize } from './wal.js';
