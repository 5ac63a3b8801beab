/** Workloads about streamed and two-phase transactions. Blocks end where the servers' decoding memory overflowed. */
import type { Workload } from './row-workloads.js';
import { ref, type Script, type Tx } from './script.js';

function tables(s: Script): void {
  s.table('t', ['id int4 pk', 'v text']);
  s.table('filler', ['n int4', 'pad text']);
}

const large = (s: Script): Tx => s.begin({ streamed: true });
const endBlock = (tx: Tx): void => void tx.open.endBlock();

export const streamWorkloads: Record<string, Workload> = {
  'stream-commit': (s) => {
    tables(s);
    s.table('u', ['id int4 pk', 'v text']);
    s.publication('pub', ['t', 'u']);
    s.tx((tx) => tx.insert('t', [0, 'small, before']));
    const tx = large(s);
    tx.insert('t', [1, 'first']);
    tx.filler(33);
    endBlock(tx);
    tx.filler(7);
    tx.update('t', { id: 1 }, { v: 'second' });
    tx.insert('u', [1, 'other table']);
    tx.filler(26);
    endBlock(tx);
    tx.filler(14);
    tx.delete('t', { id: 1 });
    tx.insert('t', [2, 'last']);
    tx.open.commit();
    s.tx((one) => one.insert('t', [3, 'small, after']));
  },
  'stream-abort': (s) => {
    tables(s);
    s.publication('pub', ['t']);
    const one = large(s);
    one.insert('t', [1, 'never to be']);
    one.filler(33);
    endBlock(one);
    one.filler(7);
    one.insert('t', [2, 'never to be']);
    one.open.abort();
    s.tx((tx) => tx.insert('t', [3, 'after']));
    const small = s.begin();
    small.insert('t', [4, 'small, never to be']);
    small.open.abort();
    const two = large(s);
    two.insert('t', [5, 'open while others commit']);
    two.filler(33);
    endBlock(two);
    two.filler(7);
    s.tx((tx) => tx.insert('t', [6, 'in between']));
    two.open.abort();
    s.tx((tx) => tx.insert('t', [7, 'after']));
  },
  'stream-abort-live': (s) => {
    tables(s);
    s.publication('pub', ['t']);
    s.tx((tx) => tx.insert('t', [0, 'before']));
    const a = large(s);
    a.insert('t', [1, 'never to be']);
    a.filler(33);
    endBlock(a);
    a.filler(7);
    a.update('t', { id: 1 }, { v: 'still never', id: -1 });
    a.filler(26);
    endBlock(a);
    a.filler(14);
    s.tx((tx) => tx.insert('t', [2, 'in between']));
    a.open.abort();
    const small = s.begin();
    small.insert('t', [3, 'small, never to be']);
    small.open.abort();
    s.tx((tx) => tx.insert('t', [4, 'after']));
  },
  'stream-subabort-live': (s) => {
    tables(s);
    s.publication('pub', ['t']);
    const a = large(s);
    a.insert('t', [1, 'top']);
    a.open.savepoint('a');
    a.insert('t', [2, 'a, streamed and rolled back']);
    a.open.savepoint('aa');
    a.insert('t', [3, 'aa in a, streamed and rolled back with it']);
    a.filler(32);
    endBlock(a);
    a.filler(8);
    a.open.rollbackTo('a', { endsBlock: false, time: [999_001n, 999_002n] });
    s.gap();
    a.insert('t', [4, 'a again']);
    a.open.savepoint('b');
    a.insert('t', [5, 'b in a, kept']);
    a.filler(32);
    endBlock(a);
    a.filler(8);
    a.open.release('a');
    a.open.savepoint('c');
    a.insert('t', [6, 'c, never streamed']);
    a.open.rollbackTo('c', { endsBlock: false });
    a.insert('t', [7, 'last']);
    a.open.commit();
    const b = large(s);
    b.open.savepoint('s');
    b.insert('t', [8, 'subtransaction first']);
    b.filler(33);
    endBlock(b);
    b.filler(7);
    b.open.abort({ time: [1_000_500n, 1_000_600n] });
    s.tx((tx) => tx.insert('t', [9, 'after']));
  },
  'stream-ddl': (s) => {
    tables(s);
    s.table('made0', ['id int4 pk']);
    s.publication('pub', ['t'], { publish: ['insert', 'update', 'delete'] });
    s.tx((tx) => tx.insert('t', [0, 'before']));
    const tx = large(s);
    tx.insert('t', [1, 'a']);
    tx.filler(32);
    endBlock(tx);
    tx.filler(8);
    tx.addColumn('t', 'n int4');
    tx.insert('t', [2, 'b', 2]);
    tx.open.createTable(s.declaration('made', ['id int4 pk']));
    tx.open.alterPublication('pub', { kind: 'add', tables: [ref('made'), ref('made0')] });
    tx.insert('made', [1]);
    tx.insert('made0', [1]);
    tx.filler(24);
    endBlock(tx);
    tx.filler(16);
    tx.dropColumn('t', 'v');
    tx.insert('t', [3, 3]);
    tx.open.commit();
    s.tx((one) => one.insert('t', [4, 4]));
    s.tx((one) => one.insert('made', [2]));
    const lost = large(s);
    lost.addColumn('t', 'w text');
    lost.insert('t', [6, 6, 'never']);
    lost.filler(32);
    endBlock(lost);
    lost.filler(8);
    lost.open.abort();
    s.tx((one) => one.insert('t', [5, 5]));
  },
  'stream-interleaved': (s) => {
    tables(s);
    s.publication('pub', ['t']);
    const a = large(s);
    a.insert('t', [1, 'a']);
    a.filler(33);
    endBlock(a);
    a.filler(7);
    const b = large(s);
    b.insert('t', [2, 'b']);
    b.filler(26);
    endBlock(b);
    b.filler(14);
    s.tx((tx) => tx.insert('t', [3, 'small']));
    a.insert('t', [4, 'a']);
    a.filler(12);
    endBlock(a);
    a.filler(20);
    endBlock(a);
    a.filler(8);
    b.open.savepoint('s');
    b.insert('t', [5, 'b sub']);
    b.filler(10);
    endBlock(b);
    b.filler(20);
    endBlock(b);
    b.filler(10);
    b.open.release('s');
    b.open.endBlock({});
    b.open.commit();
    a.insert('t', [6, 'a last']);
    a.open.commit();
  },
  'stream-message': (s) => {
    tables(s);
    s.publication('pub', ['t']);
    const tx = large(s);
    tx.message('pre', 'transactional, first');
    tx.insert('t', [1, 'a']);
    tx.filler(33);
    endBlock(tx);
    tx.filler(7);
    s.db.message({ prefix: 'pre', content: new TextEncoder().encode('not transactional, within') });
    tx.open.savepoint('s');
    tx.message('sub', 'in a subtransaction');
    tx.filler(25);
    endBlock(tx);
    tx.filler(15);
    tx.open.release('s');
    tx.message('', 'ü\n');
    tx.open.commit();
    const big = large(s);
    big.message('big', 'm'.repeat(2500));
    big.message('big', 'm'.repeat(2500));
    big.filler(30);
    endBlock(big);
    big.filler(10);
    big.open.commit();
    const lost = large(s);
    lost.message('lost', 'rolled back');
    lost.filler(32);
    endBlock(lost);
    lost.filler(8);
    lost.open.abort();
  },
  'stream-truncate': (s) => {
    tables(s);
    s.table('u', ['id int4 pk identity', 'v text']);
    s.publication('pub', ['t', 'u']);
    const tx = large(s);
    tx.insert('t', [1, 'a']);
    tx.truncate('t');
    tx.insert('t', [2, 'b']);
    tx.open.truncate([ref('t'), ref('u')], { restartIdentity: true, cascade: true });
    tx.filler(30);
    endBlock(tx);
    tx.filler(10);
    tx.truncate('u');
    tx.insert('u', [1, 'c']);
    tx.open.commit();
    const lost = large(s);
    lost.truncate('filler');
    lost.filler(33);
    endBlock(lost);
    lost.filler(7);
    lost.truncate('u', 'filler');
    lost.open.abort();
  },
  'twophase-commit': (s) => {
    s.table('t', ['id int4 pk', 'v text'], { replicaIdentity: 'full' });
    s.table('unpublished', ['id int4']);
    s.publication('pub', ['t']);
    const prepared = (gid: string, body: (tx: Tx) => void): void => {
      const tx = s.begin();
      body(tx);
      tx.open.prepare(gid);
    };
    prepared('gid-1', (tx) => {
      tx.insert('t', [1, 'one']);
      tx.update('t', { id: 1 }, { v: 'uno' });
      tx.open.savepoint('s');
      tx.insert('t', [2, 'sub']);
      tx.open.release('s');
    });
    s.tx((tx) => tx.insert('t', [3, 'in between']));
    s.db.commitPrepared('gid-1');
    prepared(`it's a "gid" with ünïcode`, (tx) => tx.delete('t', { id: 1 }));
    s.db.commitPrepared(`it's a "gid" with ünïcode`);
    prepared('no changes', () => undefined);
    s.db.commitPrepared('no changes');
    prepared('nothing published', (tx) => tx.insert('unpublished', [1]));
    s.db.commitPrepared('nothing published');
    prepared('gid-left-open', (tx) => tx.insert('t', [4, 'four']));
  },
  'twophase-reconnect': (s) => {
    s.table('t', ['id int4 pk', 'v text']);
    s.publication('pub', ['t']);
    const prepared = (gid: string, row: [number, string]): void => {
      const tx = s.begin();
      tx.insert('t', row);
      tx.open.prepare(gid);
    };
    prepared('rc-1', [1, 'one']);
    s.capture('prepared, confirmed', true);
    s.db.commitPrepared('rc-1');
    prepared('rc-2', [2, 'two']);
    s.capture('prepared, not confirmed', false);
    s.db.rollbackPrepared('rc-2');
    s.tx((tx) => tx.insert('t', [3, 'three']));
    s.capture('rolled back, confirmed', true);
    prepared('rc-3', [4, 'four']);
    s.capture('prepared again, confirmed', true);
    s.db.rollbackPrepared('rc-3');
  },
  'twophase-stream': (s) => {
    tables(s);
    s.publication('pub', ['t']);
    const one = large(s);
    one.insert('t', [1, 'streamed']);
    one.filler(32);
    endBlock(one);
    one.filler(8);
    one.open.savepoint('s');
    one.insert('t', [2, 'sub']);
    one.filler(25);
    endBlock(one);
    one.filler(15);
    one.open.rollbackTo('s', { endsBlock: false, time: 999_000n });
    one.insert('t', [3, 'last']);
    one.open.prepare('sp-1');
    s.tx((tx) => tx.insert('t', [4, 'in between']));
    s.db.commitPrepared('sp-1');
    const two = large(s);
    two.insert('t', [5, 'to be rolled back']);
    two.filler(33);
    endBlock(two);
    two.filler(7);
    two.open.prepare('sp-2');
    s.db.rollbackPrepared('sp-2');
    const small = s.begin();
    small.insert('t', [6, 'small']);
    small.open.prepare('sp-3');
    s.db.commitPrepared('sp-3');
  },
};
