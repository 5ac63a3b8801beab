/** Array literals and array types over any element type. */
import { concatBytes, int32Bytes, pushSized } from './big-endian.js';
import { definePgType, ValueError, type PgType } from './pg-type.js';

/** An array as its parts: row-major elements of `lengths[0]` × `lengths[1]` × …; no dimensions when empty. */
export interface ArrayParts {
  readonly lengths: readonly number[];
  readonly lowerBounds: readonly number[];
  readonly elements: readonly (string | null)[];
}

const maxDimensions = 6;
const bound = /\[(?:([+-]?\d+):)?([+-]?\d+)\]/y;
const space = /[ \t\n\v\f\r]*/y;

function malformed(text: string): ValueError {
  return new ValueError('22P02', `malformed array literal: "${text}"`);
}

/** @throws ValueError as array_in does. */
export function parseArray(text: string, delimiter: ',' | ';'): ArrayParts {
  return new ArrayParser(text, delimiter).parse();
}

class ArrayParser {
  private at = 0;
  private readonly lengths: number[] = [];
  private readonly elements: (string | null)[] = [];

  constructor(
    private readonly text: string,
    private readonly delimiter: ',' | ';',
  ) {}

  parse(): ArrayParts {
    const declared = this.dimensions();
    if (this.text[this.at] !== '{') throw malformed(this.text);
    this.level(0);
    this.skip(space);
    if (this.at !== this.text.length) throw malformed(this.text);
    const empty = this.elements.length === 0;
    if (declared !== null) {
      const same = declared.length === this.lengths.length && declared.every((d, i) => d.length === this.lengths[i]);
      if (empty || !same) throw malformed(this.text);
    }
    if (empty) return { lengths: [], lowerBounds: [], elements: [] };
    const lowerBounds = declared?.map((dimension) => dimension.lower) ?? this.lengths.map(() => 1);
    return { lengths: this.lengths, lowerBounds, elements: this.elements };
  }

  /** `[1:2][0:1]=` before the braces. */
  private dimensions(): { lower: number; length: number }[] | null {
    const dimensions: { lower: number; length: number }[] = [];
    this.skip(space);
    while (this.text[this.at] === '[') {
      bound.lastIndex = this.at;
      const match = bound.exec(this.text);
      if (match === null) throw malformed(this.text);
      this.at = bound.lastIndex;
      const upper = Number(match[2]);
      const lower = match[1] === undefined ? 1 : Number(match[1]);
      if (dimensions.length === maxDimensions) throw tooManyDimensions(dimensions.length + 1);
      if (upper < lower) throw new ValueError('2202E', 'upper bound cannot be less than lower bound');
      dimensions.push({ lower, length: upper - lower + 1 });
      this.skip(space);
    }
    if (dimensions.length === 0) return null;
    if (this.text[this.at] !== '=') throw malformed(this.text);
    this.at++;
    this.skip(space);
    return dimensions;
  }

  /** One pair of braces and what is in it. */
  private level(depth: number): void {
    if (depth >= maxDimensions) throw tooManyDimensions(depth + 1);
    this.at++;
    let count = 0;
    this.skip(space);
    while (this.text[this.at] !== '}') {
      if (count > 0) this.separator();
      if (this.text[this.at] === '{') {
        // Elements stood at this depth before.
        if (this.lengths.length === depth + 1 && this.elements.length > 0) throw malformed(this.text);
        this.level(depth + 1);
      } else {
        if (this.lengths.length > depth + 1) throw malformed(this.text);
        this.lengths[depth] ??= 0;
        this.elements.push(this.element());
      }
      count++;
      this.skip(space);
    }
    this.at++;
    this.close(depth, count);
  }

  private close(depth: number, count: number): void {
    // A dimension's length is that of its first pair of braces; the others must have the same.
    const known = this.lengths[depth];
    if (known === undefined || known === 0) this.lengths[depth] = count;
    else if (known !== count) throw malformed(this.text);
  }

  private separator(): void {
    if (this.text[this.at] !== this.delimiter) throw malformed(this.text);
    this.at++;
    this.skip(space);
  }

  private element(): string | null {
    return this.text[this.at] === '"' ? this.quoted() : this.unquoted();
  }

  private quoted(): string {
    let value = '';
    for (this.at++; this.at < this.text.length; this.at++) {
      const character = this.text[this.at]!;
      if (character === '"') {
        this.at++;
        return value;
      }
      if (character === '\\') this.at++;
      value += this.text[this.at] ?? '';
    }
    throw malformed(this.text);
  }

  private unquoted(): string | null {
    let value = '';
    let escaped = false;
    let end = 0;
    for (; this.at < this.text.length; this.at++) {
      let character = this.text[this.at]!;
      if (character === '}' || character === this.delimiter) break;
      if (character === '{' || character === '"') throw malformed(this.text);
      const isEscape = character === '\\';
      if (isEscape) {
        this.at++;
        escaped = true;
        character = this.text[this.at] ?? '';
      }
      value += character;
      if (isEscape || !/[ \t\n\v\f\r]/.test(character)) end = value.length;
    }
    if (end === 0 || this.at >= this.text.length) throw malformed(this.text);
    value = value.slice(0, end);
    return !escaped && value.toUpperCase() === 'NULL' ? null : value;
  }

  private skip(pattern: RegExp): void {
    pattern.lastIndex = this.at;
    pattern.test(this.text);
    this.at = pattern.lastIndex;
  }
}

function tooManyDimensions(count: number): ValueError {
  return new ValueError(
    '54000',
    `number of array dimensions (${count}) exceeds the maximum allowed (${maxDimensions})`,
  );
}

/** As array_out prints it. */
export function printArray({ lengths, lowerBounds, elements }: ArrayParts, delimiter: ',' | ';'): string {
  if (elements.length === 0) return '{}';
  let text = '';
  if (lowerBounds.some((lower) => lower !== 1)) {
    lengths.forEach((length, i) => (text += `[${lowerBounds[i]!}:${lowerBounds[i]! + length - 1}]`));
    text += '=';
  }
  let next = 0;
  const level = (depth: number): string => {
    const parts: string[] = [];
    for (let i = 0; i < lengths[depth]!; i++) {
      parts.push(depth === lengths.length - 1 ? printElement(elements[next++]!, delimiter) : level(depth + 1));
    }
    return `{${parts.join(delimiter)}}`;
  };
  return text + level(0);
}

function printElement(element: string | null, delimiter: ',' | ';'): string {
  if (element === null) return 'NULL';
  const plain = element !== '' && !/["\\{} \t\n\v\f\r]/.test(element) && !element.includes(delimiter);
  if (plain && element.toUpperCase() !== 'NULL') return element;
  return `"${element.replace(/["\\]/g, '\\$&')}"`;
}

/** The array type over `element`, by default named as the server names it. Its type modifier is the element's. */
export function arrayOf(element: PgType, oid: number = element.arrayOid, name = arrayTypeName(element.name)): PgType {
  const { delimiter } = element;
  const map = (canonical: string, change: (element: string) => string): string => {
    const parts = parseArray(canonical, delimiter);
    return printArray({ ...parts, elements: parts.elements.map((e) => (e === null ? null : change(e))) }, delimiter);
  };
  const outputElement = element.output;
  return definePgType({
    oid,
    namespace: element.namespace,
    name,
    kind: 'array',
    since: element.since,
    element,
    length: -1,
    delimiter,
    input: (text, typeModifier, major) => map(text, (e) => element.input(e, typeModifier, major)),
    output: outputElement && ((canonical, settings) => map(canonical, (e) => outputElement(e, settings))),
    send: (canonical, settings) => {
      const send = element.send;
      if (send === undefined) throw noBinaryOutput(element.name);
      return sendArray(parseArray(canonical, delimiter), element.oid, (e) => send(e, settings));
    },
    compare:
      element.compare &&
      ((a, b) => compareArrays(parseArray(a, delimiter), parseArray(b, delimiter), element.compare!)),
  });
}

function noBinaryOutput(name: string): ValueError {
  return new ValueError('42883', `no binary output function available for type ${name}`);
}

/** `_` in front, cut to 63 bytes. */
function arrayTypeName(elementName: string): string {
  return `_${elementName}`.slice(0, 63);
}

/** Int32 dimensions, has-null flag, element OID; per dimension length and lower bound; then sized elements. */
export function sendArray(
  parts: ArrayParts,
  elementOid: number,
  sendElement: (element: string) => Uint8Array,
): Uint8Array {
  const { lengths, lowerBounds, elements } = parts;
  const bytes = [int32Bytes(lengths.length), int32Bytes(elements.includes(null) ? 1 : 0), int32Bytes(elementOid)];
  lengths.forEach((length, i) => bytes.push(int32Bytes(length), int32Bytes(lowerBounds[i]!)));
  for (const element of elements) pushSized(bytes, element === null ? null : sendElement(element));
  return concatBytes(bytes);
}

/** By elements, NULLs last; then the fewer elements first; then by dimensions. */
function compareArrays(a: ArrayParts, b: ArrayParts, compare: (a: string, b: string) => number): number {
  const common = Math.min(a.elements.length, b.elements.length);
  for (let i = 0; i < common; i++) {
    const order = compareNullsLast(a.elements[i]!, b.elements[i]!, compare);
    if (order !== 0) return order;
  }
  if (a.elements.length !== b.elements.length) return a.elements.length - b.elements.length;
  if (a.lengths.length !== b.lengths.length) return a.lengths.length - b.lengths.length;
  for (let i = 0; i < a.lengths.length; i++) {
    const order = a.lengths[i]! - b.lengths[i]! || a.lowerBounds[i]! - b.lowerBounds[i]!;
    if (order !== 0) return order;
  }
  return 0;
}

export function compareNullsLast(
  a: string | null,
  b: string | null,
  compare: (a: string, b: string) => number,
): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  return compare(a, b);
}
