/** Workloads about rows: keys, identities, out-of-line values, publications. What was run stands in the golden's title. */
import type { PartitionDeclaration } from '../../src/database/index.js';
import { big, Script, type Tx } from './script.js';

export type Workload = (script: Script) => void;

const each = (script: Script, ...bodies: ((tx: Tx) => void)[]): void => bodies.forEach((body) => script.tx(body));
const body205 = 'abcdefghij'.repeat(205);
const extra1050 = `\\x${'00ff'.repeat(1050)}`;

export const rowWorkloads: Record<string, Workload> = {
  'pk-basics': (s) => {
    s.table('account', ['id int4 pk', 'owner text not null', 'balance numeric(12,2)', 'note text']);
    s.publication('pub', ['account']);
    each(
      s,
      (tx) => tx.insert('account', [1, 'ann', '10.50', null]),
      (tx) => tx.insert('account', [2, 'bob', '0.00', 'first'], [3, 'cy', '-7.25', '']),
      (tx) => tx.update('account', { id: 1 }, { balance: '11.50' }),
      (tx) => tx.update('account', { id: 2 }, { id: 20 }),
      (tx) => tx.update('account', { id: 3 }, { id: 3, note: 'same key' }),
      (tx) => tx.delete('account', { id: 1 }),
      // A heap scan finds the row that was updated last after the others.
      (tx) => {
        tx.delete('account', { id: 20 });
        tx.delete('account', { id: 3 });
      },
    );
  },
  'pk-composite': (s) => {
    s.table('line', ['note text', 'qty int4', 'line_no int4', 'order_ref text'], {
      primaryKey: { columns: ['order_ref', 'line_no'] },
    });
    s.publication('pub', ['line']);
    each(
      s,
      (tx) => tx.insert('line', ['a', 1, 10, 'o-1'], ['b', 2, 20, 'o-1'], [null, null, 10, 'o-2']),
      (tx) => tx.update('line', { order_ref: 'o-1', line_no: 10 }, { qty: 5 }),
      (tx) => tx.update('line', { order_ref: 'o-1', line_no: 10 }, { line_no: 11 }),
      (tx) => tx.update('line', { order_ref: 'o-1', line_no: 20 }, { order_ref: 'o-3', note: null }),
      (tx) => tx.update('line', { order_ref: 'o-2' }, { order_ref: 'o-4', line_no: 99 }),
      (tx) => tx.delete('line', { line_no: 11 }),
      (tx) => tx.delete('line'),
    );
  },
  'identity-full-pk': (s) => {
    s.table('item', ['id int4 pk', 'a text', 'b int4'], { replicaIdentity: 'full' });
    s.publication('pub', ['item']);
    each(
      s,
      (tx) => tx.insert('item', [1, 'x', 1], [2, null, null], [3, '', 0]),
      (tx) => tx.update('item', { id: 1 }, { b: 5 }),
      (tx) => tx.update('item', { id: 3 }, { id: 30 }),
      (tx) => tx.update('item', { id: 2 }, { a: 'now', b: null }),
      (tx) => tx.delete('item', { id: 30 }),
      (tx) => tx.delete('item'),
    );
  },
  'identity-index': (s) => {
    s.table('person', ['id int4 pk identity', 'name text', 'country char(2) not null', 'tax_no varchar(20) not null'], {
      indexes: [{ name: 'person_tax', unique: true, columns: ['tax_no', 'country'] }],
      replicaIdentity: { index: 'person_tax' },
    });
    s.publication('pub', ['person']);
    each(
      s,
      (tx) => {
        // nextval writes a record first, which is where the transaction begins.
        tx.open.invalidate({ kind: 'none' });
        tx.insert('person', [1, 'Ann', 'DE', '1-22'], [2, 'Bo', 'SE', '9'], [3, null, 'FR', '']);
      },
      (tx) => tx.update('person', { name: 'Ann' }, { id: 100 }),
      (tx) => tx.update('person', { id: 100 }, { name: 'Anna' }),
      (tx) => tx.update('person', { id: 100 }, { country: 'AT' }),
      (tx) => tx.update('person', { name: 'Bo' }, { tax_no: '10', country: 'NO' }),
      (tx) => tx.delete('person', { name: null }),
      (tx) => tx.delete('person'),
    );
  },
  'identity-nothing': (s) => {
    s.table('log_nokey', ['n int4', 'msg text']);
    s.table('log_nothing', ['n int4 pk', 'msg text'], { replicaIdentity: 'nothing' });
    s.table('log_quiet', ['n int4', 'msg text']);
    s.publication('pub', ['log_nokey', 'log_nothing']);
    s.publication('pubins', ['log_quiet'], { publish: ['insert'] });
    each(
      s,
      (tx) => tx.insert('log_nokey', [1, 'a'], [2, null]),
      (tx) => tx.insert('log_nothing', [1, 'a'], [2, null]),
      (tx) => tx.insert('log_quiet', [1, 'a'], [2, null]),
      (tx) => tx.update('log_quiet', { n: 1 }, { msg: 'b' }),
      (tx) => tx.delete('log_quiet', { n: 1 }),
      (tx) => tx.insert('log_nokey', [3, 'c']),
      (tx) => tx.insert('log_quiet', [3, 'c']),
    );
  },
  'toast-default': (s) => {
    s.table('doc', ['id int4 pk', 'title text', 'body text', 'extra bytea']);
    s.publication('pub', ['doc']);
    each(
      s,
      (tx) => tx.insert('doc', [1, 'one', big(body205), big(extra1050)]),
      (tx) => tx.insert('doc', [2, 'two', 'short', null]),
      (tx) => tx.update('doc', { id: 1 }, { title: 'uno' }),
      (tx) => tx.update('doc', { id: 1 }, { body: big('klmnopqrst'.repeat(205)) }),
      (tx) => tx.update('doc', { id: 1 }, { id: 10 }),
      (tx) => tx.update('doc', { id: 10 }, { body: big('klmnopqrst'.repeat(205)) }),
      (tx) => tx.update('doc', { id: 10 }, { extra: null }),
      (tx) => tx.update('doc', { id: 10 }, { body: 'small now' }),
      (tx) => tx.update('doc', { id: 2 }, { body: big('z'.repeat(2100)) }),
      (tx) => tx.delete('doc'),
    );
  },
  'toast-full': (s) => {
    s.table('doc', ['id int4 pk', 'title text', 'body text'], { replicaIdentity: 'full' });
    s.publication('pub', ['doc']);
    each(
      s,
      (tx) => tx.insert('doc', [1, 'one', big('abcdefghij'.repeat(250))], [2, 'two', null]),
      (tx) => tx.update('doc', { id: 1 }, { title: 'uno' }),
      (tx) => tx.update('doc', { id: 1 }, { body: big('klmnopqrst'.repeat(250)) }),
      (tx) => tx.update('doc', { id: 2 }, { body: big('B'.repeat(2300)) }),
      (tx) => tx.update('doc', { id: 2 }, { id: 3 }),
      (tx) => tx.update('doc', { id: 3 }, { body: null }),
      (tx) => tx.delete('doc'),
    );
  },
  'pub-operations': (s) => {
    for (const name of ['ins', 'insdel', 'upd', 'nothing']) s.table(name, ['id int4 pk', 'v text']);
    s.publication('p1', ['ins'], { publish: ['insert'] });
    s.publication('p2', ['insdel'], { publish: ['insert', 'delete'] });
    s.publication('p3', ['upd'], { publish: ['update'] });
    s.publication('p4', ['nothing'], { publish: [] });
    each(
      s,
      (tx) => tx.insert('ins', [1, 'a']),
      (tx) => tx.update('ins', {}, { v: 'b' }),
      (tx) => tx.delete('ins'),
      (tx) => tx.insert('insdel', [1, 'a']),
      (tx) => tx.update('insdel', {}, { id: 2 }),
      (tx) => tx.delete('insdel'),
      (tx) => tx.insert('upd', [1, 'a']),
      (tx) => tx.update('upd', {}, { v: 'b' }),
      (tx) => tx.update('upd', {}, { id: 2 }),
      (tx) => tx.delete('upd'),
      (tx) => tx.insert('nothing', [1, 'a']),
      (tx) => tx.insert('insdel', [5, 'kept']),
    );
    if (s.major >= 11) s.tx((tx) => tx.truncate('ins', 'insdel', 'upd', 'nothing'));
  },
  'pub-column-list': (s) => {
    s.table('t', ['a text', 'id int4 pk', 'secret text', 'b int4']);
    s.table('f', ['x int4', 'y int4', 'z int4'], { replicaIdentity: 'full' });
    s.table('i', ['id int4 pk', 'k int4 not null', 'hidden int4'], {
      indexes: [{ name: 'i_k_key', unique: true, columns: ['k'] }],
      replicaIdentity: { index: 'i_k_key' },
    });
    s.publication('pub', [], {
      tables: [
        { namespace: 'public', name: 't', columns: ['b', 'id', 'a'] },
        { namespace: 'public', name: 'f', columns: ['z', 'x'] },
        { namespace: 'public', name: 'i', columns: ['k'] },
      ],
    });
    each(
      s,
      (tx) => tx.insert('t', ['a', 1, 'hidden', 10]),
      (tx) => tx.update('t', { id: 1 }, { secret: 'other' }),
      (tx) => tx.update('t', {}, { id: 2 }),
      (tx) => tx.delete('t'),
      (tx) => tx.insert('f', [1, 2, 3]),
      (tx) => tx.insert('i', [1, 10, 100]),
      (tx) => tx.update('i', {}, { hidden: 5 }),
      (tx) => tx.update('i', {}, { k: 11 }),
      (tx) => tx.delete('i'),
      (tx) => tx.addColumn('t', 'late text'),
      (tx) => tx.insert('t', ['a', 3, 'hidden', 30, 'late']),
    );
  },
  'generated-stored': (s) => {
    s.table('g', ['a int4', 'twice int4 stored', 'id int4 pk', 'label text stored']);
    s.table('gf', ['id int4', 'd int4 stored'], { replicaIdentity: 'full' });
    s.publication('pub', ['g']);
    if (s.major >= 18) {
      s.publication('pubgen', ['g', 'gf'], { generatedColumns: 'stored' });
      s.publication('publist', [], { tables: [{ namespace: 'public', name: 'g', columns: ['id', 'twice'] }] });
    } else s.publication('pubf', ['gf']);
    each(
      s,
      (tx) => tx.insert('g', [10, 20, 1, 'n10'], [null, null, 2, null]),
      (tx) => tx.update('g', { id: 1 }, { a: 11, twice: 22, label: 'n11' }),
      (tx) => tx.update('g', { id: 2 }, { id: 3 }),
      (tx) => tx.delete('g'),
      (tx) => tx.insert('gf', [1, 2]),
      (tx) => tx.update('gf', {}, { id: 2, d: 3 }),
      (tx) => tx.delete('gf'),
    );
  },
  'generated-virtual': (s) => {
    s.table('g', ['id int4 pk', 'a int4', 'v int4 virtual', 's int4 stored', 'z text']);
    s.publication('pub', ['g']);
    s.publication('pubgen', ['g'], { generatedColumns: 'stored' });
    each(
      s,
      (tx) => tx.insert('g', [1, 10, null, 30, 'z']),
      (tx) => tx.update('g', {}, { a: 11, s: 33 }),
      (tx) => tx.update('g', {}, { id: 2 }),
      (tx) => tx.delete('g'),
    );
  },
  'pub-partition-leaf': (s) => {
    partitioned(s, [
      { name: 'm_old', bound: { kind: 'range', from: ['2020-01-01'], to: ['2024-01-01'] } },
      {
        name: 'm_new',
        bound: { kind: 'range', from: ['2024-01-01'], to: ['2025-01-01'] },
        columnOrder: ['v', 'day', 'id'],
      },
    ]);
    s.publication('pub', s.major >= 13 ? ['m'] : ['m_old', 'm_new']);
    each(
      s,
      (tx) => tx.insert('m', [1, '2023-05-05', 'old'], [2, '2024-05-05', 'new']),
      (tx) => tx.update('m', {}, { v: 'changed' }),
      (tx) => tx.update('m', { id: 1 }, { day: '2024-06-06' }),
      (tx) => tx.update('m', { id: 2 }, { id: 20 }),
      (tx) => tx.delete('m', { id: 1 }),
      (tx) => tx.truncate('m'),
      (tx) =>
        tx.open.createTable({
          namespace: 'public',
          name: 'm_next',
          columns: [],
          partitionOf: {
            parent: { namespace: 'public', name: 'm' },
            bound: { kind: 'range', from: ['2025-01-01'], to: ['2026-01-01'] },
          },
        }),
      (tx) => tx.insert('m', [3, '2025-03-03', 'next']),
    );
  },
  'pub-partition-root': (s) => {
    partitioned(s, [
      { name: 'm_old', bound: { kind: 'range', from: ['2020-01-01'], to: ['2024-01-01'] } },
      {
        name: 'm_new',
        bound: { kind: 'range', from: ['2024-01-01'], to: ['2025-01-01'] },
        columnOrder: ['v', 'day', 'id'],
      },
      {
        name: 'm_sub',
        bound: { kind: 'range', from: ['2025-01-01'], to: ['2026-01-01'] },
        partitionBy: { strategy: 'list', columns: ['id'] },
        partitions: [{ name: 'm_sub_1', bound: { kind: 'list', values: ['1', '2', '3'] }, replicaIdentity: 'full' }],
      },
    ]);
    s.publication('pub', ['m'], { viaPartitionRoot: true });
    each(
      s,
      (tx) => tx.insert('m', [1, '2023-05-05', 'old'], [2, '2024-05-05', 'new'], [3, '2025-05-05', 'sub']),
      (tx) => tx.update('m', {}, { v: 'changed' }),
      (tx) => tx.update('m', { id: 1 }, { day: '2024-06-06' }),
      (tx) => tx.update('m', { id: 2 }, { id: 20 }),
      (tx) => tx.update('m', { id: 3 }, { id: 2 }),
      // Physical order: the moved row lies before the one whose new version was written last.
      (tx) => {
        tx.delete('m', { id: 1 });
        tx.delete('m', { id: 20 });
        tx.delete('m', { id: 2 });
      },
      (tx) => tx.truncate('m_old'),
      (tx) => tx.truncate('m'),
      (tx) => tx.addColumn('m', 'n int4', { default: '5' }),
      (tx) => tx.insert('m', [4, '2023-01-01', 'after', 1], [1, '2025-01-01', 'after', 2]),
    );
  },
};

function partitioned(s: Script, partitions: PartitionDeclaration[]): void {
  s.table('m', ['id int4', 'day date', 'v text'], {
    primaryKey: { columns: ['id', 'day'] },
    partitionBy: { strategy: 'range', columns: ['day'] },
    partitions,
  });
}
