/** jsonpath (from 12): parsed and printed in one form, with all keys quoted. */
import { concatBytes, utf8 } from './big-endian.js';
import { invalidSyntax } from './input-error.js';
import { splitPath, syntaxError, type PathToken } from './json-path-lexer.js';
import { printJsonString } from './json.js';
import { inputNumeric } from './numeric.js';
import { builtinType, ValueError } from './pg-type.js';

/** What is printed of a part, and what decides about parentheses around it. */
interface Part {
  readonly text: string;
  readonly priority: number;
  readonly isPredicate: boolean;
  /** Parentheses stand around it in the literal. */
  readonly enclosed?: boolean;
  readonly isNumber?: boolean;
}

const priorities = new Map([
  ['||', 0],
  ['&&', 1],
  ...['==', '!=', '<', '>', '<=', '>=', 'starts with', 'like_regex'].map((operator) => [operator, 2] as const),
  ...['+', '-'].map((operator) => [operator, 3] as const),
  ...['*', '/', '%'].map((operator) => [operator, 4] as const),
]);
const unaryPriority = 5;
const primaryPriority = 6;
const comparisons: ReadonlyMap<string, string> = new Map([
  ['==', '=='],
  ['!=', '!='],
  ['<>', '!='],
  ['<', '<'],
  ['>', '>'],
  ['<=', '<='],
  ['>=', '>='],
]);

/** Methods and the majors from which there are; datetime and the like take arguments. */
const methods = new Map([
  ...['type', 'size', 'abs', 'floor', 'ceiling', 'double', 'keyvalue'].map((name) => [name, 12] as const),
  ['datetime', 13],
  ...[
    'bigint',
    'boolean',
    'date',
    'decimal',
    'integer',
    'number',
    'string',
    'time',
    'time_tz',
    'timestamp',
    'timestamp_tz',
  ].map((name) => [name, 17] as const),
]);
const withArguments = new Set(['datetime', 'decimal', 'time', 'time_tz', 'timestamp', 'timestamp_tz']);

class PathParser {
  private readonly tokens: PathToken[];
  private at = 0;
  /** Inside a filter, where @ may stand; inside a subscript, where last may. */
  private filters = 0;
  private subscripts = 0;

  constructor(
    text: string,
    private readonly major: number,
  ) {
    this.tokens = splitPath(text, major);
  }

  parse(): string {
    const strict = this.takeWord('strict');
    if (!strict) this.takeWord('lax');
    const part = this.expression(0);
    if (this.peek().kind !== 'end') throw this.unexpected();
    return (strict ? 'strict ' : '') + (part.priority < primaryPriority ? `(${part.text})` : part.text);
  }

  /** Operators of at least this priority. */
  private expression(lowest: number): Part {
    let left = this.unary();
    for (;;) {
      const next = this.binary(left, lowest);
      if (next === undefined) return left;
      left = next;
    }
  }

  private binary(left: Part, lowest: number): Part | undefined {
    const token = this.peek();
    const operator = token.kind === 'word' ? this.wordOperator() : (comparisons.get(token.text) ?? token.text);
    const priority = token.kind === 'symbol' || token.kind === 'word' ? priorities.get(operator) : undefined;
    if (priority === undefined || priority < lowest) return undefined;
    if (left.isPredicate !== priority < 2) throw this.unexpected();
    this.at++;
    if (operator === 'starts with') return this.startsWith(left);
    if (operator === 'like_regex') return this.likeRegex(left);
    const right = this.expression(priority + 1);
    if (right.isPredicate !== priority < 2) throw this.unexpected();
    const text = `${enclose(left, priority)} ${operator} ${enclose(right, priority)}`;
    return { text, priority, isPredicate: priority <= 2 };
  }

  private wordOperator(): string {
    const word = this.peek().value.toLowerCase();
    return word === 'starts' ? 'starts with' : word;
  }

  private startsWith(left: Part): Part {
    if (!this.takeWord('with')) throw this.unexpected();
    const token = this.tokens[this.at++]!;
    if (token.kind !== 'string' && token.kind !== 'variable') throw this.unexpected(-1);
    const start = (token.kind === 'variable' ? '$' : '') + printJsonString(token.value);
    return { text: `${enclose(left, 2)} starts with ${start}`, priority: 2, isPredicate: true };
  }

  private likeRegex(left: Part): Part {
    const pattern = this.string();
    let text = `${enclose(left, primaryPriority)} like_regex ${printJsonString(pattern)}`;
    if (this.takeWord('flag')) {
      const flags = this.string();
      const bad = /[^ismxq]/u.exec(flags)?.[0];
      if (bad !== undefined) throw new ValueError('42601', 'invalid input syntax for type jsonpath');
      if (flags.includes('x')) {
        throw new ValueError('0A000', 'XQuery "x" flag (expanded regular expressions) is not implemented');
      }
      const sorted = ['i', 's', 'm', 'q'].filter((flag) => flags.includes(flag)).join('');
      if (sorted !== '') text += ` flag "${sorted}"`;
    }
    return { text, priority: 2, isPredicate: true };
  }

  private string(): string {
    const token = this.tokens[this.at++]!;
    if (token.kind !== 'string') throw this.unexpected(-1);
    return token.value;
  }

  private unary(): Part {
    if (this.take('!')) return this.negation();
    for (const sign of ['+', '-']) {
      if (!this.take(sign)) continue;
      const operand = this.expression(unaryPriority);
      if (operand.isPredicate) throw this.unexpected();
      if (operand.isNumber === true) return sign === '-' ? { ...operand, text: negate(operand.text) } : operand;
      return { text: sign + enclose(operand, unaryPriority), priority: unaryPriority, isPredicate: false };
    }
    return this.accessors(this.primary());
  }

  private negation(): Part {
    const operand = this.unary();
    if (!operand.isPredicate || (operand.enclosed !== true && !operand.text.startsWith('exists (')))
      throw this.unexpected();
    return { text: `!(${operand.text})`, priority: primaryPriority, isPredicate: true };
  }

  private primary(): Part {
    const token = this.tokens[this.at++]!;
    const plain = (text: string): Part => ({ text, priority: primaryPriority, isPredicate: false });
    switch (token.kind) {
      case 'string':
        return plain(printJsonString(token.value));
      case 'variable':
        return plain(`$${printJsonString(token.value)}`);
      case 'number':
        return { ...plain(inputNumeric(token.text, -1, this.major)), isNumber: true };
      case 'word':
        return this.keyword(token);
      case 'symbol':
        if (token.text === '$') return plain('$');
        if (token.text === '@') return this.current();
        if (token.text === '(') return this.parenthesized();
        throw this.unexpected(-1);
      case 'end':
        throw this.unexpected(-1);
    }
  }

  private current(): Part {
    if (this.filters === 0) throw new ValueError('42601', '@ is not allowed in root expressions');
    return { text: '@', priority: primaryPriority, isPredicate: false };
  }

  private keyword(token: PathToken): Part {
    const plain = { priority: primaryPriority, isPredicate: false };
    if (['null', 'true', 'false'].includes(token.text)) return { ...plain, text: token.text };
    switch (token.value.toLowerCase()) {
      case 'last':
        if (this.subscripts === 0) throw new ValueError('42601', 'LAST is allowed only in array subscripts');
        return { ...plain, text: 'last' };
      case 'exists': {
        this.expect('(');
        const part = this.expression(3);
        this.expect(')');
        return { text: `exists (${part.text})`, priority: primaryPriority, isPredicate: true };
      }
      default:
        throw this.unexpected(-1);
    }
  }

  private parenthesized(): Part {
    const part = this.expression(0);
    this.expect(')');
    if (part.isPredicate && this.takeWord('is')) {
      if (!this.takeWord('unknown')) throw this.unexpected();
      return { text: `(${part.text}) is unknown`, priority: primaryPriority, isPredicate: true };
    }
    return { ...part, enclosed: true };
  }

  /** Keys, subscripts, filters and methods behind a value. */
  private accessors(start: Part): Part {
    let text = '';
    while (this.startsAccessor()) text += this.accessor();
    if (text === '') return start;
    const isNumber = start.isNumber === true && this.major >= 15;
    const needsParentheses = start.priority < primaryPriority || isNumber || start.isPredicate;
    const base = needsParentheses ? `(${start.text})` : start.text;
    return { text: base + text, priority: primaryPriority, isPredicate: false };
  }

  private startsAccessor(): boolean {
    return this.peek().kind === 'symbol' && ['.', '[', '?'].includes(this.peek().text);
  }

  private accessor(): string {
    if (this.take('[')) return this.subscript();
    if (this.take('?')) {
      this.expect('(');
      this.filters++;
      const filter = this.expression(0);
      if (!filter.isPredicate) throw this.unexpected();
      this.filters--;
      this.expect(')');
      return `?(${filter.text})`;
    }
    this.expect('.');
    if (this.take('**')) return `.**${this.levels()}`;
    if (this.take('*')) return '.*';
    const token = this.tokens[this.at++]!;
    if (token.kind !== 'word' && token.kind !== 'string') throw this.unexpected(-1);
    const since = methods.get(token.value);
    const isMethod = token.kind === 'word' && since !== undefined && since <= this.major && this.take('(');
    return isMethod ? this.method(token.value) : `.${printJsonString(token.value)}`;
  }

  private method(name: string): string {
    const values: string[] = [];
    while (withArguments.has(name) && this.peek().text !== ')') {
      if (values.length > 0) this.expect(',');
      values.push(this.unary().text);
    }
    this.expect(')');
    return `.${name}(${values.join(',')})`;
  }

  private subscript(): string {
    if (this.take('*')) {
      this.expect(']');
      return '[*]';
    }
    const items: string[] = [];
    this.subscripts++;
    do {
      const from = this.expression(3).text;
      items.push(this.takeWord('to') ? `${from} to ${this.expression(3).text}` : from);
    } while (this.take(','));
    this.subscripts--;
    this.expect(']');
    return `[${items.join(',')}]`;
  }

  /** `{2}`, `{1 to last}` behind `**`. */
  private levels(): string {
    if (!this.take('{')) return '';
    const from = this.level();
    const to = this.takeWord('to') ? this.level() : from;
    this.expect('}');
    if (from === '0' && to === 'last') return '';
    return from === to ? `{${from}}` : `{${from} to ${to}}`;
  }

  private level(): string {
    if (this.takeWord('last')) return 'last';
    const token = this.tokens[this.at++]!;
    if (token.kind !== 'number' || !/^\d+$/.test(token.text)) throw this.unexpected(-1);
    return token.text;
  }

  private peek(): PathToken {
    return this.tokens[this.at]!;
  }

  private take(symbol: string): boolean {
    const found = this.peek().kind === 'symbol' && this.peek().text === symbol;
    if (found) this.at++;
    return found;
  }

  private takeWord(word: string): boolean {
    const found = this.peek().kind === 'word' && this.peek().value.toLowerCase() === word;
    if (found) this.at++;
    return found;
  }

  private expect(symbol: string): void {
    if (!this.take(symbol)) throw this.unexpected();
  }

  private unexpected(offset = 0): ValueError {
    const token = this.tokens[this.at + offset]!;
    // A word is only known to be over when what follows has been read.
    const isLastWord = token.kind === 'word' && this.tokens[this.at + offset + 1]!.kind === 'end';
    return syntaxError(isLastWord ? '' : token.text);
  }
}

function enclose(part: Part, priority: number): string {
  return part.priority <= priority && part.priority < primaryPriority ? `(${part.text})` : part.text;
}

function negate(number: string): string {
  return number.startsWith('-') ? number.slice(1) : /[1-9]/.test(number) ? `-${number}` : number;
}

function inputJsonPath(text: string, _typeModifier: number, major: number): string {
  if (text.trim() === '') throw invalidSyntax('jsonpath', text);
  return new PathParser(text, major).parse();
}

/** The version byte 1, then the text. */
function sendJsonPath(canonical: string): Uint8Array {
  return concatBytes([Uint8Array.of(1), utf8(canonical)]);
}

export const jsonPathTypes = [
  builtinType(4072, 'jsonpath', -1, 4073, { input: inputJsonPath, send: sendJsonPath }, 12),
];
