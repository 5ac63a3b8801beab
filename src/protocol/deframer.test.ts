import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BadFrameLength, Deframer } from './deframer.js';

const limit = 1_000;

function frame(type: number, body: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(type);
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

function takeAll(deframer: Deframer): [number, string][] {
  const messages: [number, string][] = [];
  for (;;) {
    const type = deframer.peek();
    const body = deframer.takeMessage(limit);
    if (type === undefined || !body) return messages;
    messages.push([type, Buffer.from(body).toString('hex')]);
  }
}

describe('Deframer', () => {
  it('gives the same messages however the bytes are cut', () => {
    const message = fc.tuple(fc.nat(255), fc.uint8Array({ maxLength: 40 }));
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 30 })),
        (messages, sizes) => {
          const bytes = Buffer.concat(messages.map(([type, body]) => frame(type, body)));
          const deframer = new Deframer();
          const got: [number, string][] = [];
          let position = 0;
          for (let i = 0; position < bytes.length; i++) {
            const size = sizes.length === 0 ? bytes.length : sizes[i % sizes.length]!;
            deframer.push(bytes.subarray(position, position + size));
            got.push(...takeAll(deframer));
            position += size;
          }
          expect(got).toEqual(messages.map(([type, body]) => [type, Buffer.from(body).toString('hex')]));
          expect(deframer.buffered).toBe(0);
        },
      ),
    );
  });

  it('refuses a declared length before the bytes are there', () => {
    const deframer = new Deframer();
    deframer.push(Buffer.from('510000ffff', 'hex'));
    expect(() => deframer.takeMessage(limit)).toThrow(BadFrameLength);
  });

  it.each(['5100000003', '51ffffffff', '5180000000'])('refuses the length in %s', (hex) => {
    const deframer = new Deframer();
    deframer.push(Buffer.from(hex, 'hex'));
    expect(() => deframer.takeMessage(limit)).toThrow(BadFrameLength);
  });

  it('takes start-up packets of 8 bytes and more', () => {
    const deframer = new Deframer();
    deframer.push(Buffer.from('0000000804d2162f00000007', 'hex'));
    expect(Buffer.from(deframer.takeStartupPacket(limit)!).toString('hex')).toBe('04d2162f');
    expect(() => deframer.takeStartupPacket(limit)).toThrow(BadFrameLength);
  });

  it('hands over what is left', () => {
    const deframer = new Deframer();
    deframer.push(Buffer.from('ab'));
    deframer.push(Buffer.from('cd'));
    expect(Buffer.from(deframer.takeRest()).toString()).toBe('abcd');
    expect(deframer.peek()).toBeUndefined();
  });
});
