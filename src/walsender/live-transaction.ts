/**
 * A transaction of an SQL session in the database that the timeline comes from.
 *
 * What has not been read of the stream is yet to come, though its WAL has positions already: publications that are changed
 * before anybody has read any are as changed from the start. Otherwise a consumer that makes its publication first and its slot
 * then, as it should, would not find it in the stream.
 *
 * ```
 *   (only publications, nothing read) ──commit──→ declared
 *                 │ message, savepoint
 *                 ▼
 *              writing ──commit──→ written at the end of WAL
 * ```
 */
import type { OpenTransaction, PublicationStatement } from '../database/index.js';
import type { WriteTransaction } from '../sql/host.js';
import type { Publication } from '../timeline/catalog.js';
import type { PublishedDatabase } from './published-database.js';

type PublicationChange = readonly [
  statement: PublicationStatement,
  before: Publication | null,
  after: Publication | null,
];

export class LiveTransaction implements WriteTransaction {
  /** Changes that may become declarations; null once something was written. */
  #declarations: PublicationChange[] | null;

  constructor(
    private readonly database: PublishedDatabase,
    private readonly transaction: OpenTransaction,
  ) {
    this.#declarations = database.isRead ? null : [];
  }

  get xid(): number {
    return this.transaction.xid;
  }

  message(prefix: string, content: Uint8Array): bigint {
    this.#write();
    this.transaction.message({ prefix, content });
    return this.#advance();
  }

  replacePublication(...change: PublicationChange): void {
    if (this.#declarations !== null) {
      this.#declarations.push(change);
      return;
    }
    this.transaction.replacePublication(...change);
    this.#advance();
  }

  savepoint(name: string): void {
    this.#write();
    this.transaction.savepoint(name);
  }

  release(name: string): void {
    this.transaction.release(name);
  }

  rollbackTo(name: string): void {
    this.transaction.rollbackTo(name);
    this.#advance();
  }

  commit(): void {
    const declarations = this.#declarations;
    if (declarations === null || this.database.isRead) {
      this.#write();
      this.transaction.commit();
      this.#advance();
      return;
    }
    for (const [, before, after] of declarations) this.database.live!.redeclarePublication(before, after);
    this.transaction.commit();
  }

  rollback(): void {
    this.transaction.abort();
    if (this.#declarations === null) this.#advance();
  }

  /** What was held back is written after all. */
  #write(): void {
    const declarations = this.#declarations ?? [];
    this.#declarations = null;
    for (const change of declarations) this.transaction.replacePublication(...change);
  }

  /** Other sessions' catalogs and positions are those as of here. Returns the end of WAL. */
  #advance(): bigint {
    const { lsn } = this.database.live!;
    this.database.advance(lsn);
    return lsn;
  }
}
