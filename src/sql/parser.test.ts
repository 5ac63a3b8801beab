import { beforeAll, describe, it, expect } from '@jest/globals';
import { WireError } from '../values/wire-error.js';
import { loadParser, parseStatements } from './parser.js';

beforeAll(loadParser);

function errorOf(text: string): Pick<WireError, 'code' | 'message' | 'position'> {
  try {
    parseStatements(text);
  } catch (error) {
    if (error instanceof WireError) return { code: error.code, message: error.message, position: error.position };
  }
  throw new Error('it parses');
}

describe('parseStatements', () => {
  it('takes a text apart', () => {
    expect(parseStatements("SELECT 'é'; ; SHOW x ;\n-- done").map(({ text }) => text)).toEqual([
      "SELECT 'é'",
      'SHOW x',
    ]);
    expect(parseStatements(' \n')).toEqual([]);
    expect(parseStatements('-- nothing')).toEqual([]);
  });

  it('gives the same trees for the same text', () => {
    expect(parseStatements('SELECT 1')).toBe(parseStatements('SELECT 1'));
  });

  // As servers answer.
  it.each([
    ['FOO BAR', 'syntax error at or near "FOO"', 1],
    ["SELECT 'é' FRM x", 'syntax error at or near "x"', 16],
    ['SELECT (', 'syntax error at end of input', 9],
    ["SELECT 'abc", 'unterminated quoted string at or near "\'abc"', 8],
    ['SELECT "x', 'unterminated quoted identifier at or near ""x"', 8],
  ])('refuses %j', (text, message, position) => {
    expect(errorOf(text)).toEqual({ code: '42601', message, position });
  });
});
