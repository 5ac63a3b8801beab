/** One database of the server: a timeline, and how far its WAL has been written. */
import type { Database } from '../database/index.js';
import type { Catalog } from '../timeline/catalog.js';
import type { Timeline } from '../timeline/timeline.js';
import { StepBoard } from './step-board.js';

export interface DatabaseConfig {
  readonly timeline: Timeline;
  /** Where the timeline comes from, for the statements that write. Absent: they are refused. */
  readonly live?: Database;
  /** Decode as if all of WAL had been written before (see EmitSession.late). */
  readonly late?: boolean;
  /** Slots that were never made and are started all the same: true lets their first START make them. */
  readonly implicitSlots?: boolean;
}

export class PublishedDatabase {
  readonly timeline: Timeline;
  readonly live: Database | undefined;
  readonly late: boolean;
  readonly implicitSlots: boolean;
  readonly steps = new StepBoard();
  #writtenLsn: bigint;

  constructor(
    readonly name: string,
    config: DatabaseConfig,
  ) {
    this.timeline = config.timeline;
    this.live = config.live;
    this.late = config.late ?? false;
    this.implicitSlots = config.implicitSlots ?? false;
    this.#writtenLsn = config.timeline.server.startLsn;
  }

  /** WAL is written as far as the furthest walsender has read: pg_current_wal_lsn(). */
  get writtenLsn(): bigint {
    return this.#writtenLsn;
  }

  /** Somebody has read of the stream, or written behind it. */
  get isRead(): boolean {
    return this.#writtenLsn > this.timeline.server.startLsn;
  }

  /** A walsender has read up to here. */
  advance(lsn: bigint): void {
    if (lsn > this.#writtenLsn) this.#writtenLsn = lsn;
  }

  /** Where a new slot stands. The same for every client and at any time, so that two consumers do not affect each other. */
  get newSlotLsn(): bigint {
    return this.timeline.server.startLsn;
  }

  get catalog(): Catalog {
    return this.timeline.catalogAt(this.#writtenLsn);
  }

  /** What would be assigned next; 3, the first normal one, where nobody assigns any. */
  get nextXid(): number {
    return this.live?.nextXid ?? 3;
  }
}
