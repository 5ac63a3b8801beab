/**
 * Captures as text: a payload a line in hexadecimal, base64 or JSON, and what psql prints of
 * pg_logical_slot_peek_binary_changes: aligned or not, expanded, as CSV, as COPY writes it, with or without its headings.
 */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { createDecoder } from '../../pgoutput/index.js';
import { Exit } from '../exit.js';
import type { Payload } from './payload.js';

/** Headings, rules, footers. A rule needs two dashes; `-[ RECORD 1 ]` is expanded output's. */
const decoration =
  /^(?:\(\d+ rows?\)|[|│+┼┌┐└┘├┤┬┴\s]*[-─]{2,}[-─+┼┌┐└┘├┤┬┴|│\s]*|[-─+┌├]*\[ RECORD \d+ \][-─+┬┐┼┤]*|\* Record \d+|Time: [\d.]+ ms.*|Expanded display is (?:on|off)\.|Output format is [\w-]+\.|Tuples only is (?:on|off)\.)$/;
const heading = /^[|│\s]*(?:"?lsn"?\s*[|│,;\t]\s*"?xid"?\s*[|│,;\t]\s*)?"?data"?[|│\s]*$/i;
/** Expanded output: `lsn  | 0/15000A0`. */
const field = /^[|│]?\s*(lsn|xid|data)\s*[|│,;\t]\s*(.*?)\s*[|│]?$/i;
/** Whatever stands before, the payload is the last column. COPY doubles the backslash. */
const row = /^(|.*[|│,;\t "])\\{1,2}x([^|│,;\t "]*)"?\s*[|│]?$/;
const lsnPattern = /(?<![\w/])([0-9A-F]{1,8}\/[0-9A-F]{1,8})(?![\w/])/i;

export async function* readLines(input: Readable): AsyncGenerator<Payload> {
  const reader = new LineReader();
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    const payload = reader.read(line);
    if (payload !== undefined) yield payload;
  }
  const last = reader.finish();
  if (last !== undefined) yield last;
}

/** Characters of a line of base64 as encode() of the server wraps it. */
const wrapped = 76;

class LineReader {
  #number = 0;
  /** Of an expanded record. */
  #lsn: string | null = null;
  #xid: number | null = null;
  /** Base64 so far, of a payload that goes on in the next line. */
  #base64 = '';

  /** A payload that the last line ended. */
  finish(): Payload | undefined {
    const text = this.#base64;
    return text === '' ? undefined : this.#payload(bytesOfBase64(text), text, null, null);
  }

  read(line: string): Payload | undefined {
    this.#number++;
    if (this.#base64 !== '' || line.length === wrapped) {
      const joined = this.#base64 + line.trim();
      const bytes = bytesOfHex(joined) === undefined ? bytesOfBase64(joined) : undefined;
      const goesOn = line.length === wrapped && bytes !== undefined && !isWhole(bytes);
      if (bytes !== undefined || this.#base64 !== '') {
        this.#base64 = goesOn ? joined : '';
        return goesOn ? undefined : this.#payload(bytes, joined, null, null);
      }
    }
    const text = (this.#number === 1 ? line.replace(/^\ufeff/, '') : line).trim();
    if (text === '' || decoration.test(text) || heading.test(text)) return undefined;
    if (text.startsWith('{')) return this.#json(text);
    const expanded = field.exec(text);
    if (expanded !== null) return this.#field(expanded[1]!.toLowerCase(), expanded[2]!, text);
    const columns = row.exec(text);
    if (columns !== null) {
      const [, before, digits] = columns;
      const lsn = lsnPattern.exec(before!);
      const xid = lsn === null ? null : /\d+/.exec(before!.slice(lsn.index + lsn[0].length));
      return this.#payload(bytesOfHex(digits!), text, lsn?.[1] ?? null, xid === null ? null : Number(xid[0]));
    }
    return this.#payload(bytesOfHex(text) ?? bytesOfBase64(text), text, null, null);
  }

  #field(name: string, value: string, text: string): Payload | undefined {
    if (name === 'lsn') this.#lsn = lsnPattern.exec(value)?.[1] ?? this.#fail('an LSN', text);
    else if (name === 'xid') this.#xid = /^\d+$/.test(value) ? Number(value) : this.#fail('a transaction id', text);
    else return this.#payload(bytesOfHex(value.replace(/^\\{1,2}x/, '')), text, this.#lsn, this.#xid);
    return undefined;
  }

  #json(text: string): Payload {
    let object: Readonly<Record<string, unknown>>;
    try {
      object = JSON.parse(text) as typeof object;
    } catch (error) {
      throw new Exit(1, `line ${this.#number}: not JSON: ${(error as Error).message}`);
    }
    const { hex, lsn, end, xid } = object;
    const bytes = typeof hex === 'string' ? bytesOfHex(hex) : undefined;
    if (bytes === undefined) return this.#fail('a JSON object whose "hex" holds the payload', text);
    return {
      bytes,
      lsn: typeof lsn === 'string' ? lsn : null,
      end: typeof end === 'string' ? end : null,
      xid: typeof xid === 'number' ? xid : null,
      at: this.#number,
    };
  }

  #payload(bytes: Buffer | undefined, text: string, lsn: string | null, xid: number | null): Payload {
    if (bytes === undefined) return this.#fail('hex, \\x and hex, base64, or JSON with "hex"', text);
    return { bytes, lsn, end: lsn, xid, at: this.#number };
  }

  #fail(expected: string, text: string): never {
    throw new Exit(1, `line ${this.#number}: expected ${expected}, found: ${start(text)}`);
  }
}

/** Nothing is missing of the message, inside a stream block or outside. */
function isWhole(bytes: Buffer): boolean {
  return [false, true].some((inStream) => {
    try {
      return createDecoder({ inStream }).measure(bytes) === bytes.length;
    } catch {
      return false;
    }
  });
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
