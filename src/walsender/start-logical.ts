/** START_REPLICATION SLOT … LOGICAL: the checks, in the order of each major, and the sender they end in. */
import { copyBothResponse } from '../protocol/backend-messages.js';
import { pgoutputOptions } from '../protocol/pgoutput-options.js';
import type { ReplicationCommand } from '../protocol/replication-command.js';
import type { PgoutputOptions } from '../timeline/emitter.js';
import { WireError } from '../values/wire-error.js';
import { inStartupCallback, notReady } from './command-errors.js';
import type { CommandContext } from './commands.js';
import { milliseconds } from './duration.js';
import { LogicalSender } from './logical-sender.js';
import type { PublishedDatabase } from './published-database.js';
import type { SenderOptions } from './sender-options.js';
import type { Slot } from './slot.js';
import { slotInvalidated, walRemoved } from './slot-errors.js';
import { checkLogicalDecoding, checkPlugin, createSlot } from './slot-creation.js';

type StartLogical = Extract<ReplicationCommand, { readonly kind: 'startLogical' }>;

/**
 * Writes CopyBothResponse; the slot is the session's from then on.
 *
 * @throws WireError, with the slot released; ServerCrash
 */
export function startLogical(command: StartLogical, context: CommandContext): LogicalSender {
  const { session, database } = context;
  const { cluster, pid, clock } = session;
  checkLogicalDecoding(cluster, database);
  const home = cluster.databaseOfSlot(command.slot, database!);
  if (home.implicitSlots && !cluster.slots.hasKnown(command.slot)) createImplicitSlot(command.slot, context, home);
  const slot = cluster.slots.acquire(command.slot, pid);
  try {
    return new LogicalSender(senderOptions(command, context, home, slot));
  } catch (error) {
    cluster.slots.release(slot, pid, clock.now());
    throw error;
  }
}

function senderOptions(
  command: StartLogical,
  { session, sql, hasDecoded }: CommandContext,
  database: PublishedDatabase,
  slot: Slot,
): SenderOptions {
  const { cluster, major, output } = session;
  // 16 and 17 notice it only when decoding begins, after slot kind and database; 13 to 15 take a slot that reserves no WAL for one.
  const isInvalid = slot.invalidationReason !== null || (slot.restartLsn === null && major >= 13 && major < 16);
  if (isInvalid && ((major >= 13 && major < 16) || major >= 18)) throw slotInvalidated(slot, major);
  // 10 begins the copy first: what follows comes after CopyBothResponse there.
  if (major < 11) copyBothResponse(output.writer);
  if (slot.plugin === null) throw notReady('cannot use physical replication slot for logical decoding');
  if (slot.database !== database.name)
    throw notReady(`replication slot "${slot.name}" was not created in this database`);
  if (isInvalid && major >= 13) throw slotInvalidated(slot, major);
  checkPlugin(slot.plugin, major);
  const pgoutput = checkedOptions(command, major);

  const confirmed = slot.confirmedFlushLsn ?? 0n;
  const startLsn = command.startLsn > confirmed ? command.startLsn : confirmed;
  if (pgoutput.twoPhase && !slot.twoPhase) cluster.slots.alter(slot, { twoPhase: true, twoPhaseAt: startLsn });
  if (major >= 11) copyBothResponse(output.writer);
  // Up to 12 nobody notices before the WAL is to be read.
  if (isInvalid) throw walRemoved(slot, cluster.timelines.current);
  session.observe({
    kind: 'replication:start',
    slot: slot.name,
    requestedLsn: command.startLsn,
    startLsn,
    confirmedLsn: confirmed,
    options: command.options,
  });
  return {
    session,
    database,
    slot,
    pgoutput,
    position: confirmed,
    startLsn,
    isFresh: !hasDecoded,
    timeout: milliseconds(sql.show('wal_sender_timeout').value),
    reportSkipped: major >= 15 && sql.show('synchronous_standby_names').value !== '',
    createEmitter: (sink, from = startLsn) =>
      cluster.createEmitter(
        database.timeline,
        {
          slotName: slot.name,
          options: pgoutput,
          settings: sql.outputSettings,
          startLsn: from,
          twoPhase: slot.twoPhase,
          twoPhaseAt: slot.twoPhaseAt ?? 0n,
          late: database.late,
        },
        sink,
      ),
  };
}

/** @throws WireError with the context of the startup callback */
function checkedOptions({ slot, options }: StartLogical, major: number): PgoutputOptions {
  try {
    return pgoutputOptions(options, major);
  } catch (error) {
    throw error instanceof WireError ? inStartupCallback(error, slot) : error;
  }
}

/** Where the scenario declares no slots, one that nobody has made or dropped yet is there when it is asked for. */
function createImplicitSlot(name: string, { session, sql }: CommandContext, database: PublishedDatabase): void {
  createSlot(
    session.cluster,
    database,
    {
      name,
      plugin: 'pgoutput',
      temporary: false,
      twoPhase: false,
      failover: false,
      reserveWal: false,
      database: database.name,
      pid: session.pid,
    },
    sql.transaction,
  );
}
