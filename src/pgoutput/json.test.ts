import { describe, expect, it } from '@jest/globals';
import { EncodeError } from './encode-error.js';
import { messageFromJson, messageToJson, type JsonValue } from './json.js';
import { unchanged, type Message } from './messages.js';

const pairs: [Message, JsonValue][] = [
  [
    {
      kind: 'update',
      relationId: 16385,
      oldTuple: { marker: 'K', columns: ['1', null] },
      newTuple: ['2', unchanged],
    },
    {
      kind: 'update',
      relationId: 16385,
      oldTuple: { marker: 'K', columns: ['1', null] },
      newTuple: ['2', { unchanged: true }],
    },
  ],
  [
    { kind: 'insert', xid: 751, relationId: 1, newTuple: [Uint8Array.of(0, 255), ''] },
    { kind: 'insert', xid: 751, relationId: 1, newTuple: [{ binary: '00ff' }, ''] },
  ],
  [
    { kind: 'update', relationId: 1, oldTuple: null, newTuple: [] },
    { kind: 'update', relationId: 1, oldTuple: null, newTuple: [] },
  ],
  [
    { kind: 'begin', finalLsn: 0x1_6b37_4d84n, commitTime: 1n, xid: 751 },
    { kind: 'begin', finalLsn: '1/6B374D84', commitTime: '2000-01-01T00:00:00.000001Z', xid: 751 },
  ],
  [
    { kind: 'streamAbort', xid: 5, subxid: 6, abortLsn: 0n, abortTime: 0n },
    { kind: 'streamAbort', xid: 5, subxid: 6, abortLsn: '0/0', abortTime: '2000-01-01T00:00:00.000000Z' },
  ],
  [
    { kind: 'streamAbort', xid: 5, subxid: 6 },
    { kind: 'streamAbort', xid: 5, subxid: 6 },
  ],
  [
    { kind: 'message', transactional: true, lsn: 1n, prefix: 'p', content: Uint8Array.of(0x68, 0xc3, 0xa9) },
    { kind: 'message', transactional: true, lsn: '0/1', prefix: 'p', content: '68c3a9', contentText: 'hé' },
  ],
  [
    { kind: 'message', transactional: false, lsn: 1n, prefix: '', content: Uint8Array.of(0xff) },
    { kind: 'message', transactional: false, lsn: '0/1', prefix: '', content: 'ff' },
  ],
  [
    { kind: 'truncate', relationIds: [1, 2], cascade: true, restartIdentity: false },
    { kind: 'truncate', relationIds: [1, 2], cascade: true, restartIdentity: false },
  ],
  [
    {
      kind: 'relation',
      relationId: 1,
      namespace: '',
      name: 't',
      replicaIdentity: 'full',
      columns: [{ key: true, name: 'a', typeOid: 23, typeModifier: -1 }],
    },
    {
      kind: 'relation',
      relationId: 1,
      namespace: '',
      name: 't',
      replicaIdentity: 'full',
      columns: [{ key: true, name: 'a', typeOid: 23, typeModifier: -1 }],
    },
  ],
];

describe('the JSON form of a message', () => {
  it.each(pairs)('%#', (message, json) => {
    expect(messageToJson(message)).toEqual(json);
    expect(messageFromJson(json)).toEqual(message);
  });

  it('keeps the order of the bytes', () => {
    expect(JSON.stringify(messageToJson(pairs[1]![0]))).toBe(
      '{"kind":"insert","xid":751,"relationId":1,"newTuple":[{"binary":"00ff"},""]}',
    );
  });
});

describe('messageFromJson refuses', () => {
  const insert = { kind: 'insert', relationId: 1, newTuple: ['1'] };
  const refused: [JsonValue, string][] = [
    [[], 'a message in JSON is an object'],
    [{}, 'kind: there is no message undefined'],
    [{ kind: 'upsert' }, 'kind: there is no message "upsert"'],
    [{ ...insert, relationid: 1 }, 'insert.relationid: is not known here'],
    [{ kind: 'insert', newTuple: [] }, 'insert.relationId: must be an integer'],
    [
      { ...insert, newTuple: [1] },
      'insert.newTuple[0]: must be null, text, {"binary":"hex"} or {"unchanged":true}, is 1',
    ],
    [{ ...insert, newTuple: [{ binary: 'f' }] }, 'insert.newTuple[0].binary: "f" is not pairs of hexadecimal digits'],
    [{ ...insert, newTuple: [{ unchanged: false }] }, 'insert.newTuple[0]: must be null, text'],
    [{ ...insert, newTuple: [{ unchanged: true, binary: '' }] }, 'insert.newTuple[0]: must be null, text'],
    [{ ...insert, newTuple: ['\0'] }, 'insert.newTuple[0]: has a NUL'],
    [{ kind: 'delete', relationId: 1, oldTuple: { marker: 'K', columns: [{ unchanged: true }] } }, 'is unchanged'],
    [
      { kind: 'delete', relationId: 1, oldTuple: { marker: 'K', columns: [], x: 1 } },
      'delete.oldTuple.x: is not known',
    ],
    [{ kind: 'delete', relationId: 1, oldTuple: null }, 'delete.oldTuple: must be a tuple'],
    [{ kind: 'origin', commitLsn: '0/g', name: '' }, 'origin.commitLsn: "0/g" is not an LSN'],
    [{ kind: 'origin', commitLsn: 1, name: '' }, 'origin.commitLsn: must be text, is 1'],
    [
      { kind: 'message', transactional: true, lsn: '0/1', prefix: '', content: '61', contentText: 'b' },
      'contentText: is not',
    ],
    [
      { kind: 'begin', finalLsn: '0/1', commitTime: '2026-01-01', xid: 3 },
      'begin.commitTime: "2026-01-01" is not a time',
    ],
  ];

  it.each(refused)('%j', (json, text) => {
    expect(() => messageFromJson(json)).toThrow(EncodeError);
    expect(() => messageFromJson(json)).toThrow(text);
  });
});
