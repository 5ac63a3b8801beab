/** What was and was not met, to read. */
import type { SourcePosition } from '../timeline/timeline.js';
import { formatLsn } from '../values/lsn.js';
import type { Finding } from './scenario-verdict.js';

/** An expectation that is still open at the end is unmet. */
export function isMet({ status }: Pick<Finding, 'status'>): boolean {
  return status === 'met';
}

/** `1.234 s`; nothing where nothing happened. @param startedAt what `at` counts from */
export function formatMoment({ at }: Pick<Finding, 'at'>, startedAt: number | undefined): string {
  return at === null || startedAt === undefined ? '' : `${((at - startedAt) / 1000).toFixed(3)} s`;
}

/** A line for each: status, expectation, what was seen, LSN, time, place in the scenario. More lines of what was seen follow it. */
export function formatFindings(findings: readonly Finding[], startedAt: number | undefined): string {
  const rows = findings.map((finding) => [
    isMet(finding) ? 'met' : 'UNMET',
    finding.expected,
    firstLine(finding.seen),
    finding.lsn === null ? '' : formatLsn(finding.lsn),
    formatMoment(finding, startedAt),
    formatSource(finding.source),
  ]);
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(0, ...rows.map((row) => row[column]!.length)));
  return rows
    .map((row, index) => {
      const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
      return [line.trimEnd(), ...moreLines(findings[index]!.seen).map((more) => `       ${more}`)].join('\n');
    })
    .join('\n');
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}

function moreLines(text: string): string[] {
  return text.split('\n').slice(1);
}

export function formatSource({ file, line, column }: SourcePosition): string {
  return `${file}:${line}:${column}`;
}

/** `file:line:col: unmet: flushed: slot s confirmed 0/0, not 0/1500140` */
export function unmetLine({ source, expected, seen }: Finding): string {
  const [key] = /^(never: )?\w+/.exec(expected)!;
  return `${formatSource(source)}: unmet: ${key}: ${seen}`;
}
