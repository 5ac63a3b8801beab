import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DecodeError } from '../../src/bytes/decode-error.js';
import { decode } from '../../src/pgoutput/decode.js';
import { createDecoder } from '../../src/pgoutput/decoder.js';
import { encode } from '../../src/pgoutput/encode.js';
import { below } from '../corpus/corpus.js';
import { goldenStreams, goldenWorkloads } from './payloads.js';

// Up to a million errors are made below; without their stacks in a tenth of the time.
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

describe.each(goldenWorkloads())('payloads of real servers, %s', (workload) => {
  it('decode to messages that encode to the same bytes', () => {
    for (const { protoVersion, streaming, payloads } of goldenStreams(workload)) {
      const decoder = createDecoder({ protoVersion, streaming });
      for (const payload of payloads) {
        const { inStream, relations } = decoder;
        const bytes = encode(decoder.decode(payload), { protoVersion, streaming, inStream, relations });
        if (!payload.equals(bytes)) expect(bytes).toEqual(payload);
      }
      expect(decoder.inStream).toBe(false);
    }
  });

  it('are refused when cut short anywhere', () => {
    const seen = new Set<string>();
    for (const { streaming, payloads } of goldenStreams(workload)) {
      const decoder = createDecoder({ streaming });
      for (const payload of payloads) {
        const { inStream } = decoder;
        decoder.decode(payload);
        const key = `${streaming} ${inStream} ${payload.toString('latin1')}`;
        if (seen.has(key)) continue;
        seen.add(key);
        for (const length of below(payload.length)) {
          const result = resultOf(() => decode(payload.subarray(0, length), { streaming, inStream }));
          if (!(result instanceof DecodeError)) expect({ length, payload, result }).toBeNull();
        }
      }
    }
    expect(seen.size).toBeGreaterThan(0);
  });
});

function resultOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}
