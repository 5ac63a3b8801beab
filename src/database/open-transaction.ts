import type { Catalog, Table } from '../timeline/catalog.js';
import type { Step, TimelineEvent } from '../timeline/timeline.js';
import type { PublicationDeclaration, RowValues, TableDeclaration, TableName } from './declaration.js';
import type {
  AbortPins,
  AlterPublication,
  AlterTable,
  DeleteStatement,
  EndPins,
  MessageStatement,
  Place,
  TruncateOptions,
  UpdateStatement,
} from './statement.js';
import type { RepeatOptions } from './database.js';

/**
 * A transaction between its begin and its end. Its statements see committed rows and its own changes; what another open
 * transaction has changed may not be touched (a real server would block).
 */
export declare class OpenTransaction {
  /** The top-level xid; reading it assigns it, like the first change does. */
  readonly xid: number;
  /** The innermost open subtransaction's xid, or the top-level one; reading it assigns it. */
  readonly currentXid: number;
  /** The catalogs as this transaction sees them. */
  readonly catalog: Catalog;

  /** @param rows - one WAL record each; partitioned tables route them */
  insert(table: TableName, row: RowValues, place?: Place): void;
  /** Rows of one COPY: one record, so all share an LSN. */
  copy(table: TableName, rows: readonly RowValues[], place?: Place): void;
  /** @returns how many rows were changed. By `where` none is an error: a scenario that changes nothing is a mistake. */
  update(table: TableName, statement: UpdateStatement, place?: Place): number;
  delete(table: TableName, statement: DeleteStatement, place?: Place): number;
  /** Partitions come with their parents; other tables that CASCADE reaches must be listed. */
  truncate(tables: readonly TableName[], options?: TruncateOptions, place?: Place): void;
  /** A transactional message; the non-transactional one is Database.message. */
  message(message: MessageStatement, place?: Place): void;

  alterTable(table: TableName, actions: readonly AlterTable[], place?: Place): void;
  createTable(declaration: TableDeclaration, place?: Place): Table;
  dropTable(table: TableName, place?: Place): void;
  createPublication(declaration: PublicationDeclaration, place?: Place): void;
  alterPublication(name: string, change: AlterPublication, place?: Place): void;
  dropPublication(name: string, place?: Place): void;
  createSchema(namespace: string, place?: Place): void;
  renameSchema(from: string, to: string, place?: Place): void;
  dropSchema(namespace: string, place?: Place): void;
  /** Relation (and Type) of these tables again, for no reason. */
  announce(tables: readonly TableName[], place?: Place): void;
  /** Something for the walsender to do here. */
  step(step: Step): void;

  /** @param xid - pins the subtransaction's xid */
  savepoint(name: string, xid?: number): void;
  release(name: string): void;
  /** As in SQL: the savepoint stays, and what follows runs under a new subxid. @param nextXid - pins that one */
  rollbackTo(name: string, pins?: AbortPins, nextXid?: number): void;
  /** A subtransaction as one piece: ended by `endSubtransaction`, innermost first. */
  beginSubtransaction(xid?: number): void;
  endSubtransaction(outcome: 'commit' | 'rollback', pins?: AbortPins): void;

  /** As Database.repeat, within this transaction. */
  repeat(count: number, body: (transaction: OpenTransaction, index: number) => void, options?: RepeatOptions): void;

  /**
   * Ends a streamed block: what has changed since the last one goes out now to clients that asked for streaming; no change
   * at all makes an empty block. Rolling a subtransaction back ends the block by itself in a transaction begun as `streamed`.
   */
  endBlock(): TimelineEvent;

  commit(pins?: EndPins): TimelineEvent;
  prepare(gid: string, pins?: EndPins): TimelineEvent;
  abort(pins?: AbortPins): TimelineEvent;
}
