/** One message of each kind and shape, as PostgreSQL 18.4 sent it, and what it says. */
import { describe, expect, it } from '@jest/globals';
import { decode } from '../../src/pgoutput/decode.js';
import { encode } from '../../src/pgoutput/encode.js';
import { unchanged, type Message, type RelationColumn, type Streaming } from '../../src/pgoutput/messages.js';
import { parseTimestamp } from '../../src/values/timestamp.js';

const gt = 0x85bb;
const gmood = 0x85b7;
const time = 0x3047dd2d16f9dn;

function columns(keys: readonly string[]): RelationColumn[] {
  return [
    { key: keys.includes('id'), name: 'id', typeOid: 23, typeModifier: -1 },
    { key: keys.includes('name'), name: 'name', typeOid: 1043, typeModifier: 24 },
    { key: keys.includes('m'), name: 'm', typeOid: gmood, typeModifier: -1 },
    { key: keys.includes('big'), name: 'big', typeOid: 25, typeModifier: -1 },
  ];
}

const relation = { kind: 'relation', relationId: gt, namespace: 'public', name: 'gt' } as const;
const type = { kind: 'type', typeOid: gmood, namespace: 'public', name: 'gmood' } as const;

interface Vector {
  readonly title: string;
  readonly hex: string;
  readonly message: Message;
  readonly inStream?: boolean;
  readonly streaming?: Streaming;
}

const vectors: readonly Vector[] = [
  {
    title: 'Begin',
    hex: '42000000000e0578000003047dd2d16f9d00000632',
    message: { kind: 'begin', finalLsn: 0xe057800n, commitTime: time, xid: 0x632 },
  },
  {
    title: 'Begin with the time of an origin',
    hex: '42000000000e059a7800023e0786c260000000063e',
    message: { kind: 'begin', finalLsn: 0xe059a78n, commitTime: parseTimestamp('2020-01-01T00:00:00Z'), xid: 0x63e },
  },
  {
    title: 'Commit',
    hex: '4300000000000e057800000000000e0578300003047dd2d16f9d',
    message: { kind: 'commit', commitLsn: 0xe057800n, endLsn: 0xe057830n, commitTime: time },
  },
  {
    title: 'Origin',
    hex: '4f000000000000abcd757000',
    message: { kind: 'origin', commitLsn: 0xabcdn, name: 'up' },
  },
  { title: 'Type', hex: '59000085b77075626c696300676d6f6f6400', message: type },
  {
    title: 'Relation with replica identity default',
    hex: '52000085bb7075626c6963006774006400040169640000000017ffffffff006e616d65000000041300000018006d00000085b7ffffffff006269670000000019ffffffff',
    message: { ...relation, replicaIdentity: 'default', columns: columns(['id']) },
  },
  {
    title: 'Relation with replica identity full',
    hex: '52000085bb7075626c6963006774006600040169640000000017ffffffff016e616d65000000041300000018016d00000085b7ffffffff016269670000000019ffffffff',
    message: { ...relation, replicaIdentity: 'full', columns: columns(['id', 'name', 'm', 'big']) },
  },
  {
    title: 'Insert',
    hex: '49000085bb4e00047400000001317400000003416e6e74000000026f6b6e',
    message: { kind: 'insert', relationId: gt, newTuple: ['1', 'Ann', 'ok', null] },
  },
  {
    title: 'Insert, binary',
    hex: '49000085bb4e0004620000000400000006620000000362696e62000000037361646e',
    message: {
      kind: 'insert',
      relationId: gt,
      newTuple: [Uint8Array.of(0, 0, 0, 6), new TextEncoder().encode('bin'), new TextEncoder().encode('sad'), null],
    },
  },
  {
    title: 'Update with N alone',
    hex: '55000085bb4e00047400000001317400000003426f6274000000026f6b6e',
    message: { kind: 'update', relationId: gt, oldTuple: null, newTuple: ['1', 'Bob', 'ok', null] },
  },
  {
    title: 'Update with K',
    hex: '55000085bb4b00047400000001316e6e6e4e00047400000001327400000003426f6274000000026f6b6e',
    message: {
      kind: 'update',
      relationId: gt,
      oldTuple: { marker: 'K', columns: ['1', null, null, null] },
      newTuple: ['2', 'Bob', 'ok', null],
    },
  },
  {
    title: 'Update with O',
    hex: '55000085bb4f00047400000001347400000001716e6e4e00047400000001346e6e6e',
    message: {
      kind: 'update',
      relationId: gt,
      oldTuple: { marker: 'O', columns: ['4', 'q', null, null] },
      newTuple: ['4', null, null, null],
    },
  },
  {
    title: 'Update with an unchanged value',
    hex: '55000085bb4e00047400000001337400000001796e75',
    message: { kind: 'update', relationId: gt, oldTuple: null, newTuple: ['3', 'y', null, unchanged] },
  },
  {
    title: 'Delete with K',
    hex: '44000085bb4b00047400000001326e6e6e',
    message: { kind: 'delete', relationId: gt, oldTuple: { marker: 'K', columns: ['2', null, null, null] } },
  },
  {
    title: 'Delete with O',
    hex: '44000085bb4f00047400000001346e6e6e',
    message: { kind: 'delete', relationId: gt, oldTuple: { marker: 'O', columns: ['4', null, null, null] } },
  },
  {
    title: 'Truncate',
    hex: '540000000100000085bb',
    message: { kind: 'truncate', relationIds: [gt], cascade: false, restartIdentity: false },
  },
  {
    title: 'Message, transactional',
    hex: '4d01000000000e0588e070667800000000026869',
    message: {
      kind: 'message',
      transactional: true,
      lsn: 0xe0588e0n,
      prefix: 'pfx',
      content: new TextEncoder().encode('hi'),
    },
  },
  {
    title: 'Message, not transactional',
    hex: '4d00000000000e0589487066780000000002796f',
    message: {
      kind: 'message',
      transactional: false,
      lsn: 0xe058948n,
      prefix: 'pfx',
      content: new TextEncoder().encode('yo'),
    },
  },
  {
    title: 'Begin Prepare',
    hex: '62000000000e059bf8000000000e059cf00003047dd30acdd6000006406769642d3100',
    message: {
      kind: 'beginPrepare',
      prepareLsn: 0xe059bf8n,
      endLsn: 0xe059cf0n,
      prepareTime: 0x3047dd30acdd6n,
      xid: 0x640,
      gid: 'gid-1',
    },
  },
  {
    title: 'Prepare',
    hex: '5000000000000e059bf8000000000e059cf00003047dd30acdd6000006406769642d3100',
    message: {
      kind: 'prepare',
      prepareLsn: 0xe059bf8n,
      endLsn: 0xe059cf0n,
      prepareTime: 0x3047dd30acdd6n,
      xid: 0x640,
      gid: 'gid-1',
    },
  },
  {
    title: 'Commit Prepared',
    hex: '4b00000000000e059cf0000000000e059d280003047dd30bc12f000006406769642d3100',
    message: {
      kind: 'commitPrepared',
      commitLsn: 0xe059cf0n,
      endLsn: 0xe059d28n,
      commitTime: 0x3047dd30bc12fn,
      xid: 0x640,
      gid: 'gid-1',
    },
  },
  {
    title: 'Rollback Prepared',
    hex: '7200000000000e059ea0000000000e059ed80003047dd30cc2ac0003047dd30dae7e000006416769642d3200',
    message: {
      kind: 'rollbackPrepared',
      prepareEndLsn: 0xe059ea0n,
      rollbackEndLsn: 0xe059ed8n,
      prepareTime: 0x3047dd30cc2acn,
      rollbackTime: 0x3047dd30dae7en,
      xid: 0x641,
      gid: 'gid-2',
    },
  },
  {
    title: 'Stream Start, first block',
    hex: '530000064201',
    streaming: 'on',
    message: { kind: 'streamStart', xid: 0x642, firstSegment: true },
  },
  {
    title: 'Stream Start, later block',
    hex: '530000064200',
    streaming: 'on',
    message: { kind: 'streamStart', xid: 0x642, firstSegment: false },
  },
  { title: 'Stream Stop', hex: '45', streaming: 'on', message: { kind: 'streamStop' } },
  {
    title: 'Type in a block',
    hex: '5900000642000085b77075626c696300676d6f6f6400',
    streaming: 'on',
    inStream: true,
    message: { ...type, xid: 0x642 },
  },
  {
    title: 'Relation in a block',
    hex: '5200000642000085bb7075626c6963006774006400040169640000000017ffffffff006e616d65000000041300000018006d00000085b7ffffffff006269670000000019ffffffff',
    streaming: 'on',
    inStream: true,
    message: { ...relation, xid: 0x642, replicaIdentity: 'default', columns: columns(['id']) },
  },
  {
    title: 'Insert of a subtransaction in a block',
    hex: '4900000643000085bb4e0004740000000231316e6e6e',
    streaming: 'on',
    inStream: true,
    message: { kind: 'insert', xid: 0x643, relationId: gt, newTuple: ['11', null, null, null] },
  },
  {
    title: 'Message in a block',
    hex: '4d0000064201000000000e05a028696e0000000003737562',
    streaming: 'on',
    inStream: true,
    message: {
      kind: 'message',
      xid: 0x642,
      transactional: true,
      lsn: 0xe05a028n,
      prefix: 'in',
      content: new TextEncoder().encode('sub'),
    },
  },
  {
    title: 'Stream Commit',
    hex: '630000064200000000000e05a028000000000e05a0600003047dd325b222',
    streaming: 'on',
    message: {
      kind: 'streamCommit',
      xid: 0x642,
      commitLsn: 0xe05a028n,
      endLsn: 0xe05a060n,
      commitTime: 0x3047dd325b222n,
    },
  },
  {
    title: 'Stream Abort, streaming on',
    hex: '410000064800000648',
    streaming: 'on',
    message: { kind: 'streamAbort', xid: 0x648, subxid: 0x648 },
  },
  {
    title: 'Stream Abort of a subtransaction, streaming parallel',
    hex: '410000064500000646000000000f0000500003047dd376bb21',
    streaming: 'parallel',
    message: {
      kind: 'streamAbort',
      xid: 0x645,
      subxid: 0x646,
      abortLsn: 0xf000050n,
      abortTime: 0x3047dd376bb21n,
    },
  },
  {
    title: 'Stream Prepare',
    hex: '7000000000001200002800000000120001200003047dd437fcee000006496769642d3300',
    streaming: 'on',
    message: {
      kind: 'streamPrepare',
      prepareLsn: 0x12000028n,
      endLsn: 0x12000120n,
      prepareTime: 0x3047dd437fceen,
      xid: 0x649,
      gid: 'gid-3',
    },
  },
];

describe.each(vectors)('$title', ({ hex, message, inStream = false, streaming = 'off' }) => {
  const context = { protoVersion: 4, streaming, inStream };

  it('decodes', () => {
    expect(decode(Buffer.from(hex, 'hex'), context)).toEqual(message);
  });

  it('encodes', () => {
    expect(Buffer.from(encode(message, context)).toString('hex')).toBe(hex);
  });
});

it('a Stream Abort of unknown streaming mode has what its length says', () => {
  const short = decode(Buffer.from('410000064800000648', 'hex'));
  const long = decode(Buffer.from('410000064500000646000000000f0000500003047dd376bb21', 'hex'));
  expect(short).toEqual({ kind: 'streamAbort', xid: 0x648, subxid: 0x648 });
  expect(long).toMatchObject({ abortLsn: 0xf000050n });
});

it('a Truncate with both options has both bits', () => {
  const message = { kind: 'truncate', relationIds: [1, 2], cascade: true, restartIdentity: true } as const;
  expect(Buffer.from(encode(message)).toString('hex')).toBe('5400000002030000000100000002');
});
