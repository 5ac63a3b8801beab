/** Words of text search literals: bare ones up to a delimiter, or in single quotes; a backslash takes the next character. */

import { ValueError } from './pg-type.js';

export class LexemeReader {
  at = 0;

  /**
   * @param isQuery operators and colons end a bare word
   * @param fail makes the error for a literal that is none
   */
  constructor(
    readonly text: string,
    private readonly isQuery: boolean,
    private readonly fail: () => Error,
  ) {}

  peek(): string | undefined {
    return this.text[this.at];
  }

  skipSpace(): void {
    while (/[ \t\n\v\f\r]/.test(this.text[this.at] ?? '')) this.at++;
  }

  /** The word here; undefined at the end. */
  word(): string | undefined {
    this.skipSpace();
    if (this.at >= this.text.length) return undefined;
    const word = this.peek() === "'" ? this.quoted() : this.bare();
    if (word === '') throw this.fail();
    return word;
  }

  private bare(): string {
    const end = this.isQuery ? /[ \t\n\v\f\r:!&|()<]/ : /[ \t\n\v\f\r:]/;
    const start = this.at;
    let word = '';
    for (; this.at < this.text.length; this.at++) {
      const character = this.text[this.at]!;
      // In a tsvector a colon can begin a word.
      if (end.test(character) && (this.isQuery || this.at > start)) break;
      word += character === '\\' ? this.escaped() : character;
    }
    return word;
  }

  private quoted(): string {
    let word = '';
    for (this.at++; ; this.at++) {
      const character = this.text[this.at];
      if (character === undefined) throw this.fail();
      if (character === "'") {
        this.at++;
        if (this.text[this.at] !== "'") return word;
      }
      word += character === '\\' ? this.escaped() : character;
    }
  }

  private escaped(): string {
    this.at++;
    const character = this.text[this.at];
    if (character === undefined) throw new ValueError('42601', `there is no escaped character: "${this.text}"`);
    return character;
  }
}

/** In single quotes, with quotes and backslashes doubled. */
export function quoteLexeme(word: string): string {
  return `'${word.replace(/['\\]/g, '$&$&')}'`;
}
