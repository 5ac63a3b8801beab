/** One transaction, written into several databases at once: the same xid and the same LSNs in each. */
import {
  StatementError,
  type BeginOptions,
  type Database,
  type EndPins,
  type OpenTransaction,
} from '../database/index.js';
import { placeOf, type Published } from './published.js';
import { declareTables, runPart, type TransactionPart } from './statement.js';
import type { TransactionOptions } from './transaction.js';

interface Open {
  readonly database: Database;
  readonly transaction: OpenTransaction;
}

export class OpenTransactions {
  readonly #all: readonly Open[];
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

  /**
   * A database that has no row which a statement is about (02000) is left out from then on, as long as there is another.
   * @throws StatementError of the first database that refuses one; the transaction is to be rolled back then
   */
  run(parts: readonly TransactionPart[]): void {
    for (const one of this.#all) {
      if (this.#ended.has(one.transaction)) continue;
      try {
        runParts(parts, one);
      } catch (error) {
        const isAlone = this.#all.length - this.#ended.size === 1;
        if (isAlone || !(error instanceof StatementError && error.code === '02000')) throw error;
        one.transaction.abort();
        this.#ended.add(one.transaction);
      }
    }
  }

  /** @throws StatementError of one that cannot be ended so: it and those after it are still open */
  end(how: Pick<TransactionOptions, 'gid' | 'rollback'>, pins: EndPins = {}): Published {
    let published: Published | undefined;
    for (const { transaction } of this.#all) {
      if (this.#ended.has(transaction)) continue;
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

function runParts(parts: readonly TransactionPart[], { database, transaction }: Open): void {
  for (const part of parts) {
    declareTables([part], database);
    runPart(part, transaction, database.timeline.server.major);
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
