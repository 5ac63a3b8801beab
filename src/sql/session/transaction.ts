/** One transaction: what it was begun as, what it sees, what it will write. */
import type { Catalog } from '../../timeline/catalog.js';
import type { TransactionState } from '../engine.js';
import type { SqlHost, WriteTransaction } from '../host.js';

interface Savepoint {
  readonly name: string;
  readonly catalog: Catalog | null;
}

export class Transaction {
  isolation: TransactionState['isolation'];
  readOnly: boolean;
  /** Rows as of here, for the whole transaction; null: as of each statement. */
  snapshotLsn: bigint | null = null;
  hasSnapshot = false;
  /** With the publications that it has made. */
  catalog: Catalog | null = null;
  private readonly savepoints: Savepoint[] = [];
  #writing: WriteTransaction | null = null;
  #xid: number | null = null;

  constructor(
    /** Microseconds since 2000. */
    readonly startedAt: bigint,
    defaults: Pick<TransactionState, 'isolation' | 'readOnly'>,
  ) {
    this.isolation = defaults.isolation;
    this.readOnly = defaults.readOnly;
  }

  get state(): TransactionState {
    return {
      isolation: this.isolation,
      readOnly: this.readOnly,
      hasSnapshot: this.hasSnapshot,
      inSubtransaction: this.savepoints.length > 0,
      hasWrites: this.#writing !== null,
    };
  }

  /** Null until something asks for one. */
  get xid(): number | null {
    return this.#xid;
  }

  assignXid(host: SqlHost): number {
    this.#xid ??= this.writing(host).xid;
    return this.#xid;
  }

  /** Begun when first asked for, inside the savepoints that there are. */
  writing(host: SqlHost): WriteTransaction {
    if (this.#writing === null) {
      this.#writing = host.begin();
      this.#xid = this.#writing.xid;
      for (const { name } of this.savepoints) this.#writing.savepoint(name);
    }
    return this.#writing;
  }

  commit(): void {
    this.#writing?.commit();
  }

  rollback(): void {
    this.#writing?.rollback();
  }

  savepoint(name: string): void {
    this.savepoints.push({ name, catalog: this.catalog });
    this.#writing?.savepoint(name);
  }

  /** How many savepoints end with this one, itself included; 0 where there is none of that name. */
  private depthOf(name: string): number {
    for (let i = this.savepoints.length - 1; i >= 0; i--) {
      if (this.savepoints[i]!.name === name) return this.savepoints.length - i;
    }
    return 0;
  }

  /** RELEASE. Returns how many ended; 0: there is no such savepoint. */
  release(name: string): number {
    const depth = this.depthOf(name);
    this.savepoints.length -= depth;
    if (depth > 0) this.#writing?.release(name);
    return depth;
  }

  /** ROLLBACK TO: the savepoint stays. Returns how many were undone, itself included; 0: there is none. */
  rollbackTo(name: string): number {
    const depth = this.depthOf(name);
    if (depth === 0) return 0;
    this.savepoints.length -= depth - 1;
    this.catalog = this.savepoints.at(-1)!.catalog;
    this.#writing?.rollbackTo(name);
    return depth;
  }
}
