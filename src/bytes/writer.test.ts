import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Writer } from './writer.js';

function written(write: (writer: Writer) => void, capacity = 1): string {
  const writer = new Writer(capacity);
  write(writer);
  return Buffer.from(writer.copy()).toString('hex');
}

describe('Writer', () => {
  it('writes integers in network byte order, signed or unsigned', () => {
    expect(written((writer) => writer.uint8(0xfe))).toBe('fe');
    expect(written((writer) => writer.int16(-2))).toBe('fffe');
    expect(written((writer) => writer.int32(0x80000001))).toBe('80000001');
    expect(written((writer) => writer.int32(-1))).toBe('ffffffff');
    expect(written((writer) => writer.int64(0x8000000000000001n))).toBe('8000000000000001');
    expect(written((writer) => writer.int64(-1n))).toBe('ffffffffffffffff');
  });

  it('writes text with a NUL or a byte length', () => {
    expect(written((writer) => writer.cstring('aé'))).toBe('61c3a900');
    expect(written((writer) => writer.sizedText('aé'))).toBe('0000000361c3a9');
    expect(written((writer) => writer.sizedRaw(Uint8Array.of(1, 2)))).toBe('000000020102');
  });

  it('writes UTF-8 of text of any length, growing as needed', () => {
    // Around the lengths at which another way to encode takes over.
    const length = fc.oneof(fc.integer({ min: 0, max: 70 }), fc.constantFrom(0xffff, 0x10000, 0x10001));
    const text = fc
      .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9 }), length)
      .map(([unit, length]) => unit.repeat(length));
    fc.assert(
      fc.property(text, (text) => {
        expect(
          Buffer.from(
            written((writer) => writer.text(text)),
            'hex',
          ).toString(),
        ).toBe(text);
      }),
      { numRuns: 50 },
    );
  });

  it('patches lengths that count themselves', () => {
    expect(
      written((writer) => {
        writer.uint8(0x64);
        const block = writer.startBlock();
        writer.text('abc');
        writer.endBlock(block);
      }),
    ).toBe('6400000007616263');
  });

  it('can take back what was written', () => {
    const writer = new Writer(1);
    writer.text('kept');
    const { position } = writer;
    writer.text('taken back');
    writer.position = position;
    expect(Buffer.from(writer.written()).toString()).toBe('kept');
  });

  it.each(['\0', 'a\0', 'a\0'.repeat(40), '\ud800', 'a\udc00b', `${'a'.repeat(40)}\ud800`])(
    'counts the bad text %j',
    (text) => {
      const writer = new Writer();
      writer.text('fine, 😀 too');
      expect(writer.badValues).toBe(0);
      writer.text(text);
      expect(writer.badValues).toBe(1);
    },
  );
});
