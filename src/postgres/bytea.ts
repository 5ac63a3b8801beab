import { compareText } from './character.js';
import { builtinType, ValueError, type OutputSettings } from './pg-type.js';
import { utf8 } from './big-endian.js';

/** Hex (`\x…`, white space between bytes) or escape format (`\\`, `\ooo`); canonical is hex in lower case. */
function inputBytea(text: string): string {
  return text.startsWith('\\x') ? inputHex(text) : inputEscape(text);
}

function inputHex(text: string): string {
  if (/^\\x(?:[0-9a-f]{2})*$/.test(text)) return text;
  const digits = text.slice(2);
  const bytes = digits.replace(/([0-9a-f]{2})|[ \t\n\r]+/gi, (_, byte: string | undefined) => byte ?? '');
  // White space may stand between bytes only.
  const split = /(?:[0-9a-f]{2}|[ \t\n\r])*(?:([^0-9a-f \t\n\r])|[0-9a-f](?:([^0-9a-f])|$))/isuy.exec(digits);
  if (split !== null) {
    const bad = split[1] ?? split[2];
    if (bad !== undefined) throw new ValueError('22023', `invalid hexadecimal digit: "${bad}"`);
    throw new ValueError('22023', 'invalid hexadecimal data: odd number of digits');
  }
  return `\\x${bytes.toLowerCase()}`;
}

function inputEscape(text: string): string {
  const bytes: number[] = [];
  for (const part of text.match(/\\[0-3][0-7][0-7]|\\\\|\\|[^\\]+/g) ?? []) {
    if (part === '\\') throw new ValueError('22P02', 'invalid input syntax for type bytea');
    if (part.startsWith('\\')) bytes.push(part === '\\\\' ? 0x5c : parseInt(part.slice(1), 8));
    else for (const byte of utf8(part)) bytes.push(byte);
  }
  return printHex(Uint8Array.from(bytes));
}

/** Canonical text of bytes. */
function printHex(bytes: Uint8Array): string {
  let hex = '\\x';
  for (const byte of bytes) hex += (byte < 16 ? '0' : '') + byte.toString(16);
  return hex;
}

export function sendBytea(canonical: string): Uint8Array {
  const bytes = new Uint8Array((canonical.length - 2) >> 1);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(canonical.slice(2 + 2 * i, 4 + 2 * i), 16);
  return bytes;
}

function outputBytea(canonical: string, settings: OutputSettings): string {
  if (settings.byteaOutput === 'hex') return canonical;
  let text = '';
  for (const byte of sendBytea(canonical)) {
    if (byte === 0x5c) text += '\\\\';
    else if (byte < 0x20 || byte > 0x7e) text += `\\${byte.toString(8).padStart(3, '0')}`;
    else text += String.fromCharCode(byte);
  }
  return text;
}

export const byteaTypes = [
  builtinType(17, 'bytea', -1, 1001, { input: inputBytea, output: outputBytea, send: sendBytea, compare: compareText }),
];
