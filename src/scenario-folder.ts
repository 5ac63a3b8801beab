/** Scenarios in files: reads one with the files that it includes. */
import { isUtf8 } from 'node:buffer';
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readScenario, type LoadOptions, type LoadResult } from './scenario/index.js';

/**
 * Text is told from a path by a line break or a brace, which no path of a scenario has.
 * @throws Error when the file cannot be read; mistakes in it are in the result
 */
export function readScenarioFile(pathOrText: string | URL, options: Omit<LoadOptions, 'readFile'>): LoadResult {
  if (typeof pathOrText === 'string' && /[\n{]/.test(pathOrText)) return readScenario(pathOrText, options);
  const path = pathOrText instanceof URL ? fileURLToPath(pathOrText) : pathOrText;
  const file = path.split(sep).join('/');
  return readScenario(readText(path), {
    file,
    ...options,
    readFile: (name) => readInside(dirname(path), name),
  });
}

/** A link must not lead out of the folder either. */
function readInside(folder: string, name: string): string {
  const path = realpathSync(join(folder, name));
  if (relative(realpathSync(folder), path).startsWith('..'))
    throw new Error('it is a link out of the folder of the scenario');
  return readText(path);
}

/** A file of another encoding. */
export class NotUtf8 extends Error {
  constructor() {
    super('the file is not UTF-8 text');
  }
}

/** Characters that were replaced would be other data. @throws NotUtf8 */
function readText(path: string): string {
  const bytes = readFileSync(path);
  if (!isUtf8(bytes)) throw new NotUtf8();
  return bytes.toString('utf8');
}
