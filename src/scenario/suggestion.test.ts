import { describe, expect, it } from '@jest/globals';
import { alternatives, alternativesTo, closest, didYouMean, quote } from './suggestion.js';

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

  it('are listed as far as they are near to what was written, where there are many', () => {
    const many = Array.from({ length: 20 }, (_, i) => `key_${String.fromCodePoint(97 + i)}`).concat('drop_table');
    expect(alternativesTo('table', many)).toBe('`drop_table`, `key_a`, `key_b`, `key_c`, `key_d` … (21 in all)');
    expect(alternativesTo('key_tt', many)).toMatch(/^`key_t`, `key_a`/);
    expect(alternativesTo('xyz', many)).toMatch(/^`key_a`, `key_b`/);
    expect(alternativesTo('xyz', ['a', 'b'])).toBe('`a` or `b`');
  });
});
