/** `invalidate_slot`: the slot is lost, and its walsender with it. */
import { WireError } from '../../values/wire-error.js';
import { walRemoved } from '../slot-errors.js';
import type { Fault } from './fault.js';

/** Reasons that only a standby has: its startup process cancels rather than kills. */
const conflicts: readonly string[] = ['rows_removed', 'wal_level_insufficient'];

export const invalidateSlot: Fault<'invalidateSlot'> = ({ reason }, { session, slot, report }) => {
  const { cluster, major } = session;
  report(`invalidated slot "${slot.name}": ${reason}`);
  const removed = walRemoved(slot, cluster.timelines.current);
  cluster.slots.invalidate(slot.name, reason);
  // Before 13 slots were never invalidated, WAL just went missing.
  if (major < 13) throw removed;
  if (conflicts.includes(reason)) {
    throw new WireError({
      code: '40001',
      message: 'canceling statement due to conflict with recovery',
      detail: 'User was using a logical replication slot that must be invalidated.',
    });
  }
  session.terminate();
  return 'over';
};
