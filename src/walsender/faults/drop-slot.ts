/** `drop_slot`, `recreate_slot`: behind the back of the consumer, whose walsender is terminated first if it has one. */
import { formatLsn } from '../../values/lsn.js';
import type { Slot } from '../slot.js';
import type { Fault, FaultContext, FaultOutcome } from './fault.js';
import { resolvePosition } from './position.js';

export const dropSlot: Fault<'dropSlot'> = ({ name }, context) => {
  const slot = context.session.cluster.slots.find(name);
  context.report(slot ? `dropped slot "${name}"` : `dropped nothing: there is no slot "${name}"`);
  return slot ? lose(slot, context) : 'goOn';
};

export const recreateSlot: Fault<'recreateSlot'> = ({ name, at }, context) => {
  const { session, database } = context;
  const { slots } = session.cluster;
  const lsn = at === undefined ? context.lsn : resolvePosition(at, context);
  const old = slots.find(name);
  context.report(`${old ? 'dropped and made' : 'made'} slot "${name}" at ${formatLsn(lsn)}`);
  const outcome = old ? lose(old, context) : 'goOn';
  const { plugin = 'pgoutput', twoPhase = false, failover = false } = old ?? {};
  slots.create(
    { name, plugin, temporary: false, twoPhase, failover, reserveWal: false, database: database.name, pid: 0 },
    { lsn, nextXid: database.nextXid, time: session.clock.now() },
  );
  return outcome;
};

function lose({ name, activePid }: Slot, { session }: FaultContext): FaultOutcome {
  const { cluster } = session;
  if (activePid !== null) cluster.sessions.get(activePid)?.terminate();
  cluster.slots.lose(name);
  return activePid === session.pid ? 'over' : 'goOn';
}
