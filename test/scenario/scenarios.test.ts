/** The scenarios that come with the package: they load, and give the same bytes everywhere and always. */
import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import {
  encodeScenario,
  loadScenario,
  requireScenario,
  type ClientOptions,
  type Scenario,
} from '../../src/scenario-file.js';
import { WireError } from '../../src/values/wire-error.js';
import { expectGolden } from './golden-text.js';
import { scenarioFiles } from './scenario-files.js';

const clients: readonly Partial<ClientOptions>[] = [
  { protoVersion: 1, streaming: 'off', messages: false },
  { protoVersion: 2, streaming: 'on', messages: true },
  { protoVersion: 2, streaming: 'off', messages: true, binary: true },
];

const loaded = scenarioFiles.map(([name, path]) => ({ name, result: loadScenario(path) }));

it.each(loaded)('$name loads without a warning', ({ result }) => {
  expect(result.problems).toEqual([]);
});

it('the bytes of every scenario are those of the committed digests', () => {
  const lines = loaded.flatMap(({ name, result }) => {
    const scenario = requireScenario(result);
    return clients.map((client) => `${name} ${JSON.stringify(client)} ${digest(scenario, client)}`);
  });
  expectGolden(`${import.meta.dirname}/digests.txt`, `${lines.join('\n')}\n`);
});

/** What a server refuses, it refuses everywhere in the same words. */
function digest(scenario: Scenario, client: Partial<ClientOptions>): string {
  const hash = createHash('sha256');
  try {
    for (const { lsn, payload } of encodeScenario(scenario, client)) hash.update(`${lsn} `).update(payload);
  } catch (error) {
    if (error instanceof WireError) return `${error.code} ${error.message}`;
    throw error;
  }
  return hash.digest('hex');
}
