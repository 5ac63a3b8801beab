/** A transaction of an SQL session in the database that the timeline comes from. */
import type { OpenTransaction, PublicationStatement } from '../database/index.js';
import type { WriteTransaction } from '../sql/host.js';
import type { Publication } from '../timeline/catalog.js';
import type { PublishedDatabase } from './published-database.js';

export class LiveTransaction implements WriteTransaction {
  constructor(
    private readonly database: PublishedDatabase,
    private readonly transaction: OpenTransaction,
  ) {}

  get xid(): number {
    return this.transaction.xid;
  }

  message(prefix: string, content: Uint8Array): bigint {
    this.transaction.message({ prefix, content });
    return this.#written();
  }

  replacePublication(statement: PublicationStatement, before: Publication | null, after: Publication | null): void {
    this.transaction.replacePublication(statement, before, after);
    this.#written();
  }

  savepoint(name: string): void {
    this.transaction.savepoint(name);
  }

  release(name: string): void {
    this.transaction.release(name);
  }

  rollbackTo(name: string): void {
    this.transaction.rollbackTo(name);
    this.#written();
  }

  commit(): void {
    this.transaction.commit();
    this.#written();
  }

  rollback(): void {
    this.transaction.abort();
    this.#written();
  }

  /** Other sessions' catalogs and positions are those as of here. Returns the end of WAL. */
  #written(): bigint {
    const { lsn } = this.database.live!;
    this.database.advance(lsn);
    return lsn;
  }
}
