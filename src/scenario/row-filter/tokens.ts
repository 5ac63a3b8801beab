/** Tokens of an SQL expression (manual, "Lexical Structure"). */

export interface Token {
  /** Words are unquoted names and keywords, in lower case. */
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'symbol' | 'end';
  readonly text: string;
  /** Offset in the expression's text. */
  readonly start: number;
  readonly end: number;
}

export class RowFilterError extends Error {
  constructor(
    message: string,
    readonly start: number,
    readonly end: number,
    /** SQLSTATE with which a real server refuses it; null for what is only not supported here. */
    readonly sqlState: string | null,
  ) {
    super(message);
    this.name = 'RowFilterError';
  }
}

const pattern =
  /\s*(?:(--[^\n]*)|([\p{L}_][\p{L}\p{N}_$]*)|"((?:[^"]|"")+)"|(?:[eE]?)'((?:[^']|'')*)'|(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|(::|[<>!=]=|<>|\|\||[-+*/%^~@#&|<>=!?]+|[().,[\]:;]))/uy;

/** @throws RowFilterError 42601 */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  const length = text.trimEnd().length;
  while (pattern.lastIndex < length) {
    const from = pattern.lastIndex;
    const match = pattern.exec(text);
    if (match === null) {
      const start = from + /^\s*/.exec(text.slice(from))![0].length;
      throw new RowFilterError(`syntax error at or near "${text.slice(start)}"`, start, length, '42601');
    }
    const [whole, comment, word, quoted, string, number, symbol] = match;
    if (comment !== undefined) continue;
    const end = pattern.lastIndex;
    const start = end - whole.trimStart().length;
    if (word !== undefined) tokens.push({ kind: 'word', text: word.toLowerCase(), start, end });
    else if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted.replaceAll('""', '"'), start, end });
    else if (string !== undefined) {
      if (/^e/i.test(whole.trimStart())) {
        throw new RowFilterError("strings with escapes (E'…') are not supported here", start, end, null);
      }
      tokens.push({ kind: 'string', text: string.replaceAll("''", "'"), start, end });
    } else if (number !== undefined) {
      if (/[\p{L}_]/u.test(text[end] ?? '')) {
        const junk = text.slice(start, end + 1);
        throw new RowFilterError(`trailing junk after numeric literal at or near "${junk}"`, start, end + 1, '42601');
      }
      tokens.push({ kind: 'number', text: number, start, end });
    } else tokens.push({ kind: 'symbol', text: symbol!, start, end });
  }
  tokens.push({ kind: 'end', text: '', start: length, end: length });
  return tokens;
}
