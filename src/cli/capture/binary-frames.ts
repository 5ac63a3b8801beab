/** Captures as bytes: with lengths before the payloads, as CopyData messages, or as pg_recvlogical writes them. */
import { DecodeError, createDecoder, type Decoder, type Streaming } from '../../pgoutput/index.js';
import { formatLsn } from '../../values/lsn.js';
import { Exit } from '../exit.js';
import type { ByteSource } from './byte-source.js';
import type { Payload } from './payload.js';

/** The longest payload a server sends: palloc's limit, less what stands before it in CopyData. */
const longest = 0x3fff_ffff;

/** Int32 length, then that many bytes, and so on: what `encode --format raw` writes. */
export async function* readRaw(source: ByteSource): AsyncGenerator<Payload> {
  for (let number = 1; ; number++) {
    if (!(await source.reach(4))) {
      if (source.bytes.length === 0) return;
      throw short(number, 4, source.bytes.length);
    }
    const length = source.bytes.readUInt32BE(0);
    if (length > longest) {
      throw new Exit(
        1,
        `message ${number}: expected a length up to ${longest}, found ${length}: is this the raw format?`,
      );
    }
    if (!(await source.reach(4 + length))) throw short(number, 4 + length, source.bytes.length);
    const bytes = source.take(4 + length).subarray(4);
    yield { bytes, lsn: null, end: null, xid: null, at: number };
  }
}

const headerSize = 25;

/** CopyData with XLogData: what `encode --format copydata` writes, and what a proxy sees. Keepalives are passed over. */
export async function* readCopyData(source: ByteSource): AsyncGenerator<Payload> {
  for (let number = 1; ; number++) {
    if (!(await source.reach(5))) {
      if (source.bytes.length === 0) return;
      throw short(number, 5, source.bytes.length);
    }
    const size = 1 + source.bytes.readUInt32BE(1);
    if (source.bytes[0] !== 0x64 || size < 6 || size > longest) {
      throw new Exit(1, `message ${number}: expected a CopyData message, found the byte ${hexByte(source.bytes[0]!)}`);
    }
    if (!(await source.reach(size))) throw short(number, size, source.bytes.length);
    const content = source.take(size).subarray(5);
    if (content[0] === 0x6b) continue;
    if (content[0] !== 0x77 || content.length < headerSize) {
      throw new Exit(1, `message ${number}: expected XLogData or a keepalive, found the byte ${hexByte(content[0]!)}`);
    }
    yield {
      bytes: content.subarray(headerSize),
      lsn: formatLsn(content.readBigUInt64BE(1)),
      end: formatLsn(content.readBigUInt64BE(9)),
      xid: null,
      at: number,
    };
  }
}

const newline = 0x0a;
/** Types of the messages of pgoutput. */
export const messageTags = new Set(Buffer.from('BCORYIUDTMSEcAbPKrp'));

/** What pg_recvlogical writes: payloads without their lengths, a newline after each. Only reading one tells where it ends. */
export async function* readReceived(source: ByteSource, streaming: Streaming | undefined): AsyncGenerator<Payload> {
  const decoders = streamingDecoders(streaming);
  await source.reach(1);
  while (source.bytes.length > 0) {
    const at = source.position;
    const length = await measure(source, decoders, at);
    const bytes = source.take(length);
    if ((await source.reach(1)) && source.take(1)[0] !== newline) {
      throw new Exit(1, `byte ${at + length}: expected the newline that pg_recvlogical writes after each message`);
    }
    for (const decoder of decoders) follow(decoder, bytes);
    yield { bytes, lsn: null, end: null, xid: null, at };
    await source.reach(1);
  }
}

/** A Stream Abort is longer under `parallel`: where nobody says which it is, both are tried. */
function streamingDecoders(streaming: Streaming | undefined): readonly Decoder[] {
  return (streaming === undefined ? (['on', 'parallel'] as const) : [streaming]).map((mode) =>
    createDecoder({ streaming: mode }),
  );
}

function follow(decoder: Decoder, bytes: Buffer): void {
  // Of an abort the other decoder knows another length, and neither has anything to remember.
  if (bytes[0] !== 0x41) decoder.decode(bytes);
}

/** A message is whole where a newline follows, and then the type of another message, or nothing. */
async function measure(source: ByteSource, decoders: readonly Decoder[], at: number): Promise<number> {
  for (let wanted = 1 << 16; ; wanted *= 2) {
    await source.reach(wanted);
    const failures: DecodeError[] = [];
    for (const decoder of decoders) {
      try {
        const length = decoder.measure(source.bytes);
        const [after, next] = [source.bytes[length], source.bytes[length + 1]];
        if (next === undefined && !source.ended) continue;
        if (after === undefined || (after === newline && (next === undefined || messageTags.has(next)))) return length;
        if (decoders.length === 1 || decoder === decoders.at(-1)) return length;
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
        failures.push(error);
      }
    }
    const isShort = failures.length === 0 || failures.some(({ found }) => found.startsWith('the end'));
    if (source.ended || !isShort) throw new Exit(1, `byte ${at}: ${failures[0]?.message ?? 'the end comes too early'}`);
  }
}

function short(number: number, needed: number, found: number): Exit {
  return new Exit(1, `message ${number}: expected ${needed} bytes, length included, found the end after ${found}`);
}

function hexByte(byte: number): string {
  return `0x${byte.toString(16).padStart(2, '0')}`;
}
