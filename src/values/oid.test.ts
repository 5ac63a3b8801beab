import { describe, expect, it } from '@jest/globals';
import { nextOid } from './oid.js';

describe('nextOid', () => {
  it('counts up and wraps around to the first OID of users', () => {
    expect(nextOid(16384)).toBe(16385);
    expect(nextOid(0xffff_fffe)).toBe(0xffff_ffff);
    expect(nextOid(0xffff_ffff)).toBe(16384);
  });
});
