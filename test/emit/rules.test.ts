/** Rules of decoding that no captured workload shows, one by one. */
import { describe, it, expect } from '@jest/globals';
import { unchanged, type Message } from '../../src/pgoutput/messages.js';
import { parseRowFilter } from '../../src/database/index.js';
import { emitted, kinds, script } from './emitted.js';
import { big, ref, Script } from './script.js';

describe('the start position', () => {
  it('skips transactions whose commit record starts before it, but not their DDL', () => {
    const s = script(18);
    s.tx((tx) => tx.insert('t', [1]));
    s.tx((tx) => tx.addColumn('t', 'n int4'));
    const startLsn = s.db.lsn;
    s.tx((tx) => tx.insert('t', [2, 'x', 3]));
    const got = emitted(s, { startLsn });
    expect(kinds(got)).toEqual(['begin', 'relation', 'insert', 'commit']);
    expect(got.messages[1]).toMatchObject({ columns: [{ name: 'id' }, { name: 'v' }, { name: 'n' }] });
  });

  it('sends blocks from before it with the first one after, as the first segment, without what was rolled back', () => {
    const s = script(16);
    const tx = s.begin({ streamed: true });
    tx.insert('t', [1]);
    tx.open.savepoint('a');
    tx.insert('t', [2]);
    tx.open.rollbackTo('a');
    tx.insert('t', [3]);
    tx.open.endBlock();
    const startLsn = s.db.lsn;
    tx.insert('t', [4]);
    tx.open.endBlock();
    tx.open.commit();
    const got = emitted(s, { startLsn, options: { streaming: 'on' } });
    expect(kinds(got)).toEqual(['streamStart', 'relation', 'insert', 'insert', 'insert', 'streamStop', 'streamCommit']);
    expect(got.messages[0]).toMatchObject({ firstSegment: true });
    expect(got.messages.flatMap((message) => (message.kind === 'insert' ? message.newTuple[0]! : []))).toEqual([
      '1',
      '3',
      '4',
    ]);
  });
});

describe('empty transactions', () => {
  it.each([
    [14, ['begin', 'commit']],
    [15, []],
  ])('on %i', (major, expected) => {
    const s = script(major);
    s.table('other', ['id int4']);
    s.tx((tx) => tx.insert('other', [1]));
    const got = emitted(s, { options: { protoVersion: 1 } });
    expect(kinds(got)).toEqual(expected);
    expect(got.progress.at(-1)).toEqual(major < 15 ? { kind: 'decoded' } : { kind: 'skipped', endLsn: s.db.lsn });
    expect(got.position).toBe(s.db.lsn);
  });

  it('are sent when they are prepared or streamed', () => {
    const s = script(18);
    s.table('other', ['id int4']);
    const prepared = s.begin();
    prepared.insert('other', [1]);
    prepared.open.prepare('g');
    const streamed = s.begin({ streamed: true });
    streamed.insert('other', [2]);
    streamed.open.endBlock();
    streamed.open.commit();
    s.db.commitPrepared('g');
    expect(kinds(emitted(s, { options: { twoPhase: true, streaming: 'on' } }))).toEqual([
      ...['beginPrepare', 'prepare', 'streamStart', 'streamStop', 'streamCommit', 'commitPrepared'],
    ]);
  });
});

describe('prepared transactions', () => {
  it.each([
    [15, ['commitPrepared', 'rollbackPrepared']],
    [18, ['prepare', 'commitPrepared', 'prepare', 'rollbackPrepared']],
    [19, []],
  ])('with an xid and no change give on %i what released servers give', (major, expected) => {
    const s = script(major);
    for (const gid of ['a', 'b']) {
      const tx = s.begin();
      expect(tx.open.xid).toBeGreaterThan(0);
      tx.open.prepare(gid);
      s.db[gid === 'a' ? 'commitPrepared' : 'rollbackPrepared'](gid);
    }
    expect(kinds(emitted(s, { options: { twoPhase: true } }))).toEqual(expected);
  });

  it('from before two_phase come whole at COMMIT PREPARED, and only the end of them at ROLLBACK PREPARED', () => {
    const s = script(18);
    for (const gid of ['a', 'b']) {
      const tx = s.begin();
      tx.insert('t', [gid === 'a' ? 1 : 2]);
      tx.open.prepare(gid);
    }
    const twoPhaseAt = s.db.lsn;
    s.db.commitPrepared('a');
    s.db.rollbackPrepared('b');
    expect(kinds(emitted(s, { twoPhaseAt, options: { twoPhase: true } }))).toEqual([
      ...['beginPrepare', 'relation', 'insert', 'prepare', 'commitPrepared', 'rollbackPrepared'],
    ]);
  });

  it('stay two-phase for a client that did not ask, when the slot has it', () => {
    const s = script(15);
    const tx = s.begin();
    tx.insert('t', [1]);
    tx.open.prepare('a');
    expect(kinds(emitted(s, { twoPhase: true, options: { protoVersion: 1 } }))).toEqual([
      ...['beginPrepare', 'relation', 'insert', 'prepare'],
    ]);
  });
});

describe('streamed transactions', () => {
  const crashed = (major: number): Script => {
    const s = script(major);
    const tx = s.begin({ streamed: true });
    tx.open.savepoint('a');
    tx.insert('t', [1]);
    tx.open.endBlock();
    tx.open.release('a');
    tx.open.crash();
    return s;
  };
  it.each([
    [17, ['streamStart', 'relation', 'insert', 'streamStop', 'streamAbort']],
    [18, ['streamStart', 'relation', 'insert', 'streamStop']],
  ])('that a crash ended are aborted without a position on %i', (major, expected) => {
    const got = emitted(crashed(major), { options: { streaming: 'parallel' } });
    expect(kinds(got)).toEqual(expected);
    if (major < 18) expect(got.messages.at(-1)).toMatchObject({ abortLsn: 0n, abortTime: 0n });
  });

  it('that end in PREPARE after DDL alone have a last block without a change, where its pins say', () => {
    const s = script(18);
    const tx = s.begin({ streamed: true });
    tx.insert('t', [1]);
    tx.open.endBlock();
    const [firstLsn, lastLsn] = [s.db.lsn + 0x10n, s.db.lsn + 0x20n];
    tx.open.prepare('g', {}, { firstLsn, lastLsn });
    const got = emitted(s, { options: { twoPhase: true, streaming: 'on' } });
    expect(kinds(got).slice(-3)).toEqual(['streamStart', 'streamStop', 'streamPrepare']);
    expect(got.headers.slice(-3, -1)).toEqual([firstLsn, lastLsn]);
  });

  it('abort released subtransactions with the top-level one, which comes last', () => {
    const s = script(16);
    const tx = s.begin({ streamed: true });
    tx.insert('t', [1]);
    tx.open.savepoint('a');
    tx.insert('t', [2]);
    tx.open.savepoint('b');
    tx.insert('t', [3]);
    tx.open.release('a');
    tx.open.endBlock();
    tx.open.abort();
    const { messages } = emitted(s, { options: { streaming: 'on' } });
    const aborts = messages.filter((message) => message.kind === 'streamAbort');
    expect(aborts.map(({ xid, subxid }) => subxid - xid)).toEqual([1, 2, 0]);
    expect(aborts[0]).not.toHaveProperty('abortLsn');
  });

  it('carry the top-level xid on messages, the subtransaction on rows', () => {
    const s = script(16);
    const tx = s.begin({ streamed: true });
    tx.open.savepoint('a');
    tx.insert('t', [1]);
    tx.message('p', 'x');
    tx.open.endBlock();
    tx.open.commit();
    const { messages } = emitted(s, { options: { streaming: 'on', messages: true } });
    const [start, relation, insert, message] = messages as (Message & { xid: number })[];
    expect([relation!.xid, insert!.xid, message!.xid].map((xid) => xid - start!.xid)).toEqual([1, 1, 0]);
  });
});

describe('out-of-line values', () => {
  it('of an identity column send K although it did not change, and no value in N', () => {
    const s = script(18, ['id text pk', 'v text']);
    s.tx((tx) => tx.insert('t', [big('key'), 'a']));
    s.tx((tx) => tx.update('t', { id: 'key' }, { v: 'b' }));
    expect(emitted(s).messages.at(-2)).toMatchObject({
      oldTuple: { marker: 'K', columns: ['key', null] },
      newTuple: [unchanged, 'b'],
    });
  });

  it('stay unsent in an Insert that a row filter makes of an Update, but for identity columns', () => {
    const s = new Script(18);
    s.table('t', ['id text', 'grp int4', 'body text'], { primaryKey: { columns: ['id', 'grp'] } });
    const columns = [...s.db.catalog.tables.values()][0]!.columns;
    s.publication('pub', [], { tables: [{ ...ref('t'), where: parseRowFilter('grp > 10', columns, 18) }] });
    s.tx((tx) => tx.insert('t', [big('key'), 5, big('body')]));
    s.tx((tx) => tx.update('t', { id: 'key' }, { grp: 20 }));
    s.tx((tx) => tx.update('t', { id: 'key' }, { grp: 1 }));
    const { messages } = emitted(s);
    expect(messages.filter(({ kind }) => kind === 'insert')).toMatchObject([{ newTuple: ['key', '20', unchanged] }]);
    expect(messages.filter(({ kind }) => kind === 'delete')).toMatchObject([
      { oldTuple: { marker: 'K', columns: ['key', '20', null] } },
    ]);
  });
});

describe('publications', () => {
  it.each([
    [14, ['begin'], 'in the change callback'],
    [17, [], 'in the change callback'],
  ])('that are missing end the stream at the first change on %i', (major, sent, where) => {
    const s = script(major);
    s.tx((tx) => tx.insert('t', [1]));
    const got = emitted(s, { options: { publicationNames: ['pub', 'nope'], protoVersion: 1 } });
    expect(kinds(got)).toEqual(sent);
    expect(got.error).toMatchObject({ code: '42704', message: 'publication "nope" does not exist' });
    expect(got.error!.where).toContain(`slot "s", output plugin "pgoutput", ${where}, associated LSN 0/1000000`);
  });

  it('that are missing are a warning from 18 on', () => {
    const s = script(18);
    s.tx((tx) => tx.insert('t', [1]));
    const got = emitted(s, { options: { publicationNames: ['nope', 'pub'] } });
    expect(kinds(got)).toEqual(['begin', 'relation', 'insert', 'commit']);
    expect(got.notices).toMatchObject([
      { severity: 'WARNING', code: '55000', message: 'skipped loading publication "nope"' },
    ]);
  });

  it('that none are declared exist by any name and publish everything', () => {
    const s = new Script(17);
    s.table('t', ['id int4 pk']);
    s.tx((tx) => tx.insert('t', [1]));
    expect(kinds(emitted(s, { options: { publicationNames: ['whatever'] } }))).toEqual([
      'begin',
      'relation',
      'insert',
      'commit',
    ]);
  });

  it('that are made later than a change do not exist for it', () => {
    const s = script(17);
    s.tx((tx) => tx.insert('t', [1]));
    s.tx((tx) => tx.open.createPublication({ name: 'late', tables: [ref('t')] }));
    expect(emitted(s, { options: { publicationNames: ['late'] } }).error).toMatchObject({ code: '42704' });
  });

  it('with different column lists for a table end the stream', () => {
    const s = script(16);
    s.db.createPublication({ name: 'narrow', tables: [{ ...ref('t'), columns: ['id'] }] });
    s.tx((tx) => tx.insert('t', [1]));
    const got = emitted(s, { options: { publicationNames: ['pub', 'narrow'] } });
    expect(kinds(got)).toEqual([]);
    expect(got.error).toMatchObject({
      code: '0A000',
      message: 'cannot use different column lists for table "public.t" in different publications',
    });
  });
});

describe('binary mode', () => {
  it('fails for an array of a type without a send function, after Begin and Relation', () => {
    const s = script(16, ['id int4 pk', 'a aclitem[]']);
    s.tx((tx) => tx.insert('t', [1, '{=r/postgres}']));
    const got = emitted(s, { options: { binary: true } });
    expect(kinds(got)).toEqual(['begin', 'relation']);
    expect(got.error).toMatchObject({ code: '42883', message: 'no binary output function available for type aclitem' });
  });
});

describe('origin none', () => {
  it('drops transactions and messages that have one', () => {
    const s = script(16);
    const origin = { name: 'o', lsn: 1n };
    s.tx((tx) => tx.insert('t', [1]), { origin });
    s.db.message({ prefix: 'p', content: new Uint8Array() }, { origin });
    s.tx((tx) => tx.insert('t', [2]));
    expect(kinds(emitted(s, { options: { origin: 'none', messages: true } }))).toEqual([
      ...['begin', 'relation', 'insert', 'commit'],
    ]);
  });
});

describe('steps and announcements', () => {
  it('come at their place, and steps not from before the start position', () => {
    const s = script(18);
    s.db.step({ kind: 'before' });
    s.tx((tx) => tx.insert('t', [1]));
    const startLsn = s.db.lsn;
    s.db.step({ kind: 'between' });
    s.tx((tx) => {
      tx.insert('t', [2]);
      tx.open.step({ kind: 'within' });
      tx.open.announce([ref('t')]);
      tx.insert('t', [3]);
    });
    const got = emitted(s, { startLsn });
    expect(got.progress.flatMap((step) => (step.kind === 'step' ? step.step.kind : []))).toEqual(['between', 'within']);
    expect(kinds(got)).toEqual(['begin', 'relation', 'insert', 'relation', 'insert', 'commit']);
    expect(got.headers.filter((_, i) => got.messages[i]!.kind === 'relation')).toEqual([0n, 0n]);
  });
});
