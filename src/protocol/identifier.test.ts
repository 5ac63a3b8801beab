import { describe, expect, it } from '@jest/globals';
import { foldIdentifier, parseIdentifierList, truncateIdentifier } from './identifier.js';

describe('foldIdentifier', () => {
  it('folds ASCII letters only, as a UTF-8 database does', () => {
    expect(foldIdentifier('ÀbC_Ü$1')).toBe('Àbc_Ü$1');
  });
});

describe('truncateIdentifier', () => {
  it('keeps 63 bytes', () => {
    expect(truncateIdentifier('a'.repeat(63))).toBe('a'.repeat(63));
    expect(truncateIdentifier('a'.repeat(64))).toBe('a'.repeat(63));
  });

  it('does not cut a character in two', () => {
    expect(truncateIdentifier(`${'a'.repeat(62)}é`)).toBe('a'.repeat(62));
    expect(truncateIdentifier(`${'a'.repeat(61)}é`)).toBe(`${'a'.repeat(61)}é`);
    expect(truncateIdentifier('😀'.repeat(20))).toBe('😀'.repeat(15));
  });
});

describe('parseIdentifierList', () => {
  // What servers 10 to 18 made of these publication_names.
  it.each([
    ['p', ['p']],
    ['P, "P q"', ['p', 'P q']],
    [' p , "Q ""x" ', ['p', 'Q "x']],
    ['""', ['']],
    ['p"q', ['p"q']],
    ["p'q", ["p'q"]],
    ['', []],
    ['  \t', []],
  ])('reads %j', (text, names) => {
    expect(parseIdentifierList(text)).toEqual(names);
  });

  it.each(['p,', ',p', '"p', 'p q', '"p" q', 'p,,q'])('refuses %j', (text) => {
    expect(parseIdentifierList(text)).toBeUndefined();
  });

  it('reads long lists in linear time', () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `p${i}`);
    expect(parseIdentifierList(names.join(', '))).toEqual(names);
    expect(parseIdentifierList(`"${'""'.repeat(500_000)}"`)).toHaveLength(1);
  });
});
