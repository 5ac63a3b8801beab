/** DDL in a subtransaction that is known to be rolled back when it is decoded, as real servers of 14, 16 and 18 stream it. */
import { describe, it, expect } from '@jest/globals';
import { emitted, kinds, type Emitted } from './emitted.js';
import { ref, Script, type Tx } from './script.js';

const majors = [14, 16, 18];

/** A client that has the Relations of t and u, and then streams a transaction whose savepoint does `ddl` and inserts into u. */
function streamed(
  major: number,
  ddl: (tx: Tx) => void,
  before?: (s: Script) => void,
): { got: Emitted; kinds: string[]; ddlLsn: bigint } {
  const s = new Script(major);
  for (const table of ['t', 'u', 'other']) s.table(table, ['id int4 pk', 'v text']);
  s.publication('pub', ['t', 'u']);
  before?.(s);
  s.tx((tx) => tx.insert('t', [1]));
  s.tx((tx) => tx.insert('u', [1]));
  const begun = s.db.lsn;
  const tx = s.begin({ streamed: true });
  tx.insert('t', [2]);
  tx.open.savepoint('s');
  const ddlLsn = s.db.lsn;
  ddl(tx);
  tx.insert('u', [2]);
  tx.open.rollbackTo('s');
  tx.insert('t', [3]);
  tx.open.endBlock();
  tx.open.commit();
  s.tx((next) => next.insert('t', [4]));
  s.tx((next) => next.insert('u', [4]));
  const got = emitted(s, { late: true, options: { streaming: 'on' } });
  const start = kinds(got).indexOf('streamStart');
  expect(got.headers[start]).toBe(begun);
  return { got, kinds: kinds(got).slice(start), ddlLsn };
}

const addColumn = (table: string) => (tx: Tx) => tx.addColumn(table, 'x int4');
const [top, stopped] = [
  ['streamStart', 'relation', 'insert'],
  ['streamStop', 'streamAbort'],
];
const last = ['streamStart', 'relation', 'insert', 'streamStop', 'streamCommit'];
const plain = ['begin', 'insert', 'commit'];
const plainAnew = ['begin', 'relation', 'insert', 'commit'];

describe.each(majors)('on %i a server', (major) => {
  it('that has decoded no row of pg_class yet notices at ADD COLUMN, stops there, and forgets the Relation all the same', () => {
    const { got, kinds: sent, ddlLsn } = streamed(major, addColumn('t'));
    expect(sent).toEqual([...top, ...stopped, ...last, ...plainAnew, ...plain]);
    expect(got.headers[got.messages.findIndex(({ kind }) => kind === 'streamStop')]).toBe(ddlLsn);
  });

  it('forgets the Relation of a table that nothing else in the transaction touches, too', () => {
    const { kinds: sent } = streamed(major, addColumn('u'));
    expect(sent).toEqual([...top, ...stopped, ...last, ...plain, ...plainAnew]);
  });

  it('that has decoded ADD COLUMN before does not notice', () => {
    const { kinds: sent } = streamed(major, addColumn('t'), (s) => s.tx(addColumn('other')));
    expect(sent).toEqual([...top, 'relation', 'insert', ...stopped, ...last, ...plainAnew, ...plain]);
  });

  it.each<[string, (tx: Tx) => void]>([
    ['RENAME COLUMN', ({ open }) => open.alterTable(ref('other'), [{ kind: 'renameColumn', from: 'v', to: 'w' }])],
    ['CREATE PUBLICATION', ({ open }) => open.createPublication({ name: 'q', tables: [ref('other')] })],
    ['CREATE SCHEMA', ({ open }) => open.changeSchemas()],
  ])('notices after %s, which changed no row of pg_class', (_, other) => {
    const { kinds: sent } = streamed(major, addColumn('other'), (s) => s.tx(other));
    expect(sent).toEqual([...top, ...stopped, ...last, ...plain, ...plain]);
  });

  it('notices again after FOR ALL TABLES has voided all descriptions', () => {
    const { kinds: sent } = streamed(major, addColumn('other'), (s) => {
      s.tx((tx) => tx.addColumn('other', 'y int4'));
      s.tx(({ open }) => open.createPublication({ name: 'q', allTables: true }));
    });
    expect(sent).toEqual([...top, ...stopped, ...last, ...plain, ...plain]);
  });

  it('does not notice at CREATE SCHEMA, which only inserts', () => {
    const { kinds: sent } = streamed(major, ({ open }) => open.changeSchemas());
    expect(sent.slice(0, 7)).toEqual([...top, 'relation', 'insert', ...stopped]);
  });
});
