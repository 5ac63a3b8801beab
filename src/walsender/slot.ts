/**
 * A replication slot:
 *
 * ```
 *                     create
 *                       │
 *                       ▼        acquire(pid)
 *   ┌──────────────── idle ⇄ active (pid) ──────────────┐
 *   │ drop                   release, or the             │ drop by its owner; of a
 *   ▼                        owner's connection ends     ▼ temporary one: its owner's end or error
 * (gone) ◄───────────────────────────────────────────── (gone)
 *
 *   invalidate(reason): idle or active → invalid; an active one loses its walsender (57P01). Invalid slots can only be dropped.
 * ```
 *
 * A temporary slot stays active (its owner's) for as long as it lives.
 */
import type { SlotState } from '../sql/host.js';

export type InvalidationReason = NonNullable<SlotState['invalidationReason']>;

/** Everything about a slot that outlives a connection; changed only by the registry. LSNs are bigints, times microseconds since 2000. */
export interface Slot {
  readonly name: string;
  /** Null for a physical slot. */
  readonly plugin: string | null;
  /** Null for a physical slot. */
  readonly database: string | null;
  readonly temporary: boolean;
  twoPhase: boolean;
  /** From where on prepared transactions are sent at PREPARE. */
  twoPhaseAt: bigint | null;
  failover: boolean;
  /** It was synchronized from another server. */
  synced?: boolean;
  confirmedFlushLsn: bigint | null;
  restartLsn: bigint | null;
  /** What the walsender must be kept from removing; plausible only. */
  catalogXmin: number | null;
  activePid: number | null;
  inactiveSince: bigint | null;
  invalidationReason: InvalidationReason | null;
}

/** As `--state FILE` keeps it: JSON, LSNs as text. Temporary slots are not kept. */
export interface StoredSlot {
  readonly name: string;
  readonly plugin: string | null;
  readonly database: string | null;
  readonly twoPhase: boolean;
  readonly twoPhaseAt: string | null;
  readonly failover: boolean;
  readonly confirmedFlushLsn: string | null;
  readonly restartLsn: string | null;
  readonly catalogXmin: number | null;
  readonly invalidationReason: InvalidationReason | null;
}
