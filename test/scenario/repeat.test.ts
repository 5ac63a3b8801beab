/** Ten million rows are as little to hold as one. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { encodeScenario, readScenario, requireScenario } from '../../src/scenario/index.js';

const text = (count: number): string => `
scenario: many
tables:
  events: { columns: { id: bigint primary key, name: text } }
stream:
  - repeat: ${count}
    changes:
      - insert: events
        row: { id: '{{index}}', name: 'event {{index}}' }
  - label: after
  - insert: events
    row: { id: -1, name: last }
`;

describe('a repeat at the top level', () => {
  it('is loaded in no time, however long it is', () => {
    const { server, labels } = requireScenario(readScenario(text(10_000_000)));
    // Each transaction is a row and a commit record: as many bytes as the first one.
    const one = requireScenario(readScenario(text(1))).labels.get('after')! - server.startLsn;
    expect(labels.get('after')).toBe(server.startLsn + one * 10_000_000n);
  });

  it('streams in constant memory', () => {
    const scenario = requireScenario(readScenario(text(10_000_000)));
    let messages = 0;
    let early = 0;
    for (const { kind } of encodeScenario(scenario)) {
      messages += kind === 'insert' ? 1 : 0;
      if (messages === 5_000) early = heapUsed();
      if (messages === 50_000) break;
    }
    expect(heapUsed() - early).toBeLessThan(8_000_000);
  });
});

setFlagsFromString('--expose_gc');
const collectGarbage = runInNewContext('gc') as () => void;

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

describe('a repeat whose last rounds go wrong', () => {
  it('is found when it is loaded', () => {
    const { problems } = readScenario(`
scenario: too many
tables:
  t: { columns: { id: smallint primary key, code: "varchar(3)" } }
stream:
  - repeat: 40000
    changes:
      - insert: t
        row: { id: '{{index}}' }
  - transaction:
      changes:
        - repeat: 2000
          changes:
            - insert: t
              row: { id: -1, code: '{{index}}' }
`);
    expect(problems.map(({ line, message }) => [line, message])).toEqual([
      [9, 'id: value "39999" is out of range for type smallint; a real server refuses this value with 22003'],
    ]);
  });
});
