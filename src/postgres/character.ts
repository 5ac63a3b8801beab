/** text, varchar, bpchar, name, "char". Lengths are counted in characters (code points), name's in bytes. */
import { utf8 } from './big-endian.js';
import { builtinType, ValueError } from './pg-type.js';

/** atttypmod of varchar(n) and char(n) is n + 4. */
const typeModifierOffset = 4;
const nameBytes = 63;

function checkText(text: string): void {
  if (text.includes('\0')) throw new ValueError('22021', 'invalid byte sequence for encoding "UTF8": 0x00');
}

function characterCount(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800) count--;
  }
  return count;
}

/** The text without what exceeds `limit`, which may only be blanks. */
function limitCharacters(text: string, limit: number, sqlName: string): string {
  if (text.length <= limit) return text;
  const excess = characterCount(text) - limit;
  if (excess <= 0) return text;
  if (!text.endsWith(' '.repeat(excess))) {
    throw new ValueError('22001', `value too long for type ${sqlName}(${limit})`);
  }
  return text.slice(0, text.length - excess);
}

export function inputText(text: string): string {
  checkText(text);
  return text;
}

function inputVarchar(text: string, typeModifier: number): string {
  checkText(text);
  if (typeModifier < typeModifierOffset) return text;
  return limitCharacters(text, typeModifier - typeModifierOffset, 'character varying');
}

function inputBpchar(text: string, typeModifier: number): string {
  checkText(text);
  if (typeModifier < typeModifierOffset) return text;
  const limit = typeModifier - typeModifierOffset;
  const limited = limitCharacters(text, limit, 'character');
  return limited + ' '.repeat(limit - characterCount(limited));
}

/** Cut to 63 bytes, between characters. */
export function inputName(text: string): string {
  checkText(text);
  if (text.length * 3 <= nameBytes) return text;
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += utf8(character).length;
    if (bytes > nameBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/**
 * One byte. Bytes from 0x80 up are \ooo from 15 on; before, the server prints that byte as it is, which is no valid
 * text: canonical text is \ooo for all majors.
 */
function inputChar(text: string, _typeModifier: number, major: number): string {
  checkText(text);
  if (major >= 15 && /^\\[0-7]{3}$/.test(text)) return printChar(parseInt(text.slice(1), 8) & 0xff);
  return printChar(utf8(text)[0] ?? 0);
}

function printChar(byte: number): string {
  if (byte === 0) return '';
  return byte < 0x80 ? String.fromCharCode(byte) : `\\${byte.toString(8)}`;
}

function sendChar(canonical: string): Uint8Array {
  if (canonical.length === 4) return Uint8Array.of(parseInt(canonical.slice(1), 8));
  return Uint8Array.of(canonical === '' ? 0 : canonical.charCodeAt(0));
}

function compareChars(a: string, b: string): number {
  return sendChar(a)[0]! - sendChar(b)[0]!;
}

/** Collation C: by UTF-8 bytes, which is by code points. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    // Surrogates sort above the rest of the basic plane.
    if (x !== y)
      return (x >= 0xd800 && y >= 0xd800 ? (a.codePointAt(i) ?? x) - (b.codePointAt(i) ?? y) : x - y) || x - y;
  }
  return a.length - b.length;
}

/** Trailing blanks do not count. */
function compareBpchar(a: string, b: string): number {
  return compareText(a.replace(/ +$/, ''), b.replace(/ +$/, ''));
}

export const characterTypes = [
  builtinType(18, 'char', 1, 1002, { input: inputChar, send: sendChar, compare: compareChars }),
  builtinType(19, 'name', 64, 1003, { input: inputName, send: utf8, compare: compareText }),
  builtinType(25, 'text', -1, 1009, { input: inputText, send: utf8, compare: compareText }),
  builtinType(1042, 'bpchar', -1, 1014, { input: inputBpchar, send: utf8, compare: compareBpchar }),
  builtinType(1043, 'varchar', -1, 1015, { input: inputVarchar, send: utf8, compare: compareText }),
  builtinType(1790, 'refcursor', -1, 2201, { input: inputText, send: utf8 }),
];
