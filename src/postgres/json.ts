/** json keeps its text; jsonb keeps the value: keys in order of length, then bytes, the last of equal keys. */
import { concatBytes, utf8 } from './big-endian.js';
import { inputNumeric } from './numeric.js';
import { builtinType, ValueError } from './pg-type.js';

const loneSurrogate = /\p{Surrogate}/u;

function invalidJson(): ValueError {
  return new ValueError('22P02', 'invalid input syntax for type json');
}

function inputJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    throw invalidJson();
  }
  return text;
}

function inputJsonb(text: string, _typeModifier: number, major: number): string {
  inputJson(text);
  return new JsonbPrinter(text, major).print();
}

/** The version byte 1, then the text. */
function sendJsonb(canonical: string): Uint8Array {
  return concatBytes([Uint8Array.of(1), utf8(canonical)]);
}

/** Reads JSON that is known to be valid, once from left to right, and prints it as jsonb. */
class JsonbPrinter {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly major: number,
  ) {}

  print(): string {
    this.skipSpace();
    const value = this.value();
    this.skipSpace();
    return value;
  }

  private value(): string {
    switch (this.text[this.at]) {
      case '{':
        return this.object();
      case '[':
        return this.array();
      case '"':
        return printJsonString(this.string());
      default:
        return this.scalar();
    }
  }

  private object(): string {
    const members = new Map<string, string>();
    this.list('}', () => {
      const key = this.string();
      this.skipSpace();
      this.at++; // the colon
      this.skipSpace();
      members.set(key, this.value());
    });
    const sorted = [...members]
      .map(([key, value]) => ({ bytes: utf8(key), key, value }))
      .sort((a, b) => compareKeys(a.bytes, b.bytes));
    return `{${sorted.map(({ key, value }) => `${printJsonString(key)}: ${value}`).join(', ')}}`;
  }

  private array(): string {
    const elements: string[] = [];
    this.list(']', () => {
      elements.push(this.value());
    });
    return `[${elements.join(', ')}]`;
  }

  private list(close: string, item: () => void): void {
    this.at++;
    this.skipSpace();
    while (this.text[this.at] !== close) {
      if (this.text[this.at] === ',') this.at++;
      this.skipSpace();
      item();
      this.skipSpace();
    }
    this.at++;
  }

  private string(): string {
    const token = this.token(/"(?:[^"\\]|\\.)*"/y);
    const value = JSON.parse(token) as string;
    if (value.includes('\0')) throw new ValueError('22P05', 'unsupported Unicode escape sequence');
    if (loneSurrogate.test(value)) throw invalidJson();
    return value;
  }

  private scalar(): string {
    const token = this.token(/[^\s,\]}]+/y);
    return /^[tfn]/.test(token) ? token : inputNumeric(token, -1, this.major);
  }

  private token(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const token = pattern.exec(this.text)![0];
    this.at = pattern.lastIndex;
    return token;
  }

  private skipSpace(): void {
    while (/[ \t\n\r]/.test(this.text[this.at] ?? '')) this.at++;
  }
}

function compareKeys(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let i = 0; i < a.length; i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!;
  }
  return 0;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

export function printJsonString(value: string): string {
  const escaped = value.replace(/["\\\u0000-\u001f]/g, (character) => {
    return escapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `"${escaped}"`;
}

export const jsonTypes = [
  builtinType(114, 'json', -1, 199, { input: inputJson, send: utf8 }),
  builtinType(3802, 'jsonb', -1, 3807, { input: inputJsonb, send: sendJsonb }),
];
