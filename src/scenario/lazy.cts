/**
 * Libraries that most runs do without, loaded when they are first needed. CommonJS in both builds, since only require()
 * loads at once and not with a promise.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- the point of this file */
import type { codeFrameColumns as CodeFrameColumns } from '@babel/code-frame';
import type { Faker } from '@faker-js/faker';

/** One locale: all of them take six times as long to load. */
export function loadFaker(): Faker {
  return (require('@faker-js/faker/locale/en') as { faker: Faker }).faker;
}

export function loadCodeFrame(): typeof CodeFrameColumns {
  return (require('@babel/code-frame') as { codeFrameColumns: typeof CodeFrameColumns }).codeFrameColumns;
}
