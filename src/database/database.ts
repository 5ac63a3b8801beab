/**
 * The emulated publisher: executes statements on tracked rows, refuses what a server would refuse, assigns OIDs, xids,
 * LSNs and times, and makes the events of a timeline.
 *
 * Values come in as canonical text (see postgres/pg-type.ts): the caller, who knows where each one stands, has put them
 * through their type's input function. Every refusal is a StatementError.
 *
 * Statements run in the order of the calls; that order is the order of WAL. Several transactions may be open at once.
 */
import type { PgType } from '../postgres/pg-type.js';
import type { Catalog, Publication, Table } from '../timeline/catalog.js';
import type { Row } from '../timeline/datum.js';
import type { OriginMark, ServerFacts, SourcePosition, Step, Timeline, TimelineEvent } from '../timeline/timeline.js';
import type { PublicationDeclaration, RowValues, TableDeclaration, TableName } from './declaration.js';
import type { OpenTransaction } from './open-transaction.js';
import type { BeginOptions, EndPins, MessageStatement, Place } from './statement.js';

export interface DatabaseOptions {
  readonly server: ServerFacts;
  /** Microseconds that the clock moves per commit, prepare and outcome. */
  readonly clockStep: bigint;
  /** The next transaction id, 3 to 2^32-1. After 2^32-1 comes 3. */
  readonly nextXid: number;
  /** The next OID for what pins none; 16384 where absent. */
  readonly nextOid?: number;
}

/** What `repeat` hands to its body: a database that may be a stand-in (see `repeat`). */
export interface Publisher {
  begin(options?: BeginOptions): OpenTransaction;
  commitPrepared(gid: string, pins?: EndPins & { readonly source?: SourcePosition }): TimelineEvent;
  rollbackPrepared(gid: string, pins?: EndPins & { readonly source?: SourcePosition }): TimelineEvent;
  /** A non-transactional message. */
  message(message: MessageStatement, place?: Place & { readonly origin?: OriginMark }): TimelineEvent;
  step(step: Step): TimelineEvent;
  repeat(count: number, body: (publisher: Publisher, index: number) => void, options?: RepeatOptions): void;
  /** Where WAL stands: the end of the last record. */
  readonly lsn: bigint;
}

export interface RepeatOptions {
  /** Keep the rows that the rounds make, for later `where`s; memory then grows with the count. */
  readonly track?: boolean;
}

export declare class Database implements Publisher {
  constructor(options: DatabaseOptions);

  /** The events so far and those to come. */
  readonly timeline: Timeline;
  /** The committed catalogs. */
  readonly catalog: Catalog;
  readonly lsn: bigint;

  /** The next free OID, or `pin` (refused when it is in use). For what callers make themselves: types. */
  takeOid(pin?: number): number;

  // Before the stream: declarations leave no trace in the timeline but its starting catalogs and rows.

  /** @param type - made by the caller, with an OID from `takeOid` */
  createType(type: PgType): void;
  /** @returns the table; its partitions are created with it */
  createTable(declaration: TableDeclaration): Table;
  createPublication(declaration: PublicationDeclaration): Publication;
  /** Rows that the table holds before the stream starts; routed when it is partitioned. Each is refused on its own: use one call per row to locate errors. */
  loadRows(table: TableName, rows: Iterable<RowValues>): void;

  // The stream.

  begin(options?: BeginOptions): OpenTransaction;
  commitPrepared(gid: string, pins?: EndPins & { readonly source?: SourcePosition }): TimelineEvent;
  rollbackPrepared(gid: string, pins?: EndPins & { readonly source?: SourcePosition }): TimelineEvent;
  message(message: MessageStatement, place?: Place & { readonly origin?: OriginMark }): TimelineEvent;
  step(step: Step): TimelineEvent;
  /**
   * Runs `body` `count` times. Unless `track` is set, the body's effects are worked out only when the timeline is read,
   * in constant memory, and the rows it makes are seen by nobody but the same round. For that the body must be pure
   * (same index, same calls), use only the publisher that it is given, pin nothing, and make every round write the same
   * records. A body that needs what the database keeps (a `where` that meets rows from before, DDL, TRUNCATE of a table
   * with rows, prepared transactions of before) is run at once instead, as with `track`.
   */
  repeat(count: number, body: (publisher: Publisher, index: number) => void, options?: RepeatOptions): void;

  /** The rows of a table as committed, with their column names; for SELECT and COPY use `timeline.tablesAt`. */
  rows(table: TableName): readonly Row[];
}
