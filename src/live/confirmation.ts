/** Until a slot has confirmed a position: what tests and the control endpoint wait for. */
import { formatLsn } from '../values/lsn.js';
import { waitFor, type WaitOptions } from './event-source.js';
import type { LiveServer } from './live-server.js';

/**
 * @param target - the position; undefined as long as it is not known
 * @param shown - how a failure names it
 * @throws Error that says what the slot has confirmed, when the time is up; the signal's reason
 */
export async function waitForConfirmation(
  { server, events }: Pick<LiveServer, 'server' | 'events'>,
  slot: string,
  target: () => bigint | undefined,
  shown: string,
  options: WaitOptions,
): Promise<void> {
  const confirmed = (): bigint | null => server.cluster.slots.find(slot)?.confirmedFlushLsn ?? null;
  await waitFor<true>(
    (found) => {
      const look = (): void => {
        const wanted = target();
        if (wanted !== undefined && (confirmed() ?? -1n) >= wanted) found(true);
      };
      look();
      const listeners = [events.on('*', look), server.cluster.slots.onChanged(look)];
      return () => listeners.forEach((stop) => stop());
    },
    () => {
      const stands = confirmed();
      const state = stands === null ? 'does not exist' : `has confirmed ${formatLsn(stands)} only`;
      return `slot "${slot}" ${state}: it did not confirm ${shown}`;
    },
    options,
  );
}
