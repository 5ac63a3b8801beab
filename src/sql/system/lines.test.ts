import { describe, it, expect } from '@jest/globals';
import { cell, linesOf, wordsOf } from './lines.js';

describe('recorded lines', () => {
  const text = '\nalways\n[14-]new\n[-13]old\n[11-12]between\n';

  it('hold for the majors in front of them', () => {
    expect(linesOf(text, 10)).toEqual(['always', 'old']);
    expect(linesOf(text, 12)).toEqual(['always', 'old', 'between']);
    expect(linesOf(text, 14)).toEqual(['always', 'new']);
  });

  it('hold for majors later than the last one recorded', () => {
    expect(linesOf(text, 20)).toEqual(['always', 'new']);
  });

  it('consist of words that hold for majors too', () => {
    expect(wordsOf('a [-12]b [13-]c', 13)).toEqual(['a', 'c']);
  });

  it('have signs for NULL, nothing and blanks', () => {
    expect(['~', "''", 'a␣b', undefined].map(cell)).toEqual([null, '', 'a b', null]);
  });
});
