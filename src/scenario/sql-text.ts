/** Places in SQL that is written in YAML: from the parser's offsets to the characters that the author sees. */
import type { Located, Span } from './source.js';

/** Whitespace and comments before a statement belong to it, to the parser. */
const space = /(?:\s+|--[^\n]*|\/\*[^]*?\*\/)*/y;
const word = /(?:"[^"]*"|'[^']*'|[\w.$]+|\S)?/y;

/** One text, and where its parts stand in a file. */
export class SqlText {
  readonly text: string;
  /** For each byte the UTF-16 unit that it belongs to; undefined: the same number. */
  private readonly units: Uint32Array | undefined;
  private offsets: readonly number[] | undefined;

  /** @param isFile the text is a file's as it stands, not a scalar of YAML */
  constructor(
    { value, at }: Located<string>,
    private readonly isFile = false,
  ) {
    this.text = value;
    this.at = at;
    this.units = unitsByByte(value);
  }

  private readonly at: Span;

  /** The word at a byte offset, or behind the space there; without one, all of the text. */
  span(location?: number): Span {
    if (location === undefined || location < 0) return this.at;
    const start = this.begin(location);
    word.lastIndex = start;
    const length = word.exec(this.text)![0].length;
    return { ...this.at, start: this.sourceOffset(start), end: this.sourceOffset(start + length - 1) + 1 };
  }

  /** Where in `text` a statement begins, space and comments passed over. */
  begin(location: number): number {
    space.lastIndex = this.units === undefined ? location : this.units[Math.min(location, this.units.length - 1)]!;
    space.exec(this.text);
    return space.lastIndex;
  }

  private sourceOffset(index: number): number {
    if (this.isFile) return this.at.start + index;
    this.offsets ??= sourceOffsets(this.text, this.at);
    return this.offsets[Math.max(0, Math.min(index, this.offsets.length - 1))] ?? this.at.start;
  }
}

function unitsByByte(text: string): Uint32Array | undefined {
  if (/^[\x00-\x7f]*$/.test(text)) return undefined;
  const units: number[] = [];
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at)!;
    for (let i = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4; i > 0; i--) units.push(at);
    at += code < 0x1_0000 ? 1 : 2;
  }
  units.push(text.length);
  return Uint32Array.from(units);
}

/**
 * Where each character of a scalar's value stands in the file. What YAML takes away is whitespace (indentation, line ends that it
 * folds) and escapes: so characters are matched in order, and whitespace in between is passed over.
 */
function sourceOffsets(value: string, { source, start, end }: Span): number[] {
  const raw = source.text;
  const offsets: number[] = [];
  let at = start;
  const style = raw[at];
  // A block scalar's first line says how it is read.
  if (style === '|' || style === '>') at = raw.indexOf('\n', at) + 1;
  else if (style === '"' || style === "'") at++;
  const isSpace = (offset: number): boolean => /\s/.test(raw[offset] ?? '');
  for (let i = 0; i < value.length; i++) {
    if (/\s/.test(value[i]!)) {
      offsets.push(at);
      if (style === '"' && raw[at] === '\\') at += 2;
      else if (isSpace(at)) at++;
      continue;
    }
    while (at < end && (isSpace(at) || (style === '"' && raw[at] === '\\' && isSpace(at + 1)))) at++;
    offsets.push(at);
    at += style === '"' && raw[at] === '\\' ? escapeLength(raw, at) : style === "'" && raw[at] === "'" ? 2 : 1;
  }
  return offsets;
}

/** `\n`, `\x41`, `\u0041`, `\U00000041`. */
function escapeLength(raw: string, at: number): number {
  return { x: 4, u: 6, U: 10 }[raw[at + 1]!] ?? 2;
}
