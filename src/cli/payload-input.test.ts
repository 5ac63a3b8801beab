import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openPayloads, type Payload } from './payload-input.js';

async function all(payloads: AsyncIterable<Payload>): Promise<Payload[]> {
  const list: Payload[] = [];
  for await (const payload of payloads) list.push(payload);
  return list;
}

const from = async (...pieces: Buffer[]): Promise<Payload[]> => {
  const { payloads } = await openPayloads(Readable.from(pieces));
  return all(payloads);
};
const raw = async (...pieces: Buffer[]): Promise<AsyncIterable<Payload>> =>
  (await openPayloads(Readable.from(pieces), { raw: true })).payloads;
const lines = (text: string): Promise<Payload[]> => from(Buffer.from(text));

describe('lines', () => {
  it.each([
    ['hex', '4200ff'],
    ['hex with spaces, in capitals', '42 00 FF'],
    ['base64', 'QgD/'],
    ['bytea', '\\x4200ff'],
    ['a row of psql -At', '0/15001D0|751|\\x4200ff'],
    ['a row of psql -t', ' 0/15001D0 | 751 | \\x4200ff'],
    ['JSON', '{"hex":"4200ff","more":1}'],
  ])('takes %s', async (_, text) => {
    expect(await lines(`\n${text}\r\n`)).toEqual([
      expect.objectContaining({ bytes: Buffer.from([0x42, 0, 0xff]), at: 2 }),
    ]);
  });

  it("keeps a JSON line's positions", async () => {
    expect(await lines('{"lsn":"0/1","end":"0/2","hex":"42"}')).toMatchObject([{ lsn: '0/1', end: '0/2' }]);
  });

  it.each([
    ['420', 'line 1: expected hex'],
    ['42\nnonsense!', 'line 2: expected hex'],
    ['\\x42zz', 'line 1: expected hex'],
    ['{"hex":42}', 'line 1: expected a JSON object whose "hex"'],
    ['{"hex":""}', 'line 1: expected a JSON object whose "hex"'],
    ['{hex}', 'line 1: not JSON'],
  ])('refuses %j', async (text, reason) => {
    await expect(lines(text)).rejects.toThrow(reason);
  });
});

describe('raw', () => {
  it('finds the payloads however the bytes come in pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 20 })),
        fc.integer({ min: 1, max: 9 }),
        async (payloads, size) => {
          const bytes = Buffer.concat(payloads.flatMap((payload) => [Buffer.from([0, 0, 0, payload.length]), payload]));
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
            bytes.subarray(i * size, (i + 1) * size),
          );
          const found = await all(await raw(...pieces));
          expect(found.map((payload) => [...payload.bytes])).toEqual(payloads.map((payload) => [...payload]));
        },
      ),
    );
  });

  it.each([
    ['000000', 'message 1: expected 4 bytes, length included, found the end after 3'],
    ['000000014200000002', 'message 2: expected 6 bytes, length included, found the end after 4'],
    ['42000000', 'message 1: expected a length up to 1073741823, found 1107296256'],
  ])('refuses %s', async (hex, reason) => {
    await expect(raw(Buffer.from(hex, 'hex')).then(all)).rejects.toThrow(reason);
  });
});
