/** A transaction that a test keeps open: streamed in blocks, continued as long as it likes. */
import type { OpenTransactions } from './open-transactions.js';
import type { LsnLike, Published } from './published.js';
import type { TransactionPart } from './statement.js';
import { block, endPins } from './transaction.js';

/** A transaction that stays open for as long as a test likes: made by `server.begin`. */
export class LiveTransaction {
  /** Made by `server.begin`. */
  constructor(private readonly open: OpenTransactions) {}

  /** The transaction id. */
  get xid(): number {
    return this.open.xid;
  }

  /** Executes statements. @throws StatementError for what a real server would refuse; the transaction stays open */
  run(...parts: readonly TransactionPart[]): this {
    this.open.run(parts);
    return this;
  }

  /** What has changed since the last block goes out now, to clients that asked for streaming. Of transactions begun with `streamed`. */
  block(): this {
    this.open.run([block()]);
    return this;
  }

  /**
   * COMMIT.
   * @param pins positions and time of the commit record; `commitTime` in microseconds since 2000
   * @throws TypeError when it has ended
   */
  commit(
    pins: { readonly commitLsn?: LsnLike; readonly endLsn?: LsnLike; readonly commitTime?: bigint } = {},
  ): Published {
    return this.open.end({}, endPins(pins));
  }

  /** ROLLBACK. @throws TypeError when it has ended */
  rollback(): Published {
    return this.open.end({ rollback: true });
  }

  /** PREPARE TRANSACTION; published `commitPrepared(gid)` or `rollbackPrepared(gid)` ends it. */
  prepare(gid: string): Published {
    return this.open.end({ gid });
  }
}
