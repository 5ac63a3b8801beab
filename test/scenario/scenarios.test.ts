/** The scenarios that come with the package: they load, agree with the schema, and give the same bytes everywhere and always. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { encodeScenario, loadScenario, scenarioJsonSchema, type ClientOptions } from '../../src/scenario-file.js';
import { requireScenario, type Scenario } from '../../src/scenario-file.js';
import { expectGolden } from './golden-text.js';

const folder = `${import.meta.dirname}/../../scenarios`;
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(scenarioJsonSchema());

const clients: readonly Partial<ClientOptions>[] = [
  { protoVersion: 1, streaming: 'off', messages: false },
  { protoVersion: 2, streaming: 'on', messages: true },
  { protoVersion: 2, streaming: 'off', messages: true, binary: true },
];

describe.each(files)('%s', (file) => {
  it('loads without a warning', () => {
    expect(loadScenario(`${folder}/${file}`).problems).toEqual([]);
  });

  it('is valid by the JSON Schema', () => {
    validate(parse(readFileSync(`${folder}/${file}`, 'utf8'), { logLevel: 'error' }));
    expect(validate.errors ?? []).toEqual([]);
  });
});

it('the bytes of every scenario are those of the committed digests', () => {
  const lines = files.flatMap((file) => {
    const scenario = requireScenario(loadScenario(`${folder}/${file}`));
    return clients.map((client) => `${file} ${JSON.stringify(client)} ${digest(scenario, client)}`);
  });
  expectGolden(`${import.meta.dirname}/digests.txt`, `${lines.join('\n')}\n`);
});

function digest(scenario: Scenario, client: Partial<ClientOptions>): string {
  const hash = createHash('sha256');
  for (const { lsn, payload } of encodeScenario(scenario, client)) hash.update(`${lsn} `).update(payload);
  return hash.digest('hex');
}

describe('the JSON Schema', () => {
  it.each(['keys.yaml', 'statements.yaml'])('refuses %s as the linter does', (file) => {
    const text = readFileSync(`${import.meta.dirname}/mistakes/${file}`, 'utf8').split('\n---')[0]!;
    const value: unknown = parse(text.replaceAll(/: \{\{.*?\}\}/g, ': x'), { logLevel: 'error', uniqueKeys: false });
    expect(validate(value)).toBe(false);
  });

  it('has a description for every key', () => {
    const missing: string[] = [];
    visit(scenarioJsonSchema(), '', missing);
    expect(missing).toEqual([]);
  });
});

function visit(schema: unknown, path: string, missing: string[]): void {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'properties') {
      for (const [name, property] of Object.entries(value as Record<string, Record<string, unknown>>)) {
        if (typeof property['description'] !== 'string') missing.push(`${path}/${name}`);
      }
    }
    if (key !== 'examples') visit(value, `${path}/${key}`, missing);
  }
}
