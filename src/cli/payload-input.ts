/** The shapes in which captured payloads come, told apart by their first bytes. */
import { Readable } from 'node:stream';
import type { Streaming } from '../pgoutput/index.js';
import { messageTags, readCopyData, readRaw, readReceived } from './capture/binary-frames.js';
import { ByteSource } from './capture/byte-source.js';
import { formatPlace, type Payload, type PlaceKind } from './capture/payload.js';
import { readLines } from './capture/text-lines.js';
import { Exit } from './exit.js';

export type { Payload, PlaceKind };
export { formatPlace };

export interface PayloadInput {
  /** What `at` of a payload counts. */
  readonly places: PlaceKind;
  readonly payloads: AsyncIterable<Payload>;
}

/** Enough to see a NUL byte in whatever is binary: a text has none. */
const startSize = 256;

/**
 * @param raw - the first bytes need not tell: an Int32 length before each payload
 * @throws Exit for what is no capture at all
 */
export async function openPayloads(
  input: Readable,
  { raw = false, streaming }: { readonly raw?: boolean; readonly streaming?: Streaming | undefined } = {},
): Promise<PayloadInput> {
  const source = new ByteSource(input as AsyncIterable<Buffer>);
  await source.reach(startSize);
  const start = source.bytes.subarray(0, startSize);
  if (raw || (start[0] === 0 && start.length >= 4)) return { places: 'message', payloads: readRaw(source) };
  if (!start.includes(0)) return { places: 'line', payloads: readLines(Readable.from(source.rest())) };
  const [first] = start;
  if (first === 0x64) return { places: 'message', payloads: readCopyData(source) };
  if (messageTags.has(first!)) return { places: 'byte', payloads: readReceived(source, streaming) };
  if (start.readUInt16BE(0) === 0xfffe || start.readUInt16BE(0) === 0xfeff || start[1] === 0) {
    throw new Exit(1, 'this is UTF-16 text, as some shells write files: write it as UTF-8');
  }
  throw new Exit(
    1,
    `byte 0: expected text, an Int32 length, a CopyData message or a pgoutput message, found the byte 0x${first!.toString(16).padStart(2, '0')}`,
  );
}
