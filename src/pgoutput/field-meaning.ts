import type { MessageKind } from './messages.js';

const meanings: Readonly<Record<string, string>> = {
  abortLsn: 'end of the abort record',
  abortTime: 'when it was rolled back',
  commitLsn: 'start of the commit record',
  commitTime: 'when it was committed',
  content: 'content',
  endLsn: 'end of that record: where the next one starts',
  finalLsn: 'start of the commit record',
  gid: 'name of the prepared transaction',
  lsn: "end of the message's record",
  name: 'its name',
  namespace: 'its schema, empty for pg_catalog',
  prefix: 'prefix',
  prepareEndLsn: 'end of the prepare record',
  prepareLsn: 'start of the prepare record',
  prepareTime: 'when it was prepared',
  relationCount: 'relations',
  relationId: 'OID of the relation',
  relationIds: 'OID of a relation',
  replicaIdentity: 'd default, n nothing, f full, i index',
  rollbackEndLsn: 'end of the rollback record',
  rollbackTime: 'when it was rolled back',
  subxid: '(sub)transaction that was rolled back',
  typeOid: 'OID of the type',
  xid: 'transaction',
};

const meaningsInMessage: Readonly<Record<string, string>> = {
  'message.xid': 'top-level transaction',
  'origin.commitLsn': 'where it was committed on the origin',
  'origin.name': 'the origin',
  'streamStart.xid': 'top-level transaction of the block',
};

/** What a field of a message says, in a few words; empty for those that speak for themselves. */
export function fieldMeaning(message: MessageKind, field: string): string {
  return meaningsInMessage[`${message}.${field}`] ?? meanings[field] ?? '';
}
