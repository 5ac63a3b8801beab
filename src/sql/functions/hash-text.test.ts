import { describe, it, expect } from '@jest/globals';
import { hashText } from './hash-text.js';

describe('hashText', () => {
  // As servers answer SELECT hashtext(…).
  it.each([
    ['', -1477818771],
    ['a', 1075015857],
    ['abcdefghijkl', -1586087212],
    ['abcdefghijklmnop é', 594265345],
  ])('of %j is %d', (text, hash) => {
    expect(hashText(text)).toBe(hash);
  });
});
