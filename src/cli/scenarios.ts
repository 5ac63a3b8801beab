/** SCENARIO arguments: from what was typed to loaded scenarios. */
import type { Command } from 'commander';
import {
  formatDiagnostic,
  type Diagnostic,
  type LoadResult,
  type Scenario,
  type SqlSupport,
} from '../scenario/index.js';
import { readScenarioFile } from '../scenario-folder.js';
import { wholeNumber } from './arguments.js';
import { Exit } from './exit.js';
import { fileError } from './file-error.js';
import { scenarioPaths } from './scenario-paths.js';
import { hasColor, type Terminal } from './terminal.js';

export interface ScenarioOptions {
  readonly seed?: number;
  readonly serverVersion?: string;
}

export function addScenarioOptions(command: Command): Command {
  return command
    .option('--seed <n>', "instead of the file's seed", wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .option('--server-version <major>', "emulated server, instead of the file's: 15, 17.4");
}

/**
 * Each file read and checked, in the order of the arguments. Of what a directory or a glob finds, files that others of them
 * include are parts of these and no scenarios.
 * @throws Exit if one cannot be read, or an option is out of range
 */
export async function checkScenarios(patterns: readonly string[], options: ScenarioOptions): Promise<LoadResult[]> {
  const results: LoadResult[] = [];
  for (const path of await scenarioPaths(patterns)) {
    try {
      results.push(await loadScenario(path, options));
    } catch (error) {
      if (error instanceof RangeError) throw new Exit(2, error.message);
      const reason = fileError(error);
      if (reason !== undefined) throw new Exit(1, `${path}: ${reason}`);
      throw error;
    }
  }
  const included = new Set(results.flatMap(({ sources }) => [...sources.keys()].slice(1)));
  return results.filter(({ sources }) => {
    const [file] = sources.keys();
    return file === undefined || patterns.includes(file) || !included.has(file);
  });
}

class SqlNeeded extends Error {}

const sqlLater: SqlSupport = {
  parse() {
    throw new SqlNeeded();
  },
  execute() {
    throw new SqlNeeded();
  },
};

/** PostgreSQL's parser and the evaluator take a while to load: they are, when a scenario turns out to have SQL. */
async function loadScenario(path: string, options: ScenarioOptions): Promise<LoadResult> {
  try {
    return readScenarioFile(path, { ...options, sql: sqlLater });
  } catch (error) {
    if (!(error instanceof SqlNeeded)) throw error;
    const { sqlSupport } = await import('../sql/dml/support.js');
    return readScenarioFile(path, { ...options, sql: sqlSupport });
  }
}

/**
 * As `checkScenarios`; problems go to stderr.
 * @param check finds what the verb cannot do with a scenario that is right in itself
 * @param found is told of all files that were read
 * @throws Exit if there is an error
 */
export async function loadScenarios(
  patterns: readonly string[],
  options: ScenarioOptions,
  terminal: Terminal,
  check: (scenario: Scenario) => readonly Diagnostic[] = () => [],
  found: (files: Iterable<string>) => void = () => undefined,
): Promise<Scenario[]> {
  const results = (await checkScenarios(patterns, options)).map((result) => ({
    ...result,
    problems: [...result.problems, ...(result.scenario ? check(result.scenario) : [])],
  }));
  for (const { sources } of results) found(sources.keys());
  reportProblems(results, terminal, false);
  return results.map(({ scenario, problems }) => {
    if (!scenario || problems.some(({ severity }) => severity === 'error')) throw new Exit(1);
    return scenario;
  });
}

/** For verbs that take one. @throws Exit if the argument means several files, too */
export async function loadOneScenario(
  pattern: string,
  options: ScenarioOptions,
  terminal: Terminal,
): Promise<Scenario> {
  const [scenario, ...others] = await loadScenarios([pattern], options, terminal);
  if (!scenario || others.length > 0)
    throw new Exit(2, `${pattern}: means ${others.length + 1} files, one is expected`);
  return scenario;
}

/** @param withNotes what is not used of a schema dump, say: for those who ask about the file itself */
export function reportProblems(results: readonly LoadResult[], terminal: Terminal, withNotes = true): void {
  const color = hasColor(terminal.stderr, terminal);
  for (const { problems, sources } of results) {
    for (const problem of problems)
      if (withNotes || problem.severity !== 'note')
        terminal.stderr.write(`${formatDiagnostic(problem, sources, { color })}\n\n`);
  }
}
