/** One transaction, written into several databases at once: the same xid and the same LSNs in each. */
import type { BeginOptions, Database, EndPins, OpenTransaction } from '../database/index.js';
import { placeOf, type Published } from './published.js';
import { declareTables, runPart, type TransactionPart } from './statement.js';
import type { TransactionOptions } from './transaction.js';

export class OpenTransactions {
  readonly #all: readonly { readonly database: Database; readonly transaction: OpenTransaction }[];
  readonly #ended = new Set<OpenTransaction>();

  /** @param databases at least one */
  constructor(databases: readonly Database[], options: BeginOptions) {
    // Where WAL is furthest, so that every one of them can go on from there.
    const beginLsn = databases.map(({ lsn }) => lsn).reduce((a, b) => (a > b ? a : b));
    const together = databases.length > 1 ? { beginLsn } : {};
    let { xid } = options;
    this.#all = databases.map((database) => {
      const transaction = database.begin({ ...options, ...together, ...(xid !== undefined && { xid }) });
      if (databases.length > 1) xid ??= transaction.xid;
      return { database, transaction };
    });
  }

  get xid(): number {
    return this.#all[0]!.transaction.xid;
  }

  /** @throws StatementError of the first database that refuses one; the transaction is to be rolled back then */
  run(parts: readonly TransactionPart[]): void {
    for (const { database, transaction } of this.#all) {
      for (const part of parts) {
        declareTables([part], database);
        runPart(part, transaction, database.timeline.server.major);
      }
    }
  }

  /** @throws StatementError of one that cannot be ended so: it and those after it are still open */
  end(how: Pick<TransactionOptions, 'gid' | 'rollback'>, pins: EndPins = {}): Published {
    let published: Published | undefined;
    for (const { transaction } of this.#all) {
      const given: EndPins = published && !how.rollback ? { lsn: published.commitLsn, endLsn: published.endLsn } : pins;
      const place = placeOf(ended(transaction, how, given));
      this.#ended.add(transaction);
      published ??= place;
    }
    return published!;
  }

  /** Those that are still open. */
  rollback(): void {
    for (const { transaction } of this.#all) if (!this.#ended.has(transaction)) transaction.abort();
  }
}

function ended(
  transaction: OpenTransaction,
  { gid, rollback }: Pick<TransactionOptions, 'gid' | 'rollback'>,
  pins: EndPins,
) {
  if (rollback) return transaction.abort();
  return gid === undefined ? transaction.commit(pins) : transaction.prepare(gid, pins);
}
