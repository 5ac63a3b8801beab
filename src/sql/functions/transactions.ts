/** Transaction ids and snapshots (manual chapter "System Information Functions"). */
import type { Value } from '../expression/expression.js';
import { NotEmulated } from '../failure.js';
import { functions, setFunctions, volatileFunctions, type Call } from './definition.js';

/** Nothing but what this server writes itself runs at any time. */
function snapshot({ context }: Call): string {
  const next = context.host.nextXid();
  return `${next}:${next}:`;
}

const part = (text: string, index: number): string => text.split(':')[index]!;
const running = (text: string): string[] => part(text, 2).split(',').filter(Boolean);
const assigned = ({ context }: Call): Value => context.session.xid?.toString() ?? null;
const assign = ({ context }: Call): Value => String(context.session.assignXid());

function isVisible(xid: string, text: string): Value {
  const id = BigInt(xid);
  if (id < BigInt(part(text, 0))) return 't';
  return id < BigInt(part(text, 1)) && !running(text).includes(xid) ? 't' : 'f';
}

function status({ context }: Call, xid: string): Value {
  if (Number(xid) === context.session.xid) return 'in progress';
  if (Number(xid) >= context.host.nextXid()) throw new NotEmulated(`the status of transaction ${xid}`);
  return 'committed';
}

export const transactionFunctions = [
  functions({
    'txid_current_if_assigned() int8': assigned,
    'txid_current_snapshot() txid_snapshot': snapshot,
    'txid_snapshot_xmin(txid_snapshot) int8': (_, text) => part(text, 0),
    'txid_snapshot_xmax(txid_snapshot) int8': (_, text) => part(text, 1),
    'txid_visible_in_snapshot(int8, txid_snapshot) bool': (_, xid, text) => isVisible(xid, text),
    'txid_status(int8) text': status,
    '[13-]pg_current_xact_id_if_assigned() xid8': assigned,
    '[13-]pg_current_snapshot() pg_snapshot': snapshot,
    '[13-]pg_snapshot_xmin(pg_snapshot) xid8': (_, text) => part(text, 0),
    '[13-]pg_snapshot_xmax(pg_snapshot) xid8': (_, text) => part(text, 1),
    '[13-]pg_visible_in_snapshot(xid8, pg_snapshot) bool': (_, xid, text) => isVisible(xid, text),
    '[13-]pg_xact_status(xid8) text': status,
    'age(xid) int4': ({ context }, xid) => String((context.host.nextXid() - Number(xid)) | 0),
    'pg_xact_commit_timestamp(xid) timestamptz': () => {
      throw new NotEmulated('track_commit_timestamp');
    },
  }),
  volatileFunctions({
    'txid_current() int8': assign,
    '[13-]pg_current_xact_id() xid8': assign,
    'pg_export_snapshot() text': ({ context }) => context.host.exportSnapshot(context.snapshotLsn, context.session.pid),
  }),
  setFunctions({
    'txid_snapshot_xip(txid_snapshot) setof int8': (_, text) => running(text),
    '[13-]pg_snapshot_xip(pg_snapshot) setof xid8': (_, text) => running(text),
  }),
];
