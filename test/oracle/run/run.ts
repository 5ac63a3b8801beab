/** What came of running a workload on one server: everything that the comparison needs. */
import type { Frame, ServerMessage } from '../client/capture.js';
import type { CatalogSnapshot } from '../recorder/catalog.js';
import type { Told } from '../recorder/told.js';
import type { WalEvent } from '../wal/event.js';
import type { Variant } from '../workload/workload.js';

export interface StatementRun {
  readonly session: string;
  readonly sql: string;
  readonly told: readonly Told[];
  /** WAL insert position afterwards: the statement's records lie below. */
  readonly endLsn: bigint;
  /** Replication origins by roident. */
  readonly origins: Readonly<Record<string, string>>;
  /** The committed catalogs afterwards, where the statement can have changed them. */
  readonly catalog: CatalogSnapshot | undefined;
}

export interface StreamRun {
  /** Name of the `capture` step, `end` or `live`. */
  readonly at: string;
  readonly options: Readonly<Record<string, string>>;
  /** Where the slot stood: the consistent point or what was confirmed. */
  readonly startLsn: bigint;
  /** Where WAL stood when the stream had been read. */
  readonly endLsn: bigint;
  readonly frames: readonly Frame[];
  readonly notices: readonly ServerMessage[];
  readonly error: ServerMessage | undefined;
}

export interface VariantRun {
  readonly variant: Variant;
  /** Where the slot stood when it had been made. */
  readonly slotLsn: bigint;
  readonly streams: readonly StreamRun[];
}

export interface WorkloadRun {
  readonly major: number;
  /** As server_version has it. */
  readonly version: string;
  readonly systemId: string;
  readonly timeline: number;
  readonly live: boolean;
  /** WAL insert position and catalogs when the slots had been made. */
  readonly startLsn: bigint;
  readonly catalog: CatalogSnapshot;
  readonly statements: readonly StatementRun[];
  readonly wal: readonly WalEvent[];
  readonly variants: readonly VariantRun[];
}
