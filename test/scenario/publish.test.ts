/** More of the stream while a scenario is live: as if it had been there from the start, or not at all. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import {
  encodeScenario,
  readScenario,
  requireScenario,
  ScenarioError,
  type Scenario,
} from '../../src/scenario/index.js';

const folder = `${import.meta.dirname}/../../scenarios`;
const files = [
  ...readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => `${folder}/${file}`),
  `${import.meta.dirname}/whole-format.yaml`,
];

/** The file up to the items of `stream:`, and the text of each of them, a list of one. */
function cut(text: string): { head: string; steps: string[] } {
  const { contents } = parseDocument(text, { logLevel: 'error' });
  const pair = isMap(contents) ? contents.items.find(({ key }) => isScalar(key) && key.value === 'stream') : undefined;
  if (!isSeq(pair?.value)) throw new Error('no stream');
  const lineStart = (offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;
  const starts = pair.value.items.map((item) => lineStart((item as { range: [number, number, number] }).range[0]));
  const end = pair.value.range[1];
  const steps = starts.map((start, i) => text.slice(start, starts[i + 1] ?? end));
  return { head: text.slice(0, lineStart((pair.key as { range: [number, number, number] }).range[0])), steps };
}

function scenarioOf(text: string): Scenario {
  return requireScenario(readScenario(text, { file: 'x.yaml' }));
}

const client = { protoVersion: 2, streaming: 'on', messages: true, twoPhase: false } as const;

/** Generated values follow from where a step stands: without them where `exact` is false. */
function received(scenario: Scenario, exact: boolean): string[] {
  return [...encodeScenario(scenario, client)].map(
    ({ lsn, xid, kind, payload }) => `${lsn} ${xid} ${kind} ${exact ? Buffer.from(payload).toString('hex') : ''}`,
  );
}

describe.each(
  files.map(
    (file) => [file.replace(/.*\//, ''), readFileSync(file, 'utf8').replace('repeat: 10000000', 'repeat: 30')] as const,
  ),
)('%s', (_, text) => {
  const { head, steps } = cut(text);
  const exact = !text.includes('{{');
  const whole = received(scenarioOf(`${head}stream:\n${steps.join('')}`), exact);

  it('published step by step gives the same stream', () => {
    const scenario = scenarioOf(head);
    for (const step of steps) scenario.publish(step);
    expect(received(scenario, exact)).toEqual(whole);
  });

  it('is not touched by texts that are refused', () => {
    const scenario = scenarioOf(head);
    for (const [i, step] of steps.entries()) {
      // All that comes next, then a mistake that is found last.
      const refused = `${steps.slice(i).join('')}\n- insert: no_such_table\n  row: {}`;
      const indent = /^ */.exec(step)![0];
      expect(() =>
        scenario.publish(
          refused.replace(/\n- insert: no_such_table\n/, `\n${indent}- insert: no_such_table\n${indent}`),
        ),
      ).toThrow(ScenarioError);
      scenario.publish(step);
    }
    expect(received(scenario, exact)).toEqual(whole);
  });
});

const users = `
scenario: x
tables:
  users: { columns: { id: int primary key, name: text }, rows: [{ id: 1, name: a }] }
`;

function problemsOf(act: () => unknown): string[] {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    return error.problems.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`);
  }
  throw new Error('nothing was refused');
}

describe('publish', () => {
  it('says what ended where', () => {
    const scenario = scenarioOf(users);
    const start = scenario.database.lsn;
    const one = scenario.publish('{"insert": "users", "row": {"id": 2, "name": "b"}}');
    expect(one.ends).toEqual([{ kind: 'commit', xid: one.xid, lsn: one.commitLsn, endLsn: one.endLsn }]);
    expect(one.commitLsn).toBeGreaterThan(start);
    const open = scenario.publish('open: big\nchanges: [{ insert: users, row: { id: 3, name: c } }]');
    expect(open).toMatchObject({ ends: [], endLsn: scenario.database.lsn });
    expect(open).not.toHaveProperty('xid');
    const more = scenario.publish(`
- prepare: gid
  changes: [{ update: users, where: { id: 1 }, set: { name: z } }]
- commit: big
- commit_prepared: gid
- message: { prefix: p, content: x, transactional: false }
- label: here
`);
    expect(more.ends.map(({ kind }) => kind)).toEqual(['prepare', 'commit', 'commitPrepared', 'message']);
    expect(more.xid).toBe(more.ends[2]!.xid);
    expect(more.ends[0]!.xid).toBe(more.ends[2]!.xid);
    expect(more.endLsn).toBe(more.ends[3]!.endLsn);
    expect(more.steps).toMatchObject([{ kind: 'label', name: 'here' }]);
    expect(scenario.labels.get('here')).toBe(more.endLsn);
  });

  it('says where in the text a problem is, and takes back everything', () => {
    const scenario = scenarioOf(users);
    const { endLsn } = scenario.publish('insert: users\nrow: { id: 2, name: b }');
    expect(problemsOf(() => scenario.publish('- insert: users\n  row: { id: 2, name: b }', { file: 'a' }))).toEqual([
      'a:1:3 refused-by-server',
    ]);
    const mixed =
      '- insert: users\n  row: { id: 3 }\n- label: l\n- update: users\n  where: { id: 9 }\n  set: { nam: x }';
    expect(problemsOf(() => scenario.publish(mixed))).toEqual(['publish.yaml:6:10 unknown-column']);
    expect(problemsOf(() => scenario.publish('commit: big'))).toEqual(['publish.yaml:1:9 unknown-name']);
    expect(problemsOf(() => scenario.publish(' '))).toEqual(['publish.yaml:1:1 missing-key']);
    expect(problemsOf(() => scenario.publish('insert: {'))).toContain('publish.yaml:1:10 yaml-syntax');
    expect(scenario.labels.has('l')).toBe(false);
    expect(scenario.database.lsn).toBe(endLsn);
    expect(scenario.publish('insert: users\nrow: { id: 3, name: c }').ends).toHaveLength(1);
  });

  it('finds what only a late round meets before anything is written', () => {
    const scenario = scenarioOf(users.replace('int primary key', 'smallint primary key'));
    const text = "repeat: 40000\nchanges: [{ insert: users, row: { id: '{{index}}' } }]";
    expect(problemsOf(() => scenario.publish(text))).toEqual(['publish.yaml:2:39 invalid-input']);
    expect(received(scenario, true)).toEqual([]);
  });

  it('tells readers once, when all is there', () => {
    const scenario = scenarioOf(users);
    const { database, timeline } = scenario;
    const lsns: bigint[] = [];
    timeline.onGrowth!(() => lsns.push(database.lsn));
    const { endLsn } = scenario.publish('- insert: users\n  row: { id: 2 }\n- insert: users\n  row: { id: 3 }');
    expect(() => scenario.publish('- insert: users\n  row: { id: 4 }\n- insert: users\n  row: { id: 4 }')).toThrow();
    expect(lsns).toEqual([endLsn]);
  });
});
