/** Which line of a scenario each message came from. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { encodeScenario, loadScenario, requireScenario, type ClientOptions } from '../../src/scenario-file.js';
import { scenarioFiles } from './scenario-files.js';

const text = `scenario: Lines
tables: { t: { columns: { id: int primary key, v: text } } }
stream:
  - insert: t # 4
    row: { id: 1 }
  - transaction: # 6
      origin: { name: node_b }
      changes:
        - insert: t # 9
          rows: [{ id: 2 }, { id: 3 }]
        - update: t # 11
          where: { id: 2 }
          set: { v: x }
  - open: a # 14
    changes:
      - insert: t # 16
        row: { id: 4 }
  - open: b # 18
    changes:
      - insert: t # 20
        row: { id: 5 }
      - savepoint: s
      - insert: t # 23
        row: { id: 6 }
      - rollback_to: s # 25
  - message: { prefix: p, content: c, transactional: false } # 26
  - open: a # 27
    changes: []
  - commit: a # 29
  - prepare: g # 30
    changes:
      - delete: t # 32
        where: { id: 1 }
  - abort: b # 34
  - rollback_prepared: g # 35
`;

function lines(client: Partial<ClientOptions>): string[] {
  const scenario = requireScenario(loadScenario(text));
  return Array.from(encodeScenario(scenario, client), ({ kind, source }) => `${kind} ${source?.line}`);
}

describe('the line that a message came from', () => {
  it('is the statement’s; for the start and end of a transaction the one that starts or ends it', () => {
    expect(lines({ protoVersion: 3, streaming: 'on', twoPhase: true, messages: true })).toEqual([
      ...['begin 4', 'relation 4', 'insert 4', 'commit 4'],
      ...['begin 6', 'origin 6', 'insert 9', 'insert 9', 'update 11', 'commit 6'],
      ...['streamStart 14', 'relation 16', 'insert 16', 'streamStop 14'],
      ...['streamStart 18', 'relation 20', 'insert 20', 'insert 23', 'streamStop 18', 'streamAbort 25'],
      'message 26',
      ...['streamStart 27', 'streamStop 27', 'streamCommit 29'],
      ...['beginPrepare 30', 'delete 32', 'prepare 30'],
      'streamAbort 34',
      'rollbackPrepared 35',
    ]);
  });

  it('is the same for clients that get whole transactions', () => {
    expect(lines({ protoVersion: 1 }).slice(10)).toEqual(['begin 14', 'insert 16', 'commit 29']);
  });

  it.each(scenarioFiles.filter(([name]) => !name.includes('/')))('is known for every message of %s', (_, path) => {
    const scenario = requireScenario(loadScenario(path));
    const last = readFileSync(path, 'utf8').split('\n').length;
    const messages = Array.from(encodeScenario(scenario));
    expect(messages.filter(({ source }) => source === null || source.line <= 1 || source.line > last)).toEqual([]);
  });
});
