/**
 * Value expressions by operator precedence (manual: "Operator Precedence"), loosest first: OR, AND, NOT, IS, comparison,
 * BETWEEN IN LIKE, other operators, + -, * / %, unary sign, ::. BETWEEN and IN become what they stand for.
 */
import { expressionError, notAllowed } from './expression-error.js';
import { startOf, type Expression } from './syntax-tree.js';
import { tokenize, type Token } from './tokens.js';

const comparisons = ['=', '<>', '!=', '<', '>', '<=', '>='];
const likes: Readonly<Record<string, readonly [caseInsensitive: boolean, negated: boolean]>> = {
  '~~': [false, false],
  '~~*': [true, false],
  '!~~': [false, true],
  '!~~*': [true, true],
};
const tighter = ['+', '-', '*', '/', '%'];
const looser = [...comparisons, '::', '(', ')', ',', '[', ']', '.'];

/** @throws StatementError 42601, or 0A000 for what this parser does not know, with the position */
export function parseExpression(text: string): Expression {
  const parser = new Parser(text);
  const expression = parser.expression();
  parser.expectEnd();
  return expression;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(private readonly text: string) {
    this.#tokens = tokenize(text);
  }

  // Tokens.

  get #token(): Token {
    return this.#tokens[this.#at]!;
  }

  #is(text: string, ahead = 0): boolean {
    const token = this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
    return (token.kind === 'word' || token.kind === 'operator') && token.text === text;
  }

  #accept(...texts: string[]): boolean {
    if (!texts.every((text, i) => this.#is(text, i))) return false;
    this.#at += texts.length;
    return true;
  }

  #expect(text: string): void {
    if (!this.#accept(text)) throw this.#syntaxError();
  }

  expectEnd(): void {
    if (this.#token.kind !== 'end') throw this.#syntaxError();
  }

  #syntaxError(): Error {
    const { kind, start, end } = this.#token;
    const where = kind === 'end' ? 'at end of input' : `at or near "${this.text.slice(start, end)}"`;
    return expressionError('42601', `syntax error ${where}`, start);
  }

  // Precedence levels.

  expression(): Expression {
    let left = this.#conjunction();
    for (let { start } = this.#token; this.#accept('or'); { start } = this.#token) {
      left = { kind: 'or', operands: [left, this.#conjunction()], offset: start };
    }
    return left;
  }

  #conjunction(): Expression {
    let left = this.#negation();
    for (let { start } = this.#token; this.#accept('and'); { start } = this.#token) {
      left = { kind: 'and', operands: [left, this.#negation()], offset: start };
    }
    return left;
  }

  #negation(): Expression {
    const { start } = this.#token;
    return this.#accept('not') ? { kind: 'not', operand: this.#negation(), offset: start } : this.#tests();
  }

  #tests(): Expression {
    let operand = this.#comparison();
    for (;;) {
      const { start: offset } = this.#token;
      if (this.#accept('isnull')) operand = { kind: 'test', test: 'null', negated: false, operand, offset };
      else if (this.#accept('notnull')) operand = { kind: 'test', test: 'null', negated: true, operand, offset };
      else if (!this.#accept('is')) return operand;
      else {
        const negated = this.#accept('not');
        const test = (['null', 'true', 'false', 'unknown'] as const).find((name) => this.#accept(name));
        if (test !== undefined) operand = { kind: 'test', test, negated, operand, offset };
        else if (this.#accept('distinct', 'from')) {
          operand = { kind: 'distinct', negated, operands: [operand, this.#comparison()], offset };
        } else throw this.#syntaxError();
      }
    }
  }

  /** Comparisons do not chain: `a < b < c` is a syntax error. */
  #comparison(): Expression {
    const left = this.#pattern();
    const { kind, text: operator, start } = this.#token;
    if (kind !== 'operator' || !comparisons.includes(operator)) return left;
    this.#at++;
    const offset = start;
    const quantifier = (['any', 'some', 'all'] as const).find((word) => this.#is(word) && this.#is('(', 1));
    if (quantifier === undefined) return { kind: 'binary', operator, operands: [left, this.#pattern()], offset };
    this.#at++;
    return { kind: 'quantified', operator, all: quantifier === 'all', operands: [left, this.#parenthesized()], offset };
  }

  #pattern(): Expression {
    const value = this.#operators();
    const { start: offset } = this.#token;
    const negated = this.#is('not') && ['between', 'in', 'like', 'ilike'].some((word) => this.#is(word, 1));
    if (negated) this.#at++;
    const result = this.#between(value, offset) ?? this.#in(value, offset);
    if (result !== null) return negated ? { kind: 'not', operand: result, offset } : result;
    for (const word of ['like', 'ilike']) {
      if (this.#accept(word)) return this.#like(value, word === 'ilike', negated, offset);
    }
    if (this.#is('similar')) throw expressionError('0A000', 'SIMILAR TO is not supported here', offset);
    return value;
  }

  #between(value: Expression, offset: number): Expression | null {
    if (!this.#accept('between')) return null;
    const symmetric = this.#accept('symmetric');
    if (!symmetric) this.#accept('asymmetric');
    const low = this.#operators();
    this.#expect('and');
    const high = this.#operators();
    const within = (a: Expression, b: Expression): Expression => ({
      kind: 'and',
      operands: [
        { kind: 'binary', operator: '>=', operands: [value, a], offset },
        { kind: 'binary', operator: '<=', operands: [value, b], offset },
      ],
      offset,
    });
    return symmetric ? { kind: 'or', operands: [within(low, high), within(high, low)], offset } : within(low, high);
  }

  #in(value: Expression, offset: number): Expression | null {
    if (!this.#accept('in')) return null;
    this.#expect('(');
    if (this.#is('select')) throw notAllowed(startOf(value));
    return this.#list(')')
      .map((element): Expression => ({ kind: 'binary', operator: '=', operands: [value, element], offset }))
      .reduce((left, right) => ({ kind: 'or', operands: [left, right], offset }));
  }

  #like(value: Expression, caseInsensitive: boolean, negated: boolean, offset: number): Expression {
    const pattern = this.#operators();
    let escape: string | null = '\\';
    if (this.#accept('escape')) {
      const { kind, text } = this.#token;
      if (kind !== 'string' || Array.from(text).length > 1) throw this.#syntaxError();
      escape = text === '' ? null : text;
      this.#at++;
    }
    return { kind: 'like', caseInsensitive, negated, operands: [value, pattern], escape, offset };
  }

  #operators(): Expression {
    let left = this.#sum();
    for (;;) {
      const { kind, text: operator, start: offset } = this.#token;
      if (kind !== 'operator') return left;
      const like = likes[operator];
      if (like === undefined && operator !== '||') {
        if (tighter.includes(operator) || looser.includes(operator)) return left;
        throw expressionError('0A000', `the operator ${operator} is not supported here`, offset);
      }
      this.#at++;
      const operands = [left, this.#sum()] as const;
      left =
        like === undefined
          ? { kind: 'binary', operator, operands, offset }
          : { kind: 'like', caseInsensitive: like[0], negated: like[1], operands, escape: '\\', offset };
    }
  }

  #sum(): Expression {
    return this.#leftAssociative(['+', '-'], () => this.#product());
  }

  #product(): Expression {
    return this.#leftAssociative(['*', '/', '%'], () => this.#signed());
  }

  #leftAssociative(operators: readonly string[], operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const { kind, text: operator, start: offset } = this.#token;
      if (kind !== 'operator' || !operators.includes(operator)) return left;
      this.#at++;
      left = { kind: 'binary', operator, operands: [left, operand()], offset };
    }
  }

  #signed(): Expression {
    const { start: offset } = this.#token;
    for (const operator of ['-', '+'] as const) {
      if (this.#accept(operator)) return { kind: 'unary', operator, operand: this.#signed(), offset };
    }
    return this.#casts();
  }

  #casts(): Expression {
    let operand = this.#primary();
    for (let { start } = this.#token; this.#accept('::'); { start } = this.#token) {
      const typeOffset = this.#token.start;
      operand = { kind: 'cast', typeName: this.#typeName(), typeOffset, operand, offset: start };
    }
    return operand;
  }

  #primary(): Expression {
    const { kind, text, start: offset } = this.#token;
    if (kind === 'operator' && text === '(') return this.#parenthesized();
    if (kind === 'end' || kind === 'operator') throw this.#syntaxError();
    if (kind === 'word') return this.#word();
    this.#at++;
    if (kind === 'quoted') return this.#column(text, offset);
    return { kind: 'constant', value: text, type: kind, offset };
  }

  #parenthesized(): Expression {
    this.#expect('(');
    if (this.#is('select')) throw notAllowed(this.#token.start);
    const inner = this.expression();
    this.#expect(')');
    return inner;
  }

  #word(): Expression {
    const { text, start: offset } = this.#token;
    if (this.#accept('true')) return { kind: 'boolean', value: true, offset };
    if (this.#accept('false')) return { kind: 'boolean', value: false, offset };
    if (this.#accept('null')) return { kind: 'null', offset };
    if (this.#accept('case')) return this.#case(offset);
    if (this.#accept('cast', '(')) return this.#castCall(offset);
    if (this.#accept('array', '[')) return { kind: 'array', elements: this.#list(']'), offset };
    if (this.#is('(', 1)) return this.#call(text, offset);
    const typed = this.#typedConstant(offset);
    if (typed !== null) return typed;
    if (reserved.has(text)) throw this.#syntaxError();
    this.#at++;
    return this.#column(text, offset);
  }

  /** A column's name can be qualified with its table's, which can only be the one. */
  #column(name: string, offset: number): Expression {
    if (!this.#accept('.')) return { kind: 'column', name, offset };
    const { kind, text } = this.#token;
    if (kind !== 'word' && kind !== 'quoted') throw this.#syntaxError();
    this.#at++;
    return { kind: 'column', name: text, offset };
  }

  #case(offset: number): Expression {
    const subject = this.#is('when') ? null : this.expression();
    const whens = [];
    while (this.#accept('when')) {
      const when = this.expression();
      this.#expect('then');
      const condition: Expression =
        subject === null ? when : { kind: 'binary', operator: '=', operands: [subject, when], offset: when.offset };
      whens.push({ condition, result: this.expression() });
    }
    if (whens.length === 0) throw this.#syntaxError();
    const otherwise = this.#accept('else') ? this.expression() : null;
    this.#expect('end');
    return { kind: 'case', whens, otherwise, offset };
  }

  #castCall(offset: number): Expression {
    const operand = this.expression();
    this.#expect('as');
    const typeOffset = this.#token.start;
    const typeName = this.#typeName();
    this.#expect(')');
    return { kind: 'cast', typeName, typeOffset, operand, offset };
  }

  #call(name: string, offset: number): Expression {
    this.#at += 2;
    // position(a IN b) and substring(a FROM b FOR c) have a grammar of their own.
    const operands: Expression[] = [];
    if (!this.#accept(')')) {
      do operands.push(name === 'position' ? this.#operators() : this.expression());
      while (this.#accept(',') || this.#acceptsSeparator(name, operands.length));
      this.#expect(')');
    }
    return { kind: 'call', name, operands, offset };
  }

  #acceptsSeparator(name: string, count: number): boolean {
    if (name === 'position') return this.#accept('in');
    return name === 'substring' && this.#accept(count === 1 ? 'from' : 'for');
  }

  #list(close: string): Expression[] {
    const elements: Expression[] = [];
    if (close === ']' && this.#accept(close)) return elements;
    do elements.push(this.expression());
    while (this.#accept(','));
    this.#expect(close);
    return elements;
  }

  /** `date '2024-01-01'`; null where no type name followed by a string stands here. */
  #typedConstant(offset: number): Expression | null {
    const before = this.#at;
    const typeName = this.#typeName();
    const { kind, text, start } = this.#token;
    if (kind !== 'string') {
      this.#at = before;
      return null;
    }
    this.#at++;
    return {
      kind: 'cast',
      typeName,
      typeOffset: offset,
      operand: { kind: 'constant', value: text, type: 'string', offset: start },
      offset,
    };
  }

  /** The text of a type's name; what it means is for whoever resolves it. */
  #typeName(): string {
    const { kind, start } = this.#token;
    if (kind !== 'word' && kind !== 'quoted') throw this.#syntaxError();
    this.#at++;
    if (this.#accept('.')) this.#at++;
    this.#accept('precision');
    this.#accept('varying');
    if (this.#accept('(')) while (!this.#accept(')')) this.#skip();
    if (this.#accept('with', 'time', 'zone') || this.#accept('without', 'time', 'zone')) {
      // Part of the name.
    }
    while (this.#accept('[', ']'));
    return this.text.slice(start, this.#tokens[this.#at - 1]!.end);
  }

  #skip(): void {
    if (this.#token.kind === 'end') throw this.#syntaxError();
    this.#at++;
  }
}

/** Words that cannot be a column's name without quotes, of those that can stand in an expression. */
const reserved = new Set(
  'all and any array as asc between both case cast check collate column constraint current_catalog current_date current_role current_time current_timestamp current_user default desc distinct do else end except false for foreign from grant group having in initially intersect into is isnull lateral leading like ilike limit localtime localtimestamp not notnull null offset on only or order placing primary references returning select session_user similar some symmetric table then to trailing true union unique user using when where window with'.split(
    ' ',
  ),
);
