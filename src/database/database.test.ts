import { describe, it, expect } from '@jest/globals';
import { typeByName } from '../postgres/index.js';
import { Database } from './database.js';
import { StatementError } from './statement-error.js';
import type { ColumnDeclaration, TableDeclaration } from './declaration.js';
import type { Change } from '../timeline/timeline.js';

const users = { namespace: 'public', name: 'users' };

function column(name: string, type: string, more: Partial<ColumnDeclaration> = {}): ColumnDeclaration {
  return { name, type: typeByName(type)!, ...more };
}

function database(major = 17): Database {
  return new Database({
    server: { major, version: `${major}.0`, systemId: '1', timelineId: 1, startLsn: 0x1500000n, clock: 1000n },
    clockStep: 10n,
    nextXid: 750,
  });
}

function usersTable(more: Partial<TableDeclaration> = {}): TableDeclaration {
  return {
    ...users,
    columns: [
      column('id', 'int4'),
      column('email', 'text', { notNull: true }),
      column('bio', 'text', { toasted: true }),
    ],
    primaryKey: { columns: ['id'] },
    ...more,
  };
}

function changes(db: Database): Change[] {
  const found: Change[] = [];
  const reader = db.timeline.read();
  for (let event = reader.next(); event !== undefined; event = reader.next()) {
    if (event.kind === 'transaction') found.push(...event.transaction.changes());
  }
  return found;
}

function refusal(body: () => unknown): StatementError {
  try {
    body();
  } catch (error) {
    if (error instanceof StatementError) return error;
    throw error;
  }
  throw new Error('not refused');
}

describe('Database', () => {
  it('assigns LSNs, xids and times in the order of the statements', () => {
    const db = database();
    db.createTable(usersTable());
    const tx = db.begin();
    tx.insert(users, { id: '1', email: 'a' });
    tx.insert(users, { id: '2', email: 'b' });
    tx.commit();
    const next = db.begin();
    next.delete(users, { where: { id: '1' } });
    next.commit();
    const reader = db.timeline.read();
    expect(reader.next()).toMatchObject({
      transaction: { xid: 750, firstLsn: 0x1500000n, end: { commitLsn: 0x1500100n, endLsn: 0x1500130n, time: 1000n } },
    });
    expect(reader.next()).toMatchObject({
      transaction: { xid: 751, firstLsn: 0x1500130n, end: { commitLsn: 0x15001b0n, endLsn: 0x15001e0n, time: 1010n } },
    });
    expect(reader.next()).toBeUndefined();
  });

  it('writes nothing at the end of a transaction that has written nothing', () => {
    const db = database();
    db.createTable(usersTable());
    const { lsn } = db;
    db.begin().commit();
    expect(db.lsn).toBe(lsn);
    const tx = db.begin();
    tx.insert(users, { id: '1', email: 'a' });
    tx.commit();
    expect(tx.xid).toBe(750);
    expect(changes(db)[0]!.lsn).toBe(lsn);
  });

  it('sees committed rows and its own, not those of another open transaction', () => {
    const db = database();
    db.createTable(usersTable());
    db.loadRows(users, [{ id: '1', email: 'a' }]);
    const one = db.begin();
    const two = db.begin();
    one.insert(users, { id: '2', email: 'b' });
    expect(refusal(() => two.update(users, { where: { id: '2' }, set: { email: 'x' } })).code).toBe('02000');
    one.update(users, { where: { id: '1' }, set: { email: 'c' } });
    expect(refusal(() => two.delete(users, { where: { id: '1' } })).code).toBe('55P03');
    one.commit();
    expect(two.update(users, { where: { email: 'c' }, set: { email: 'd' } })).toBe(1);
  });

  it('keeps the out-of-line object of a column that an UPDATE leaves alone', () => {
    const db = database();
    db.createTable(usersTable());
    db.loadRows(users, [{ id: '1', email: 'a', bio: 'long' }]);
    const tx = db.begin();
    tx.update(users, { where: { id: '1' }, set: { email: 'b' } });
    tx.update(users, { where: { id: '1' }, set: { bio: 'long' } });
    tx.commit();
    const [first, second] = changes(db) as [Change & { kind: 'update' }, Change & { kind: 'update' }];
    expect(first.new[2]).toBe(first.old![2]);
    expect(second.new[2]).not.toBe(second.old![2]);
    expect(second.new[2]).toEqual(second.old![2]);
  });

  it('rolls rows back to a savepoint, and goes on under a new subxid', () => {
    const db = database();
    db.createTable(usersTable());
    const tx = db.begin();
    tx.insert(users, { id: '1', email: 'a' });
    tx.savepoint('s');
    tx.insert(users, { id: '2', email: 'b' });
    tx.rollbackTo('s');
    tx.insert(users, { id: '2', email: 'c' });
    tx.commit();
    expect(db.rows(users).map((row) => row[1])).toEqual(['a', 'c']);
    expect(changes(db).map((change) => [change.kind, change.xid])).toEqual([
      ['insert', 750],
      ['insert', 751],
      ['subtransactionAbort', 751],
      ['insert', 752],
    ]);
  });

  it('repeats in constant memory what stands for itself', () => {
    const db = database();
    db.createTable(usersTable());
    db.repeat(1000, (publisher, i) => {
      const tx = publisher.begin();
      tx.insert(users, { id: String(i), email: `${tx.xid}` });
      tx.update(users, { where: { id: String(i) }, set: { email: 'x' } });
      tx.commit();
    });
    const after = db.begin();
    after.insert(users, { id: '1', email: 'after' });
    after.commit();
    expect(db.rows(users)).toHaveLength(1);
    const all = changes(db);
    expect(all).toHaveLength(2001);
    expect(all[1998]).toMatchObject({ xid: 1749, new: ['999', '1749', null], lsn: 0x1500000n + 999n * 0x130n });
    expect(all[2000]).toMatchObject({ xid: 1750, lsn: 0x1500000n + 1000n * 0x130n });
  });

  it('runs a repeat at once when it meets rows of before', () => {
    const db = database();
    db.createTable(usersTable());
    db.loadRows(users, [{ id: '1', email: 'a' }]);
    db.repeat(3, (publisher, i) => {
      const tx = publisher.begin();
      tx.update(users, { where: { id: '1' }, set: { email: String(i) } });
      tx.commit();
    });
    expect(db.rows(users)).toEqual([['1', '2', null]]);
  });

  it('wraps xids around at 2^32', () => {
    const db = database();
    db.createTable(usersTable());
    const tx = db.begin({ xid: 0xffff_ffff });
    tx.insert(users, { id: '1', email: 'a' });
    tx.commit();
    expect(db.begin().xid).toBe(3);
  });

  it('tells rows and catalogs as of any position', () => {
    const db = database();
    db.createTable(usersTable());
    db.loadRows(users, [{ id: '1', email: 'a' }]);
    const tx = db.begin();
    tx.alterTable(users, [{ kind: 'addColumn', column: column('n', 'int4', { default: '5' }) }]);
    tx.update(users, { where: { id: '1' }, set: { n: '6' } });
    tx.commit();
    const { timeline } = db;
    const oid = [...timeline.catalog.tables.keys()][0]!;
    expect(timeline.tablesAt(db.lsn - 1n).get(oid)).toEqual([['1', 'a', null]]);
    expect(timeline.tablesAt(db.lsn).get(oid)).toEqual([['1', 'a', null, '6']]);
    expect(timeline.catalogAt(db.lsn - 1n).tables.get(oid)!.columns).toHaveLength(3);
    expect(timeline.catalogAt(db.lsn).tables.get(oid)!.columns).toHaveLength(4);
  });
});
