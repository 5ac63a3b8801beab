import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { serialize } from 'pg-protocol';
import { WireError } from '../values/wire-error.js';
import {
  readBind,
  readExecute,
  readParse,
  readQuery,
  readSaslInitialResponse,
  readTarget,
} from './frontend-messages.js';

/** What pg-protocol sends, without type and length. */
function body(message: Buffer): Buffer {
  return message.subarray(5);
}

describe('frontend messages', () => {
  it('reads what pg-protocol writes', () => {
    expect(readQuery(body(serialize.query('SELECT 1')))).toBe('SELECT 1');
    expect(readParse(body(serialize.parse({ name: 's', text: 'SELECT $1', types: [23, 4_000_000_000] })))).toEqual({
      statement: 's',
      query: 'SELECT $1',
      parameterTypes: [23, 4_000_000_000],
    });
    expect(readBind(body(serialize.bind({ portal: 'p', statement: 's', values: ['a', null] })))).toMatchObject({
      portal: 'p',
      statement: 's',
      parameters: [new Uint8Array(Buffer.from('a')), null],
    });
    expect(readTarget(body(serialize.describe({ type: 'P', name: 'p' })), 'DESCRIBE')).toEqual({
      target: 'portal',
      name: 'p',
    });
    expect(readTarget(body(serialize.close({ type: 'S', name: 's' })), 'CLOSE')).toEqual({
      target: 'statement',
      name: 's',
    });
    expect(readExecute(body(serialize.execute({ portal: 'p', rows: 7 })))).toEqual({ portal: 'p', maxRows: 7 });
    expect(readSaslInitialResponse(body(serialize.sendSASLInitialResponseMessage('SCRAM-SHA-256', 'n,,')))).toEqual({
      mechanism: 'SCRAM-SHA-256',
      data: 'n,,',
    });
  });

  // As servers 10 to 18 answered.
  it.each<[string, () => unknown, string]>([
    ['a text without its NUL', () => readQuery(Buffer.from('abc')), 'invalid string in message'],
    ['bytes after the end', () => readQuery(Buffer.from('abc\0d\0')), 'invalid message format'],
    ['too few bytes', () => readParse(Buffer.from('s\0q\0\0\x01\0')), 'insufficient data left in message'],
    ['an unknown target', () => readTarget(Buffer.from('X\0'), 'DESCRIBE'), 'invalid DESCRIBE message subtype 88'],
  ])('refuses %s', (_, read, message) => {
    expect(read).toThrow(expect.objectContaining({ code: '08P01', message }));
  });

  it('either understands or refuses any bytes', () => {
    const readers = [readQuery, readParse, readBind, readExecute, readSaslInitialResponse];
    fc.assert(
      fc.property(fc.constantFrom(...readers), fc.uint8Array({ maxLength: 60 }), (read, bytes) => {
        try {
          read(bytes);
        } catch (error) {
          expect((error as WireError).code).toBe('08P01');
        }
      }),
    );
  });
});
