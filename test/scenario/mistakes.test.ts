import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { formatDiagnostic, readScenario } from '../../src/scenario/index.js';
import { expectGolden } from './golden-text.js';

const folder = `${import.meta.dirname}/mistakes`;
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));

describe('a file with many mistakes', () => {
  it.each(files)('%s: each is reported once, where it is', (file) => {
    const { scenario, problems, sources } = readScenario(readFileSync(`${folder}/${file}`, 'utf8'), { file });
    expect(scenario).toBeUndefined();
    const texts = problems.map((problem) => `[${problem.code}] ${formatDiagnostic(problem, sources)}\n`);
    expectGolden(`${folder}/${file.replace('.yaml', '.txt')}`, texts.join('\n'));
  });

  it('is at least twenty-five in one file', () => {
    const { problems } = readScenario(readFileSync(`${folder}/statements.yaml`, 'utf8'));
    expect(problems.length).toBeGreaterThanOrEqual(25);
    expect(new Set(problems.map(({ line, column }) => `${line}:${column}`)).size).toBe(problems.length);
  });
});
