/** The grammar of row filters: the part of SQL's expressions that their conditions are made of. */
import { RowFilterError, tokenize, type Token } from './tokens.js';

interface At {
  readonly start: number;
  readonly end: number;
}

export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export type Expression = At &
  (
    | { readonly kind: 'column'; readonly name: string }
    /** Text of a literal in quotes, digits of a number, `t` or `f`, null. */
    | { readonly kind: 'literal'; readonly type: 'string' | 'number' | 'boolean' | 'null'; readonly text: string }
    | { readonly kind: 'not'; readonly operand: Expression }
    | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
    | {
        readonly kind: 'comparison';
        readonly operator: ComparisonOperator;
        readonly left: Expression;
        readonly right: Expression;
      }
    | { readonly kind: 'distinct'; readonly negated: boolean; readonly left: Expression; readonly right: Expression }
    | { readonly kind: 'isNull'; readonly negated: boolean; readonly operand: Expression }
    | {
        readonly kind: 'isTruth';
        readonly truth: boolean | null;
        readonly negated: boolean;
        readonly operand: Expression;
      }
    | { readonly kind: 'like'; readonly ignoreCase: boolean; readonly left: Expression; readonly right: Expression }
    | {
        readonly kind: 'arithmetic';
        readonly operator: '+' | '-' | '*' | '%';
        readonly left: Expression;
        readonly right: Expression;
      }
    | { readonly kind: 'negative'; readonly operand: Expression }
    | { readonly kind: 'cast'; readonly operand: Expression; readonly typeName: string }
    | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  );

/** @throws RowFilterError */
export function parseCondition(text: string): Expression {
  return new Parser(text).whole();
}

/** Recursive descent, a method for each level of precedence (manual, "Operator Precedence"), loosest first. */
class Parser {
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(private readonly text: string) {
    this.tokens = tokenize(text);
  }

  whole(): Expression {
    const expression = this.or();
    if (this.token.kind !== 'end') throw this.syntaxError();
    return expression;
  }

  private or(): Expression {
    let left = this.and();
    while (this.takeWord('or')) left = this.joined('or', left, this.and());
    return left;
  }

  private and(): Expression {
    let left = this.not();
    while (this.takeWord('and')) left = this.joined('and', left, this.not());
    return left;
  }

  private not(): Expression {
    const { start } = this.token;
    if (!this.takeWord('not')) return this.is();
    const operand = this.not();
    return { kind: 'not', operand, start, end: operand.end };
  }

  private is(): Expression {
    let left = this.comparison();
    for (;;) {
      const { start } = left;
      if (this.takeWord('isnull')) left = { kind: 'isNull', negated: false, operand: left, start, end: this.end };
      else if (this.takeWord('notnull')) left = { kind: 'isNull', negated: true, operand: left, start, end: this.end };
      else if (this.takeWord('is')) left = this.afterIs(left);
      else return left;
    }
  }

  private afterIs(operand: Expression): Expression {
    const { start } = operand;
    const negated = this.takeWord('not');
    const truths = { true: true, false: false, unknown: null };
    for (const [word, truth] of Object.entries(truths)) {
      if (this.takeWord(word)) return { kind: 'isTruth', truth, negated, operand, start, end: this.end };
    }
    if (this.takeWord('null')) return { kind: 'isNull', negated, operand, start, end: this.end };
    if (this.takeWord('distinct')) {
      this.expectWord('from');
      const right = this.comparison();
      return { kind: 'distinct', negated, left: operand, right, start, end: right.end };
    }
    throw this.syntaxError();
  }

  private comparison(): Expression {
    const left = this.range();
    const operator = ({ '!=': '<>' } as Record<string, string>)[this.token.text] ?? this.token.text;
    if (this.token.kind !== 'symbol' || !isComparison(operator)) return left;
    this.at++;
    const quantifier = ['any', 'some', 'all'].find((word) => this.takeWord(word));
    if (quantifier !== undefined) return this.quantified(left, operator, quantifier === 'all' ? 'and' : 'or');
    const right = this.range();
    return { kind: 'comparison', operator, left, right, start: left.start, end: right.end };
  }

  /** `= ANY (ARRAY[…])` is how the server itself writes IN. */
  private quantified(left: Expression, operator: ComparisonOperator, join: 'and' | 'or'): Expression {
    this.expectSymbol('(');
    let parentheses = 1;
    while (this.takeSymbol('(')) parentheses++;
    if (!this.takeWord('array')) throw this.unsupported('a subquery or an array other than ARRAY[…]');
    this.expectSymbol('[');
    const items = this.items(']');
    for (; parentheses > 1; parentheses--) this.expectSymbol(')');
    if (this.takeSymbol('::')) this.typeName();
    this.expectSymbol(')');
    return this.eachOf(left, operator, items, join);
  }

  /** BETWEEN, IN, LIKE */
  private range(): Expression {
    const left = this.other();
    const negated = this.peekWord('not') && ['between', 'in', 'like', 'ilike'].includes(this.tokens[this.at + 1]!.text);
    if (negated) this.at++;
    const test = this.rangeTest(left);
    return negated ? { kind: 'not', operand: test, start: left.start, end: test.end } : test;
  }

  private rangeTest(left: Expression): Expression {
    const { start } = left;
    if (this.takeWord('between')) {
      const low = this.other();
      this.expectWord('and');
      const high = this.other();
      const end = high.end;
      return this.joined(
        'and',
        { kind: 'comparison', operator: '>=', left, right: low, start, end: low.end },
        { kind: 'comparison', operator: '<=', left, right: high, start: high.start, end },
      );
    }
    if (this.takeWord('in')) {
      this.expectSymbol('(');
      return this.eachOf(left, '=', this.items(')'), 'or');
    }
    for (const word of ['like', 'ilike']) {
      if (!this.takeWord(word)) continue;
      const right = this.other();
      if (this.peekWord('escape')) throw this.unsupported('ESCAPE');
      return { kind: 'like', ignoreCase: word === 'ilike', left, right, start, end: right.end };
    }
    return left;
  }

  private eachOf(
    left: Expression,
    operator: ComparisonOperator,
    items: readonly Expression[],
    join: 'and' | 'or',
  ): Expression {
    const tests = items.map<Expression>((right) => {
      return { kind: 'comparison', operator, left, right, start: right.start, end: right.end };
    });
    return tests.reduce((all, test) => this.joined(join, all, test));
  }

  /** At least one, up to `close`. */
  private items(close: string): Expression[] {
    const items: Expression[] = [];
    do items.push(this.or());
    while (this.takeSymbol(','));
    this.expectSymbol(close);
    return items;
  }

  /** Operators that bind tighter than comparisons and looser than arithmetic: none of them is understood. */
  private other(): Expression {
    const left = this.sum();
    if (this.token.kind === 'symbol' && /^[~!@#&|?]|^<@$|^->/.test(this.token.text)) {
      throw this.unsupported(`the operator ${this.token.text}`);
    }
    return left;
  }

  private sum(): Expression {
    let left = this.product();
    for (;;) {
      const operator = (['+', '-'] as const).find((symbol) => this.takeSymbol(symbol));
      if (operator === undefined) return left;
      left = this.arithmetic(operator, left, this.product());
    }
  }

  private product(): Expression {
    let left = this.unary();
    for (;;) {
      if (this.peekSymbol('/') || this.peekSymbol('^')) throw this.unsupported(`the operator ${this.token.text}`);
      const operator = (['*', '%'] as const).find((symbol) => this.takeSymbol(symbol));
      if (operator === undefined) return left;
      left = this.arithmetic(operator, left, this.unary());
    }
  }

  private arithmetic(operator: '+' | '-' | '*' | '%', left: Expression, right: Expression): Expression {
    return { kind: 'arithmetic', operator, left, right, start: left.start, end: right.end };
  }

  private unary(): Expression {
    const { start } = this.token;
    if (this.takeSymbol('-')) {
      const operand = this.unary();
      return { kind: 'negative', operand, start, end: operand.end };
    }
    if (this.takeSymbol('+')) return this.unary();
    let operand = this.primary();
    while (this.takeSymbol('::')) operand = { kind: 'cast', operand, typeName: this.typeName(), start, end: this.end };
    return operand;
  }

  /** Words, modifiers and brackets of a type's name, for the parser of type names. */
  private typeName(): string {
    const { start, kind } = this.token;
    if (kind !== 'word' && kind !== 'quoted') throw this.syntaxError();
    this.at++;
    while (this.takeSymbol('.')) this.at++;
    while (['varying', 'precision', 'with', 'without', 'time', 'zone'].some((word) => this.takeWord(word)));
    if (this.takeSymbol('(')) {
      while (this.token.kind === 'number' || this.peekSymbol(',')) this.at++;
      this.expectSymbol(')');
    }
    while (this.takeSymbol('[')) this.expectSymbol(']');
    return this.text.slice(start, this.end);
  }

  private primary(): Expression {
    const { kind, text, start, end } = this.token;
    switch (kind) {
      case 'string':
      case 'number':
        this.at++;
        return { kind: 'literal', type: kind, text, start, end };
      case 'quoted':
        this.at++;
        return { kind: 'column', name: text, start, end };
      case 'word':
        return this.word();
      default:
        if (!this.takeSymbol('(')) throw this.syntaxError();
        if (this.peekWord('select')) throw this.unsupported('a subquery');
        return this.inParentheses();
    }
  }

  private inParentheses(): Expression {
    const inner = this.or();
    this.expectSymbol(')');
    return inner;
  }

  private word(): Expression {
    const { text, start, end } = this.token;
    this.at++;
    if (text === 'null') return { kind: 'literal', type: 'null', text: '', start, end };
    if (text === 'true' || text === 'false') return { kind: 'literal', type: 'boolean', text: text[0]!, start, end };
    if (text === 'cast') {
      this.expectSymbol('(');
      const operand = this.or();
      this.expectWord('as');
      const typeName = this.typeName();
      this.expectSymbol(')');
      return { kind: 'cast', operand, typeName, start, end: this.end };
    }
    if (this.token.kind === 'string') {
      // timestamp '2026-01-01': a literal of a type.
      const literal = this.primary();
      return { kind: 'cast', operand: literal, typeName: text, start, end: literal.end };
    }
    if (this.takeSymbol('(')) {
      const args = this.takeSymbol(')') ? [] : this.items(')');
      return { kind: 'call', name: text, args, start, end: this.end };
    }
    if (this.takeSymbol('.')) return this.primary();
    if (reserved.has(text)) throw this.syntaxError(-1);
    return { kind: 'column', name: text, start, end };
  }

  private joined(kind: 'and' | 'or', left: Expression, right: Expression): Expression {
    return { kind, left, right, start: left.start, end: right.end };
  }

  private get token(): Token {
    return this.tokens[this.at] ?? this.tokens.at(-1)!;
  }

  /** Of the token before. */
  private get end(): number {
    return this.tokens[this.at - 1]!.end;
  }

  private peekWord(word: string): boolean {
    return this.token.kind === 'word' && this.token.text === word;
  }

  private takeWord(word: string): boolean {
    const found = this.peekWord(word);
    if (found) this.at++;
    return found;
  }

  private expectWord(word: string): void {
    if (!this.takeWord(word)) throw this.syntaxError();
  }

  private peekSymbol(symbol: string): boolean {
    return this.token.kind === 'symbol' && this.token.text === symbol;
  }

  private takeSymbol(symbol: string): boolean {
    const found = this.peekSymbol(symbol);
    if (found) this.at++;
    return found;
  }

  private expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) throw this.syntaxError();
  }

  private syntaxError(offset = 0): RowFilterError {
    const { kind, text, start, end } = this.tokens[this.at + offset] ?? this.token;
    const where = kind === 'end' ? 'at end of input' : `at or near "${text}"`;
    return new RowFilterError(`syntax error ${where}`, start, end, '42601');
  }

  private unsupported(what: string): RowFilterError {
    const { start, end } = this.token;
    return new RowFilterError(`${what} is not supported in a row filter here`, start, end, null);
  }
}

function isComparison(text: string): text is ComparisonOperator {
  return ['=', '<>', '<', '<=', '>', '>='].includes(text);
}

const reserved = new Set(['and', 'or', 'not', 'in', 'between', 'like', 'ilike', 'is', 'from', 'as', 'case', 'select']);
