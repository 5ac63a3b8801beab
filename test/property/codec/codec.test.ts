import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DecodeError } from '../../../src/bytes/decode-error.js';
import { Writer } from '../../../src/bytes/writer.js';
import { decode } from '../../../src/pgoutput/decode.js';
import { encode, encodeInto, encodeUnchecked } from '../../../src/pgoutput/encode.js';
import { explain } from '../../../src/pgoutput/explain.js';
import { messageFromJson, messageToJson, type JsonValue } from '../../../src/pgoutput/json.js';
import { layouts } from '../../../src/pgoutput/layout.js';
import type { MessageContext } from '../../../src/pgoutput/messages.js';
import { messagesInContext } from './arbitraries.js';

describe('for every message that a server could send', () => {
  it('decoding what was encoded gives it back', () => {
    fc.assert(
      fc.property(messagesInContext(), ({ message, context }) => {
        expect(decode(encode(message, context), context)).toEqual(message);
      }),
      { numRuns: 1000 },
    );
  });

  it('encoding several into one buffer gives the bytes of each', () => {
    fc.assert(
      fc.property(fc.array(messagesInContext()), (list) => {
        const writer = new Writer(1);
        for (const { message, context } of list) encodeInto(writer, message, context);
        const parts = list.map(({ message, context }) => encode(message, context));
        expect(Buffer.from(writer.written())).toEqual(Buffer.concat(parts));
      }),
    );
  });

  it('reading its JSON form gives it back', () => {
    fc.assert(
      fc.property(messagesInContext(), ({ message }) => {
        const json = JSON.parse(JSON.stringify(messageToJson(message))) as JsonValue;
        expect(messageFromJson(json)).toEqual(message);
      }),
      { numRuns: 300 },
    );
  });

  it('its explanation covers every byte once', () => {
    fc.assert(
      fc.property(messagesInContext(), ({ message, context }) => {
        const bytes = encode(message, context);
        const { fields, error } = explain(bytes, context);
        let offset = 0;
        for (const field of fields) {
          expect(field.offset).toBe(offset);
          offset += field.length;
        }
        expect(offset).toBe(bytes.length);
        expect(error).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('each part of its bytes is refused', () => {
    fc.assert(
      fc.property(messagesInContext(), ({ message, context }) => {
        const bytes = encode(message, context);
        for (let length = 0; length < bytes.length; length++) {
          const part = bytes.subarray(0, length);
          expect(refusalOf(part, context)).toBeInstanceOf(DecodeError);
        }
      }),
    );
  });
});

describe('bytes of any kind', () => {
  const tag = fc.constantFrom(...layouts.map((layout) => layout.tag));
  const anyBytes = fc.oneof(
    fc.uint8Array(),
    fc.tuple(tag, fc.uint8Array()).map(([tag, rest]) => Uint8Array.of(tag, ...rest)),
  );
  const anyContext = fc.record({
    protoVersion: fc.constant(4),
    streaming: fc.constantFrom('off', 'on', 'parallel'),
    inStream: fc.boolean(),
  });

  it('are refused, or are those of one message', () => {
    fc.assert(
      fc.property(anyBytes, anyContext, (bytes, context) => {
        expectRefusalOrMessage(bytes, context);
      }),
      { numRuns: 3000 },
    );
  });

  it('are refused, or are those of one message, when they are almost right', () => {
    fc.assert(
      fc.property(messagesInContext(), fc.nat(), fc.nat({ max: 255 }), ({ message, context }, at, byte) => {
        const bytes = Uint8Array.from(encode(message, context));
        bytes[at % bytes.length] = byte;
        expectRefusalOrMessage(bytes, context);
      }),
      { numRuns: 3000 },
    );
  });
});

function expectRefusalOrMessage(bytes: Uint8Array, context: MessageContext): void {
  const error = refusalOf(bytes, context);
  if (error !== null) expect(error).toBeInstanceOf(DecodeError);
  else expect(Buffer.from(encodeUnchecked(decode(bytes, context)))).toEqual(Buffer.from(bytes));
}

function refusalOf(bytes: Uint8Array, context: MessageContext): unknown {
  try {
    decode(bytes, context);
    return null;
  } catch (error) {
    return error;
  }
}
