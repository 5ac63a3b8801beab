/**
 * Libraries that most runs do without, loaded when they are first needed. CommonJS in both builds, since only require()
 * loads at once and not with a promise.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- the point of this file */
import type { Faker } from '@faker-js/faker';

/** `codeFrameColumns`, as far as it is used. Its own types are no dependency of ours, and of our users' neither. */
type CodeFrame = (
  text: string,
  place: { readonly start: LineColumn; readonly end?: LineColumn },
  options: { readonly forceColor: boolean; readonly linesAbove: number; readonly linesBelow: number },
) => string;

/** Both from 1. */
interface LineColumn {
  readonly line: number;
  readonly column: number;
}

/** One locale: all of them take six times as long to load. */
export function loadFaker(): Faker {
  return (require('@faker-js/faker/locale/en') as { faker: Faker }).faker;
}

export function loadCodeFrame(): CodeFrame {
  return (require('@babel/code-frame') as { codeFrameColumns: CodeFrame }).codeFrameColumns;
}
