/** What the database refuses, in the words of a server (observed on 18.4). */
import { describe, it, expect } from '@jest/globals';
import { parseTypeName } from '../postgres/index.js';
import { OutOfLine, unchanged } from '../timeline/datum.js';
import type { Change } from '../timeline/timeline.js';
import { Database } from './database.js';
import type { ColumnDeclaration, TableDeclaration, TableName } from './declaration.js';
import { StatementError } from './statement-error.js';
import { parseRowFilter } from './expression/row-filter.js';

const t: TableName = { namespace: 'public', name: 't' };
const m: TableName = { namespace: 'public', name: 'm' };

function column(name: string, type: string, more: Partial<ColumnDeclaration> = {}): ColumnDeclaration {
  return { name, ...parseTypeName(type, 18), ...more };
}

function database(major = 18): Database {
  return new Database({
    server: { major, version: '', systemId: '1', timelineId: 1, startLsn: 0x1000n, clock: 0n },
    clockStep: 1n,
    nextXid: 700,
  });
}

function withTable(more: Partial<TableDeclaration> = {}, major = 18): Database {
  const db = database(major);
  db.createTable({
    ...t,
    columns: [column('id', 'int4'), column('v', 'text')],
    primaryKey: { columns: ['id'] },
    ...more,
  });
  return db;
}

function withPartitions(): Database {
  const db = database();
  db.createTable({
    ...m,
    columns: [column('id', 'int4'), column('day', 'int4')],
    partitionBy: { strategy: 'range', columns: ['day'] },
    partitions: [{ name: 'm1', bound: { kind: 'range', from: ['1'], to: ['5'] } }],
  });
  return db;
}

function refusal(body: () => unknown): { code: string; message: string; detail?: string; hint?: string } {
  try {
    body();
  } catch (error) {
    if (!(error instanceof StatementError)) throw error;
    const { code, message, detail, hint } = error;
    return { code, message, ...(detail === undefined ? {} : { detail }), ...(hint === undefined ? {} : { hint }) };
  }
  throw new Error('nothing was refused');
}

function lastChange(db: Database): Change {
  let last: Change | undefined;
  const reader = db.timeline.read();
  for (let event = reader.next(); event !== undefined; event = reader.next()) {
    if (event.kind === 'transaction') for (const change of event.transaction.changes()) last = change;
  }
  return last!;
}

describe('rows', () => {
  it('refuses a duplicate key', () => {
    const db = withTable();
    db.loadRows(t, [{ id: '1' }]);
    expect(refusal(() => db.begin().insert(t, { id: '1' }))).toEqual({
      code: '23505',
      message: 'duplicate key value violates unique constraint "t_pkey"',
      detail: 'Key (id)=(1) already exists.',
    });
  });

  it('takes NULLs of a unique index for distinct, and numerics of another scale for equal', () => {
    const db = withTable({
      columns: [column('id', 'int4'), column('n', 'numeric')],
      indexes: [{ name: 't_n', unique: true, columns: ['n'] }],
    });
    const tx = db.begin();
    tx.insert(t, { id: '1', n: null });
    tx.insert(t, { id: '2', n: null });
    tx.insert(t, { id: '3', n: '1.0' });
    expect(refusal(() => tx.insert(t, { id: '4', n: '1.00' })).code).toBe('23505');
  });

  it.each([
    [18, 'null value in column "id" of relation "t" violates not-null constraint'],
    [12, 'null value in column "id" violates not-null constraint'],
  ])('refuses NULL in a key on %i', (major, message) => {
    expect(refusal(() => withTable({}, major).begin().insert(t, { v: 'x' }))).toEqual({ code: '23502', message });
  });

  it('names an unknown column', () => {
    expect(refusal(() => withTable().begin().insert(t, { id: '1', nope: 'x' }))).toEqual({
      code: '42703',
      message: 'column "nope" of relation "t" does not exist',
    });
  });

  it('refuses `unchanged` in an INSERT', () => {
    expect(refusal(() => withTable().begin().insert(t, { id: '1', v: unchanged })).code).toBe('22023');
  });

  it('takes `unchanged` of a spelled-out UPDATE for the old value, out of line', () => {
    const db = withTable();
    const tx = db.begin();
    tx.update(t, { old: { id: '1', v: 'long' }, new: { id: '2', v: unchanged } });
    tx.commit();
    const change = lastChange(db) as Change & { kind: 'update' };
    expect(change.old![1]).toBeInstanceOf(OutOfLine);
    expect(change.new[1]).toBe(change.old![1]);
    // It knows the row from then on.
    expect(db.rows(t)).toEqual([['2', new OutOfLine('long')]]);
  });

  it('counts identity columns up, and anew after RESTART IDENTITY', () => {
    const db = withTable({ columns: [column('id', 'int4', { identity: true }), column('v', 'text')] });
    const tx = db.begin();
    tx.insert(t, { v: 'a' });
    tx.insert(t, { v: 'b' });
    tx.truncate([t], { restartIdentity: true });
    tx.insert(t, { v: 'c' });
    tx.commit();
    expect(db.rows(t)).toEqual([['1', 'c']]);
  });
});

describe('partitions', () => {
  it('refuses a row without a partition', () => {
    expect(refusal(() => withPartitions().begin().insert(m, { id: '1', day: '50' }))).toEqual({
      code: '23514',
      message: 'no partition of relation "m" found for row',
      detail: 'Partition key of the failing row contains (day) = (50).',
    });
  });

  it('refuses a row that a partition given by name does not take', () => {
    const refused = refusal(() =>
      withPartitions()
        .begin()
        .insert({ ...m, name: 'm1' }, { id: '1', day: '50' }),
    );
    expect(refused).toEqual({ code: '23514', message: 'new row for relation "m1" violates partition constraint' });
  });

  it.each([
    [{ kind: 'range', from: ['4'], to: ['9'] } as const, '42P17', 'partition "m2" would overlap partition "m1"'],
    [{ kind: 'range', from: ['9'], to: ['9'] } as const, '42P17', 'empty range bound specified for partition "m2"'],
    [{ kind: 'list', values: ['1'] } as const, '42P16', 'invalid bound specification for a range partition'],
  ])('refuses the bound %j', (bound, code, message) => {
    const tx = withPartitions().begin();
    const declaration = { namespace: 'public', name: 'm2', columns: [], partitionOf: { parent: m, bound } };
    expect(refusal(() => tx.createTable(declaration))).toEqual({ code, message });
  });
});

describe('replica identity', () => {
  const publishing = (db: Database, more: object = {}): Database => {
    db.createPublication({ name: 'pub', tables: [t], ...more });
    db.loadRows(t, [{ id: '1', v: 'a' }]);
    return db;
  };
  const update = (db: Database) => () => db.begin().update(t, { where: { id: '1' }, set: { v: 'b' } });
  const remove = (db: Database) => () => db.begin().delete(t, { where: { id: '1' } });

  it('refuses UPDATE and DELETE of published tables without one', () => {
    const db = publishing(withTable({ replicaIdentity: 'nothing' }));
    expect(refusal(update(db))).toEqual({
      code: '55000',
      message: 'cannot update table "t" because it does not have a replica identity and publishes updates',
      hint: 'To enable updating the table, set REPLICA IDENTITY using ALTER TABLE.',
    });
    expect(refusal(remove(db))).toEqual({
      code: '55000',
      message: 'cannot delete from table "t" because it does not have a replica identity and publishes deletes',
      hint: 'To enable deleting from the table, set REPLICA IDENTITY using ALTER TABLE.',
    });
  });

  it('takes a deferrable primary key for none', () => {
    const db = publishing(withTable({ primaryKey: { columns: ['id'], deferrable: true } }));
    expect(refusal(update(db)).code).toBe('55000');
  });

  it('lets them pass where the action is not published', () => {
    const db = publishing(withTable({ replicaIdentity: 'nothing' }), { publish: ['insert'] });
    expect(update(db)()).toBe(1);
  });

  it.each([
    [{ columns: ['v'] }, 'Column list used by the publication does not cover the replica identity.'],
    [
      { where: parseRowFilter("v = 'a'", [column('id', 'int4'), column('v', 'text')] as never, 18) },
      'Column used in the publication WHERE expression is not part of the replica identity.',
    ],
  ])('wants it covered by %j', (published, detail) => {
    const db = publishing(withTable(), { tables: [{ ...t, ...published }] });
    expect(refusal(update(db))).toEqual({ code: '42P10', message: 'cannot update table "t"', detail });
    expect(refusal(remove(db))).toEqual({ code: '42P10', message: 'cannot delete from table "t"', detail });
  });

  it.each([
    [17, undefined],
    [18, 'Replica identity must not contain unpublished generated columns.'],
  ])('minds unpublished generated columns from 18 on: %i', (major, detail) => {
    const columns = [column('id', 'int4'), column('v', 'text'), column('g', 'int4', { generated: 'stored' })];
    const db = publishing(withTable({ columns, replicaIdentity: 'full' }, major));
    if (detail === undefined) expect(update(db)()).toBe(1);
    else expect(refusal(update(db))).toEqual({ code: '42P10', message: 'cannot update table "t"', detail });
  });
});

describe('publications', () => {
  const create =
    (more: object, major = 18) =>
    () =>
      withTable({}, major).createPublication({ name: 'p', ...more });

  it.each([
    [15, 'generated', 'stored'],
    [18, 'virtual generated', 'virtual'],
  ] as const)('refuse generated columns in lists on %i', (major, words, generated) => {
    const db = withTable({ columns: [column('id', 'int4'), column('g', 'int4', { generated })] }, major);
    expect(refusal(() => db.createPublication({ name: 'p', tables: [{ ...t, columns: ['id', 'g'] }] }))).toEqual({
      code: '42P10',
      message: `cannot use ${words} column "g" in publication column list`,
    });
  });

  it('refuse features of later majors', () => {
    expect(refusal(create({ tables: [{ ...t, columns: ['id'] }] }, 14)).message).toContain('came with major 15');
    expect(refusal(create({ viaPartitionRoot: true }, 12)).message).toContain('came with major 13');
  });

  it('refuse column lists of partitioned tables that are not published through them', () => {
    const db = withPartitions();
    expect(refusal(() => db.createPublication({ name: 'p', tables: [{ ...m, columns: ['id'] }] }))).toEqual({
      code: '22023',
      message: 'cannot use column list for relation "public.m" in publication "p"',
      detail: 'Column lists cannot be specified for partitioned tables when publish_via_partition_root is false.',
    });
  });

  it('keep columns that they use from being dropped, and follow those that are renamed', () => {
    const db = withTable();
    db.createPublication({ name: 'p', tables: [{ ...t, columns: ['id', 'v'] }] });
    const tx = db.begin();
    expect(refusal(() => tx.alterTable(t, [{ kind: 'dropColumn', name: 'v' }]))).toMatchObject({
      code: '2BP01',
      message: 'cannot drop column v of table t because other objects depend on it',
    });
    tx.alterTable(t, [{ kind: 'renameColumn', from: 'v', to: 'w' }]);
    expect([...tx.catalog.publications!.get('p')!.tables.values()][0]!.columns).toEqual(['id', 'w']);
  });
});

describe('transactions', () => {
  it('wait for nobody: what another one has changed is refused', () => {
    const db = withTable();
    db.loadRows(t, [{ id: '1' }, { id: '2' }]);
    const [one, two] = [db.begin(), db.begin()];
    one.update(t, { where: { id: '1' }, set: { id: '5' } });
    for (const clash of [
      () => two.delete(t, { where: { id: '1' } }),
      () => two.insert(t, { id: '5' }),
      () => two.update(t, { where: { id: '2' }, set: { id: '1' } }),
      () => two.truncate([t]),
      () => two.alterTable(t, [{ kind: 'rewrite' }]),
    ]) {
      expect(refusal(clash).code).toBe('55P03');
    }
  });

  it('know their savepoints and gids', () => {
    const db = withTable();
    const tx = db.begin();
    expect(refusal(() => tx.rollbackTo('b'))).toEqual({ code: '3B001', message: 'savepoint "b" does not exist' });
    tx.insert(t, { id: '1' });
    tx.prepare('g');
    expect(refusal(() => db.begin().prepare('g')).code).toBe('42710');
    expect(refusal(() => tx.insert(t, { id: '2' })).code).toBe('25000');
    db.rollbackPrepared('g');
    expect(refusal(() => db.commitPrepared('g'))).toEqual({
      code: '42704',
      message: 'prepared transaction with identifier "g" does not exist',
    });
    expect(db.rows(t)).toEqual([]);
  });

  it('keep pinned LSNs in order', () => {
    const db = withTable();
    const tx = db.begin({ xid: 900, beginLsn: 0x2000n });
    tx.insert(t, { id: '1' });
    tx.insert(t, { id: '2' }, { lsn: 0x2100n });
    expect(refusal(() => tx.insert(t, { id: '3' }, { lsn: 0x2050n })).message).toBe(
      "LSN 0/2050 is too low: the transaction's record before it is at 0/2100",
    );
    expect(tx.commit({ lsn: 0x2200n, endLsn: 0x2240n, time: 5n })).toMatchObject({
      transaction: { xid: 900, firstLsn: 0x2000n, end: { commitLsn: 0x2200n, endLsn: 0x2240n, time: 5n } },
    });
    expect(refusal(() => db.begin().commit({ lsn: 0x2230n })).message).toContain('what ended before it ends at 0/2240');
  });
});
