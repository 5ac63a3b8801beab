import { describe, expect, it } from '@jest/globals';
import * as pgoutput from './index.js';

const users = pgoutput.relation({
  relationId: 16385,
  namespace: 'public',
  name: 'users',
  replicaIdentity: 'default',
  columns: [
    { name: 'id', type: 'int8', key: true },
    { name: 'email', type: 'text' },
    { name: 'bio', type: 'text' },
  ],
});
const fullUsers = pgoutput.relation({
  oid: 16390,
  table: 'full_users',
  replicaIdentity: 'full',
  columns: [
    { name: 'id', type: 'int4' },
    { name: 'name', type: 'varchar' },
  ],
});
const composite = pgoutput.relation({
  oid: 16391,
  table: 'composite',
  columns: [
    { name: 'a', type: 'int4', key: true },
    { name: 'b', type: 'int4', key: true },
    { name: 'v', type: 'bytea' },
  ],
});
const everything = pgoutput.relation({
  oid: 16392,
  schema: 'app',
  table: 'everything',
  columns: [
    { name: 'small', type: 'int2' },
    { name: 'flag', type: 'boolean' },
    { name: 'single', type: 'real' },
    { name: 'double', type: 'double precision' },
    { name: 'exact', type: 'numeric' },
    { name: 'bytes', type: 'bytea' },
    { name: 'at', type: 'timestamp with time zone' },
    { name: 'tags', type: 'text[]' },
    { name: 'mood', type: { oid: 16400, typmod: -1 } },
    { name: 'tableoid', type: 'oid' },
  ],
});

describe('relation', () => {
  it('is a Relation message', () => {
    expect(users).toEqual({
      kind: 'relation',
      relationId: 16385,
      namespace: 'public',
      name: 'users',
      replicaIdentity: 'default',
      columns: [
        { key: true, name: 'id', typeOid: 20, typeModifier: -1 },
        { key: false, name: 'email', typeOid: 25, typeModifier: -1 },
        { key: false, name: 'bio', typeOid: 25, typeModifier: -1 },
      ],
    });
    expect(pgoutput.decode(pgoutput.encode(users))).toEqual(users);
  });

  it('flags every column with replica identity full', () => {
    expect(fullUsers.columns.map(({ key }) => key)).toEqual([true, true]);
  });

  it('takes a type by OID and modifier, and pg_catalog by its name', () => {
    const columns = [{ name: 'v', type: { oid: 1043, typmod: 24 } }] as const;
    expect(pgoutput.relation({ oid: 1, schema: 'pg_catalog', table: 't', columns })).toMatchObject({
      namespace: '',
      columns: [{ typeOid: 1043, typeModifier: 24 }],
    });
  });

  it('refuses what is unclear', () => {
    const columns = [{ name: 'a', type: 'text' }] as const;
    // @ts-expect-error: there is no such type
    expect(() => pgoutput.relation({ oid: 1, name: 't', columns: [{ name: 'a', type: 'txt' }] })).toThrow(
      'relation.columns[0].type: there is no built-in type "txt": give { oid, typmod }',
    );
    // @ts-expect-error: an OID by both names
    expect(() => pgoutput.relation({ oid: 1, relationId: 1, name: 't', columns })).toThrow(
      'relation.relationId: is given by two names',
    );
    // @ts-expect-error: the OID is missing
    expect(() => pgoutput.relation({ name: 't', columns })).toThrow('relation.relationId: must be given');
    // @ts-expect-error: an unknown property
    expect(() => pgoutput.relation({ oid: 1, name: 't', columns, identity: 'full' })).toThrow('relation.identity');
    expect(() => pgoutput.relation({ oid: 1, name: 't', columns: [...columns, ...columns] })).toThrow(
      'relation.columns[1].name: there is a column a already',
    );
  });
});

describe('insert', () => {
  it('puts values in the order of the columns; those left out are NULL', () => {
    expect(pgoutput.insert(users, { email: 'a@b.c', id: 9007199254740993n })).toEqual({
      kind: 'insert',
      relationId: 16385,
      newTuple: ['9007199254740993', 'a@b.c', null],
    });
  });

  it("prints values as their types' output functions do", () => {
    const row = {
      small: -1,
      flag: true,
      single: 0.1,
      double: 1e15,
      exact: '10.50',
      bytes: Uint8Array.of(0, 255),
      at: '2026-01-01 00:00:00+00',
      tags: '{a,b}',
      mood: 'ok',
      tableoid: 4294967295,
    };
    expect(pgoutput.insert(everything, row).newTuple).toEqual([
      ...['-1', 't', '0.1', '1e+15', '10.50', '\\x00ff', '2026-01-01 00:00:00+00', '{a,b}', 'ok', '4294967295'],
    ]);
    expect(pgoutput.insert(everything, { flag: false, double: NaN, single: -Infinity }).newTuple).toEqual([
      ...[null, 'f', '-Infinity', 'NaN', null, null, null, null, null, null],
    ]);
  });

  it('takes binary forms, and unchanged values', () => {
    const row = { id: { binary: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1) }, bio: pgoutput.unchanged } as const;
    expect(pgoutput.insert(users, row, { xid: 5 })).toEqual({
      kind: 'insert',
      xid: 5,
      relationId: 16385,
      newTuple: [Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 1), null, pgoutput.unchanged],
    });
  });

  it('takes a decoded Relation too', () => {
    const decoded = pgoutput.decode(pgoutput.encode(users));
    if (decoded.kind !== 'relation') throw new Error('not a relation');
    expect(pgoutput.insert(decoded, { id: 1n, email: 'x' }).newTuple).toEqual(['1', 'x', null]);
  });

  it('refuses other columns and values', () => {
    // @ts-expect-error: an unknown column
    expect(() => pgoutput.insert(users, { id: 1n, emial: 'x' })).toThrow(
      'insert.row.emial: is not known here, but id, email, bio',
    );
    // @ts-expect-error: a number for an int8 column
    expect(pgoutput.insert(users, { id: 1 }).newTuple[0]).toBe('1');
    // @ts-expect-error: a string for an int8 column (sent as it stands, for those who insist)
    expect(pgoutput.insert(users, { id: '1' }).newTuple[0]).toBe('1');
    // @ts-expect-error: a boolean for a text column
    expect(() => pgoutput.insert(users, { email: true })).toThrow('insert.row.email: must be a string');
    expect(() => pgoutput.insert(users, { id: 2n ** 63n })).toThrow('insert.row.id: must be an integer from -9223');
    expect(() => pgoutput.insert(everything, { small: 32768 })).toThrow('must be an integer from -32768 to 32767');
    expect(() => pgoutput.insert(everything, { small: 1.5 })).toThrow('must be an integer from -32768 to 32767');
    expect(() => pgoutput.insert(everything, { single: 1e300 })).toThrow('must be a number that a float4 can hold');
  });
});

describe('update', () => {
  const row = { id: 2n, email: 'a@b.c', bio: pgoutput.unchanged } as const;

  it('sends K, O or neither, as it is told', () => {
    const newTuple = ['2', 'a@b.c', pgoutput.unchanged];
    expect(pgoutput.update(users, { key: { id: 1n }, new: row })).toEqual({
      kind: 'update',
      relationId: 16385,
      oldTuple: { marker: 'K', columns: ['1', null, null] },
      newTuple,
    });
    expect(pgoutput.update(users, { old: { id: 1n, email: 'x', bio: null }, new: row })).toMatchObject({
      oldTuple: { marker: 'O', columns: ['1', 'x', null] },
      newTuple,
    });
    expect(pgoutput.update(users, { new: row })).toMatchObject({ oldTuple: null, newTuple });
  });

  it('takes values of non-key columns in K', () => {
    expect(pgoutput.update(users, { key: { id: 1n, email: 'x' }, new: row }).oldTuple?.columns).toEqual([
      ...['1', 'x', null],
    ]);
  });

  it('finds out from the whole old row what a server would send', () => {
    const before = { id: 1n, email: 'x', bio: 'long' };
    const oldTuple = (change: pgoutput.UpdateSpec<typeof before>) => pgoutput.update(users, change).oldTuple;
    expect(oldTuple({ before, new: { ...before, email: 'y' } })).toBeNull();
    expect(oldTuple({ before, new: { ...before, id: 2n } })).toEqual({ marker: 'K', columns: ['1', null, null] });
    // A key stored out of line is logged even when it did not change.
    expect(oldTuple({ before, new: { ...before, id: pgoutput.unchanged } })?.marker).toBe('K');
    const old = { id: 1, name: 'x' };
    expect(pgoutput.update(fullUsers, { before: old, new: old }).oldTuple).toEqual({
      marker: 'O',
      columns: ['1', 'x'],
    });
    const sameBytes = { a: { binary: Uint8Array.of(1) }, b: 2, v: null };
    const changed = { ...sameBytes, a: { binary: Uint8Array.of(1) } };
    expect(pgoutput.update(composite, { before: sameBytes, new: changed }).oldTuple).toBeNull();
  });

  it('refuses what contradicts itself or lacks something', () => {
    const old = { id: 1n, email: 'x', bio: null };
    // @ts-expect-error: K and O at once
    expect(() => pgoutput.update(users, { key: { id: 1n }, old, new: row })).toThrow(
      'update.oldTuple: is K or O: give one of key, old and before',
    );
    // @ts-expect-error: K explicit and derived
    expect(() => pgoutput.update(users, { key: { id: 1n }, before: old, new: row })).toThrow(pgoutput.EncodeError);
    // @ts-expect-error: an unknown column
    expect(() => pgoutput.update(users, { key: { uid: 1n }, new: row })).toThrow('update.key.uid: is not known here');
    // @ts-expect-error: a new row without all its columns
    expect(() => pgoutput.update(users, { new: { id: 1n } })).toThrow('update.new.email: must be given');
    // @ts-expect-error: an old row without all its columns
    expect(() => pgoutput.update(users, { old: { id: 1n }, new: row })).toThrow('update.old.email: must be given');
    // @ts-expect-error: an unchanged value in the old row
    expect(() => pgoutput.update(users, { old: { ...old, bio: pgoutput.unchanged }, new: row })).toThrow(
      'update.old.bio: must be the value: only new ones can be unchanged',
    );
    // @ts-expect-error: an unknown property
    expect(() => pgoutput.update(users, { set: { id: 1n }, new: row })).toThrow('update.set: is not known here');
    const change = { key: { a: 1 }, new: { a: 2, b: 2, v: null } };
    expect(() => pgoutput.update(composite, change)).toThrow('update.key.b: must be given: it belongs to the key');
  });
});

describe('delete', () => {
  it('sends K or O', () => {
    expect(pgoutput.delete(users, { key: { id: 1n } })).toEqual({
      kind: 'delete',
      relationId: 16385,
      oldTuple: { marker: 'K', columns: ['1', null, null] },
    });
    expect(pgoutput.delete(fullUsers, { before: { id: 1, name: 'x' } })).toMatchObject({
      oldTuple: { marker: 'O', columns: ['1', 'x'] },
    });
    expect(pgoutput.delete(users, { before: { id: 1n, email: 'x', bio: null } }).oldTuple.marker).toBe('K');
  });

  it('refuses what a server would', () => {
    const before = { ...{ small: 1, flag: null, single: null, double: null, exact: null } };
    const row = { ...before, bytes: null, at: null, tags: null, mood: null, tableoid: null };
    expect(() => pgoutput.delete(everything, { before: row })).toThrow(
      'delete.before: a server refuses this delete: everything has no replica identity',
    );
    // @ts-expect-error: nothing of the old row
    expect(() => pgoutput.delete(users, {})).toThrow('delete.oldTuple: must be given: key, old or before');
  });
});

describe('truncate', () => {
  it('takes relations and OIDs', () => {
    expect(pgoutput.truncate(users)).toEqual({
      kind: 'truncate',
      relationIds: [16385],
      cascade: false,
      restartIdentity: false,
    });
    expect(pgoutput.truncate([users, 7], { cascade: true, xid: 9 })).toEqual({
      kind: 'truncate',
      xid: 9,
      relationIds: [16385, 7],
      cascade: true,
      restartIdentity: false,
    });
  });
});

describe('the other builders', () => {
  const prepared = { prepareLsn: '0/A', endLsn: 11n, prepareTime: 0n, xid: 3, gid: 'g' };
  const time = '2026-01-01T00:00:00.000001Z';
  const micros = 820_540_800_000_001n;

  it.each<[pgoutput.Message, pgoutput.Message]>([
    [
      pgoutput.begin({ finalLsn: '1/A', commitTime: time, xid: 3 }),
      { kind: 'begin', finalLsn: 0x1_0000_000an, commitTime: micros, xid: 3 },
    ],
    [
      pgoutput.commit({ commitLsn: 1n, endLsn: '0/2', commitTime: new Date('2000-01-01T00:00:01Z') }),
      { kind: 'commit', commitLsn: 1n, endLsn: 2n, commitTime: 1_000_000n },
    ],
    [pgoutput.origin({ commitLsn: '0/1', name: 'node_b' }), { kind: 'origin', commitLsn: 1n, name: 'node_b' }],
    [
      pgoutput.type({ typeOid: 16400, name: 'mood' }),
      { kind: 'type', typeOid: 16400, namespace: 'public', name: 'mood' },
    ],
    [
      pgoutput.type({ typeOid: 1, namespace: 'pg_catalog', name: 't', xid: 3 }),
      { kind: 'type', xid: 3, typeOid: 1, namespace: '', name: 't' },
    ],
    [
      pgoutput.message({ lsn: '0/1', prefix: 'app', content: 'hé' }),
      { kind: 'message', transactional: true, lsn: 1n, prefix: 'app', content: Uint8Array.of(0x68, 0xc3, 0xa9) },
    ],
    [
      pgoutput.message({ lsn: 1n, prefix: '', content: Uint8Array.of(1), transactional: false }),
      { kind: 'message', transactional: false, lsn: 1n, prefix: '', content: Uint8Array.of(1) },
    ],
    [pgoutput.streamStart({ xid: 3, firstSegment: true }), { kind: 'streamStart', xid: 3, firstSegment: true }],
    [pgoutput.streamStop(), { kind: 'streamStop' }],
    [
      pgoutput.streamCommit({ xid: 3, commitLsn: '0/1', endLsn: '0/2', commitTime: 0n }),
      { kind: 'streamCommit', xid: 3, commitLsn: 1n, endLsn: 2n, commitTime: 0n },
    ],
    [pgoutput.streamAbort({ xid: 3 }), { kind: 'streamAbort', xid: 3, subxid: 3 }],
    [
      pgoutput.streamAbort({ xid: 3, subxid: 4, abortLsn: '0/1', abortTime: time }),
      { kind: 'streamAbort', xid: 3, subxid: 4, abortLsn: 1n, abortTime: micros },
    ],
    [pgoutput.beginPrepare(prepared), { kind: 'beginPrepare', ...prepared, prepareLsn: 10n }],
    [pgoutput.prepare(prepared), { kind: 'prepare', ...prepared, prepareLsn: 10n }],
    [pgoutput.streamPrepare(prepared), { kind: 'streamPrepare', ...prepared, prepareLsn: 10n }],
    [
      pgoutput.commitPrepared({ commitLsn: '0/1', endLsn: '0/2', commitTime: time, xid: 3, gid: 'g' }),
      { kind: 'commitPrepared', commitLsn: 1n, endLsn: 2n, commitTime: micros, xid: 3, gid: 'g' },
    ],
    [
      pgoutput.rollbackPrepared({
        prepareEndLsn: '0/1',
        rollbackEndLsn: 2n,
        prepareTime: time,
        rollbackTime: 0n,
        xid: 3,
        gid: 'g',
      }),
      {
        kind: 'rollbackPrepared',
        prepareEndLsn: 1n,
        rollbackEndLsn: 2n,
        prepareTime: micros,
        rollbackTime: 0n,
        xid: 3,
        gid: 'g',
      },
    ],
  ])('%#', (built, message) => {
    expect(built).toEqual(message);
  });

  it('refuse what is missing, unknown or out of range', () => {
    // @ts-expect-error: the xid is missing
    expect(() => pgoutput.begin({ finalLsn: 1n, commitTime: 0n })).toThrow('begin.xid: must be an integer');
    // @ts-expect-error: an unknown property
    expect(() => pgoutput.begin({ finalLsn: 1n, commitTime: 0n, xid: 3, lsn: 1n })).toThrow('begin.lsn: is not known');
    // @ts-expect-error: a number for an LSN
    expect(() => pgoutput.origin({ commitLsn: 1, name: '' })).toThrow('origin.commitLsn: must be a bigint');
    expect(() => pgoutput.origin({ commitLsn: '1', name: '' })).toThrow('origin.commitLsn: "1" is not an LSN');
    expect(() => pgoutput.begin({ finalLsn: 1n, commitTime: new Date(NaN), xid: 3 })).toThrow('begin.commitTime');
    expect(() => pgoutput.streamAbort({ xid: 3, abortLsn: 1n })).toThrow(
      'streamAbort.abortTime: must be with streaming',
    );
  });
});

describe('builders refuse what no server sends', () => {
  const nothing = pgoutput.relation({
    oid: 1,
    table: 'audit',
    replicaIdentity: 'nothing',
    columns: [{ name: 'what', type: 'text' }],
  });

  it.each([
    [
      'a NULL key in a new row',
      () => pgoutput.insert(users, { id: null, email: 'x' }),
      'insert.row.id: is NULL, which no column',
    ],
    ['a key that is left out', () => pgoutput.insert(users, { email: 'x' }), 'insert.row.id: is NULL, which no column'],
    [
      'a key that becomes NULL',
      () => pgoutput.update(users, { new: { id: null, email: 'x', bio: null } }),
      'update.new.id: is NULL',
    ],
    ['a NULL in K', () => pgoutput.delete(users, { key: { id: null } }), 'delete.key.id: is NULL'],
    [
      'an update without a replica identity',
      () => pgoutput.update(nothing, { new: { what: 'x' } }),
      'a server refuses this update: audit',
    ],
    [
      'a delete without a replica identity',
      () => pgoutput.delete(nothing, { key: {} }),
      'a server refuses this delete: audit',
    ],
  ])('%s', (_, build, message) => expect(build).toThrow(message));

  it.each([
    ['small', 'two', 'an integer, or its text, is "two"'],
    ['small', '02', 'an integer, or its text, is "02"'],
    ['flag', 'true', 'a boolean, or the text t or f, is "true"'],
    ['single', '1,5', 'a number, or its text, is "1,5"'],
    ['double', '0x1F', 'a number, or its text, is "0x1F"'],
  ])('%s: %s', (column, text, message) => {
    expect(() => pgoutput.insert(everything, { [column]: text })).toThrow(`insert.row.${column}: must be ${message}`);
  });

  it('but texts that a type prints', () => {
    const texts = { small: '-2', flag: 't', single: 'NaN', double: '1.5e-07', exact: '007' };
    expect(pgoutput.insert(everything, texts as never).newTuple.slice(0, 5)).toEqual(Object.values(texts));
  });
});

describe('messages', () => {
  it('are narrowed by their kind', () => {
    const describeMessage = (message: pgoutput.Message): string => {
      switch (message.kind) {
        case 'update':
          return message.oldTuple?.marker ?? 'N';
        case 'delete':
          return message.oldTuple.marker;
        case 'insert':
          // @ts-expect-error: an Insert has no old tuple
          return String(message.oldTuple);
        default:
          return message.kind;
      }
    };
    expect(describeMessage(pgoutput.delete(users, { key: { id: 1n } }))).toBe('K');
    expect(describeMessage(pgoutput.streamStop())).toBe('streamStop');
  });

  it('encode in a stream block and decode to the same', () => {
    const change = { key: { id: 1n }, new: { id: 2n, email: 'a@b.c', bio: pgoutput.unchanged } } as const;
    const update = pgoutput.update(users, change);
    const bytes = pgoutput.encode(update, { protoVersion: 2, streaming: 'on', xid: 731 });
    expect(Buffer.isBuffer(bytes)).toBe(true);
    const context = { protoVersion: 2, streaming: 'on', inStream: true, relations: [users] } as const;
    expect(pgoutput.decode(bytes, context)).toEqual({ ...update, xid: 731 });
  });
});
