/**
 * tsquery: words, each perhaps with weights and a * for prefixes, and operators between them. `a & (b & c)` prints as
 * `a & b & c`, and is sent as that here: the server sends it as it was grouped.
 */
import { concatBytes, int16Bytes, int32Bytes, utf8 } from './big-endian.js';
import { LexemeReader, quoteLexeme } from './lexeme-reader.js';
import { builtinType, ValueError } from './pg-type.js';

type Query =
  | { readonly kind: 'word'; readonly word: string; readonly weights: number; readonly prefix: boolean }
  | { readonly kind: 'not'; readonly operand: Query }
  | { readonly kind: BinaryOperator; readonly left: Query; readonly right: Query; readonly distance: number };
type BinaryOperator = 'and' | 'or' | 'phrase';

const priorities = { or: 1, and: 2, phrase: 3, not: 4 } as const;
const maxDistance = 16_384;

/** `<->`, `<2>` */
const phraseOperator = /^<(-|\d+)>/;

class QueryParser {
  private readonly reader: LexemeReader;

  constructor(private readonly text: string) {
    this.reader = new LexemeReader(text, true, () => this.syntaxError());
  }

  /** Null for a query without words. */
  parse(): Query | null {
    this.reader.skipSpace();
    if (this.reader.peek() === undefined) return null;
    const query = this.binary(0);
    if (this.reader.peek() !== undefined) throw this.syntaxError();
    return query;
  }

  /** Operators of higher priority than `above`, from left to right. */
  private binary(above: number): Query {
    let left = this.operand();
    for (;;) {
      const operator = this.operator();
      if (operator === undefined || priorities[operator.kind] <= above) return left;
      this.reader.at += operator.length;
      left = { kind: operator.kind, left, right: this.binary(priorities[operator.kind]), distance: operator.distance };
    }
  }

  private operand(): Query {
    this.reader.skipSpace();
    const character = this.reader.peek();
    if (character === '!') {
      this.reader.at++;
      return { kind: 'not', operand: this.operand() };
    }
    if (character === '(') {
      this.reader.at++;
      const query = this.binary(0);
      if (this.reader.peek() !== ')') throw this.syntaxError();
      this.reader.at++;
      return query;
    }
    if (character === ':') throw this.syntaxError();
    if (character === undefined) throw new ValueError('42601', `no operand in tsquery: "${this.text}"`);
    const word = this.reader.word()!;
    return { kind: 'word', word, ...this.flags() };
  }

  /** `:*AB` */
  private flags(): { weights: number; prefix: boolean } {
    const flags = /^:([A-Da-d*]*)/.exec(this.text.slice(this.reader.at));
    this.reader.at += flags?.[0].length ?? 0;
    let weights = 0;
    for (const flag of flags?.[1]?.toUpperCase() ?? '') {
      if (flag !== '*') weights |= 1 << 'DCBA'.indexOf(flag);
    }
    return { weights, prefix: flags?.[1]?.includes('*') ?? false };
  }

  private operator(): { kind: BinaryOperator; distance: number; length: number } | undefined {
    this.reader.skipSpace();
    const character = this.reader.peek();
    if (character === '&') return { kind: 'and', distance: 0, length: 1 };
    if (character === '|') return { kind: 'or', distance: 0, length: 1 };
    if (character === undefined || character === ')') return undefined;
    const phrase = phraseOperator.exec(this.text.slice(this.reader.at));
    if (phrase === null) throw this.syntaxError();
    const distance = phrase[1] === '-' ? 1 : Number(phrase[1]);
    if (distance > maxDistance) {
      const message = `distance in phrase operator must be an integer value between zero and ${maxDistance} inclusive`;
      throw new ValueError('22023', message);
    }
    return { kind: 'phrase', distance, length: phrase[0].length };
  }

  private syntaxError(): ValueError {
    return new ValueError('42601', `syntax error in tsquery: "${this.text}"`);
  }
}

/** @param isRightOfPhrase phrases group from the left: one on the right needs parentheses */
function print(query: Query, outerPriority: number, isRightOfPhrase: boolean): string {
  if (query.kind === 'word') return quoteLexeme(query.word) + printFlags(query);
  const priority = priorities[query.kind];
  const enclosed = priority < outerPriority || (query.kind === 'phrase' && isRightOfPhrase);
  const text = query.kind === 'not' ? `!${print(query.operand, priority, false)}` : printBinary(query, priority);
  return enclosed ? `( ${text} )` : text;
}

function printBinary(query: Exclude<Query, { kind: 'word' | 'not' }>, priority: number): string {
  const phrase = query.distance === 1 ? '<->' : `<${query.distance}>`;
  const operator = query.kind === 'and' ? '&' : query.kind === 'or' ? '|' : phrase;
  const right = print(query.right, priority, query.kind === 'phrase');
  return `${print(query.left, priority, false)} ${operator} ${right}`;
}

function printFlags({ weights, prefix }: { weights: number; prefix: boolean }): string {
  if (weights === 0 && !prefix) return '';
  const letters = ['A', 'B', 'C', 'D'].filter((_, i) => (weights & (8 >> i)) !== 0);
  return `:${prefix ? '*' : ''}${letters.join('')}`;
}

function inputTsquery(text: string): string {
  const query = new QueryParser(text).parse();
  return query === null ? '' : print(query, -1, false);
}

const operatorCodes = { not: 1, and: 2, or: 3, phrase: 4 } as const;

/** Int32 count of words and operators; then these, an operator before its right and its left operand. */
function sendTsquery(canonical: string): Uint8Array {
  const query = new QueryParser(canonical).parse();
  const items: Uint8Array[] = [];
  if (query !== null) pushItems(items, query);
  return concatBytes([int32Bytes(items.length), ...items]);
}

function pushItems(items: Uint8Array[], query: Query): void {
  if (query.kind === 'word') {
    items.push(concatBytes([Uint8Array.of(1, query.weights, query.prefix ? 1 : 0), utf8(`${query.word}\0`)]));
    return;
  }
  const header = Uint8Array.of(2, operatorCodes[query.kind]);
  items.push(query.kind === 'phrase' ? concatBytes([header, int16Bytes(query.distance)]) : header);
  if (query.kind === 'not') {
    pushItems(items, query.operand);
  } else {
    pushItems(items, query.right);
    pushItems(items, query.left);
  }
}

export const tsqueryTypes = [builtinType(3615, 'tsquery', -1, 3645, { input: inputTsquery, send: sendTsquery })];
