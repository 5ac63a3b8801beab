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
const maxInt = 2_147_483_647;

/**
 * @param convert is called for each element but NULL: from 17 as soon as it is read, before when all have been
 * @throws ValueError as array_in of that major does
 */
export function parseArray(
  text: string,
  delimiter: ',' | ';',
  major = 18,
  convert: (element: string) => string = (element) => element,
): ArrayParts {
  return new ArrayParser(text, delimiter, major, convert).parse();
}

class ArrayParser {
  private at = 0;
  private readonly elements: (string | null)[] = [];
  /** Until 16, errors between the braces show the text from the first one on. */
  private shown: string;

  constructor(
    private readonly text: string,
    private readonly delimiter: ',' | ';',
    private readonly major: number,
    private readonly convert: (element: string) => string,
  ) {
    this.shown = text;
  }

  parse(): ArrayParts {
    const declared = this.dimensions();
    if (this.text[this.at] !== '{') throw this.malformed();
    if (this.major < 17) this.shown = this.text.slice(this.at);
    const lengths = this.level(1, this.major < 17 ? undefined : declared?.length);
    this.skipSpace();
    if (this.at !== this.text.length) throw this.malformed();
    this.shown = this.text;
    const empty = this.elements.length === 0;
    if (declared !== null) {
      const same = declared.length === lengths.length && declared.every((d, i) => d.length === lengths[i]);
      if (empty || !same) throw this.malformed();
      this.checkBounds(declared);
    }
    if (empty) return { lengths: [], lowerBounds: [], elements: [] };
    const lowerBounds = declared?.map(({ lower }) => lower) ?? lengths.map(() => 1);
    const elements = this.major >= 17 ? this.elements : this.elements.map((e) => (e === null ? null : this.convert(e)));
    return { lengths, lowerBounds, elements };
  }

  /** `[1:2][0:1]=` before the braces. */
  private dimensions(): { lower: number; length: number }[] | null {
    const dimensions: { lower: number; length: number }[] = [];
    const pattern = /\[(?:([+-]?\d+):)?([+-]?\d+)\]/y;
    this.skipSpace();
    while (this.text[this.at] === '[') {
      pattern.lastIndex = this.at;
      const match = pattern.exec(this.text);
      if (match === null) throw this.malformed();
      this.at = pattern.lastIndex;
      if (dimensions.length === maxDimensions) throw this.tooManyDimensions();
      const lower = match[1] === undefined ? 1 : this.bound(match[1]);
      const upper = this.bound(match[2]!);
      if (upper === maxInt && this.major >= 17)
        throw new ValueError('54000', `array upper bound is too large: ${upper}`);
      if (upper < lower) throw new ValueError('2202E', 'upper bound cannot be less than lower bound');
      dimensions.push({ lower, length: upper - lower + 1 });
      this.skipSpace();
    }
    if (dimensions.length === 0) return null;
    if (this.text[this.at] !== '=') throw this.malformed();
    this.at++;
    this.skipSpace();
    return dimensions;
  }

  /** Until 16 a bound wraps around. */
  private bound(digits: string): number {
    const value = Number(digits);
    if (Math.abs(value) <= maxInt) return value;
    if (this.major >= 17 && value !== -maxInt - 1) throw new ValueError('54000', 'array bound is out of integer range');
    return Number(BigInt.asIntN(32, BigInt(digits.replace('+', ''))));
  }

  private checkBounds(dimensions: readonly { lower: number; length: number }[]): void {
    for (const { lower, length } of dimensions) {
      if (lower + length > maxInt) throw new ValueError('54000', `array lower bound is too large: ${lower}`);
    }
  }

  /** One pair of braces and what is in it: its dimensions. All that it contains must have the same ones. */
  private level(depth: number, declared: number | undefined): number[] {
    if (depth > maxDimensions) throw this.tooManyDimensions();
    if (declared !== undefined && depth > declared) throw this.malformed();
    this.at++;
    this.skipSpace();
    let inner: number[] | undefined;
    let count = 0;
    while (this.text[this.at] !== '}') {
      if (count > 0) this.separator();
      const nested = this.text[this.at] === '{';
      if (inner !== undefined && nested !== inner.length > 0) throw this.malformed();
      const shape = nested ? this.level(depth + 1, declared) : this.element();
      if (inner !== undefined && !sameLengths(inner, shape)) throw this.malformed();
      inner = shape;
      count++;
      this.skipSpace();
    }
    this.at++;
    // Until 16 only the outermost braces may be empty.
    if (count === 0 && depth > 1 && this.major < 17) throw this.malformed();
    return [count, ...(inner ?? [])];
  }

  private separator(): void {
    if (this.text[this.at] !== this.delimiter) throw this.malformed();
    this.at++;
    this.skipSpace();
  }

  private element(): [] {
    const element = this.text[this.at] === '"' ? this.quoted() : this.unquoted();
    this.elements.push(element === null || this.major < 17 ? element : this.convert(element));
    return [];
  }

  private quoted(): string {
    let value = '';
    for (this.at++; this.at < this.text.length; this.at++) {
      const character = this.text[this.at]!;
      if (character === '"') {
        this.at++;
        this.skipSpace();
        // Looked at before the value is.
        if (this.text[this.at] !== '}' && this.text[this.at] !== this.delimiter) throw this.malformed();
        return value;
      }
      if (character === '\\') this.at++;
      value += this.text[this.at] ?? '';
    }
    throw this.malformed();
  }

  private unquoted(): string | null {
    let value = '';
    let escaped = false;
    let end = 0;
    for (; ; this.at++) {
      let character = this.text[this.at];
      if (character === undefined || character === '{' || character === '"') throw this.malformed();
      if (character === '}' || character === this.delimiter) break;
      const isEscape = character === '\\';
      if (isEscape) {
        this.at++;
        escaped = true;
        character = this.text[this.at] ?? '';
      }
      value += character;
      if (isEscape || !/[ \t\n\v\f\r]/.test(character)) end = value.length;
    }
    if (end === 0) throw this.malformed();
    value = value.slice(0, end);
    return !escaped && value.toUpperCase() === 'NULL' ? null : value;
  }

  private skipSpace(): void {
    while (/[ \t\n\v\f\r]/.test(this.text[this.at] ?? '')) this.at++;
  }

  private malformed(): ValueError {
    return new ValueError('22P02', `malformed array literal: "${this.shown}"`);
  }

  private tooManyDimensions(): ValueError {
    const count = this.major < 17 ? ` (${maxDimensions + 1})` : '';
    return new ValueError('54000', `number of array dimensions${count} exceeds the maximum allowed (${maxDimensions})`);
  }
}

function sameLengths(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((length, i) => length === b[i]);
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
    input: (text, typeModifier, major) => {
      const convert = (part: string): string => element.input(part, typeModifier, major);
      return printArray(parseArray(text, delimiter, major, convert), delimiter);
    },
    output:
      outputElement &&
      ((canonical, settings) => {
        const convert = (part: string): string => outputElement(part, settings);
        return printArray(parseArray(canonical, delimiter, 18, convert), delimiter);
      }),
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
