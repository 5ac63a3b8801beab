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
});
