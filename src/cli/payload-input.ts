/** The forms in which `decode` takes pgoutput payloads: one a line as text, or binary with lengths before them. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Exit } from './exit.js';

export interface Payload {
  readonly bytes: Buffer;
  /** XLogData's header, where a JSON line tells it. */
  readonly lsn: string | null;
  readonly end: string | null;
  /** Where it stands, for errors: `line 3`. */
  readonly place: string;
}

/** Lines of hex (spaces allowed), `\x…` (alone or as a row's last column, as psql -At prints it), base64, or JSON with `hex`. */
export async function* readLines(input: Readable): AsyncGenerator<Payload> {
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const place = `line ${++number}`;
    const text = line.trim();
    if (text === '') continue;
    if (text.startsWith('{')) {
      const { hex, lsn, end } = parseObject(text, place);
      const bytes = typeof hex === 'string' ? bytesOfHex(hex) : undefined;
      if (!bytes) throw new Exit(1, `${place}: expected a JSON object whose "hex" holds the payload: ${start(text)}`);
      yield { bytes, lsn: typeof lsn === 'string' ? lsn : null, end: typeof end === 'string' ? end : null, place };
    } else {
      const bytes = bytesOfHex(/(?:^|[|\t ])\\x([^|\t ]*)$/.exec(text)?.[1] ?? text) ?? bytesOfBase64(text);
      if (!bytes) {
        throw new Exit(1, `${place}: expected hex, \\x and hex, base64, or JSON with "hex", found: ${start(text)}`);
      }
      yield { bytes, lsn: null, end: null, place };
    }
  }
}

/** The longest payload a server sends: palloc's limit, less what stands before it in CopyData. */
const longest = 0x3fff_ffff;

/** Int32 length, then that many bytes, and so on: what `encode --format raw` writes. */
export async function* readRaw(input: Readable): AsyncGenerator<Payload> {
  // Chunks are put together only once a whole message has come.
  let chunks: Buffer[] = [];
  let available = 0;
  let needed = 4;
  let number = 1;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    available += chunk.length;
    if (available < needed) continue;
    const bytes = Buffer.concat(chunks, available);
    let offset = 0;
    for (needed = 4; available - offset >= needed; needed = 4) {
      const length = bytes.readUInt32BE(offset);
      if (length > longest) {
        throw new Exit(
          1,
          `message ${number}: expected a length up to ${longest}, found ${length}: is this the raw format?`,
        );
      }
      needed += length;
      if (available - offset < needed) break;
      yield { bytes: bytes.subarray(offset + 4, offset + needed), lsn: null, end: null, place: `message ${number++}` };
      offset += needed;
    }
    chunks = [bytes.subarray(offset)];
    available -= offset;
  }
  if (available === 0) return;
  throw new Exit(1, `message ${number}: expected ${needed} bytes, length included, found the end after ${available}`);
}

function parseObject(text: string, place: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new Exit(1, `${place}: not JSON: ${(error as Error).message}`);
  }
}

function bytesOfHex(text: string): Buffer | undefined {
  const digits = text.replaceAll(' ', '');
  return /^(?:[0-9a-f]{2})+$/i.test(digits) ? Buffer.from(digits, 'hex') : undefined;
}

function bytesOfBase64(text: string): Buffer | undefined {
  return /^(?:[a-z\d+/]{4})*(?:[a-z\d+/]{2}==|[a-z\d+/]{3}=)?$/i.test(text) ? Buffer.from(text, 'base64') : undefined;
}

function start(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
