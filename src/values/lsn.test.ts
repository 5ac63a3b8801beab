import { describe, expect, it } from '@jest/globals';
import { formatLsn, maxLsn, parseLsn } from './lsn.js';

describe('parseLsn', () => {
  it.each([
    ['0/0', 0n],
    ['0/16B3748', 0x16b3748n],
    ['16/b374d848', 0x16_b374_d848n],
    ['0/00000001', 1n],
    ['FFFFFFFF/FFFFFFFF', maxLsn],
  ])('reads %s', (text, lsn) => {
    expect(parseLsn(text)).toBe(lsn);
  });

  it.each([
    '',
    '0',
    '/',
    '0/',
    '/0',
    '0/123456789',
    '123456789/0',
    '0/G',
    ' 0/0',
    '0/0 ',
    '0x0/0',
    '-1/0',
    '0/0/0',
    '0/0\n',
  ])('refuses %j', (text) => {
    expect(() => parseLsn(text)).toThrow(SyntaxError);
  });
});

describe('formatLsn', () => {
  it('prints both halves in upper-case hexadecimal without leading zeros', () => {
    expect(formatLsn(0n)).toBe('0/0');
    expect(formatLsn(0x16_0374_d84fn, 18)).toBe('16/374D84F');
    expect(formatLsn(maxLsn)).toBe('FFFFFFFF/FFFFFFFF');
  });

  it('pads the lower half as servers from 19 on do', () => {
    expect(formatLsn(0x16_0374_d84fn, 19)).toBe('16/0374D84F');
    expect(formatLsn(1n, 20)).toBe('0/00000001');
  });
});
