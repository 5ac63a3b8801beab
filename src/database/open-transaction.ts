import type { PgType } from '../postgres/pg-type.js';
import type { Catalog, PartitionBound, Publication, Table } from '../timeline/catalog.js';
import type { Datum, Row } from '../timeline/datum.js';
import type { Invalidation, Step, TimelineEvent } from '../timeline/timeline.js';
import * as ddl from './ddl-statements.js';
import type { PublicationDeclaration, RowValues, TableDeclaration, TableName } from './declaration.js';
import type { GivenRow } from './given-row.js';
import { repeatChanges, type RepeatOptions } from './repeat.js';
import {
  copyRows,
  deleteRows,
  insertGivenRow,
  insertRow,
  insertSeenRow,
  truncateTables,
  updateRows,
} from './row-statements.js';
import { visibleRows } from './row-matching.js';
import type {
  AbortPins,
  AlterPublication,
  AlterTable,
  BlockPins,
  DeleteStatement,
  EndPins,
  MessageStatement,
  Place,
  TruncateOptions,
  UpdateStatement,
} from './statement.js';
import { columnPosition, findTable } from './stored-table.js';
import type { TransactionWriter } from './transaction-writer.js';
import { recordSize } from './wal.js';

/**
 * A transaction between its begin and its end. Its statements see committed rows and its own changes; what another open
 * transaction has changed may not be touched (a real server would block). Every refusal is a StatementError.
 */
export class OpenTransaction {
  readonly #writer: TransactionWriter;

  /** Made by `begin`. */
  constructor(writer: TransactionWriter) {
    this.#writer = writer;
  }

  /** The top-level xid; reading it assigns it, like the first change does. */
  get xid(): number {
    return this.#writer.xid;
  }

  /** The innermost open subtransaction's xid, or the top-level one; reading it assigns it. */
  get currentXid(): number {
    return this.#writer.currentXid;
  }

  /** The catalogs as this transaction sees them. */
  get catalog(): Catalog {
    return this.#writer.catalog;
  }

  /** Rows of one table, without its partitions and inheriting tables, as this transaction sees them. */
  rows(oid: number): Row[] {
    return visibleRows(this.#writer, oid);
  }

  /** What rows hold that leave the column out: undefined for the next number of a sequence. @throws StatementError */
  columnDefault(table: TableName, column: string): Datum | undefined {
    const found = findTable(this.#writer.catalog, table);
    const position = columnPosition(found, column);
    return found.columns[position]!.identity ? undefined : (found.defaults[position] ?? null);
  }

  /** The next statement is pinned to this position: the catalogs become those that it sees. */
  reach(lsn: bigint): void {
    this.#writer.records.reach(lsn);
  }

  /** Partitioned tables route the row. */
  insert(table: TableName, row: RowValues, place: Place = {}): void {
    insertRow(this.#writer, table, row, place);
  }

  /** As `insert`. @throws TypeError when the table has become another version */
  insertGiven(row: GivenRow, place: Place = {}): void {
    insertGivenRow(this.#writer, row, place);
  }

  /** A row as it was seen on the wire: `unchanged` stays, rows tracked under its key give way, and nothing is routed. */
  insertSeen(table: TableName, row: RowValues, place: Place = {}): void {
    insertSeenRow(this.#writer, table, row, place);
  }

  /** Rows of one COPY: up to 1000 share a record, and so an LSN. */
  copy(table: TableName, rows: readonly RowValues[], place: Place = {}): void {
    copyRows(this.#writer, table, rows, place);
  }

  /**
   * @returns how many rows were changed. By `where` none is an error (02000): a scenario that changes nothing is a mistake.
   * A lsn pinned is the first row's.
   */
  update(table: TableName, statement: UpdateStatement, place: Place = {}): number {
    return updateRows(this.#writer, table, statement, place);
  }

  /** As `update`. */
  delete(table: TableName, statement: DeleteStatement, place: Place = {}): number {
    return deleteRows(this.#writer, table, statement, place);
  }

  /** Partitions and inheriting tables come with their parents; other tables that CASCADE reaches must be listed. */
  truncate(tables: readonly TableName[], options: TruncateOptions = {}, place: Place = {}): void {
    truncateTables(this.#writer, tables, options, place);
  }

  /** A transactional message; the non-transactional one is Database.message. */
  message({ prefix, content }: MessageStatement, place: Place = {}): void {
    const writer = this.#writer;
    writer.checkOpen();
    const lsn = writer.writeToEnd(recordSize.message, place.lsn);
    const { source } = place;
    const change = { kind: 'message', lsn, xid: writer.currentXid, prefix, content } as const;
    writer.push(source === undefined ? change : { ...change, source });
  }

  alterTable(table: TableName, actions: readonly AlterTable[], place: Place = {}): void {
    ddl.alterTables(this.#writer, table, actions, place);
  }

  createTable(declaration: TableDeclaration, place: Place = {}): Table {
    return ddl.createTable(this.#writer, declaration, place);
  }

  attachPartition(parent: TableName, partition: TableName, bound: PartitionBound, place: Place = {}): void {
    ddl.attachPartition(this.#writer, parent, partition, bound, place);
  }

  detachPartition(parent: TableName, partition: TableName, place: Place = {}): void {
    ddl.detachPartition(this.#writer, parent, partition, place);
  }

  dropTable(table: TableName, place: Place = {}): void {
    ddl.dropTable(this.#writer, table, place);
  }

  createPublication(declaration: PublicationDeclaration, place: Place = {}): void {
    ddl.createPublication(this.#writer, declaration, place);
  }

  alterPublication(name: string, change: AlterPublication, place: Place = {}): void {
    ddl.alterPublication(this.#writer, name, change, place);
  }

  dropPublication(name: string, place: Place = {}): void {
    ddl.dropPublication(this.#writer, name, place);
  }

  /** As the three above, for whoever has made and checked the publication. Null: there was, or is, none. */
  replacePublication(
    statement: ddl.PublicationStatement,
    before: Publication | null,
    after: Publication | null,
    place: Place = {},
  ): void {
    ddl.replacePublication(this.#writer, statement, before, after, place);
  }

  /** CREATE or DROP SCHEMA: a schema is nothing but its tables' namespace, but servers from 16 on send every Relation again. */
  changeSchemas(place: Place = {}): void {
    ddl.changeSchema(this.#writer, {}, place);
  }

  renameSchema(from: string, to: string, place: Place = {}): void {
    ddl.changeSchema(this.#writer, { rename: [from, to] }, place);
  }

  /** As Database.takeOid. */
  takeOid(pin?: number): number {
    return this.#writer.state.oids.take(pin);
  }

  /** @param type - with an OID from takeOid */
  createType(type: PgType, place: Place = {}): void {
    ddl.createType(this.#writer, type, place);
  }

  /** ALTER TYPE: `type` takes the place of the one with its OID (a new name, schema or label). */
  replaceType(type: PgType, place: Place = {}): void {
    ddl.replaceType(this.#writer, type, place);
  }

  /** Anything else that makes a server send Relations again: GRANT, ANALYZE, CREATE INDEX on another table … */
  invalidate(invalidation: Invalidation, place: Place = {}): void {
    ddl.invalidate(this.#writer, invalidation, place);
  }

  /** Relation (and Type) of these tables again, for no reason. */
  announce(tables: readonly TableName[], place: Place = {}): void {
    const writer = this.#writer;
    writer.checkOpen();
    const found = tables.map((table) => findTable(writer.catalog, table));
    const lsn = writer.write(recordSize.change, place.lsn);
    const change = { kind: 'announce', lsn, xid: writer.currentXid, tables: found } as const;
    writer.push(place.source === undefined ? change : { ...change, source: place.source });
  }

  /**
   * The table is what `declaration` says from here on, for everybody, as after DDL of which no more was seen than the
   * Relation that comes here. Its rows keep the columns that stay.
   * @param quiet - the Relation comes with what follows
   */
  announceAs(table: TableName, declaration: TableDeclaration, quiet: boolean, place: Place = {}): void {
    this.#writer.checkOpen();
    ddl.redefineTable(this.#writer, table, declaration);
    this.announce(quiet ? [] : [declaration], place);
  }

  /** Something for the walsender to do here. */
  step(step: Step): void {
    this.#writer.step(step);
  }

  /** @param xid - pins the subtransaction's xid */
  savepoint(name: string, xid?: number): void {
    this.#writer.checkOpen();
    this.#writer.savepoint(name, xid);
  }

  release(name: string): void {
    this.#writer.checkOpen();
    const { subtransactions } = this.#writer;
    subtransactions.release(subtransactions.find(name));
  }

  /** As in SQL: the savepoint stays, and what follows runs under a new subxid. @param nextXid - pins that one */
  rollbackTo(name: string, pins: AbortPins = {}, nextXid?: number): void {
    this.#writer.checkOpen();
    this.#writer.rollbackFrom(this.#writer.subtransactions.find(name), pins);
    this.#writer.savepoint(name, nextXid);
  }

  /** A subtransaction as one piece: ended by `endSubtransaction`, innermost first. */
  beginSubtransaction(xid?: number): void {
    this.#writer.checkOpen();
    this.#writer.savepoint(null, xid);
  }

  /** Savepoints that are still open in it end with it. */
  endSubtransaction(outcome: 'commit' | 'rollback', pins: AbortPins = {}): void {
    this.#writer.checkOpen();
    const position = this.#writer.subtransactions.findUnnamed();
    if (outcome === 'commit') this.#writer.subtransactions.release(position);
    else this.#writer.rollbackFrom(position, pins);
  }

  /** As Database.repeat, within this transaction. */
  repeat(
    count: number,
    body: (transaction: OpenTransaction, index: number) => void,
    options: RepeatOptions = {},
  ): void {
    this.#writer.checkOpen();
    repeatChanges(this.#writer, this, count, body, options, (standIn) => new OpenTransaction(standIn));
  }

  /**
   * Ends a streamed block: what has changed since the last one goes out now to clients that asked for streaming; no change
   * at all makes an empty block. The transaction must have been begun as `streamed`.
   * @returns null right after a rollback, which has ended the block by itself
   */
  endBlock(pins: BlockPins = {}): TimelineEvent | null {
    return this.#writer.endBlock(pins);
  }

  commit(pins: EndPins = {}): TimelineEvent {
    return this.#writer.commit(pins);
  }

  /** @param block - pins of the last block, which holds what is left to be streamed */
  prepare(gid: string, pins: EndPins = {}, block: BlockPins = {}): TimelineEvent {
    return this.#writer.prepare(gid, pins, block);
  }

  /** Changes since the last block never go out. */
  abort(pins: AbortPins = {}): TimelineEvent {
    return this.#writer.abort(pins);
  }

  /** The server crashed while it was open: as an abort, but nobody wrote a record of it. */
  crash(): TimelineEvent {
    return this.#writer.crash();
  }
}
