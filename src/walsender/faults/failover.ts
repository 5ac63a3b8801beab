/** `failover`: the server dies without a word, and a promoted standby answers in its place. */
import { WireError } from '../../values/wire-error.js';
import type { Fault } from './fault.js';
import { resolvePosition } from './position.js';

export const failover: Fault<'failover'> = ({ timeline, downMilliseconds = 0, syncedTo }, context) => {
  const { cluster, major } = context.session;
  const { current } = cluster.timelines;
  if (timeline <= current) {
    const message = `fake-walsender cannot fail over to timeline ${timeline}: this is timeline ${current}`;
    throw new WireError({ code: '0A000', message });
  }
  const limit = syncedTo === undefined ? null : resolvePosition(syncedTo, context);
  context.report(`failed over to timeline ${timeline}`);
  for (const session of [...cluster.sessions.values()]) session.end('fault: failover', 'end');
  cluster.timelines.promote(timeline, context.lsn);
  for (const slot of [...cluster.slots]) {
    // Slots are synchronized to standbys since 17.
    if (slot.failover && major >= 17) cluster.slots.arriveOnStandby(slot, limit);
    else cluster.slots.lose(slot.name);
  }
  cluster.refuseFor(downMilliseconds);
  return 'over';
};
