/** What stands against a new slot, in the server's order; CREATE_REPLICATION_SLOT and the SQL functions share it. */
import type { TransactionState } from '../sql/engine.js';
import type { NewSlot } from '../sql/host.js';
import { WireError } from '../values/wire-error.js';
import type { Cluster } from './cluster.js';
import { notReady, pluginMissing, requiresSlots, requiresWalLevel } from './command-errors.js';
import type { PublishedDatabase } from './published-database.js';
import type { Slot } from './slot.js';
import { checkSlotName } from './slot-errors.js';

/** @throws WireError 55000, 0A000 where this server, or this connection, cannot decode. */
export function checkLogicalDecoding(cluster: Cluster, database: PublishedDatabase | null): void {
  const { major, configuration } = cluster;
  if (cluster.setting('max_replication_slots') === 0) throw requiresSlots(major);
  // From 19 on the first logical slot turns logical decoding on.
  if (major < 19 && (configuration.get('wal_level') ?? 'logical') !== 'logical') throw requiresWalLevel(major);
  if (database === null) throw notReady('logical decoding requires a database connection');
  if (major < 16 && configuration.get('in_hot_standby') === 'on') {
    throw new WireError({ code: '0A000', message: 'logical decoding cannot be used while in recovery' });
  }
}

/**
 * Makes the slot.
 *
 * @param checkSnapshot refuses what cannot be done with its snapshot; called once the slot itself is in order
 * @throws WireError as the server does
 */
export function createSlot(
  cluster: Cluster,
  database: PublishedDatabase,
  slot: NewSlot,
  transaction: TransactionState | null,
  checkSnapshot: () => void = () => undefined,
): Slot {
  checkSlotName(slot.name, cluster.major);
  if (slot.failover && slot.temporary) {
    throw new WireError({ code: '0A000', message: 'cannot enable failover for a temporary replication slot' });
  }
  cluster.slots.checkNew(slot);
  if (slot.plugin !== null) {
    checkSnapshot();
    if (transaction?.hasWrites) {
      const message = 'cannot create logical replication slot in transaction that has performed writes';
      throw new WireError({ code: '25001', message });
    }
    checkPlugin(slot.plugin, cluster.major);
  }
  return cluster.slots.create(slot, {
    lsn: database.newSlotLsn,
    nextXid: database.nextXid,
    time: cluster.config.clock.now(),
  });
}

/** @throws WireError 58P01, 0A000 for every plugin but pgoutput. */
export function checkPlugin(plugin: string, major: number): void {
  if (plugin === 'pgrepack' && major >= 19) {
    throw new WireError({ code: '0A000', message: `unsupported use of logical decoding plugin "${plugin}"` });
  }
  if (plugin !== 'pgoutput') throw pluginMissing(plugin);
}
