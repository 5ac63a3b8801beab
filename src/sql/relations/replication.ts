/** Slots, walsenders, and who is connected. */
import { formatLsn } from '../../values/lsn.js';
import type { StatementContext } from '../context.js';
import type { BackendState, SlotState, WalsenderState } from '../host.js';
import { printTimestamptz } from '../types/time-values.js';
import { databaseOid } from './databases.js';
import { bool, type CatalogBuilders, type CatalogRow } from './relation.js';
import { roleOid } from './roles.js';

const printedLsn = (value: bigint | null, major: number): string | null =>
  value === null ? null : formatLsn(value, major);
const number = (value: number | bigint | null): string | null => (value === null ? null : String(value));
const time = (value: bigint | null): string | null => (value === null ? null : printTimestamptz(value));

/** Invalidated slots: `conflicting` is about decoding on a standby. */
const conflicts = new Set(['rows_removed', 'wal_level_insufficient']);

function slotRow(slot: SlotState, context: StatementContext): CatalogRow {
  const { major } = context;
  const isLogical = slot.plugin !== null;
  const reason = slot.invalidationReason;
  return {
    slot_name: slot.name,
    plugin: slot.plugin,
    slot_type: isLogical ? 'logical' : 'physical',
    datoid: slot.database === null ? null : number(databaseOid(context, slot.database)),
    database: slot.database,
    temporary: bool(slot.temporary),
    active: bool(slot.activePid !== null),
    active_pid: number(slot.activePid),
    xmin: number(slot.xmin),
    catalog_xmin: number(slot.catalogXmin),
    restart_lsn: printedLsn(slot.restartLsn, major),
    confirmed_flush_lsn: printedLsn(slot.confirmedFlushLsn, major),
    wal_status: slot.restartLsn === null && slot.walStatus !== 'lost' ? null : slot.walStatus,
    safe_wal_size: number(slot.safeWalSize),
    two_phase: bool(slot.twoPhase),
    two_phase_at: printedLsn(slot.twoPhaseAt, major),
    inactive_since: slot.activePid === null ? time(slot.inactiveSince) : null,
    conflicting: isLogical ? bool(reason !== null && (major < 17 || conflicts.has(reason))) : null,
    invalidation_reason: reason,
    failover: bool(slot.failover),
    synced: bool(slot.synced),
  };
}

function walsenderRow(sender: WalsenderState, context: StatementContext): CatalogRow {
  return {
    ...clientColumns(sender, context),
    backend_xmin: null,
    state: sender.phase,
    sent_lsn: printedLsn(sender.sentLsn, context.major),
    write_lsn: printedLsn(sender.writeLsn, context.major),
    flush_lsn: printedLsn(sender.flushLsn, context.major),
    replay_lsn: printedLsn(sender.applyLsn, context.major),
    write_lag: null,
    flush_lag: null,
    replay_lag: null,
    sync_priority: '0',
    sync_state: 'async',
    reply_time: time(sender.replyTime),
  };
}

function clientColumns(backend: BackendState, context: StatementContext): CatalogRow {
  return {
    pid: String(backend.pid),
    usesysid: number(roleOid(context, backend.user) ?? null),
    usename: backend.user,
    application_name: backend.applicationName,
    client_addr: backend.clientAddress,
    client_hostname: null,
    client_port: number(backend.clientPort ?? (backend.clientAddress === null ? -1 : null)),
    backend_start: printTimestamptz(backend.startedAt),
  };
}

function activityRow(backend: BackendState, context: StatementContext): CatalogRow {
  const isOwn = backend.pid === context.session.pid;
  const isIdle = backend.state.startsWith('idle') && !isOwn;
  return {
    ...clientColumns(backend, context),
    datid: backend.database === null ? null : number(databaseOid(context, backend.database)),
    datname: backend.database,
    leader_pid: null,
    xact_start: isOwn ? printTimestamptz(context.session.transactionTime) : null,
    query_start: isOwn ? printTimestamptz(context.statementTime) : time(backend.queryStartedAt),
    state_change: isOwn ? printTimestamptz(context.statementTime) : time(backend.queryStartedAt),
    wait_event_type: isIdle ? 'Client' : null,
    wait_event: isIdle ? 'ClientRead' : null,
    state: isOwn ? 'active' : backend.state,
    backend_xid: isOwn ? number(context.session.xid) : null,
    backend_xmin: isOwn ? String(context.host.nextXid()) : null,
    query_id: null,
    query: isOwn ? context.session.queryText : backend.query,
    backend_type: backend.kind,
  };
}

function encryptionRow({ pid, tls }: BackendState): CatalogRow {
  return {
    pid: String(pid),
    ssl: bool(tls),
    version: tls ? 'TLSv1.3' : null,
    cipher: tls ? 'TLS_AES_256_GCM_SHA384' : null,
    bits: tls ? '256' : null,
    compression: tls ? 'f' : null,
    client_dn: null,
    client_serial: null,
    issuer_dn: null,
    clientdn: null,
  };
}

export const replicationBuilders: CatalogBuilders = {
  'pg_catalog.pg_replication_slots': (context) => context.host.slots().map((slot) => slotRow(slot, context)),
  'pg_catalog.pg_stat_replication': (context) =>
    context.host.walsenders().map((sender) => walsenderRow(sender, context)),
  'pg_catalog.pg_stat_activity': (context) => context.host.backends().map((backend) => activityRow(backend, context)),
  'pg_catalog.pg_stat_ssl': ({ host }) => host.backends().map(encryptionRow),
};
