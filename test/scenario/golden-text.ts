/** Expected texts in files of their own, to be read as a whole. `UPDATE_GOLDENS=1` writes them anew, for review. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from '@jest/globals';

export function expectGolden(file: string, actual: string): void {
  if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(file, actual);
  expect(actual).toBe(readFileSync(file, 'utf8'));
}
