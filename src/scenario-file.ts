/** `fake-walsender/scenario`: scenarios from files and texts, SQL included. */
import type { LoadOptions, LoadResult } from './scenario/index.js';
import { readScenarioFile } from './scenario-folder.js';
import { sqlSupport } from './sql/dml/support.js';

export * from './scenario/index.js';

/**
 * Loads a scenario. Text is told from a path by a line break or a brace, which no path of a scenario has.
 * @throws Error when the file cannot be read; mistakes in it are in the result
 */
export function loadScenario(
  pathOrText: string | URL,
  options: Omit<LoadOptions, 'readFile' | 'sql'> = {},
): LoadResult {
  return readScenarioFile(pathOrText, { ...options, sql: sqlSupport });
}
