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
