/** Which files a SCENARIO argument means: a file, a directory (its `*.yaml`, recursively) or a glob. */
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { Exit } from './exit.js';

/** In the order of the arguments, sorted within each, without repetitions. @throws Exit if an argument means none. */
export async function scenarioPaths(patterns: readonly string[]): Promise<string[]> {
  const paths = new Set<string>();
  for (const pattern of patterns) {
    const found = await expand(pattern);
    if (found.length === 0) throw new Exit(1, `${pattern}: no scenario file found`);
    for (const path of found) paths.add(path);
  }
  return [...paths];
}

async function expand(pattern: string): Promise<string[]> {
  // A file is meant as it is named, even if its name has brackets.
  const entry = await stat(pattern).catch(() => undefined);
  if (entry?.isFile()) return [pattern];
  const { glob, escapePath } = await import('tinyglobby');
  const files = entry?.isDirectory() ? `${escapePath(pattern.replace(/\/+$/, ''))}/**/*.yaml` : pattern;
  return (await glob(files, { expandDirectories: false, absolute: isAbsolute(pattern) })).sort();
}
