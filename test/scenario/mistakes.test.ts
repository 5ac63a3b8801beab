import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { formatDiagnostic, readScenario, type LoadResult } from '../../src/scenario/index.js';
import { sqlSupport } from '../../src/sql/dml/support.js';
import { expectGolden } from './golden-text.js';

const folder = `${import.meta.dirname}/mistakes`;
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));

function read(file: string): LoadResult {
  return readScenario(readFileSync(`${folder}/${file}`, 'utf8'), { file, sql: sqlSupport });
}

describe('a file with many mistakes', () => {
  it.each(files)('%s: each is reported once, where it is', (file) => {
    const { scenario, problems, sources } = read(file);
    expect(scenario).toBeUndefined();
    const texts = problems.map((problem) => `[${problem.code}] ${formatDiagnostic(problem, sources)}\n`);
    expectGolden(`${folder}/${file.replace('.yaml', '.txt')}`, texts.join('\n'));
  });

  it('twenty-five mistakes of different kinds are found where they are, and nothing else', () => {
    const lines = readFileSync(`${folder}/twenty-five.yaml`, 'utf8').split('\n');
    const expected = lines.flatMap((line, i) => (/ # \d+$/.test(line) ? [i + 1] : []));
    expect(expected).toHaveLength(25);
    expect(read('twenty-five.yaml').problems.map(({ line }) => line)).toEqual(expected);
  });
});
