/** Whatever the text, reading it ends with diagnostics and never with an exception. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatDiagnostic, readScenario } from '../../src/scenario/index.js';

const whole = readFileSync(`${import.meta.dirname}/whole-format.yaml`, 'utf8')
  // Loops are tried out elsewhere.
  .replaceAll('10000000', '3')
  .replaceAll('repeat: 1000', 'repeat: 3');

function read(text: string): void {
  const { scenario, problems, sources } = readScenario(text);
  expect(scenario !== undefined || problems.some(({ severity }) => severity === 'error')).toBe(true);
  const lines = text.split('\n').length;
  for (const problem of problems) {
    expect(problem.line).toBeGreaterThanOrEqual(1);
    expect(problem.line).toBeLessThanOrEqual(lines);
    expect(problem.endLine).toBeGreaterThanOrEqual(problem.line);
  }
  const [first] = problems;
  if (first !== undefined) expect(formatDiagnostic(first, sources)).toContain(first.message);
}

describe('reading a scenario', () => {
  it('never throws on arbitrary text', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), read), { numRuns: 200 });
  });

  it('never throws on text made of what YAML cares about', () => {
    const pieces = fc.constantFrom(
      ...[
        '- ',
        ': ',
        '\n',
        '  ',
        '{',
        '}',
        '[',
        ']',
        '&a ',
        '*a',
        '!!str ',
        '!raw ',
        '!unchanged',
        '"',
        "'",
        '#',
        '|',
        '>',
      ],
      ...[
        '---\n',
        '...\n',
        '? ',
        '<<',
        '{{index}}',
        '\t',
        'scenario',
        'tables',
        'stream',
        'insert',
        'users',
        'null',
        '1',
      ],
    );
    const text = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));
    fc.assert(fc.property(text, read), { numRuns: 500 });
  });

  it('never throws on a scenario with a line cut, doubled or changed', () => {
    const lines = whole.split('\n');
    const damage = fc.record({
      line: fc.nat(lines.length - 1),
      how: fc.constantFrom<(line: string) => string[]>(
        () => [],
        (line) => [line, line],
        (line) => [`  ${line}`],
        (line) => [line.replace(/[:[{]/, '')],
        (line) => [line.replace(/\d+/, '99999999999999999999')],
        (line) => [line.replace(/: .*/, ': !unchanged')],
        (line) => [line.replace(/: .*/, ': null')],
      ),
    });
    fc.assert(
      fc.property(damage, ({ line, how }) => {
        read([...lines.slice(0, line), ...how(lines[line]!), ...lines.slice(line + 1)].join('\n'));
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    ['nesting deeper than any stack', '['.repeat(20_000)],
    ['nested maps', `a: ${'{a: '.repeat(5_000)}`],
    [
      'aliases that multiply',
      `a0: &a0 [x]\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`).join('\n')}`,
    ],
  ])('refuses %s', (_, text) => read(text));
});
