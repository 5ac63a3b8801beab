import { describe, expect, it, jest } from '@jest/globals';
import { DecodeError } from '../bytes/decode-error.js';
import { EncodeError } from './encode-error.js';

describe('errors of another copy of this package', () => {
  it('are instances of the classes of this one', async () => {
    const other = { EncodeError, DecodeError };
    await jest.isolateModulesAsync(async () => {
      Object.assign(other, await import('./encode-error.js'), await import('../bytes/decode-error.js'));
    });
    expect(other.EncodeError).not.toBe(EncodeError);
    expect(new other.EncodeError('begin', 'xid', 'rule') instanceof EncodeError).toBe(true);
    expect(new other.DecodeError('begin', 'xid', 1, 'a', 'b') instanceof DecodeError).toBe(true);
  });

  it('are not instances of each other', () => {
    expect(new EncodeError('begin', 'xid', 'rule') instanceof DecodeError).toBe(false);
    expect(new Error('rule') instanceof EncodeError).toBe(false);
    expect((null as unknown) instanceof EncodeError).toBe(false);
  });
});
