import { describe, expect, it } from '@jest/globals';
import { md5Password } from './authentication.js';

describe('md5Password', () => {
  it('is what libpq sends', () => {
    // From a PasswordMessage of psql 15 as user m, password geheim.
    expect(md5Password('m', 'geheim', Buffer.from('7e59c2a4', 'hex'))).toBe('md578c2459a8751c338bd7f9f889becb7a1');
  });
});
