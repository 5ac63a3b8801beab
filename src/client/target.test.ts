import { userInfo } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { parseTarget } from './target.js';

describe('parseTarget', () => {
  it('takes every part, percent-decoded', () => {
    expect(
      parseTarget('postgresql://re%40pl:s%3Acr%2Ft@db.example:6432/my%20db?sslmode=require&application_name=cdc'),
    ).toEqual({
      host: 'db.example',
      port: 6432,
      user: 're@pl',
      password: 's:cr/t',
      database: 'my db',
      sslMode: 'require',
      applicationName: 'cdc',
    });
  });

  it("has libpq's defaults", () => {
    const { username } = userInfo();
    expect(parseTarget('postgres://')).toMatchObject({
      host: 'localhost',
      port: 5432,
      user: username,
      password: undefined,
      database: username,
      sslMode: 'prefer',
    });
    expect(parseTarget('postgres://repl@h').database).toBe('repl');
    expect(parseTarget('postgres://repl:@h').password).toBe('');
  });

  it('takes an IPv6 address', () => {
    expect(parseTarget('postgres://u@[::1]:5433/d')).toMatchObject({ host: '::1', port: 5433 });
  });

  it.each([
    ['http://u@h/d', 'looks like'],
    ['postgres://u@h:99999/d', 'port 99999'],
    ['postgres://u@h:0/d', 'port 0'],
    ['postgres://u@h/d?sslmode=maybe', 'sslmode "maybe" is not one of'],
    ['postgres://u@h/d?ssl=true', 'parameter "ssl"'],
    ['postgres://%zz@h/d', 'percent-encoded'],
  ])('refuses %s', (text, reason) => {
    expect(() => parseTarget(text)).toThrow(reason);
  });

  it('does not repeat the password', () => {
    expect(() => parseTarget('postgres//u:geheim@h/d')).toThrow(expect.not.stringContaining('geheim'));
  });
});
