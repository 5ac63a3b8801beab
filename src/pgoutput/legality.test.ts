import { describe, expect, it } from '@jest/globals';
import { Writer } from '../bytes/writer.js';
import type { EncodeContext } from './context.js';
import { encode, encodeInto, encodeUnchecked } from './encode.js';
import { EncodeError } from './encode-error.js';
import { unchanged, type Message, type Relation } from './messages.js';

const insert = { kind: 'insert', relationId: 1, newTuple: ['1', null] } as const satisfies Message;
const update = { kind: 'update', relationId: 1, oldTuple: null, newTuple: ['1', 'a'] } as const satisfies Message;
const keyed = { ...update, oldTuple: { marker: 'K', columns: ['0', null] } } as const satisfies Message;
const begin = { kind: 'begin', finalLsn: 1n, commitTime: 0n, xid: 3 } as const satisfies Message;
const abort = { kind: 'streamAbort', xid: 3, subxid: 3 } as const satisfies Message;
const logical = {
  kind: 'message',
  transactional: true,
  lsn: 1n,
  prefix: 'p',
  content: Uint8Array.of(0),
} as const satisfies Message;
const relation: Relation = {
  kind: 'relation',
  relationId: 1,
  namespace: 'public',
  name: 't',
  replicaIdentity: 'default',
  columns: [
    { key: true, name: 'id', typeOid: 23, typeModifier: -1 },
    { key: false, name: 'v', typeOid: 25, typeModifier: -1 },
  ],
};
const full: Relation = {
  ...relation,
  replicaIdentity: 'full',
  columns: relation.columns.map((column) => ({ ...column, key: true })),
};
const on: EncodeContext = { protoVersion: 2, streaming: 'on' };
const parallel: EncodeContext = { protoVersion: 4, streaming: 'parallel' };
const inBlock: EncodeContext = { ...on, xid: 731 };

/** Something that only JavaScript could pass. */
function bent(message: object): Message {
  return message as Message;
}

describe('encode refuses', () => {
  const refused: [string, Message, EncodeContext, string][] = [
    ['an unknown message', bent({ kind: 'upsert' }), {}, 'upsert: there is no such message'],
    ['protocol version 5', insert, { protoVersion: 5 }, 'insert: protocol versions are 1 to 4, the context says 5'],
    ['protocol version 0', insert, { protoVersion: 0 }, 'insert: protocol versions are 1 to 4, the context says 0'],
    [
      'streaming before protocol 2',
      insert,
      { protoVersion: 1, streaming: 'on' },
      'insert: streaming on needs protocol version 2, the context says 1',
    ],
    [
      'streaming parallel before protocol 4',
      insert,
      { protoVersion: 3, streaming: 'parallel' },
      'insert: streaming parallel needs protocol version 4, the context says 3',
    ],
    [
      'Stream Start without streaming',
      { kind: 'streamStart', xid: 3, firstSegment: true },
      { protoVersion: 4 },
      'streamStart: is sent only with streaming on or parallel, the context says off',
    ],
    ['Stream Stop without streaming', { kind: 'streamStop' }, {}, 'streamStop: is sent only with streaming'],
    ['an xid without streaming', insert, { xid: 731 }, 'insert.xid: there are no stream blocks with streaming off'],
    ["a message's own xid without streaming", { ...insert, xid: 731 }, {}, 'insert.xid: there are no stream blocks'],
    ['a block without streaming', insert, { inStream: true }, 'insert: there are no stream blocks with streaming off'],
    ['an xid outside of a block', { ...insert, xid: 731 }, { ...on, inStream: false }, 'insert.xid: is sent only in a'],
    ['a change without an xid in a block', insert, { ...on, inStream: true }, 'insert.xid: must be in a stream block'],
    ['an xid of 33 bits', insert, { ...on, xid: 2 ** 32 }, 'an integer from 0 to 4294967295, is 4294967296'],
    ['Begin in a block', begin, inBlock, 'begin: never stands in a stream block'],
    ['Stream Start in a block', { kind: 'streamStart', xid: 3, firstSegment: true }, inBlock, 'never stands in'],
    ['a non-transactional message in a block', { ...logical, transactional: false }, inBlock, 'message.transactional'],
    ['an abort LSN with streaming on', { ...abort, abortLsn: 1n }, on, 'streamAbort.abortLsn: must be absent except'],
    ['no abort LSN with streaming parallel', abort, parallel, 'streamAbort.abortLsn: must be with streaming parallel'],
    ['an abort LSN without time', { ...abort, abortLsn: 1n }, parallel, 'streamAbort.abortTime: must be with'],
    ['an LSN of 65 bits', { ...begin, finalLsn: 1n << 64n }, {}, 'begin.finalLsn: must be a bigint from 0 to 2^64 - 1'],
    ['a negative LSN', { ...begin, finalLsn: -1n }, {}, 'begin.finalLsn: must be a bigint from 0 to 2^64 - 1, is -1n'],
    ['an LSN that is a number', bent({ ...begin, finalLsn: 1 }), {}, 'begin.finalLsn: must be a bigint'],
    ['a time of 65 bits', { ...begin, commitTime: 1n << 63n }, {}, 'begin.commitTime: must be a bigint from -2^63'],
    ['a negative xid', { ...begin, xid: -1 }, {}, 'begin.xid: must be an integer from 0 to 4294967295, is -1'],
    ['an xid that is none', { ...begin, xid: 1.5 }, {}, 'begin.xid: must be an integer'],
    ['a missing OID', bent({ kind: 'insert', newTuple: [] }), {}, 'insert.relationId: must be an integer from 0'],
    ['a missing tuple', bent({ kind: 'insert', relationId: 1 }), {}, 'insert.newTuple: must be an array'],
    ['more columns than a table has', { ...insert, newTuple: Array(1601).fill(null) }, {}, 'at most 1600 values'],
    ['unchanged in K', { ...update, oldTuple: { marker: 'K', columns: ['1', unchanged] } }, {}, 'oldTuple[1]: is unch'],
    [
      'unchanged in O',
      { kind: 'delete', relationId: 1, oldTuple: { marker: 'O', columns: [unchanged] } },
      {},
      'delete.oldTuple[0]: is unchanged, which no old value can be',
    ],
    [
      'another marker',
      bent({ ...keyed, oldTuple: { marker: 'N', columns: [] } }),
      {},
      'oldTuple: must be a tuple with',
    ],
    ['a delete without an old tuple', bent({ kind: 'delete', relationId: 1, oldTuple: null }), {}, 'delete.oldTuple'],
    ['a number in a row', bent({ ...insert, newTuple: [1] }), {}, 'insert.newTuple[0]: must be a string, a Uint8Array'],
    ['a hole in a row', bent({ ...insert, newTuple: ['1', undefined] }), {}, 'insert.newTuple[1]: must be a string'],
    ['a NUL in a value', { ...insert, newTuple: ['1', 'a\0b'] }, {}, 'insert.newTuple[1]: has a NUL'],
    [
      'a NUL in a long value',
      { ...insert, newTuple: ['1', `${'a'.repeat(99)}\0`] },
      {},
      'insert.newTuple[1]: has a NUL',
    ],
    [
      'a NUL in an old value',
      { ...keyed, oldTuple: { marker: 'K', columns: ['\0', null] } },
      {},
      'oldTuple[0]: has a N',
    ],
    ['a NUL in a prefix', { ...logical, prefix: '\0' }, {}, 'message.prefix: has a NUL'],
    [
      'a NUL in a column name',
      { ...relation, columns: [{ ...relation.columns[0]!, name: '\0' }] },
      {},
      'columns[0].name',
    ],
    [
      'half a surrogate pair',
      { ...insert, newTuple: ['\ud83d'] },
      {},
      'insert.newTuple[0]: has half of a surrogate pair',
    ],
    ['pg_catalog by its name', { ...relation, namespace: 'pg_catalog' }, {}, 'relation.namespace: must be empty for'],
    [
      'an unknown replica identity',
      bent({ ...relation, replicaIdentity: 'd' }),
      {},
      'replicaIdentity: must be default',
    ],
    [
      'full with a column without flag',
      { ...relation, replicaIdentity: 'full' },
      {},
      'columns[1].key: must be true with',
    ],
    ['nothing with a flag', { ...relation, replicaIdentity: 'nothing' }, {}, 'columns[0].key: must be false with'],
    [
      'a type modifier of 33 bits',
      { ...relation, columns: [{ ...relation.columns[0]!, typeModifier: 2 ** 31 }] },
      {},
      '.typeM',
    ],
    [
      'a truncate of nothing',
      { kind: 'truncate', relationIds: [], cascade: false, restartIdentity: false },
      {},
      'at least',
    ],
    [
      'a missing flag',
      bent({ kind: 'truncate', relationIds: [1], cascade: true }),
      {},
      'truncate.restartIdentity: must be',
    ],
    [
      'a gid of 200 bytes',
      { kind: 'prepare', prepareLsn: 1n, endLsn: 2n, prepareTime: 0n, xid: 3, gid: 'é'.repeat(100) },
      {},
      'gid',
    ],
    [
      'a row with a column too few',
      { ...insert, newTuple: ['1'] },
      { relations: [relation] },
      'has 1 columns, its relation t has 2',
    ],
    [
      'a row with a column too many',
      { ...update, newTuple: ['1', '2', '3'] },
      { relations: new Map([[1, relation]]) },
      'has 3 columns',
    ],
    [
      'an old row with too few',
      { ...keyed, oldTuple: { marker: 'K', columns: ['1'] } },
      { relations: [relation] },
      'update.oldTuple: has 1',
    ],
    [
      'a NULL in the key of a new row',
      { ...insert, newTuple: [null, 'a'] },
      { relations: [relation] },
      'insert.newTuple[0]: is NULL, which no column of the replica identity of t can be',
    ],
    ['K with replica identity full', keyed, { relations: [full] }, 'update.oldTuple: is O if and only if'],
    [
      'O with another',
      { ...keyed, oldTuple: { marker: 'O', columns: ['1', 'a'] } },
      { relations: [relation] },
      'that of t is default',
    ],
  ];

  it.each(refused)('%s', (_, message, context, text) => {
    expect(() => encode(message, context)).toThrow(EncodeError);
    expect(() => encode(message, context)).toThrow(text);
  });

  it('and says which message, field and rule', () => {
    expect(() => encode({ ...insert, newTuple: ['1', 'a\0b'] })).toThrow(
      expect.objectContaining({
        messageKind: 'insert',
        field: 'newTuple[1]',
        rule: 'has a NUL, which no text of a server can',
      }),
    );
  });

  it('and leaves the writer as it was', () => {
    const writer = new Writer();
    encodeInto(writer, insert, {});
    const before = writer.copy();
    expect(() => encodeInto(writer, { ...insert, newTuple: ['1', '\0'] }, {})).toThrow(EncodeError);
    expect(writer.copy()).toEqual(before);
  });
});

describe('encode does not refuse', () => {
  const twoPhase = { prepareLsn: 1n, endLsn: 2n, prepareTime: 0n, xid: 3, gid: 'é'.repeat(99) };
  const accepted: [string, Message, EncodeContext][] = [
    [
      'values of non-key columns in K',
      { ...keyed, oldTuple: { marker: 'K', columns: ['0', 'x'] } },
      { relations: [relation] },
    ],
    [
      'NULL for a key column in K',
      { ...keyed, oldTuple: { marker: 'K', columns: [null, 'x'] } },
      { relations: [relation] },
    ],
    ['two-phase messages at protocol 1', { kind: 'beginPrepare', ...twoPhase }, { protoVersion: 1 }],
    ['Stream Prepare at protocol 2', { kind: 'streamPrepare', ...twoPhase }, on],
    ['a logical message at protocol 1', logical, { protoVersion: 1 }],
    ['unchanged in an insert', { ...insert, newTuple: ['1', unchanged] }, {}],
    ['an empty row', { ...insert, newTuple: [] }, {}],
    ['Origin in a block, without an xid', { kind: 'origin', commitLsn: 0n, name: 'o' }, inBlock],
    ['Stream Stop after or in a block', { kind: 'streamStop' }, { ...on, inStream: true }],
    ["a change's own xid, when nothing is said about blocks", { ...insert, xid: 3 }, on],
    ['a streaming mode without a protocol version', { kind: 'streamStop' }, { streaming: 'parallel' }],
    ['rows of relations that are not known', { ...insert, relationId: 2 }, { relations: [relation] }],
    [
      'the highest and the lowest numbers',
      { ...begin, finalLsn: 2n ** 64n - 1n, commitTime: -(2n ** 63n), xid: 2 ** 32 - 1 },
      {},
    ],
  ];

  it.each(accepted)('%s', (_, message, context) => {
    expect(encode(message, context)).toBeInstanceOf(Uint8Array);
  });

  it("and prefers a change's own xid to the context's", () => {
    expect(Buffer.from(encode({ ...insert, xid: 0x2dc }, inBlock)).toString('hex')).toMatch(/^49000002dc00000001/);
    expect(Buffer.from(encode(insert, inBlock)).toString('hex')).toMatch(/^49000002db00000001/);
  });
});

describe('encodeUnchecked', () => {
  function hex(message: Message, context?: { xid: number }): string {
    return Buffer.from(encodeUnchecked(message, context)).toString('hex');
  }

  it('writes what it is told', () => {
    expect(hex({ ...insert, newTuple: [unchanged, 'a\0'] })).toBe('49000000014e000275740000000261' + '00');
    expect(hex({ ...update, oldTuple: { marker: 'K', columns: [unchanged] }, newTuple: [] })).toBe(
      '55000000014b0001754e0000',
    );
    expect(hex({ kind: 'truncate', relationIds: [], cascade: true, restartIdentity: false })).toBe('540000000001');
  });

  it('writes optional fields when the message, or the context, has them', () => {
    expect(hex({ ...insert, xid: 5, newTuple: [] })).toBe('4900000005000000014e0000');
    expect(hex({ ...insert, newTuple: [] }, { xid: 5 })).toBe('4900000005000000014e0000');
    expect(hex({ ...abort, abortLsn: 1n })).toBe('4100000003000000030000000000000001');
  });
});
