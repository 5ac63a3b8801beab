import { describe, expect, it } from '@jest/globals';
import { advanceXid } from './xid.js';

describe('advanceXid', () => {
  it('counts up', () => {
    expect(advanceXid(750)).toBe(751);
    expect(advanceXid(750, 0)).toBe(750);
    expect(advanceXid(0x7fff_ffff)).toBe(0x8000_0000);
  });

  it('goes from 4294967295 to 3, past the reserved ids', () => {
    expect(advanceXid(0xffff_ffff)).toBe(3);
    expect(advanceXid(0xffff_fffe, 4)).toBe(5);
  });
});
