/** SQL's lexical structure, as far as expressions need it (manual: "Lexical Structure"). */
import { expressionError } from './expression-error.js';

export interface Token {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'operator' | 'end';
  /** Of a word folded to lower case, of a string its value, else as it stands. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const patterns = {
  space: /(?:\s+|--[^\n]*|\/\*[\s\S]*?\*\/)+/y,
  word: /[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*/y,
  quoted: /"((?:[^"]|"")+)"/y,
  string: /'((?:[^']|'')*)'/y,
  escaped: /[eE]'((?:[^'\\]|''|\\[\s\S])*)'/y,
  number: /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y,
  punctuation: /::|[(),[\].]/y,
  operator: /[-+*/<>=~!@#%^&|`?]+/y,
};

/** @throws StatementError 42601 with the position */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const take = (kind: Token['kind'], length: number, value: string): void => {
    tokens.push({ kind, text: value, start: at, end: at + length });
    at += length;
  };
  for (;;) {
    at += match(patterns.space)?.[0].length ?? 0;
    if (at >= text.length) break;
    const escaped = match(patterns.escaped);
    const string = escaped ?? match(patterns.string);
    const quoted = match(patterns.quoted);
    const word = match(patterns.word);
    const number = match(patterns.number);
    const operator = match(patterns.punctuation)?.[0] ?? operatorIn(match(patterns.operator)?.[0] ?? '');
    if (string !== null) {
      const value = string[1]!.replaceAll("''", "'");
      take('string', string[0].length, escaped === null ? value : unescape(value, at));
    } else if (quoted !== null) take('quoted', quoted[0].length, quoted[1]!.replaceAll('""', '"'));
    else if (word !== null) take('word', word[0].length, word[0].toLowerCase());
    else if (number !== null) take('number', number[0].length, number[0]);
    else if (operator !== '') take('operator', operator.length, operator);
    else {
      const what = /['"]/.exec(text[at]!) ? 'unterminated quoted string' : 'syntax error';
      throw expressionError('42601', `${what} at or near "${text.slice(at, at + 20)}"`, at);
    }
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length });
  return tokens;
}

/** As much of a run of operator characters as is one operator: a trailing sign belongs to what follows, unless … */
function operatorIn(run: string): string {
  let operator = run.replace(/(?:--|\/\*).*/, '');
  while (operator.length > 1 && /[-+]$/.test(operator) && !/[~!@#%^&|`?]/.test(operator))
    operator = operator.slice(0, -1);
  return operator;
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

function unescape(text: string, at: number): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{4}|[0-7]{1,3}|[\s\S])/g, (_, code: string) => {
    if (code.length > 1 && /^[xu]/.test(code)) return String.fromCharCode(parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(parseInt(code, 8));
    if (code === 'x' || code === 'u') throw expressionError('22025', 'invalid Unicode escape', at);
    return escapes[code] ?? code;
  });
}
