/** All there is that a consumer can be shown, and which of it one message shows. */
import { unchanged, type Cell, type Message, type MessageKind, type Tuple } from '../pgoutput/messages.js';
import type { ScenarioStep } from '../scenario/index.js';

export const messageKinds: readonly MessageKind[] = [
  ...(['begin', 'commit', 'origin', 'relation', 'type', 'insert', 'update', 'delete', 'truncate', 'message'] as const),
  ...(['streamStart', 'streamStop', 'streamCommit', 'streamAbort'] as const),
  ...(['beginPrepare', 'prepare', 'commitPrepared', 'rollbackPrepared', 'streamPrepare'] as const),
];

export const messageVariants = [
  ...(['update without old row', 'update with key (K)', 'update with old row (O)'] as const),
  ...(['delete with key (K)', 'delete with old row (O)'] as const),
  ...(['value null (n)', 'value unchanged (u)', 'value as text (t)', 'value in binary (b)'] as const),
  ...(['relation identity default', 'relation identity nothing', 'relation identity full'] as const),
  ...(['relation identity index', 'relation repeated'] as const),
  ...(['truncate', 'truncate cascade', 'truncate restart identity', 'truncate of several tables'] as const),
  ...(['message transactional', 'message non-transactional'] as const),
  ...(['first stream block', 'further stream block'] as const),
  ...(['streamed insert', 'streamed update', 'streamed delete', 'streamed truncate', 'streamed message'] as const),
  ...(['streamed relation', 'streamed type'] as const),
  ...(['abort of a transaction', 'abort of a subtransaction', 'abort with LSN and time'] as const),
] as const;
export type MessageVariant = (typeof messageVariants)[number];

type FaultKind = Exclude<ScenarioStep['kind'], 'label' | 'wait' | 'waitFor' | 'consumer' | 'disconnect'>;

/** As the format names them. */
const faultNames: Readonly<Record<FaultKind, string>> = {
  keepalive: 'keepalive',
  keepalives: 'keepalives',
  error: 'error',
  stall: 'stall',
  network: 'network',
  cut: 'cut',
  skip: 'skip',
  notice: 'notice',
  parameter: 'parameter',
  wire: 'wire',
  resend: 'resend',
  invalidateSlot: 'invalidate_slot',
  dropSlot: 'drop_slot',
  recreateSlot: 'recreate_slot',
  refuse: 'refuse',
  shutdown: 'shutdown',
  failover: 'failover',
};

type HowDisconnected = Extract<ScenarioStep, { readonly kind: 'disconnect' }>['how'];

const disconnectNames: Readonly<Record<HowDisconnected, string>> = {
  reset: 'disconnect reset',
  close: 'disconnect close',
  'half-open': 'disconnect half-open',
  'black-hole': 'disconnect black-hole',
  terminate: 'disconnect terminate',
  copy_done: 'disconnect copy_done',
};

export const allFaults: readonly string[] = [...Object.values(disconnectNames), ...Object.values(faultNames)];

/** Undefined for a step that is no fault. */
export function faultName(step: ScenarioStep): string | undefined {
  if (step.kind === 'disconnect') return disconnectNames[step.how];
  return (faultNames as Readonly<Partial<Record<string, string>>>)[step.kind];
}

/** Majors that are out and emulated. */
export const serverVersions: readonly string[] = [10, 11, 12, 13, 14, 15, 16, 17, 18].map(String);

/** Adds what a message shows besides its kind. */
export function addVariants(message: Message, shown: Set<MessageVariant>): void {
  switch (message.kind) {
    case 'insert':
      addCells(message.newTuple, shown);
      if (message.xid !== undefined) shown.add('streamed insert');
      break;
    case 'update':
      shown.add(message.oldTuple === null ? 'update without old row' : updateMarkers[message.oldTuple.marker]);
      addCells(message.newTuple, shown);
      if (message.xid !== undefined) shown.add('streamed update');
      break;
    case 'delete':
      shown.add(deleteMarkers[message.oldTuple.marker]);
      if (message.xid !== undefined) shown.add('streamed delete');
      break;
    case 'truncate':
      if (!message.cascade && !message.restartIdentity) shown.add('truncate');
      if (message.cascade) shown.add('truncate cascade');
      if (message.restartIdentity) shown.add('truncate restart identity');
      if (message.relationIds.length > 1) shown.add('truncate of several tables');
      if (message.xid !== undefined) shown.add('streamed truncate');
      break;
    case 'relation':
      shown.add(`relation identity ${message.replicaIdentity}`);
      if (message.xid !== undefined) shown.add('streamed relation');
      break;
    case 'type':
      if (message.xid !== undefined) shown.add('streamed type');
      break;
    case 'message':
      shown.add(message.transactional ? 'message transactional' : 'message non-transactional');
      if (message.xid !== undefined) shown.add('streamed message');
      break;
    case 'streamStart':
      shown.add(message.firstSegment ? 'first stream block' : 'further stream block');
      break;
    case 'streamAbort':
      shown.add(message.xid === message.subxid ? 'abort of a transaction' : 'abort of a subtransaction');
      if (message.abortLsn !== undefined) shown.add('abort with LSN and time');
      break;
    default:
  }
}

const updateMarkers = { K: 'update with key (K)', O: 'update with old row (O)' } as const;
const deleteMarkers = { K: 'delete with key (K)', O: 'delete with old row (O)' } as const;

/** New tuples alone: in old ones null may stand for what was not logged. */
function addCells(tuple: Tuple, shown: Set<MessageVariant>): void {
  for (const cell of tuple) shown.add(cellVariant(cell));
}

function cellVariant(cell: Cell): MessageVariant {
  if (cell === null) return 'value null (n)';
  if (cell === unchanged) return 'value unchanged (u)';
  return typeof cell === 'string' ? 'value as text (t)' : 'value in binary (b)';
}
