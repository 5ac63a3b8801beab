import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Reader } from './reader.js';
import type { Writer } from './writer.js';

describe('where there is no Buffer, as in a browser', () => {
  const NodeBuffer = globalThis.Buffer;
  let modules: { Writer: typeof Writer; Reader: typeof Reader };

  beforeAll(async () => {
    Reflect.deleteProperty(globalThis, 'Buffer');
    await jest.isolateModulesAsync(async () => {
      modules = { ...(await import('./writer.js')), ...(await import('./reader.js')) };
    });
  });
  afterAll(() => {
    globalThis.Buffer = NodeBuffer;
  });

  it.each(['short', 'größer als ASCII', 'long '.repeat(20), '😀'.repeat(0x8001), '\ufeff\ufffd'])(
    'text goes through UTF-8 and back: %#',
    (text) => {
      const writer = new modules.Writer(1);
      writer.sizedText(text);
      writer.cstring(text);
      const bytes = writer.copy();
      expect(bytes.constructor).toBe(Uint8Array);
      const reader = new modules.Reader(bytes);
      expect(reader.text(reader.count32())).toBe(text);
      expect(reader.cstring()).toBe(text);
      reader.end();
      expect(writer.badValues).toBe(0);
    },
  );

  it('invalid UTF-8 is refused', () => {
    expect(() => new modules.Reader(Uint8Array.of(0xff)).text(1)).toThrow('found bytes ff');
  });
});
