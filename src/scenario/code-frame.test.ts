import { describe, expect, it } from '@jest/globals';
import { formatDiagnostic, readScenario } from './index.js';

describe('formatDiagnostic', () => {
  it('shows of long lines what is around the place', () => {
    const long = `"${'x'.repeat(10_000)}"`;
    const { problems, sources } = readScenario(
      `scenario: ${long}\ndescription: { a: ${long}, b: 1, c: ${long} }\nx: 1\n`,
    );
    const texts = problems.map((problem) => formatDiagnostic(problem, sources));
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) expect(text.length).toBeLessThan(1_500);
    expect(texts.at(-1)).toContain('\n> 3 | x: 1\n    | ^\n');
  });

  it('points at the right place of a long line', () => {
    const row = `{ ${Array.from({ length: 100 }, (_, i) => `c${i}: 1`).join(', ')}, wrong: 2 }`;
    const columns = Array.from({ length: 100 }, (_, i) => `c${i}: int`).join(', ');
    const { problems, sources } = readScenario(
      `scenario: x\ntables: { t: { columns: { ${columns} } } }\nstream:\n  - { insert: t, row: ${row} }\n`,
    );
    expect(problems).toHaveLength(1);
    const [, , marked, caret] = formatDiagnostic(problems[0]!, sources).split('\n');
    const at = marked!.indexOf('wrong');
    expect(at).toBeGreaterThan(0);
    expect(caret).toBe(`    |${' '.repeat(at - 5)}^^^^^`);
  });
});
