import { describe, it, expect } from '@jest/globals';
import { characterPosition, sqlError, wireErrorOf } from './failure.js';

describe('characterPosition', () => {
  it.each([
    ['SELECT x', 7, 8],
    // é has two bytes, € three, 😀 four and two UTF-16 units.
    ["'é' x", 5, 5],
    ["'€' x", 6, 5],
    ["'😀' x", 7, 5],
  ])('of %j, byte %d is character %d', (text, offset, position) => {
    expect(characterPosition(text, offset)).toBe(position);
  });

  it('is unknown for what has no place', () => {
    expect(characterPosition('x', undefined)).toBeUndefined();
    expect(characterPosition('x', -1)).toBeUndefined();
  });
});

describe('wireErrorOf', () => {
  it('puts positions in characters', () => {
    const error = wireErrorOf(sqlError('42703', 'column "x" does not exist', 12), "SELECT 'é', x");
    expect(error).toMatchObject({ code: '42703', position: 12 });
  });

  it('leaves faults of the program alone', () => {
    expect(wireErrorOf(new TypeError('x'), '')).toBeUndefined();
  });

  it('tells of limits in the words of a server', () => {
    const deep = (): number => deep() + 1;
    const reached = (act: () => unknown): unknown => {
      try {
        return act();
      } catch (error) {
        return wireErrorOf(error, '');
      }
    };
    expect(reached(deep)).toMatchObject({ code: '54001', message: 'stack depth limit exceeded' });
    expect(reached(() => 'x'.repeat(2 ** 30))).toMatchObject({ code: '54000' });
    expect(wireErrorOf(new RangeError('another'), '')).toBeUndefined();
  });
});
