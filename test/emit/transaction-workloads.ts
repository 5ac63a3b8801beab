/** Workloads about transactions and catalogs: DDL, truncate, messages, origins, prepared transactions, reconnection. */
import { expect } from '@jest/globals';
import type { Workload } from './row-workloads.js';
import { ref, type Script, type Tx } from './script.js';

const each = (script: Script, ...bodies: ((tx: Tx) => void)[]): void => bodies.forEach((body) => script.tx(body));
const none = { kind: 'none' } as const;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const transactionWorkloads: Record<string, Workload> = {
  truncate: (s) => {
    s.table('parent', ['id int4 pk identity', 'n int4']);
    s.table('child', ['id int4 pk', 'p int4']);
    s.table('grandchild', ['id int4 pk', 'c int4']);
    for (const name of ['lone', 'unpublished', 'quiet']) s.table(name, ['id int4 pk']);
    s.publication('pub', ['parent', 'child', 'grandchild', 'lone']);
    s.publication('pubq', ['quiet'], { publish: ['insert', 'update', 'delete'] });
    const truncate =
      (tables: string[], options = {}) =>
      (tx: Tx) =>
        tx.open.truncate(tables.map(ref), options);
    each(
      s,
      (tx) => {
        tx.open.invalidate(none); // nextval
        tx.insert('parent', [1, 1], [2, 2]);
      },
      truncate(['lone']),
      truncate(['parent', 'child', 'grandchild', 'lone']),
      truncate(['parent', 'child', 'grandchild'], { cascade: true }),
      truncate(['lone'], { restartIdentity: true }),
      truncate(['child', 'lone', 'grandchild'], { cascade: true, restartIdentity: true }),
      truncate(['unpublished']),
      truncate(['quiet']),
      truncate(['unpublished', 'lone', 'quiet']),
      (tx) => {
        tx.insert('lone', [1]);
        tx.truncate('lone');
        tx.insert('lone', [2]);
      },
    );
    const tx = s.begin();
    tx.open.createTable(s.declaration('fresh', ['id int4 pk']));
    tx.insert('lone', [3]);
    tx.truncate('fresh', 'lone');
    tx.open.abort();
  },
  'tx-empty': (s) => {
    s.table('t', ['id int4 pk']);
    s.table('unpublished', ['id int4 pk']);
    s.publication('pub', ['t']);
    s.tx((tx) => tx.insert('unpublished', [1]));
    withXid(s.begin()); // txid_current()
    const rolledBack = s.begin();
    rolledBack.insert('t', [1]);
    rolledBack.open.abort();
    s.tx((tx) => tx.open.createTable(s.declaration('other', ['id int4'])));
    s.tx(() => undefined);
    s.tx(withXid); // SELECT … FOR UPDATE
    s.tx((tx) => tx.insert('t', [2]));
    s.tx((tx) => {
      tx.open.savepoint('a');
      tx.insert('t', [3]);
      tx.open.rollbackTo('a');
    });
  },
  'tx-relations': (s) => {
    s.enum('e', ['x']);
    s.table('a', ['id int4 pk', 'e e']);
    s.table('b', ['id int4 pk', 'e e']);
    s.publication('pub', 'all');
    const others = (tx: Tx): void => tx.open.invalidate(none);
    each(
      s,
      (tx) => {
        tx.insert('a', [1, 'x']);
        tx.insert('b', [1, 'x']);
        tx.insert('a', [2, 'x']);
      },
      (tx) => tx.insert('b', [2, 'x']),
      (tx) => tx.open.createTable(s.declaration('c', ['id int4 pk'])),
      (tx) => tx.insert('c', [1]),
      (tx) => {
        tx.insert('a', [3, null]);
        tx.open.createTable(s.declaration('d', ['id int4 pk', 'n numeric']));
        tx.insert('d', [1, 1]);
        tx.addColumn('a', 'n int4');
        tx.insert('b', [3, null]);
        tx.insert('a', [4, null, 4]);
      },
      (tx) => tx.open.dropTable(ref('c')),
      (tx) => tx.insert('a', [5, null, 5]),
      (tx) => {
        tx.open.createTable(s.declaration('ctas', ['one int4', 'two text']));
        tx.insert('ctas', [1, 'two']);
      },
      (tx) => {
        tx.open.createTable(s.declaration('sel', ['three int4']));
        tx.insert('sel', [3]);
      },
      others, // CREATE MATERIALIZED VIEW
      others, // REFRESH MATERIALIZED VIEW
      (tx) => tx.open.alterTable(ref('a'), [{ kind: 'rewrite' }]), // GRANT
      (tx) => tx.insert('a', [6, null, 6]),
      others, // COMMENT
      (tx) => tx.insert('a', [7, null, 7]),
      (tx) => tx.open.alterTable(ref('a'), [{ kind: 'rewrite' }]), // SET (fillfactor)
      (tx) => tx.insert('a', [8, null, 8]),
    );
  },
  'tx-many-small': (s) => {
    s.table('t', ['id int4 pk', 'v text']);
    s.publication('pub', ['t']);
    s.tx((tx) => [1, 2, 3].forEach((id) => tx.insert('t', [id, 'one statement, one transaction'])));
    for (let id = 11; id <= 16; id++) s.tx((tx) => tx.insert('t', [id]));
    const a = s.begin();
    a.insert('t', [21, 'a first']);
    const b = s.begin();
    b.insert('t', [22, 'b second']);
    a.insert('t', [23, 'a third']);
    s.tx((tx) => tx.insert('t', [24, 'in between']));
    b.insert('t', [25, 'b fifth']);
    b.open.commit();
    a.update('t', { id: 22 }, { v: 'a sees b' });
    a.open.commit();
  },
  'columns-renamed': (s) => {
    s.table('shop.goods', ['id int4 pk', 'label text']);
    s.publication('pub', ['shop.goods']);
    each(
      s,
      (tx) => tx.insert('shop.goods', [1, 'a']),
      (tx) => tx.open.alterTable(ref('shop.goods'), [{ kind: 'renameColumn', from: 'label', to: 'title' }]),
      (tx) => tx.insert('shop.goods', [2, 'b']),
      (tx) => tx.open.alterTable(ref('shop.goods'), [{ kind: 'renameTo', name: 'wares' }]),
      (tx) => tx.insert('shop.wares', [3, 'c']),
      (tx) => tx.open.renameSchema('shop', 'store'),
      (tx) => tx.insert('store.wares', [4, 'd']),
      (tx) => tx.open.alterTable(ref('store.wares'), [{ kind: 'setSchema', namespace: 'public' }]),
      (tx) => tx.update('wares', { id: 4 }, { title: 'e' }),
    );
  },
  'ddl-add-drop': (s) => {
    s.table('t', ['id int4 pk', 'a text', 'b int4']);
    s.publication('pub', ['t']);
    const touch = (tx: Tx): void => tx.open.alterTable(ref('t'), [{ kind: 'rewrite' }]);
    each(
      s,
      (tx) => tx.insert('t', [1, 'a', 1]),
      (tx) => tx.addColumn('t', 'c text'),
      (tx) => tx.insert('t', [2, 'b', 2, 'c']),
      (tx) => tx.dropColumn('t', 'a'),
      (tx) => tx.insert('t', [3, 3, 'cc']),
      (tx) => tx.update('t', { id: 1 }, { b: 0 }),
      (tx) => {
        tx.insert('t', [4, 4, 'd']);
        tx.addColumn('t', 'd numeric(5,1)', { default: '1.5' });
        tx.insert('t', [5, 5, 'e', '2.0']);
        tx.update('t', { id: 1 }, { c: 'E' });
        tx.dropColumn('t', 'b');
        tx.delete('t', { id: 2 });
      },
      touch, // SET DEFAULT
      (tx) => tx.insert('t', [6, 'zz']),
      touch, // CREATE INDEX
      (tx) => insertNoted(tx, 7),
      touch, // ANALYZE
      (tx) => insertNoted(tx, 8),
    );
    s.db.vacuum([ref('t')]);
    s.tx((tx) => insertNoted(tx, 9));
  },
  'ddl-types': (s) => {
    const color = s.enum('color', ['red', 'green']);
    s.composite('pt', [
      ['x', 'int4'],
      ['y', 'int4'],
    ]);
    s.domain('d', 'text');
    s.table('t', ['id int4 pk', 'c color', 'd d']);
    s.table('t2', ['id int4 pk', 'p pt']);
    s.publication('pub', ['t', 't2']);
    each(
      s,
      (tx) => tx.insert('t', [1, 'red', 'x']),
      (tx) => tx.insert('t2', [1, '(1,2)']),
      (tx) => tx.open.replaceType({ ...color, labels: ['red', 'green', 'blue'] }),
      (tx) => tx.insert('t', [2, 'blue', 'y']),
      (tx) => tx.open.replaceType({ ...color, name: 'colour' }),
      (tx) => tx.insert('t', [3, 'green', 'z']),
      (tx) => tx.open.changeSchemas(),
      (tx) => tx.open.replaceType({ ...color, name: 'colour', namespace: 's' }),
      (tx) => tx.insert('t', [4, 'green', 'z']),
      (tx) => tx.addColumn('t', 'n int4'),
      (tx) => tx.insert('t', [5, 'green', 'z', 1]),
      (tx) => tx.open.alterTable(ref('t'), [{ kind: 'alterType', column: { ...s.columns('c text').columns[0]! } }]),
      (tx) => tx.insert('t', [6, 'free', 'z', 1]),
    );
  },
  'copy-from': (s) => {
    s.table('t', ['id int4 pk', 'v text']);
    s.publication('pub', 'all');
    each(
      s,
      (tx) => tx.copy('t', [1, 'one'], [2, null], [3, 'tab\there'], [4, '']),
      (tx) => {
        tx.open.createTable(s.declaration('n', ['a text', 'b text']));
        tx.copy('n', ['x', 'y, z'], ['', null]);
      },
      (tx) => {
        tx.truncate('t');
        tx.copy('t', [9, 'after a truncate in the same transaction']);
      },
    );
  },
  messages: (s) => {
    s.table('t', ['id int4 pk']);
    s.publication('pub', ['t']);
    const plain = (prefix: string, content: Uint8Array): void => void s.db.message({ prefix, content });
    s.tx((tx) => tx.message('prefix', 'alone in its transaction'));
    plain('prefix', bytes('not transactional'));
    const tx = s.begin();
    tx.insert('t', [1]);
    tx.message('a', 'inside');
    plain('b', bytes('sent at once'));
    tx.insert('t', [2]);
    tx.open.commit();
    const lost = s.begin();
    lost.message('c', 'rolled back');
    plain('d', bytes('stays'));
    lost.open.abort();
    s.tx((one) => one.message('', ''));
    plain('binary', new Uint8Array([0, 255, 0]));
    s.tx((one) => one.message('préfixe', 'ünï\n'));
    s.tx((one) => {
      if (s.major < 14) one.open.invalidate(none);
      one.open.savepoint('a');
      one.message('sub', 'in a released savepoint');
      one.open.release('a');
      one.open.savepoint('b');
      one.message('sub', 'in a rolled back savepoint');
      one.open.rollbackTo('b');
    });
  },
  origin: (s) => {
    s.table('t', ['id int4 pk', 'v text']);
    s.publication('pub', ['t']);
    s.tx((tx) => tx.insert('t', [1, 'local']));
    // Without xact_setup the origin's time is zero.
    s.tx((tx) => tx.insert('t', [2, 'from a, no lsn']), { origin: { name: 'node_a', lsn: 0n, time: 0n } });
    s.tx(
      (tx) => {
        tx.insert('t', [3, 'from a']);
        tx.update('t', { id: 1 }, { v: 'changed by a' });
      },
      { origin: { name: 'node_a', lsn: 0x1_0000_2345n, time: 762523200000000n } },
    );
    s.tx(
      (tx) => {
        tx.open.savepoint('s');
        tx.insert('t', [4, 'from a, subtransaction']);
        tx.open.release('s');
      },
      { origin: { name: 'node_a', lsn: 0xab_cdef_0123n, time: 34488306789000n } },
    );
    s.tx((tx) => tx.insert('t', [5, 'local again']));
    s.tx((tx) => tx.delete('t', { id: 5 }), { origin: { name: 'née "b"', lsn: 1n, time: 762523201000000n } });
    s.tx((tx) => tx.insert('t', [6, 'from an origin that is dropped before the stream is read']), {
      origin: { name: 'gone', lsn: 0n, time: 0n },
    });
    s.tx((tx) => tx.open.invalidate(none));
  },
  'prepared-plain': (s) => {
    s.table('t', ['id int4 pk', 'v text']);
    s.publication('pub', ['t']);
    const one = s.begin();
    one.insert('t', [1, 'prepared, committed']);
    one.open.prepare('plain 1');
    s.tx((tx) => tx.insert('t', [2, 'in between']));
    s.db.commitPrepared('plain 1');
    const two = s.begin();
    two.insert('t', [3, 'prepared, rolled back']);
    two.open.prepare('plain 2');
    s.db.rollbackPrepared('plain 2');
    s.tx((tx) => tx.insert('t', [4, 'after']));
  },
  reconnect: (s) => {
    s.table('t', ['id int4 pk', 'v text']);
    s.publication('pub', ['t']);
    s.tx((tx) => tx.insert('t', [1, 'one']));
    s.tx((tx) => tx.insert('t', [2, 'two']));
    s.capture('nothing confirmed', false);
    s.tx((tx) => tx.insert('t', [3, 'three']));
    s.capture('all confirmed', true);
    const a = s.begin();
    a.insert('t', [4, 'four']);
    s.capture('in the middle of a transaction', true);
    a.insert('t', [5, 'five']);
    a.open.commit();
  },
  'start-errors': (s) => {
    s.table('t', ['id int4 pk']);
    s.publication('pub', ['t']);
    s.tx((tx) => tx.insert('t', [1]));
  },
  'types-no-binary': (s) => {
    s.table('acl', ['id int4 pk', 'a aclitem', 'n numeric', 't text'], { replicaIdentity: 'full' });
    s.publication('pub', ['acl']);
    each(
      s,
      (tx) =>
        tx.insert('acl', [1, 'postgres=r*w/postgres', '1.5', 'x'], [2, '=X/postgres', null, ''], [3, null, 0, null]),
      (tx) => tx.update('acl', { id: 1 }, { a: null }),
      (tx) => tx.update('acl', { id: 2 }, { id: 20 }),
      // Physical order: the row updated last lies behind the others.
      (tx) => [3, 1, 20].forEach((id) => tx.delete('acl', { id })),
    );
  },
  'types-custom': (s) => {
    s.enum('mood', ['sad', 'ok', 'very happy']);
    s.enum('Status', ['on', 'off'], 'app');
    s.domain('posint', 'int4');
    s.domain('email', 'varchar(50)', 'app');
    s.domain('mood_domain', 'mood', 'app');
    s.domain('dom_of_dom', 'mood_domain', 'app');
    s.domain('int_list', 'int4[]');
    s.composite('pair', [
      ['a', 'int4'],
      ['b', 'text'],
    ]);
    s.composite(
      'nested',
      [
        ['p', 'pair'],
        ['m', 'mood'],
      ],
      'app',
    );
    s.array('mood[]', 'mood');
    s.array('pair[]', 'pair');
    s.composite('c2', [
      ['id', 'posint'],
      ['e', 'email'],
      ['md', 'mood_domain'],
      ['dd', 'dom_of_dom'],
      ['il', 'int_list'],
    ]);
    s.table('c1', ['id int4 pk', 'm mood', 'ms mood[]', 's Status', 'p pair', 'ps pair[]', 'n nested']);
    s.table('c2', ['id posint pk', 'e email', 'md mood_domain', 'dd dom_of_dom', 'il int_list']);
    s.table('c3', ['id int4 pk', 'm2 mood', 'm1 mood', 'row_of_c2 c2']);
    s.publication('pub', ['c1', 'c2', 'c3']);
    each(
      s,
      (tx) =>
        tx.insert('c1', [
          1,
          'sad',
          '{ok,"very happy",NULL}',
          'on',
          '(1,"x ""y"" z")',
          '{"(1,a)","(,)"}',
          '("(2,b)",ok)',
        ]),
      (tx) => tx.insert('c1', [2, null, '{}', 'off', '(,)', null, '(,)']),
      (tx) => tx.insert('c2', [1, 'a@b', 'ok', 'sad', '{1,2}']),
      (tx) => tx.update('c2', {}, { id: 2 }),
      (tx) => tx.insert('c3', [1, 'ok', 'sad', '(1,a@b,ok,sad,"{1,2}")']),
    );
  },
};

/** Reading the xid assigns it. */
function withXid(tx: Tx): void {
  expect(tx.open.xid).toBeGreaterThan(0);
}

/** Both columns have defaults that the statement leaves to the server. */
function insertNoted(tx: Tx, id: number): void {
  tx.insert('t', [id, 'zz']);
}
