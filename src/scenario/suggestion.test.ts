import { describe, expect, it } from '@jest/globals';
import { alternatives, closest, didYouMean, quote } from './suggestion.js';

describe('the closest name', () => {
  it.each([
    ['insrt', 'insert'],
    ['tabels', 'tables'],
    ['colums', 'columns'],
    ['replica-identity', 'replica_identity'],
    ['Insert', 'insert'],
    ['isnert', 'insert'],
  ])('to %s is %s', (word, expected) => {
    const known = ['insert', 'update', 'tables', 'columns', 'replica_identity'];
    expect(closest(word, known)).toBe(expected);
  });

  it('is none when nothing is close', () => {
    expect(closest('rollback', ['insert', 'update'])).toBeUndefined();
    expect(didYouMean('x', ['commit'])).toBeUndefined();
    expect(closest('anything', [])).toBeUndefined();
  });
});

describe('names in messages', () => {
  it('stand between backquotes, on one line, cut to a readable length', () => {
    expect(quote('a\nb')).toBe('`a b`');
    expect(quote('x'.repeat(100))).toHaveLength(60);
  });

  it('are listed as a sentence has them', () => {
    expect(alternatives(['a'])).toBe('`a`');
    expect(alternatives(['a', 'b', 'c'])).toBe('`a`, `b` or `c`');
    expect(alternatives(['a', 'b'], 'and')).toBe('`a` and `b`');
  });
});
