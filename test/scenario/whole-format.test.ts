/** One file that uses every key of the format: it loads, its schema agrees, and what it says comes out. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { encodeScenario, loadScenario, scenarioJsonSchema, type Scenario } from '../../src/scenario-file.js';
import { onlyUnderRun } from '../../src/scenario/index.js';

const file = `${import.meta.dirname}/whole-format.yaml`;

const { scenario, problems } = loadScenario(file);

function load(): Scenario {
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return scenario!;
}

describe('a file with every key of the format', () => {
  it('loads; a repeated row whose key is there already is left out with a warning', () => {
    expect(problems.map(({ severity, line }) => [severity, line])).toEqual([['warning', 35]]);
  });

  it('gives the server, client and slots that it describes', () => {
    const { server, client, slots, publications, name, title } = load();
    expect(title).toBe('Key change under the default replica identity');
    expect(name).toBe('whole-format');
    expect(server).toMatchObject({ major: 17, version: '17.10', systemId: '7429138812345678901', nextXid: 750 });
    expect(server).toMatchObject({ startLsn: 0x1500000n, clockStep: 1_000_000n, walSenderTimeout: 60_000 });
    expect(client).toMatchObject({ protoVersion: 2, streaming: 'on', twoPhase: false, late: false });
    expect(slots).toEqual([
      { name: 'app_slot', plugin: 'pgoutput', confirmedFlushLsn: 0x1500000n, twoPhase: false, failover: false },
    ]);
    expect(publications).toEqual(['app_pub']);
  });

  it('gives answers and expectations with their places', () => {
    const { answers, expectations, labels } = load();
    expect(answers.map(({ to, times }) => [to, times])).toEqual([
      [{ query: /from pg_publication_tables/i }, Infinity],
      [{ on: 'connect' }, 2],
    ]);
    expect(answers[0]!.outcome).toMatchObject({ kind: 'rows', rows: [['public', 'users']] });
    expect(answers[1]!.outcome).toMatchObject({ kind: 'error', error: { code: '53300' } });
    expect(expectations.map(({ kind }) => kind)).toEqual([
      ...['flushed', 'connections', 'reconnect', 'startReplication', 'repliesToKeepalive', 'never', 'query', 'check'],
      ...[
        'attempts',
        'startup',
        'shutdown',
        'slotDropped',
        'never',
        'feedbackGap',
        'neverFlushed',
        'neverError',
        'query',
      ],
      ...['output', 'exit'],
    ]);
    expect(expectations[0]).toMatchObject({ position: 'end', withinMilliseconds: 10_000, source: { column: 5 } });
    expect([...labels.keys()]).toEqual(['after-first']);
  });

  it('names each part that a server alone passes over', () => {
    const { steps, expectations } = load();
    const lines = onlyUnderRun({ steps, expectations }).map(({ line }) => line);
    const underRun: readonly string[] = ['consumer', 'check', 'output', 'exit'];
    const parts = [...steps, ...expectations].filter(({ kind }) => underRun.includes(kind));
    expect(lines).toEqual(parts.map(({ source }) => source?.line));
    expect(lines).toHaveLength(4);
  });

  it('is valid by the JSON Schema', () => {
    const validate = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(
      scenarioJsonSchema(),
    );
    const valid = validate(parse(readFileSync(file, 'utf8'), { logLevel: 'error' }));
    expect(validate.errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('streams without end in sight, and the same each time', () => {
    const first = hexes(load(), 3000);
    expect(first).toHaveLength(3000);
    expect(hexes(load(), 3000)).toEqual(first);
    expect(hexes(loadScenario(file).scenario!, 3000)).toEqual(first);
  });
});

function hexes(scenario: Scenario, count: number): string[] {
  const payloads: string[] = [];
  for (const { payload } of encodeScenario(scenario)) {
    payloads.push(Buffer.from(payload).toString('hex'));
    if (payloads.length === count) break;
  }
  return payloads;
}
