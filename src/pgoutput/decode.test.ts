import { describe, expect, it } from '@jest/globals';
import { DecodeError } from '../bytes/decode-error.js';
import type { DecodeContext } from './context.js';
import { decode } from './decode.js';
import { createDecoder } from './decoder.js';
import { encode } from './encode.js';
import type { Message, Relation } from './messages.js';

function bytes(hex: string): Uint8Array {
  return Buffer.from(hex.replaceAll(' ', ''), 'hex');
}

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

describe('decode refuses', () => {
  const refused: [string, string, DecodeContext, Partial<DecodeError>][] = [
    ['nothing', '', {}, { messageKind: null, field: null, offset: 0, found: 'the end' }],
    ['an unknown message', '5a', {}, { messageKind: null, offset: 0, found: '0x5a (Z)' }],
    ['bytes left over', '45 00', {}, { messageKind: 'streamStop', field: null, offset: 1, found: '1 bytes more' }],
    [
      'flags in Commit',
      `43 01 ${'00'.repeat(24)}`,
      {},
      { messageKind: 'commit', field: 'flags', offset: 1, found: '0x01' },
    ],
    ['an unknown truncate option', '54 00000001 04 00000001', {}, { field: 'flags', offset: 5, found: '0x04' }],
    ['an unknown message flag', `4d 02 ${'00'.repeat(13)}`, {}, { messageKind: 'message', field: 'flags', offset: 1 }],
    ['a first-segment byte of 2', '53 00000001 02', {}, { messageKind: 'streamStart', field: 'flags', offset: 5 }],
    [
      'an unknown replica identity',
      '52 00000001 7000 7400 78 0000',
      {},
      { field: 'replicaIdentity', offset: 9, expected: 'd, n, f or i', found: '0x78 (x)' },
    ],
    [
      'an unknown column flag',
      '52 00000001 7000 7400 64 0001 02 6900 00000017 ffffffff',
      {},
      { field: 'columns[0]', offset: 12, found: '0x02' },
    ],
    ['a negative column count', '52 00000001 7000 7400 64 ffff', {}, { field: 'columns', offset: 10, found: '-1' }],
    ['another marker than N', '49 00000001 4b 0000', {}, { field: 'newTuple', offset: 5, found: '0x4b (K)' }],
    ['another marker than K, O, N', '55 00000001 58 0000', {}, { field: 'oldTuple', offset: 5, found: '0x58 (X)' }],
    ['an update of N twice', '55 00000001 4e 0000 4e 0000', {}, { field: null, offset: 8, found: '3 bytes more' }],
    ['a delete with N', '44 00000001 4e 0000', {}, { messageKind: 'delete', field: 'oldTuple', offset: 5 }],
    [
      'an unknown kind of value',
      '49 00000001 4e 0002 6e 78',
      {},
      { field: 'newTuple[1]', offset: 9, found: '0x78 (x)' },
    ],
    ['an unchanged old value', '44 00000001 4b 0001 75', {}, { field: 'oldTuple[0]', offset: 8, found: '0x75 (u)' }],
    [
      'a negative value length',
      '49 00000001 4e 0001 74 ffffffff',
      {},
      { field: 'newTuple[0]', offset: 9, found: '-1' },
    ],
    ['a value beyond the end', '49 00000001 4e 0001 74 00000002 61', {}, { field: 'newTuple[0]', offset: 13 }],
    ['a value that is not UTF-8', '49 00000001 4e 0001 74 00000001 ff', {}, { field: 'newTuple[0]', offset: 13 }],
    ['a NUL in a value', '49 00000001 4e 0001 74 00000002 6100', {}, { field: 'newTuple[0]', offset: 14 }],
    ['a name that is not UTF-8', '4f 0000000000000000 ff00', {}, { messageKind: 'origin', field: 'name', offset: 9 }],
    ['fewer relations than counted', '54 00000002 00 00000001', {}, { field: 'relationCount', offset: 5 }],
    ['more relations than bytes', '54 7fffffff 00 00000001', {}, { field: 'relationCount', offset: 5 }],
    [
      'a tail with streaming on',
      `41 ${'00'.repeat(24)}`,
      { streaming: 'on' },
      { messageKind: 'streamAbort', offset: 9 },
    ],
    [
      'no tail with streaming parallel',
      `41 ${'00'.repeat(8)}`,
      { streaming: 'parallel' },
      { field: 'abortLsn', offset: 9 },
    ],
    ['half a tail', `41 ${'00'.repeat(16)}`, {}, { field: 'abortTime', offset: 17 }],
    [
      'another column count than the relation has',
      '49 00000001 4e 0001 6e',
      { relations: [relation] },
      { field: 'newTuple', offset: 6, expected: '2 columns, as in its Relation,', found: '1' },
    ],
    [
      'another column count of the old row',
      '44 00000001 4b 0003 6e6e6e',
      { relations: new Map([[1, relation]]) },
      { field: 'oldTuple', offset: 6, found: '3' },
    ],
  ];

  it.each(refused)('%s', (_, hex, context, error) => {
    expect(() => decode(bytes(hex), context)).toThrow(DecodeError);
    expect(() => decode(bytes(hex), context)).toThrow(expect.objectContaining(error));
  });

  it('and says where, what was expected and what was found', () => {
    expect(() => decode(bytes('49 00000001 4e 0002 6e 78'))).toThrow(
      'insert.newTuple[1]: expected n, u, t or b at offset 9, found 0x78 (x)',
    );
  });
});

describe('decode', () => {
  it('reads plain Uint8Arrays, parts of larger buffers too', () => {
    const buffer = new Uint8Array(64).fill(0xff);
    buffer.set(bytes('49 00000001 4e 0001 74 00000001 61'), 7);
    expect(decode(buffer.subarray(7, 21))).toEqual({ kind: 'insert', relationId: 1, newTuple: ['a'] });
  });

  it('keeps nothing of the bytes it was given', () => {
    const buffer = bytes('49 00000001 4e 0001 62 00000001 61');
    const message = decode(buffer);
    buffer.fill(0);
    expect(message).toEqual({ kind: 'insert', relationId: 1, newTuple: [Uint8Array.of(0x61)] });
  });
});

describe('createDecoder', () => {
  const on = { protoVersion: 2, streaming: 'on' } as const;
  const start = encode({ kind: 'streamStart', xid: 9, firstSegment: true }, on);
  const stop = encode({ kind: 'streamStop' }, on);
  const insert: Message = { kind: 'insert', xid: 9, relationId: 1, newTuple: ['1', null] };

  it('knows which messages stand in a stream block', () => {
    const decoder = createDecoder(on);
    decoder.decode(start);
    expect(decoder.inStream).toBe(true);
    expect(decoder.decode(encode(insert, on))).toEqual(insert);
    decoder.decode(stop);
    expect(decoder.inStream).toBe(false);
    expect(decoder.decode(encode({ ...relation }))).toEqual(relation);
  });

  it('holds rows against the last Relation of their OID', () => {
    const decoder = createDecoder();
    const row = encode({ kind: 'insert', relationId: 1, newTuple: ['1', null] });
    decoder.decode(row);
    decoder.decode(encode(relation));
    decoder.decode(row);
    decoder.decode(encode({ ...relation, columns: relation.columns.slice(0, 1) }));
    expect(() => decoder.decode(row)).toThrow(
      'insert.newTuple: expected 1 columns, as in its Relation, at offset 6, found 2',
    );
    expect([...decoder.relations.keys()]).toEqual([1]);
  });

  it('can start in a block, with Relations', () => {
    const decoder = createDecoder({ ...on, inStream: true, relations: [relation] });
    expect(decoder.decode(encode(insert, on))).toEqual(insert);
    expect(decoder.relations.get(1)).toBe(relation);
  });

  it('refuses what cannot come there, and stays where it was', () => {
    const decoder = createDecoder(on);
    expect(() => decoder.decode(stop)).toThrow('streamStop: expected a message outside of stream blocks');
    decoder.decode(start);
    const begin = encode({ kind: 'begin', finalLsn: 1n, commitTime: 0n, xid: 9 });
    for (const message of [start, begin]) {
      expect(() => decoder.decode(message)).toThrow('expected a change of the stream block, or streamStop');
    }
    expect(() => decoder.decode(bytes('4d 00000009 00 0000000000000000 00 00000000'))).toThrow(
      'a transactional message',
    );
    expect(decoder.inStream).toBe(true);
    decoder.decode(stop);
    expect(decoder.inStream).toBe(false);
  });
});

describe('what is no bytes', () => {
  it.each([
    ['55', "the message must be a Uint8Array, is a string (Buffer.from(text, 'hex') makes bytes of hex)"],
    [undefined, 'the message must be a Uint8Array, is undefined'],
  ])('%j', (value, message) => {
    expect(() => decode(value as never)).toThrow(new TypeError(message));
    expect(() => createDecoder().decode(value as never)).toThrow(new TypeError(message));
  });
});
