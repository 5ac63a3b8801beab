/** Tokens of jsonpath literals. */
import { ValueError } from './pg-type.js';

export interface PathToken {
  readonly kind: 'word' | 'string' | 'variable' | 'number' | 'symbol' | 'end';
  /** As written. */
  readonly text: string;
  /** Without quotes and escapes. */
  readonly value: string;
  readonly start: number;
}

const blank = /(?:[ \t\n\r\f]|\/\*(?:[^*]|\*(?!\/))*\*\/)*/y;
const symbol = /&&|\|\||\*\*|==|!=|<>|<=|>=|[!=<>*[\](){}?.,+\-/%$@]/y;
const string = /"((?:[^"\\]|\\[\s\S])*)"/y;
const variable = /\$(?:"((?:[^"\\]|\\[\s\S])*)"|((?:[^\s?%$.[\]{}()|&!=<>@#,*:+\-/"\\]|\\[\s\S])+))/y;
const word = /(?:[^\s?%$.[\]{}()|&!=<>@#,*:+\-/"\\]|\\[\s\S])+/y;
/** Until 14 digits and letters together are a word. */
const oldNumber = /\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w\\])/y;
const decimal = /(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
/** From 16: also underscores and other radixes. */
const modernNumber =
  /0[xX][0-9a-fA-F](?:_?[0-9a-fA-F])*|0[oO][0-7](?:_?[0-7])*|0[bB][01](?:_?[01])*|(?:(?:0|[1-9](?:_?\d)*)(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?/y;

/** @throws ValueError 42601 */
export function splitPath(text: string, major: number): PathToken[] {
  const tokens: PathToken[] = [];
  let at = 0;
  const numberForm = major >= 16 ? modernNumber : major >= 15 ? decimal : oldNumber;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const push = (kind: PathToken['kind'], found: RegExpExecArray, value: string): void => {
    tokens.push({ kind, text: found[0], value, start: at });
    at += found[0].length;
  };
  for (;;) {
    at += match(blank)![0].length;
    if (at >= text.length) break;
    const number = match(numberForm);
    const found = number ?? match(variable) ?? match(string) ?? match(symbol) ?? match(word);
    if (found === null) throw syntaxError(text.slice(at));
    if (number !== null) pushNumber(number);
    else if (found[0].startsWith('"')) push('string', found, unescape(found[1]!));
    else if (found[0].startsWith('$') && found[0].length > 1) push('variable', found, unescape(found[1] ?? found[2]!));
    else if (/^[\w\\\u0080-\uffff'`~;^]/.test(found[0])) push('word', found, unescape(found[0]));
    else push('symbol', found, found[0]);
  }
  tokens.push({ kind: 'end', text: '', value: '', start: text.length });
  return tokens;

  function pushNumber(found: RegExpExecArray): void {
    push('number', found, found[0]);
    const junk = match(word)?.[0];
    if (junk !== undefined) {
      // 15 takes the longer of the two for a word.
      if (major === 15 && junk.length > 1) throw syntaxError('');
      // Only the first character of what follows is shown.
      const shown = found[0] + String.fromCodePoint(junk.codePointAt(0)!);
      throw new ValueError('42601', `trailing junk after numeric literal at or near "${shown}" of jsonpath input`);
    }
  }
}

export function syntaxError(near: string): ValueError {
  return new ValueError(
    '42601',
    near === '' ? 'syntax error at end of jsonpath input' : `syntax error at or near "${near}" of jsonpath input`,
  );
}

const singleEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function unescape(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/gu,
    (_, braced?: string, four?: string, two?: string, single?: string) => {
      const code = braced ?? four ?? two;
      if (code === undefined) return singleEscapes[single!] ?? single!;
      const point = parseInt(code, 16);
      if (point === 0) throw new ValueError('22P05', 'unsupported Unicode escape sequence');
      return four === undefined ? String.fromCodePoint(point) : String.fromCharCode(point);
    },
  );
}
