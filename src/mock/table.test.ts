import { describe, expect, it } from '@jest/globals';
import { Database } from '../database/index.js';
import { declareTable } from './statement.js';
import { table, type AnyTable } from './table.js';
import { fault } from './fault.js';
import { ddl } from './ddl.js';
import { savepoint, tx, write } from './transaction.js';

function database(major = 18): Database {
  const server = { major, version: `${major}.0`, systemId: '1', timelineId: 1, startLsn: 0x1000n, clock: 0n };
  return new Database({ server, clockStep: 1n, nextXid: 700 });
}

function declared(one: AnyTable, major = 18): Database {
  const made = database(major);
  declareTable(one, made);
  return made;
}

describe('table', () => {
  it('reads columns as scenario files have them', () => {
    const made = declared(
      table(
        'app.users',
        {
          id: 'bigserial primary key',
          name: 'varchar(20) not null',
          at: 'timestamp(3) with time zone',
          tags: 'text[]',
          bio: { type: 'text', toasted: true },
          flag: { type: 'bool', default: true },
        },
        { rows: [{ name: 'Ann', at: '2026-01-01 00:00:00.1234+00' }], replicaIdentity: 'full' },
      ),
    );
    const [users] = made.catalog.tables.values();
    expect(users).toMatchObject({
      namespace: 'app',
      name: 'users',
      replicaIdentity: 'full',
      primaryKey: { columns: [0] },
    });
    expect(
      users?.columns.map(({ type, typeModifier, notNull, identity }) => [type.name, typeModifier, notNull, identity]),
    ).toEqual([
      ['int8', -1, true, true],
      ['varchar', 24, true, false],
      ['timestamptz', 3, false, false],
      ['_text', -1, false, false],
      ['text', -1, false, false],
      ['bool', -1, false, false],
    ]);
    expect(made.rows({ namespace: 'app', name: 'users' })).toEqual([
      ['1', 'Ann', '2026-01-01 00:00:00.123+00', null, null, 't'],
    ]);
  });

  it('takes keys of several columns, and identities by index', () => {
    const lines = table(
      'lines',
      { no: 'int4', line: 'int2', code: 'text not null' },
      {
        primaryKey: ['no', 'line'],
        uniqueIndexes: { by_code: ['code'] },
        replicaIdentity: { index: 'by_code' },
      },
    );
    const [made] = declared(lines).catalog.tables.values();
    expect(made).toMatchObject({ primaryKey: { columns: [0, 1] }, identityColumns: [2] });
  });

  it('says what is wrong in a definition', () => {
    expect(() => table('a.b.c', {})).toThrow('"a.b.c" is not the name of a table: schema.table');
    expect(() => declared(table('t', { a: 'text default 1' }))).toThrow(
      /column a: "text default 1" is not a data type/,
    );
    expect(() => declared(table('t', { a: 'integr' }))).toThrow(/integr/);
    expect(() => declared(table('t', { a: 'int4multirange' }), 13)).toThrow(/int4multirange/);
  });

  it('says what is wrong in a statement', () => {
    const users = table('users', { id: 'int4 primary key', name: 'text' });
    const made = declared(users);
    expect(() => write(users.update({ key: { id: 1 }, old: { id: 1 }, new: { id: 2 } } as never), made)).toThrow(
      /K or O/,
    );
    expect(() => write(users.update({ where: { id: 1 } } as never), made)).toThrow(/needs where and set, or new/);
    expect(() => write(users.delete({} as never), made)).toThrow(/needs one of where, old and key/);
    expect(() => write(users.delete({ where: 'id >' }), made)).toThrow(/syntax error/);
    expect(() => write(users.insert({ id: 2 ** 40 }), made)).toThrow(/id.*integer from -2147483648/);
  });

  it('is made by the stream where DDL came before', () => {
    const [users, orders] = [table('users', { id: 'int4 primary key' }), table('orders', { no: 'int4 primary key' })];
    const made = declared(users);
    write(tx([ddl.renameColumn(users, 'id', 'number')]), made);
    const before = made.lsn;
    declareTable(orders, made);
    expect(made.lsn).toBeGreaterThan(before);
    expect(write(orders.insert({ no: 1 }), made).commitLsn).toBeGreaterThan(before);
  });
});

describe('write', () => {
  const users = table('users', { id: 'int4 primary key' });

  it('tells where things are, pins included', () => {
    const made = database();
    const pinned = tx([users.insert({ id: 1 }), savepoint([users.insert({ id: 2 })]), fault.label('here')], {
      xid: 900,
      commitLsn: '0/5000',
      endLsn: 0x5040n,
    });
    expect(write(pinned, made)).toEqual({ xid: 900, commitLsn: 0x5000n, endLsn: 0x5040n });
    expect(() => write(tx([users.insert({ id: 3 })], { commitLsn: 1n }), made)).toThrow(/LSN 0\/1 is too low/);
    expect(made.rows(users)).toHaveLength(2);
    expect(write(fault.keepalive(), made)).toEqual({ xid: 0, commitLsn: made.lsn, endLsn: made.lsn });
  });

  it('writes the same transaction into several databases at the same LSNs, or into none', () => {
    const [one, two] = [database(), database()];
    write(users.insert({ id: 1 }), one);
    const both = write([users.insert({ id: 5 }), users.insert({ id: 6 })], two, one);
    expect(one.lsn).toBe(both.endLsn);
    expect(two.lsn).toBe(both.endLsn);
    expect(() => write(users.insert({ id: 1 }), two, one)).toThrow(/duplicate key/);
    expect(two.rows(users)).toEqual([['5'], ['6']]);
  });
});
