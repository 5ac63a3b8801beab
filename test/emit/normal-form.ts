/**
 * Messages with what a server chooses (OIDs, xids, LSNs, times) replaced by the order in which it was chosen, so that
 * streams of different servers can be compared: OIDs and xids by first appearance, LSNs and times by rank within their
 * transaction. Everything else stays as it is.
 */
import { createHash } from 'node:crypto';
import type { Message } from '../../src/pgoutput/messages.js';

export interface Sent {
  readonly lsn: bigint;
  readonly message: Message;
}

const lsnFields = [
  'lsn',
  'finalLsn',
  'commitLsn',
  'endLsn',
  'prepareLsn',
  'abortLsn',
  'prepareEndLsn',
  'rollbackEndLsn',
];
const timeFields = ['commitTime', 'abortTime', 'prepareTime', 'rollbackTime'];
const firstUserOid = 10000;

export function normalForm(sent: readonly Sent[]): string[] {
  const groups = groupsOf(sent);
  const lsns = ranks(sent, groups, (one) => [one.lsn, ...numbers(one.message, lsnFields)]);
  const times = ranks(sent, groups, (one) => numbers(one.message, timeFields));
  const oids = new Map<number, string>();
  const xids = new Map<number, string>();
  const replace =
    (i: number) =>
    (key: string, value: unknown): unknown => {
      if (lsnFields.includes(key) && typeof value === 'bigint') return lsns[i]!(value);
      if (timeFields.includes(key) && typeof value === 'bigint') return times[i]!(value);
      if ((key === 'xid' || key === 'subxid') && typeof value === 'number') return name(xids, value, 'x');
      if ((key === 'relationId' || key === 'typeOid') && typeof value === 'number') {
        return value < firstUserOid ? value : name(oids, value, 'o');
      }
      if (key === 'relationIds') return (value as number[]).map((oid) => name(oids, oid, 'o'));
      if (typeof value === 'symbol') return { unchanged: true };
      if (typeof value === 'string' && value.length > 60) return shortened(value);
      if (isBufferJson(value)) return { bytes: shortened(Buffer.from(value.data).toString('hex')) };
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
      }
      return value;
    };
  return sent.map((one, i) => `${lsns[i]!(one.lsn)} ${JSON.stringify(one.message, replace(i))}`);
}

/** The transaction of each message, as a number. */
function groupsOf(sent: readonly Sent[]): number[] {
  const byXid = new Map<number, number>();
  let next = 0;
  let current = -1;
  const groupOf = (xid: number): number => {
    if (!byXid.has(xid)) byXid.set(xid, next++);
    return byXid.get(xid)!;
  };
  return sent.map(({ message }) => {
    switch (message.kind) {
      case 'begin':
      case 'beginPrepare':
      case 'streamStart':
        current = groupOf(message.xid);
        return current;
      case 'streamAbort':
      case 'streamCommit':
      case 'streamPrepare':
      case 'commitPrepared':
      case 'rollbackPrepared':
        return groupOf(message.xid);
      case 'message':
        return message.transactional ? current : next++;
      default:
        return current;
    }
  });
}

function ranks(
  sent: readonly Sent[],
  groups: readonly number[],
  valuesOf: (sent: Sent) => bigint[],
): ((value: bigint) => string)[] {
  const values = new Map<number, Set<bigint>>();
  sent.forEach((one, i) => {
    const group = groups[i]!;
    const known = values.get(group) ?? new Set<bigint>();
    for (const value of valuesOf(one)) known.add(value);
    values.set(group, known);
  });
  const sorted = new Map([...values].map(([group, set]) => [group, [...set].filter((v) => v !== 0n).sort(compare)]));
  return groups.map((group) => (value) => (value === 0n ? '0' : `#${sorted.get(group)!.indexOf(value)}`));
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function numbers(message: Message, fields: readonly string[]): bigint[] {
  const record = message as unknown as Record<string, unknown>;
  return fields.map((field) => record[field]).filter((value) => typeof value === 'bigint');
}

/** What JSON.stringify has made of a Buffer before it asks. */
function isBufferJson(value: unknown): value is { data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
}

function shortened(text: string): string {
  return text.length <= 60
    ? text
    : `${text.slice(0, 20)}… ${text.length} ${createHash('sha1').update(text).digest('hex')}`;
}

function name(known: Map<number, string>, value: number, prefix: string): string {
  if (!known.has(value)) known.set(value, `${prefix}${known.size}`);
  return known.get(value)!;
}
