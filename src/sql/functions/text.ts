/** Functions on text and bytea (manual chapter "String Functions and Operators"). */
import { createHash } from 'node:crypto';
import { printArray, quoteIdentifier } from '../../postgres/index.js';
import { likePattern, regularExpression } from '../expression/pattern.js';
import { quoteLiteral, type Value } from '../expression/expression.js';
import { NotEmulated, sqlError } from '../failure.js';
import { outputText } from '../types/output.js';
import { functions, functionsOnNull, setFunctions, type Call } from './definition.js';
import { hashText } from './hash-text.js';

const utf8 = new TextEncoder();

/** Characters are code points. */
function charactersOf(text: string): string[] {
  return Array.from(text);
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function hexOf(bytes: Uint8Array): string {
  return `\\x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** From `start` (1-based, may lie before the text) `count` characters. */
function substring(text: string, start: number, count?: number): string {
  if (count !== undefined && count < 0) throw sqlError('22011', 'negative substring length not allowed');
  const from = start - 1;
  return charactersOf(text)
    .slice(Math.max(from, 0), count === undefined ? undefined : Math.max(from + count, 0))
    .join('');
}

function position(text: string, part: string): string {
  const at = text.indexOf(part);
  return String(at < 0 ? 0 : charactersOf(text.slice(0, at)).length + 1);
}

function splitPart(text: string, delimiter: string, field: number, major: number): string {
  if (field === 0 || (field < 0 && major < 14)) {
    throw sqlError(
      '22023',
      major < 14 ? 'field position must be greater than zero' : 'field position must not be zero',
    );
  }
  const parts = delimiter === '' ? [text] : text.split(delimiter);
  return parts.at(field > 0 ? field - 1 : field) ?? '';
}

function padding(text: string, length: number, fill: string): string {
  const missing = length - charactersOf(text).length;
  if (missing <= 0 || fill === '') return '';
  return charactersOf(fill.repeat(Math.ceil(missing / charactersOf(fill).length)))
    .slice(0, missing)
    .join('');
}

function trimmed(text: string, characters: string, ends: 'both' | 'start' | 'end'): string {
  const set = new Set(charactersOf(characters));
  const all = charactersOf(text);
  let [from, to] = [0, all.length];
  if (ends !== 'end') while (from < to && set.has(all[from]!)) from++;
  if (ends !== 'start') while (to > from && set.has(all[to - 1]!)) to--;
  return all.slice(from, to).join('');
}

/** format(): %s, %I, %L and %%. */
function formatted({ context, argumentTypes }: Call, ...values: Value[]): Value {
  const [template, ...rest] = values;
  if (template === null || template === undefined) return null;
  let next = 0;
  return template.replace(
    /%(\d+\$)?(-?\d*)([sIL%])/g,
    (match, place: string | undefined, width: string, kind: string) => {
      if (kind === '%') return '%';
      if (width !== '') throw new NotEmulated(`format's ${match}`);
      const at = place === undefined ? next++ : Number(place.slice(0, -1)) - 1;
      const value = rest[at];
      if (value === undefined) throw sqlError('22023', 'too few arguments for format()');
      const text = value === null ? null : outputText(context, argumentTypes[at + 1]!, value);
      if (kind === 'L') return text === null ? 'NULL' : quoteLiteral(text);
      if (kind === 's') return text ?? '';
      if (text === null) throw sqlError('22004', 'null values cannot be formatted as an SQL identifier');
      return quoteIdentifier(text);
    },
  );
}

function concatenated(
  { context, argumentTypes }: Call,
  values: readonly Value[],
  first: number,
  separator: string,
): string {
  return values
    .map((value, i) => (value === null ? null : outputText(context, argumentTypes[i + first]!, value)))
    .filter((text) => text !== null)
    .join(separator);
}

/** \1 … \9 and \& of the replacement, as JavaScript's. */
function regexpReplace(text: string, pattern: string, replacement: string, flags = ''): string {
  if (/[^gi]/.test(flags)) throw new NotEmulated(`the regular expression flags ${flags}`);
  const expression = regularExpression(pattern, flags.includes('i'), flags.includes('g'));
  return text.replace(
    expression,
    replacement.replaceAll('$', '$$$$').replace(/\\([1-9&\\])/g, (_, c: string) => (c === '\\' ? '\\' : `$${c}`)),
  );
}

function regexpMatch(text: string, pattern: string, flags = ''): string[] | null {
  const match = regularExpression(pattern, flags.includes('i')).exec(text);
  if (match === null) return null;
  return match.length > 1 ? match.slice(1) : [match[0]];
}

function arrayText(items: readonly (string | undefined)[]): string {
  const elements = items.map((item) => item ?? null);
  return printArray({ lengths: [elements.length], lowerBounds: [1], elements }, ',');
}

const encodings: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  hex: (bytes) => hexOf(bytes).slice(2),
  base64: (bytes) => btoa(String.fromCharCode(...bytes)).replace(/.{76}(?=.)/g, '$&\n'),
  escape: (bytes) =>
    Array.from(bytes, (b) =>
      b === 0x5c ? '\\\\' : b === 0 || b > 0x7f ? `\\${b.toString(8).padStart(3, '0')}` : String.fromCharCode(b),
    ).join(''),
};

function decoded(text: string, format: string): string {
  if (format === 'hex') return `\\x${text.toLowerCase()}`;
  if (format === 'base64') return hexOf(Uint8Array.from(atob(text.replace(/\s/g, '')), (c) => c.charCodeAt(0)));
  throw format === 'escape'
    ? new NotEmulated('decode(text, escape)')
    : sqlError('22023', `unrecognized encoding: "${format}"`);
}

function encoded(hex: string, format: string): string {
  const encode = encodings[format];
  if (encode === undefined) throw sqlError('22023', `unrecognized encoding: "${format}"`);
  return encode(bytesOf(hex));
}

function requireUtf8(encoding: string): void {
  if (!/^(utf-?8|unicode|sql_?ascii)$/i.test(encoding)) throw new NotEmulated(`encoding ${encoding}`);
}

export const textFunctions = [
  functions({
    // As the locale of this server's databases, C, has it: letters are those of ASCII.
    'lower(text) text': (_, text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
    'upper(text) text': (_, text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
    'initcap(text) text': (_, text) =>
      text.replace(/[A-Za-z0-9]+/g, (word) => word[0]!.toUpperCase() + word.slice(1).toLowerCase()),
    'length(text) int4': (_, text) => String(charactersOf(text).length),
    'length(bpchar) int4': (_, text) => String(charactersOf(text.replace(/ +$/, '')).length),
    'length(bytea) int4': (_, hex) => String(bytesOf(hex).length),
    'char_length(text) int4': (_, text) => String(charactersOf(text).length),
    'character_length(text) int4': (_, text) => String(charactersOf(text).length),
    'octet_length(text) int4': (_, text) => String(utf8.encode(text).length),
    'octet_length(bytea) int4': (_, hex) => String(bytesOf(hex).length),
    'substring(text, int4) text': (_, text, start) => substring(text, Number(start)),
    'substring(text, int4, int4) text': (_, text, start, count) => substring(text, Number(start), Number(count)),
    'substring(text, text) text': (_, text, pattern) => regexpMatch(text, pattern)?.[0] ?? null,
    'substr(text, int4) text': (_, text, start) => substring(text, Number(start)),
    'substr(text, int4, int4) text': (_, text, start, count) => substring(text, Number(start), Number(count)),
    'left(text, int4) text': (_, text, count) => charactersOf(text).slice(0, Number(count)).join(''),
    'right(text, int4) text': (_, text, count) =>
      Number(count) === 0 ? '' : charactersOf(text).slice(-Number(count)).join(''),
    'position(text, text) int4': (_, text, part) => position(text, part),
    'strpos(text, text) int4': (_, text, part) => position(text, part),
    'replace(text, text, text) text': (_, text, from, to) => (from === '' ? text : text.replaceAll(from, () => to)),
    'translate(text, text, text) text': (_, text, from, to) => {
      const [source, target] = [charactersOf(from), charactersOf(to)];
      return charactersOf(text)
        .map((c) => (source.includes(c) ? (target[source.indexOf(c)] ?? '') : c))
        .join('');
    },
    'split_part(text, text, int4) text': ({ context }, text, delimiter, field) =>
      splitPart(text, delimiter, Number(field), context.major),
    'repeat(text, int4) text': (_, text, count) => text.repeat(Math.max(Number(count), 0)),
    'reverse(text) text': (_, text) => charactersOf(text).reverse().join(''),
    'lpad(text, int4, text =  ) text': (_, text, length, fill) =>
      padding(text, Number(length), fill) +
      charactersOf(text)
        .slice(0, Math.max(Number(length), 0))
        .join(''),
    'rpad(text, int4, text =  ) text': (_, text, length, fill) =>
      charactersOf(text)
        .slice(0, Math.max(Number(length), 0))
        .join('') + padding(text, Number(length), fill),
    'btrim(text) text': (_, text) => trimmed(text, ' ', 'both'),
    'btrim(text, text) text': (_, text, characters) => trimmed(text, characters, 'both'),
    'ltrim(text) text': (_, text) => trimmed(text, ' ', 'start'),
    'ltrim(text, text) text': (_, text, characters) => trimmed(text, characters, 'start'),
    'rtrim(text) text': (_, text) => trimmed(text, ' ', 'end'),
    'rtrim(text, text) text': (_, text, characters) => trimmed(text, characters, 'end'),
    '[11-]starts_with(text, text) bool': (_, text, prefix) => (text.startsWith(prefix) ? 't' : 'f'),
    'chr(int4) text': (_, code) => String.fromCodePoint(Number(code)),
    'ascii(text) int4': (_, text) => String(text.codePointAt(0) ?? 0),
    'to_hex(int4) text': (_, value) => BigInt.asUintN(32, BigInt(value)).toString(16),
    'to_hex(int8) text': (_, value) => BigInt.asUintN(64, BigInt(value)).toString(16),
    'quote_ident(text) text': (_, text) => quoteIdentifier(text),
    'quote_literal(text) text': (_, text) => quoteLiteral(text),
    'md5(text) text': (_, text) => createHash('md5').update(text).digest('hex'),
    'md5(bytea) text': (_, hex) => createHash('md5').update(bytesOf(hex)).digest('hex'),
    'hashtext(text) int4': (_, text) => String(hashText(text)),
    'encode(bytea, text) text': (_, hex, format) => encoded(hex, format.toLowerCase()),
    'decode(text, text) bytea': (_, text, format) => decoded(text, format.toLowerCase()),
    'convert_from(bytea, name) text': (_, hex, encoding) => {
      requireUtf8(encoding);
      return new TextDecoder().decode(bytesOf(hex));
    },
    'convert_to(text, name) bytea': (_, text, encoding) => {
      requireUtf8(encoding);
      return hexOf(utf8.encode(text));
    },
    'regexp_replace(text, text, text) text': (_, text, pattern, replacement) =>
      regexpReplace(text, pattern, replacement),
    'regexp_replace(text, text, text, text) text': (_, text, pattern, replacement, flags) =>
      regexpReplace(text, pattern, replacement, flags),
    'regexp_match(text, text) _text': (_, text, pattern) => {
      const match = regexpMatch(text, pattern);
      return match && arrayText(match);
    },
    'regexp_split_to_array(text, text) _text': (_, text, pattern) =>
      arrayText(text.split(regularExpression(pattern, false))),
    'like_escape(text, text) text': (_, pattern, escape) => {
      void likePattern(pattern, false, escape);
      return escape === '\\' ? pattern : pattern.replaceAll('\\', '\\\\').replaceAll(escape, '\\');
    },
  }),
  functionsOnNull({
    'quote_nullable(text) text': (_, text) => (text === null ? 'NULL' : quoteLiteral(text)),
    'concat(variadic any) text': (call, ...values) => concatenated(call, values, 0, ''),
    'concat_ws(text, variadic any) text': (call, separator, ...values) =>
      separator === null ? null : concatenated(call, values, 1, separator),
    'format(text) text': formatted,
    'format(text, variadic any) text': formatted,
  }),
  setFunctions({
    'regexp_matches(text, text) setof _text': (_, text, pattern) => {
      const match = regexpMatch(text, pattern);
      return match === null ? [] : [arrayText(match)];
    },
    'regexp_split_to_table(text, text) setof text': (_, text, pattern) => text.split(regularExpression(pattern, false)),
    '[14-]string_to_table(text, text) setof text': (_, text, delimiter) => (text === '' ? [] : text.split(delimiter)),
  }),
];
