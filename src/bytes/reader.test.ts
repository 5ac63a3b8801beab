import { describe, expect, it } from '@jest/globals';
import { DecodeError } from './decode-error.js';
import { Reader } from './reader.js';

function reader(hex: string): Reader {
  const reader = new Reader(Uint8Array.from(Buffer.from(hex, 'hex')));
  reader.messageKind = 'update';
  reader.field = 'newTuple';
  reader.index = 2;
  return reader;
}

describe('Reader', () => {
  it('reads integers in network byte order', () => {
    expect(reader('fe').uint8()).toBe(0xfe);
    expect(reader('fffe').int16()).toBe(-2);
    expect(reader('7fff').int16()).toBe(0x7fff);
    expect(reader('fffffffe').int32()).toBe(-2);
    expect(reader('fffffffe').uint32()).toBe(0xffff_fffe);
    expect(reader('fffffffffffffffe').int64()).toBe(-2n);
    expect(reader('fffffffffffffffe').uint64()).toBe(0xffff_ffff_ffff_fffen);
  });

  it('reads text', () => {
    expect(reader('61c3a900').cstring()).toBe('aé');
    expect(reader('61c3a9').text(3)).toBe('aé');
    expect(reader('efbbbf61').text(4)).toBe('\ufeffa');
    expect(reader('efbfbd').text(3)).toBe('\ufffd');
  });

  it('copies bytes', () => {
    const bytes = Uint8Array.of(1, 2, 3);
    const copy = new Reader(bytes).raw(2);
    bytes[0] = 9;
    expect(copy).toEqual(Uint8Array.of(1, 2));
  });

  const failures: [string, string, (reader: Reader) => unknown, number, string][] = [
    ['a missing byte', '', (reader) => reader.uint8(), 0, 'the end'],
    ['a short Int16', '00', (reader) => reader.int16(), 0, 'the end after 1'],
    ['a short Int32', '000000', (reader) => reader.int32(), 0, 'the end after 3'],
    ['a short Int64', '00000000000000', (reader) => reader.uint64(), 0, 'the end after 7'],
    ['a negative count', 'ffff', (reader) => reader.count16(), 0, '-1'],
    ['a negative length', '80000000', (reader) => reader.count32(), 0, '-2147483648'],
    ['a length beyond the end', '7fffffff00', (reader) => reader.count32(), 4, 'the end after 1'],
    ['more elements than bytes', '4000000000', (reader) => reader.count32(4), 4, 'the end after 1'],
    ['text beyond the end', '61', (reader) => reader.text(2), 0, 'the end after 1'],
    ['text without a NUL', '6161', (reader) => reader.cstring(), 0, 'the end after 2'],
    ['a NUL in text', '6100', (reader) => reader.text(2), 1, 'a NUL byte'],
    ['bytes beyond the end', '61', (reader) => reader.raw(2), 0, 'the end after 1'],
    ['bytes left over', '6161', (reader) => reader.end(), 0, '2 bytes more'],
    // A lone continuation byte, an overlong form, a surrogate, beyond U+10FFFF, a sequence cut short.
    ['a lone continuation byte', '80', (reader) => reader.text(1), 0, 'bytes 80'],
    ['an overlong form', 'c080', (reader) => reader.text(2), 0, 'bytes c0 80'],
    ['a surrogate', 'eda080', (reader) => reader.text(3), 0, 'bytes ed a0 80'],
    ['a code point out of range', 'f4908080', (reader) => reader.text(4), 0, 'bytes f4 90 80 80'],
    ['half a character', '61c300', (reader) => reader.cstring(), 0, 'bytes 61 c3'],
  ];

  it.each(failures)('refuses %s', (_, hex, read, offset, found) => {
    const subject = reader(hex);
    expect(() => read(subject)).toThrow(DecodeError);
    try {
      read(reader(hex));
    } catch (error) {
      expect(error).toMatchObject({ messageKind: 'update', field: 'newTuple[2]', offset, found });
      expect(String(error)).toMatch(/^DecodeError: update\.newTuple\[2\]: expected .* at offset \d+, found /);
    }
  });
});
