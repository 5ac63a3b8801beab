/** Executes the walsender's commands; what they answer is written at once, and ReadyForQuery is the session's. */
import { commandComplete, dataRow, rowDescription } from '../protocol/backend-messages.js';
import { commandNames, type CommandKind, type ReplicationCommand } from '../protocol/replication-command.js';
import { alterSlotOptions, createSlotOptions, type CreateSlotOptions } from '../protocol/slot-options.js';
import type { SqlSession } from '../sql/engine.js';
import { formatLsn } from '../values/lsn.js';
import { WireError } from '../values/wire-error.js';
import { inTransactionBlock, notReady, unsupportedCommand } from './command-errors.js';
import { shownSetting } from './entrance.js';
import type { SessionInside } from './inside.js';
import type { LogicalSender } from './logical-sender.js';
import type { Task } from './outputs-run.js';
import type { PublishedDatabase } from './published-database.js';
import { column } from './result-columns.js';
import { checkLogicalDecoding, createSlot } from './slot-creation.js';
import { SlotWait } from './slot-wait.js';
import { startLogical } from './start-logical.js';

type CommandOf<K extends CommandKind> = Extract<ReplicationCommand, { readonly kind: K }>;

export interface CommandContext {
  readonly session: SessionInside;
  readonly sql: SqlSession;
  /** The connection's; null for a physical walsender. */
  readonly database: PublishedDatabase | null;
  /** The connection has made a logical slot, or streamed from one. */
  readonly hasDecoded: boolean;
  /** A logical stream of this connection was ended by CopyDone: the next one ends before it begins. */
  readonly streamWasEnded: boolean;
}

export type CommandOutcome =
  | { readonly kind: 'done' }
  /** The rest of the answer comes from SQL. */
  | { readonly kind: 'sql'; readonly text: string }
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'stream'; readonly sender: LogicalSender };

const done: CommandOutcome = { kind: 'done' };

/** Commands that a transaction block forbids. */
const outsideTransactions: ReadonlySet<CommandKind> = new Set([
  'startLogical',
  'startPhysical',
  'baseBackup',
  'timelineHistory',
  'uploadManifest',
]);

/** @throws WireError as the server does; ServerCrash where it would crash. */
export function runCommand(command: ReplicationCommand, context: CommandContext): CommandOutcome {
  const { sql } = context;
  sql.assertNotFailed();
  if (sql.transaction !== null && outsideTransactions.has(command.kind))
    throw inTransactionBlock(commandNames[command.kind]);
  switch (command.kind) {
    case 'identifySystem':
      return identifySystem(context);
    case 'show':
      return show(command, context);
    case 'readReplicationSlot':
      return readSlot(command, context);
    case 'createReplicationSlot':
      return create(command, context);
    case 'alterReplicationSlot':
      return alter(command, context);
    case 'dropReplicationSlot':
      return drop(command, context);
    case 'timelineHistory':
      return timelineHistory(command, context);
    case 'startLogical':
      return start(command, context);
    case 'startPhysical':
      return refusePhysical(command, context);
    case 'baseBackup':
    case 'uploadManifest':
      throw unsupportedCommand(commandNames[command.kind]);
  }
}

/** Ends a command; until 12 every one of them claimed to be a SELECT. */
function completeCommand(kind: CommandKind, { output, major }: SessionInside): void {
  commandComplete(output.writer, major >= 13 ? commandNames[kind] : 'SELECT');
}

function identifySystem({ session, database }: CommandContext): CommandOutcome {
  const { major, cluster, output } = session;
  const { timeline, writtenLsn } = database ?? cluster.mainDatabase;
  rowDescription(output.writer, [
    column('systemid'),
    column('timeline', major >= 16 ? 'int8' : 'int4'),
    column('xlogpos'),
    column('dbname'),
  ]);
  const timelineId = String(cluster.timelines.current);
  dataRow(output.writer, [timeline.server.systemId, timelineId, formatLsn(writtenLsn, major), database?.name ?? null]);
  completeCommand('identifySystem', session);
  return done;
}

function show({ name }: CommandOf<'show'>, { session, sql, database }: CommandContext): CommandOutcome {
  if (name === 'all') return { kind: 'sql', text: 'SHOW ALL' };
  const setting = sql.show(name);
  rowDescription(session.output.writer, [column(setting.name)]);
  dataRow(session.output.writer, [shownSetting(setting.name, setting.value, database)]);
  completeCommand('show', session);
  return done;
}

function readSlot({ slot: name }: CommandOf<'readReplicationSlot'>, { session }: CommandContext): CommandOutcome {
  const { cluster, output, major } = session;
  const slot = cluster.slots.find(name);
  if (slot && slot.plugin !== null) {
    throw new WireError({ code: '0A000', message: 'cannot use READ_REPLICATION_SLOT with a logical replication slot' });
  }
  rowDescription(output.writer, [column('slot_type'), column('restart_lsn'), column('restart_tli', 'int8')]);
  const restartLsn = slot?.restartLsn ?? null;
  const timelineId = String(cluster.timelines.current);
  dataRow(output.writer, [
    slot ? 'physical' : null,
    restartLsn === null ? null : formatLsn(restartLsn, major),
    restartLsn === null ? null : timelineId,
  ]);
  completeCommand('readReplicationSlot', session);
  return done;
}

function create(command: CommandOf<'createReplicationSlot'>, context: CommandContext): CommandOutcome {
  const { session, sql, database } = context;
  const { cluster, major, output, pid } = session;
  const logical = command.plugin !== null;
  const options = createSlotOptions(command.options, logical, major);
  if (logical) checkLogicalDecoding(cluster, database);
  const { slot: name, plugin, temporary } = command;
  const { twoPhase, failover, reserveWal } = options;
  const home = database ?? cluster.mainDatabase;
  const slot = createSlot(
    cluster,
    home,
    { name, plugin, temporary, twoPhase, failover, reserveWal, database: home.name, pid },
    sql.transaction,
    () => checkSnapshot(options, context),
  );
  session.observe({ kind: 'slot:create', slot: name });
  const lsn = slot.confirmedFlushLsn;
  let snapshot: string | null = null;
  if (lsn !== null && options.snapshot === 'export') snapshot = cluster.snapshots.export(lsn, pid);
  if (lsn !== null && options.snapshot === 'use') sql.useSnapshot(lsn);

  rowDescription(output.writer, [
    column('slot_name'),
    column('consistent_point'),
    column('snapshot_name'),
    column('output_plugin'),
  ]);
  dataRow(output.writer, [name, formatLsn(lsn ?? 0n, major), snapshot, plugin]);
  completeCommand(command.kind, session);
  return done;
}

/** @throws WireError XX000 where the transaction does not suit what is to become of the snapshot. */
function checkSnapshot(
  { snapshot }: CreateSlotOptions,
  { session: { major }, sql: { transaction } }: CommandContext,
): void {
  const refuse = (syntax: string, legacySyntax: string, what: string): never => {
    const command = `CREATE_REPLICATION_SLOT ... ${major >= 15 ? syntax : legacySyntax}`;
    throw new WireError({ code: 'XX000', message: `${command} ${what}` });
  };
  if (snapshot === 'export' && transaction !== null) {
    refuse("(SNAPSHOT 'export')", 'EXPORT_SNAPSHOT', 'must not be called inside a transaction');
  }
  if (snapshot !== 'use') return;
  const refuseUse = (what: string): never => refuse("(SNAPSHOT 'use')", 'USE_SNAPSHOT', what);
  if (transaction === null) return refuseUse('must be called inside a transaction');
  if (transaction.isolation !== 'repeatable read')
    refuseUse('must be called in REPEATABLE READ isolation mode transaction');
  if (!transaction.readOnly && major >= 16) refuseUse('must be called in a read-only transaction');
  if (transaction.hasSnapshot) refuseUse('must be called before any query');
  if (transaction.inSubtransaction) refuseUse('must not be called in a subtransaction');
}

function alter(command: CommandOf<'alterReplicationSlot'>, { session }: CommandContext): CommandOutcome {
  const { cluster, major, pid } = session;
  const { failover, twoPhase } = alterSlotOptions(command.options, major);
  const task = new SlotWait(session, command.slot, () => {
    const slot = cluster.slots.acquire(command.slot, pid);
    try {
      if (slot.plugin === null) {
        throw new WireError({
          code: '0A000',
          message: 'cannot use ALTER_REPLICATION_SLOT with a physical replication slot',
        });
      }
      if (failover === true && slot.temporary) {
        throw new WireError({ code: '0A000', message: 'cannot enable failover for a temporary replication slot' });
      }
      cluster.slots.alter(slot, {
        ...(failover !== undefined && { failover }),
        ...(twoPhase !== undefined && { twoPhase }),
      });
    } finally {
      cluster.slots.release(slot, pid, session.clock.now());
    }
    completeCommand(command.kind, session);
  });
  return { kind: 'task', task };
}

function drop(command: CommandOf<'dropReplicationSlot'>, { session }: CommandContext): CommandOutcome {
  const act = (): void => {
    session.cluster.slots.drop(command.slot, session.pid);
    session.observe({ kind: 'slot:drop', slot: command.slot });
    // Up to 12 the command completes itself, and then as every command does.
    if (session.major < 13) commandComplete(session.output.writer, commandNames[command.kind]);
    completeCommand(command.kind, session);
  };
  if (command.wait) return { kind: 'task', task: new SlotWait(session, command.slot, act) };
  act();
  return done;
}

function timelineHistory({ timeline }: CommandOf<'timelineHistory'>, { session }: CommandContext): CommandOutcome {
  const { major, output, cluster } = session;
  const typeModifier = major >= 16 ? -1 : 0;
  rowDescription(output.writer, [
    column('filename', 'text', typeModifier),
    column('content', major >= 14 ? 'text' : 'bytea', typeModifier),
  ]);
  const file = `${timeline.toString(16).toUpperCase().padStart(8, '0')}.history`;
  const ancestors = cluster.timelines.history(timeline);
  if (ancestors === undefined) {
    throw new WireError({ code: '58P01', message: `could not open file "pg_wal/${file}": No such file or directory` });
  }
  const lines = ancestors.map(
    (ancestor) => `${ancestor.timeline}\t${formatLsn(ancestor.end, major)}\tno recovery target specified\n`,
  );
  dataRow(output.writer, [file, lines.join('\n')]);
  completeCommand('timelineHistory', session);
  return done;
}

function start(command: CommandOf<'startLogical'>, context: CommandContext): CommandOutcome {
  const sender = startLogical(command, context);
  if (!context.streamWasEnded) return { kind: 'stream', sender };
  sender.release();
  context.session.cluster.slots.release(sender.slot, context.session.pid, context.session.clock.now());
  completeStream(context.session);
  return done;
}

/** The two tags that end a logical stream. */
export function completeStream(session: SessionInside): void {
  commandComplete(session.output.writer, 'COPY 0');
  completeCommand('startLogical', session);
}

function refusePhysical({ slot: name, timeline }: CommandOf<'startPhysical'>, { session }: CommandContext): never {
  const { cluster, pid } = session;
  if (name !== null) {
    const slot = cluster.slots.acquire(name, pid);
    cluster.slots.release(slot, pid, session.clock.now());
    if (slot.plugin !== null) throw notReady('cannot use a logical replication slot for physical replication');
  }
  if (timeline > cluster.timelines.current) {
    throw new WireError({ code: 'XX000', message: `requested timeline ${timeline} is not in this server's history` });
  }
  throw unsupportedCommand('physical replication');
}
