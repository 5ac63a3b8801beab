/** What `run` prints and writes of its results. */
import { styleText } from 'node:util';
import { Help } from 'commander';
import {
  annotation,
  formatCoverage,
  formatFindings,
  githubAnnotation,
  isMet,
  findingToJson,
  type CoverageReport,
  type JunitSuite,
} from '../verdict/index.js';
import { hasPassed, type ScenarioRun } from './run-scenario.js';
import { hasColor, type Terminal } from './terminal.js';

/** Of a description, in characters. */
const textWidth = 100;

/** `scenarios/key-change.yaml`, and in a matrix the version: `scenarios/key-change.yaml on 16`. */
export function runName({ scenario }: ScenarioRun, isMatrix: boolean): string {
  return isMatrix ? `${scenario.file} on ${scenario.server.major}` : scenario.file;
}

/** The verdict, and of a scenario that failed what the consumer printed and the server saw, unless that is kept elsewhere. */
export function printRun(
  run: ScenarioRun,
  { isMatrix, outputDir }: { readonly isMatrix: boolean; readonly outputDir?: string },
  terminal: Terminal,
): void {
  const { stderr } = terminal;
  const passed = hasPassed(run);
  const word = passed ? 'passed' : 'FAILED';
  const colored = hasColor(stderr, terminal) ? styleText(passed ? 'green' : 'red', word) : word;
  stderr.write(
    `${colored}  ${runName(run, isMatrix)}: ${run.scenario.title} (${(run.milliseconds / 1000).toFixed(1)} s)\n`,
  );
  const { description } = run.scenario;
  // What is right is most worth reading where something is not.
  if (!passed && description !== null) stderr.write(indented(new Help().boxWrap(description, textWidth), '    '));
  if (run.findings.length > 0) stderr.write(indented(formatFindings(run.findings, run.startedAt)));
  if (run.error !== null) stderr.write(indented(run.error));
  if (passed) return;
  if (outputDir !== undefined) {
    if (run.stdout + run.stderr + run.log !== '')
      stderr.write(indented(`what it printed, and the server saw: ${outputDir}`));
    return;
  }
  const parts = [
    ["the command's stdout", run.stdout],
    ["the command's stderr", run.stderr],
    ['what the server saw', run.log],
  ] as const;
  for (const [title, text] of parts) {
    if (text !== '') stderr.write(`${indented(`${title}:`)}${indented(text.trimEnd(), '  | ')}`);
  }
}

export function printCoverage(report: CoverageReport, full: boolean, { stderr }: Terminal): void {
  stderr.write(`${formatCoverage(report, { full })}\n`);
}

/** GitHub's, of all that went wrong. */
export function annotations({ scenario, findings, error }: ScenarioRun): string[] {
  const unmet = findings.filter((finding) => !isMet(finding)).map(githubAnnotation);
  if (error !== null) unmet.unshift(annotation({ file: scenario.file, line: 1, column: 1 }, scenario.title, error));
  return unmet;
}

function indented(text: string, by = '  '): string {
  return text
    .split('\n')
    .map((line) => `${by}${line}\n`)
    .join('');
}

export function junitSuite(run: ScenarioRun, isMatrix: boolean): JunitSuite {
  const { scenario, findings, startedAt, startTime, milliseconds, error, stdout, stderr } = run;
  const { name, file, title, description, server } = scenario;
  return {
    name: isMatrix ? `${name} on ${server.major}` : name,
    file,
    description,
    findings,
    startedAt,
    startTime,
    milliseconds,
    properties: { scenario: title, server_version: server.version },
    error,
    stdout,
    stderr,
  };
}

/** Times in milliseconds since the first thing happened on the server; LSNs as text. */
export function jsonReport(runs: readonly ScenarioRun[], coverage: CoverageReport): unknown {
  return {
    passed: runs.every(hasPassed),
    scenarios: runs.map((run) => ({
      file: run.scenario.file,
      scenario: run.scenario.title,
      serverVersion: run.scenario.server.version,
      passed: hasPassed(run),
      milliseconds: Math.round(run.milliseconds),
      error: run.error,
      status: run.status,
      expectations: run.findings.map((finding) => findingToJson(finding, run.startedAt)),
      stdout: run.stdout,
      stderr: run.stderr,
      log: run.log,
    })),
    coverage,
  };
}
