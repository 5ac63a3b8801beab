/** JUnit XML: a suite for each scenario, a case for each expectation. Valid by the schema of Ant's JUnit reports, which most readers take. */
import { formatLsn } from '../values/lsn.js';
import { formatMoment, formatSource, isMet } from './report-table.js';
import type { Finding } from './scenario-verdict.js';

export interface JunitSuite {
  readonly name: string;
  /** The scenario's file. */
  readonly file: string;
  /** What the scenario says is right, for who reads a failure; null: nothing. */
  readonly description: string | null;
  readonly findings: readonly Finding[];
  /** What the findings' times count from; undefined: nothing happened. */
  readonly startedAt: number | undefined;
  readonly startTime: Date;
  readonly milliseconds: number;
  readonly properties: Readonly<Record<string, string>>;
  /** What went wrong besides expectations; null: nothing. */
  readonly error: string | null;
  /** What the consumer printed. */
  readonly stdout: string;
  readonly stderr: string;
}

export async function junitXml(suites: readonly JunitSuite[]): Promise<string> {
  const { create } = await import('xmlbuilder2');
  const root = create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '\uFFFD' }).ele('testsuites');
  suites.forEach((suite, id) => {
    const unmet = suite.findings.filter((finding) => !isMet(finding));
    const element = root.ele('testsuite', {
      id,
      name: suite.name,
      package: suite.file,
      // Without a time zone, as the schema has it: UTC.
      timestamp: suite.startTime.toISOString().slice(0, 19),
      hostname: 'localhost',
      tests: suite.findings.length + (suite.error === null ? 0 : 1),
      failures: unmet.length,
      errors: suite.error === null ? 0 : 1,
      time: seconds(suite.milliseconds),
    });
    const properties = element.ele('properties');
    for (const [name, value] of Object.entries(suite.properties)) properties.ele('property', { name, value });
    for (const finding of suite.findings) {
      const { at, expected, slot } = finding;
      const time = at === null || suite.startedAt === undefined ? 0 : at - suite.startedAt;
      const name = slot === null || expected.endsWith(`, slot ${slot}`) ? expected : `${expected}, slot ${slot}`;
      const testCase = element.ele('testcase', { name, classname: suite.name, time: seconds(time) });
      if (isMet(finding)) continue;
      testCase.ele('failure', { message: finding.seen, type: finding.status }).txt(failureText(finding, suite));
    }
    if (suite.error !== null) {
      const testCase = element.ele('testcase', {
        name: 'run',
        classname: suite.name,
        time: seconds(suite.milliseconds),
      });
      testCase.ele('error', { message: suite.error, type: 'run' });
    }
    element.ele('system-out').txt(suite.stdout);
    element.ele('system-err').txt(suite.stderr);
  });
  return `${root.end({ prettyPrint: true })}\n`;
}

function failureText(finding: Finding, { startedAt, description }: JunitSuite): string {
  const { source, expected, seen, lsn } = finding;
  const moment = formatMoment(finding, startedAt);
  return [
    formatSource(source),
    `expected: ${expected}`,
    `seen: ${seen}`,
    ...(lsn === null ? [] : [`LSN: ${formatLsn(lsn)}`]),
    ...(moment === '' ? [] : [`after: ${moment}`]),
    ...(description === null ? [] : ['', description]),
  ].join('\n');
}

function seconds(milliseconds: number): string {
  return (Math.max(0, milliseconds) / 1000).toFixed(3);
}
