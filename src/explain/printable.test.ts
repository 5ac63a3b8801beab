import { describe, expect, it } from '@jest/globals';
import { printable, shorten } from './printable.js';

describe('printable', () => {
  it.each(['x', 'Ann Miller', 'ann@example.com', '日本語', 'é', "it's", '{"a": 1}', '😀'])(
    'leaves %s as it is',
    (text) => {
      expect(printable(text)).toBe(text);
    },
  );

  it.each([
    ['', '""'],
    [' ', '" "'],
    ['a  b', '"a  b"'],
    ['"x"', '"\\"x\\""'],
    ['a\nb', '"a\\nb"'],
    ['\u001b[31mred', '"\\u001b[31mred"'],
    ['\u009b31m', '"\\u009b31m"'],
    ['txt\u202Egpj', '"txt\\u202egpj"'],
    ['a\u2028b', '"a\\u2028b"'],
    ['\u{e0001}', '"\\u{e0001}"'],
    ['\ud800', '"\\ud800"'],
  ])('quotes what could be misread: %j', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('writes numbers in digits', () => {
    expect(printable(16385)).toBe('16385');
  });
});

describe('shorten', () => {
  it('counts characters, not their halves', () => {
    expect(shorten('😀😀😀', 3)).toBe('😀😀😀');
    expect(shorten('😀😀😀😀', 3)).toBe('😀😀…');
    expect(shorten('abc', 3)).toBe('abc');
    expect(shorten('abcd', 3)).toBe('ab…');
  });
});
