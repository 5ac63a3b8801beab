import { describe, expect, it } from '@jest/globals';
import { readScenario } from '../index.js';

const problemsOf = (table: string): string[] =>
  readScenario(`scenario: x\ntables:\n  t: ${table}\n`).problems.map(({ message }) => message);

describe('a primary key', () => {
  it('may be said behind the columns and by itself, if both say the same', () => {
    expect(problemsOf('{ primary_key: [id], columns: { id: int primary key } }')).toEqual([]);
    expect(
      problemsOf(
        '{ primary_key: { columns: [b, a], deferrable: true }, columns: { a: int primary key, b: int primary key } }',
      ),
    ).toEqual([]);
    for (const key of ['[b]', '[a, b]', '{ columns: [b] }']) {
      expect(problemsOf(`{ primary_key: ${key}, columns: { a: int primary key, b: int } }`)).toEqual([
        'a is marked as primary key, and `primary_key` says something else',
      ]);
    }
  });
});

describe('the bounds of a partition', () => {
  const partitioned = (by: string, bounds: string): string =>
    `{ columns: { day: text }, partition_by: { ${by}: day }, partitions: { p: ${bounds} }, rows: [{ day: "2024-05" }] }`;

  it('may be one value alone, where the key has one column', () => {
    expect(problemsOf(partitioned('range', '{ from: 2024, to: 2025 }'))).toEqual([]);
    expect(problemsOf(partitioned('list', '{ values: 2024-05 }'))).toEqual([]);
    expect(problemsOf(partitioned('range', '{ from: 2025, to: 2026 }'))).toEqual([
      expect.stringContaining('no partition of relation "t" found for row'),
    ]);
  });
});
