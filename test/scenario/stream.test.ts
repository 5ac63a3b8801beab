/** What the steps of a stream mean to a client. Which messages a server sends when: manual, chapter "Logical Replication Protocol". */
import { describe, expect, it } from '@jest/globals';
import { readScenario } from '../../src/scenario/index.js';
import { changeLines } from './encoded-text.js';

const tables = `
scenario: steps
server: { version: 17, xid: 750 }
tables:
  users:
    columns: { id: int primary key, email: text, bio: { type: text, toasted: true } }
    rows: [{ id: 1, email: ann, bio: long }, { id: 2, email: bo }]
  named: { columns: { name: text primary key } }
`;

describe('changes', () => {
  it.each([
    ['{ update: named, key: { name: !unchanged }, new: { name: x } }', 'only the new row of an UPDATE can leave'],
    ['{ delete: named, key: { name: !unchanged } }', 'only the new row of an UPDATE can leave a value'],
    ['{ update: users, new: { id: !unchanged } }', 'id is of type integer, which is never stored out of line'],
    ['{ truncate: [] }', 'a list of tables needs at least one'],
  ])('%s is refused', (step, message) => {
    const { problems } = readScenario(`${tables}stream:\n  - ${step}\n`);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ line: 10, message: expect.stringContaining(message) });
  });

  it('derive old tuples from tracked rows', () => {
    const lines = changeLines(`${tables}
stream:
  - update: users
    where: { id: 1 }
    set: { email: new }
  - update: users
    where: { id: 1 }
    set: { id: 9 }
  - delete: users
    where: { email: bo }
`);
    expect(lines.filter((line) => !/begin|commit/.test(line))).toEqual([
      '750 update (1|new|unchanged)',
      '751 update K(1|null|null) → (9|new|unchanged)',
      '752 delete K(2|null|null)',
    ]);
  });

  it('are taken as written where both rows, the key, or only the new row is given', () => {
    const lines = changeLines(`${tables}
stream:
  - transaction:
      changes:
        - update: users
          old: { id: 70, email: a, bio: x }
          new: { id: 71, email: a, bio: !unchanged }
        - update: users
          key: { id: 80 }
          new: { id: 80, email: b, bio: !unchanged }
        - update: users
          new: { id: 90, email: c, bio: !unchanged }
        - delete: users
          key: { id: 91 }
        - delete: users
          old: { id: 92, email: d, bio: null }
`);
    expect(lines).toEqual([
      '750 begin',
      '750 update K(70|null|null) → (71|a|unchanged)',
      '750 update K(80|null|null) → (80|b|unchanged)',
      '750 update (90|c|unchanged)',
      '750 delete K(91|null|null)',
      '750 delete K(92|null|null)',
      '750 commit',
    ]);
  });

  it('see the changes before them in their transaction', () => {
    const lines = changeLines(`${tables}
stream:
  - transaction:
      xid: 1000
      changes:
        - insert: users
          rows: [{ id: 3 }, { id: 4 }]
        - update: users
          where: { id: 3 }
          set: { id: 5 }
        - delete: users
          where: { id: 5 }
`);
    expect(lines.slice(1, -1)).toEqual([
      '1000 insert (3|null|null)',
      '1000 insert (4|null|null)',
      '1000 update K(3|null|null) → (5|null|null)',
      '1000 delete K(5|null|null)',
    ]);
  });

  it('of a subtransaction that is rolled back are not sent', () => {
    const lines = changeLines(`${tables}
stream:
  - transaction:
      changes:
        - insert: users
          row: { id: 3 }
        - subtransaction:
            rollback: true
            changes:
              - insert: users
                row: { id: 4 }
        - savepoint: s
        - insert: users
          row: { id: 5 }
        - rollback_to: s
        - insert: users
          row: { id: 6 }
        - release: s
`);
    expect(lines).toEqual(['750 begin', '750 insert (3|null|null)', '750 insert (6|null|null)', '750 commit']);
  });

  it('of a repeat come as often, with their index', () => {
    const lines = changeLines(`${tables}
stream:
  - repeat: 2
    changes:
      - insert: users
        row: { id: '1{{index}}' }
  - transaction:
      changes:
        - repeat: 2
          changes:
            - insert: users
              row: { id: '2{{index}}' }
            - repeat: 2
              changes:
                - message: { prefix: inner, content: '{{index}}' }
  - repeat: 2
    steps:
      - transaction:
          changes:
            - insert: users
              row: { id: '3{{index}}', email: '{{xid}}' }
`);
    expect(lines.filter((line) => !/begin|commit|message/.test(line))).toEqual([
      '750 insert (10|null|null)',
      '751 insert (11|null|null)',
      '752 insert (20|null|null)',
      '752 insert (21|null|null)',
      '753 insert (30|753|null)',
      '754 insert (31|754|null)',
    ]);
  });
});

describe('a large transaction', () => {
  const text = `${tables}
stream:
  - open: big
    xid: 800
    changes:
      - insert: users
        row: { id: 10 }
  - open: other
    xid: 900
    changes:
      - insert: users
        row: { id: 20 }
  - open: big
    changes:
      - subtransaction:
          xid: 801
          rollback: true
          changes:
            - insert: users
              row: { id: 11 }
      - insert: users
        row: { id: 12 }
  - commit: big
  - abort: other
`;

  it('is seen before it ends with streaming on', () => {
    expect(changeLines(text, { protoVersion: 2, streaming: 'on' })).toEqual([
      '800 streamStart',
      '800 insert (10|null|null)',
      '800 streamStop',
      '900 streamStart',
      '900 insert (20|null|null)',
      '900 streamStop',
      '800 streamStart',
      '800 insert (11|null|null)',
      '800 streamStop',
      '800 streamAbort 801',
      '800 streamStart',
      '800 insert (12|null|null)',
      '800 streamStop',
      '800 streamCommit',
      '900 streamAbort 900',
    ]);
  });

  it('is one ordinary transaction without, and one rolled back is none', () => {
    expect(changeLines(text)).toEqual([
      '800 begin',
      '800 insert (10|null|null)',
      '800 insert (12|null|null)',
      '800 commit',
    ]);
  });

  it('must be ended', () => {
    const { problems } = readScenario(`${tables}
stream:
  - open: big
    changes: []
`);
    expect(problems.map(({ code, message }) => [code, message])).toEqual([
      ['missing-key', 'the transaction `big` is never ended'],
    ]);
  });
});

describe('a prepared transaction', () => {
  it('has no pins of a block unless it was streamed', () => {
    const { problems } = readScenario(`${tables}stream:\n  - { prepare: g, changes: [], first_lsn: 0/2000000 }\n`);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ code: 'conflicting-keys', line: 10, message: expect.stringContaining('`of`') });
  });

  const text = `${tables}
stream:
  - prepare: gid-1
    changes:
      - insert: users
        row: { id: 3 }
  - prepare: gid-2
    changes:
      - insert: users
        row: { id: 4 }
  - commit_prepared: gid-1
  - rollback_prepared: gid-2
`;

  it('is seen at PREPARE by a client that asked for it', () => {
    expect(changeLines(text, { protoVersion: 3, twoPhase: true })).toEqual([
      ...['750 beginPrepare', '750 insert (3|null|null)', '750 prepare gid-1'],
      ...['751 beginPrepare', '751 insert (4|null|null)', '751 prepare gid-2'],
      ...['750 commitPrepared gid-1', '751 rollbackPrepared gid-2'],
    ]);
  });

  it('is seen at COMMIT PREPARED, or never, by others', () => {
    expect(changeLines(text)).toEqual(['750 begin', '750 insert (3|null|null)', '750 commit']);
  });
});

describe('messages', () => {
  it('belong to a transaction unless they say otherwise', () => {
    const text = `${tables}
stream:
  - message: { prefix: hb, content: tick, transactional: false }
  - message: { prefix: app, content: !bytes "\\\\xff00" }
`;
    expect(changeLines(text, { messages: true })).toEqual([
      '- message hb tick',
      '750 begin',
      '750 message app \u00ff\u0000',
      '750 commit',
    ]);
  });
});
