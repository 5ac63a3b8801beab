import { describe, expect, it } from '@jest/globals';
import { formatHex, parseHex } from './hex.js';

describe('hexadecimal', () => {
  it('is two digits a byte', () => {
    expect(formatHex(Uint8Array.of(0, 10, 255))).toBe('000aff');
    expect(parseHex('000aFF')).toEqual(Uint8Array.of(0, 10, 255));
    expect(parseHex('')).toEqual(new Uint8Array(0));
  });

  it.each(['0', 'zz', '0x', '00 00', '00\n'])('is not %j', (text) => {
    expect(() => parseHex(text)).toThrow(SyntaxError);
  });
});
