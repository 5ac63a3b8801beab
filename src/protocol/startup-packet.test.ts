import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WireError } from '../values/wire-error.js';
import { parseStartupPacket } from './startup-packet.js';

const nothingAsked = { ssl: false, gss: false };

function parse(hex: string, major = 18, asked = nothingAsked) {
  return parseStartupPacket(Buffer.from(hex, 'hex'), asked, major);
}

describe('parseStartupPacket', () => {
  it('knows requests for encryption, once', () => {
    expect(parse('04d2162f')).toEqual({ kind: 'sslRequest' });
    expect(parse('04d21630')).toEqual({ kind: 'gssEncRequest' });
    const version = { major: 1234, minor: 5679 };
    expect(parse('04d2162f', 18, { ssl: true, gss: false })).toMatchObject({ kind: 'startup', version });
    expect(parse('04d21630', 11)).toMatchObject({ kind: 'startup', version: { major: 1234, minor: 5680 } });
  });

  it('reads a CancelRequest with the key of its protocol version', () => {
    expect(parse('04d2162e0000002a01020304')).toEqual({
      kind: 'cancelRequest',
      pid: 42,
      key: Buffer.from([1, 2, 3, 4]),
    });
    const long = `04d2162e0000002a${'ab'.repeat(32)}`;
    expect(parse(long, 18)).toMatchObject({ kind: 'cancelRequest' });
    expect(parse(long, 17)).toBeUndefined();
    expect(parse('04d2162e0000002a')).toBeUndefined();
  });

  it('reads parameters', () => {
    const body = `00030000${Buffer.from('user\0a\0replication\0database\0\0').toString('hex')}`;
    const packet = parse(body);
    expect(packet).toMatchObject({ kind: 'startup', version: { major: 3, minor: 0 } });
    expect(packet?.kind === 'startup' && [...packet.parameters]).toEqual([
      ['user', 'a'],
      ['replication', 'database'],
    ]);
  });

  it.each(['user\0a\0', 'user\0a\0\0x', 'user', '', 'user\0'])('refuses the parameters %j', (text) => {
    expect(() => parse(`00030000${Buffer.from(text).toString('hex')}`)).toThrow(
      'invalid startup packet layout: expected terminator as last byte',
    );
  });

  it('either understands or refuses any bytes', () => {
    const codes = fc.constantFrom('00030000', '00030002', '00020000', '04d2162e', '04d2162f', '00000000');
    fc.assert(
      fc.property(codes, fc.uint8Array(), fc.constantFrom(10, 14, 18), (code, rest, major) => {
        try {
          parse(code + Buffer.from(rest).toString('hex'), major);
        } catch (error) {
          expect((error as WireError).code).toBe('08P01');
        }
      }),
    );
  });
});
