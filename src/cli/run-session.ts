/** What `run` does once its scenarios are loaded. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Scenario } from '../scenario/index.js';
import { Coverage, formatPercent, isMet, junitXml } from '../verdict/index.js';
import { Exit } from './exit.js';
import { fileError } from './file-error.js';
import { writeTo } from './output.js';
import { annotations, jsonReport, junitSuite, printCoverage, printRun, runName } from './run-report.js';
import { hasPassed, runScenario, type RunSettings, type ScenarioRun } from './run-scenario.js';
import type { Terminal } from './terminal.js';

export interface RunOptions {
  readonly argv: readonly [string, ...string[]];
  /** Milliseconds, as the next. */
  readonly timeout: number;
  readonly grace: number;
  readonly restart: number;
  readonly jobs: number;
  /** Each scenario runs on several versions: they are part of its name. */
  readonly isMatrix: boolean;
  readonly junit?: string;
  readonly annotate?: 'github' | 'off';
  /** Print what was not shown, too. */
  readonly coverage?: boolean;
  /** 0 to 100. */
  readonly coverageMin?: number;
  readonly outputDir?: string;
  readonly json?: boolean;
}

/** @throws Exit with the status of it all, unless that is 0 */
export async function runScenarios(
  scenarios: readonly Scenario[],
  options: RunOptions,
  terminal: Terminal,
): Promise<void> {
  const abort = new AbortController();
  const kill = new AbortController();
  // The first signal ends everything in good order; the next one, at once.
  const stopListening = terminal.onSignal(() => (abort.signal.aborted ? kill : abort).abort());
  const { argv, timeout, grace, restart: restarts } = options;
  const settings = {
    argv,
    timeout,
    grace,
    restarts,
    environment: terminal.environment,
    signal: abort.signal,
    killSignal: kill.signal,
  };
  try {
    const runs = await runAll(scenarios, settings, options, terminal);
    const coverage = new Coverage();
    for (const run of runs) coverage.add(run.coverage);
    await report(runs, coverage, options, terminal);
    const status = statusOf(runs, coverage, options, terminal);
    if (abort.signal.aborted) throw new Exit(1, 'interrupted');
    if (status !== 0) throw new Exit(status);
  } finally {
    stopListening();
  }
}

/** As many at a time as there are jobs. Each is reported when it is through; the results are in the order of the scenarios. */
async function runAll(
  scenarios: readonly Scenario[],
  settings: RunSettings,
  options: RunOptions,
  terminal: Terminal,
): Promise<ScenarioRun[]> {
  const runs: (ScenarioRun | undefined)[] = [];
  const names = new Set<string>();
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < scenarios.length && !settings.signal.aborted) {
      const index = next++;
      const run = await runScenario(scenarios[index]!, settings);
      runs[index] = run;
      keepOutput(run, options, names);
      printRun(run, options, terminal);
    }
  };
  await Promise.all(Array.from({ length: Math.min(options.jobs, scenarios.length) }, work));
  return runs.filter((run) => run !== undefined);
}

/** Names of files are those of the scenarios; the same name in two folders gets a number. */
function keepOutput(run: ScenarioRun, { outputDir, isMatrix }: RunOptions, names: Set<string>): void {
  if (outputDir === undefined) return;
  const { name, server } = run.scenario;
  const wanted = isMatrix ? `${name}-${server.major}` : name;
  let file = wanted;
  for (let number = 2; names.has(file); number++) file = `${wanted}-${number}`;
  names.add(file);
  for (const kind of ['stdout', 'stderr', 'log'] as const) writeReport(join(outputDir, `${file}.${kind}`), run[kind]);
}

/** @throws Exit when that is not possible */
function writeReport(file: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  } catch (error) {
    const reason = fileError(error);
    throw reason === undefined ? error : new Exit(1, `${file}: ${reason}`);
  }
}

async function report(
  runs: readonly ScenarioRun[],
  coverage: Coverage,
  { coverage: isFull = false, json = false, junit, annotate, isMatrix }: RunOptions,
  terminal: Terminal,
): Promise<void> {
  printCoverage(coverage.report(), isFull, terminal);
  const passed = runs.filter(hasPassed).length;
  const findings = runs.flatMap((run) => run.findings);
  terminal.stderr.write(
    `${passed} of ${runs.length} scenarios passed, ${findings.filter(isMet).length} of ${findings.length} expectations met\n`,
  );
  if (junit !== undefined) writeReport(junit, await junitXml(runs.map((run) => junitSuite(run, isMatrix))));
  const format = annotate ?? (terminal.environment['GITHUB_ACTIONS'] === 'true' ? 'github' : 'off');
  if (format === 'github') {
    // They are read from either stream; stdout may be JSON.
    const stream = json ? terminal.stderr : terminal.stdout;
    await writeTo(
      stream,
      runs
        .flatMap(annotations)
        .map((line) => `${line}\n`)
        .join(''),
    );
  }
  if (json) await writeTo(terminal.stdout, `${JSON.stringify(jsonReport(runs, coverage.report()), undefined, 2)}\n`);
}

function statusOf(
  runs: readonly ScenarioRun[],
  coverage: Coverage,
  { coverageMin = 0, isMatrix }: RunOptions,
  terminal: Terminal,
): number {
  if (!runs.every(hasPassed)) return 1;
  const { percent } = coverage.report();
  if (percent < coverageMin) {
    terminal.stderr.write(`coverage is ${formatPercent(percent)}, less than ${coverageMin} %\n`);
    return 1;
  }
  const failed = runs.find(
    ({ scenario, status }) => status !== 0 && !scenario.expectations.some(({ kind }) => kind === 'exit'),
  );
  if (!failed) return 0;
  terminal.stderr.write(`${runName(failed, isMatrix)}: the command ended with status ${failed.status}\n`);
  return failed.status;
}
