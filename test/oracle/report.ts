/** The table of what was compared, in Markdown. */
import type { Result } from './compare/compare.js';

export const resultIntroduction = `# What was compared with real servers

Written by \`npm run oracle -- --all\`. Each row is a workload of test/oracle/workloads and a client that reads it, each column a
server major. ✓: every XLogData frame that the real server sent, payload and header positions, is what the emulation sends for
the same rows; where the server ends the stream with an error or sends a notice, that too. ✗: a difference.

`;

/** One row per workload and variant, one column per major: ✓ identical, ✗ not, nothing where it does not apply. */
export function markdownTable(results: readonly Result[]): string {
  const majors = [...new Set(results.map(({ major }) => major))].sort((a, b) => a - b);
  const rows = new Map<string, Map<number, Result>>();
  for (const result of results) {
    const key = `${result.workload} | ${result.variant}`;
    const row = rows.get(key) ?? new Map<number, Result>();
    rows.set(key, row.set(result.major, result));
  }
  const lines = [
    `| workload | variant | ${majors.join(' | ')} |`,
    `| --- | --- | ${majors.map(() => ':-:').join(' | ')} |`,
  ];
  for (const [key, row] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const cells = majors.map((major) => mark(row.get(major)));
    lines.push(`| ${key} | ${cells.join(' | ')} |`);
  }
  return `${lines.join('\n')}\n`;
}

function mark(result: Result | undefined): string {
  if (result === undefined) return ' ';
  return result.identical ? '✓' : '✗';
}

export function summary(results: readonly Result[]): string {
  const identical = results.filter((result) => result.identical).length;
  return `${identical} of ${results.length} streams identical`;
}

/** One line for each that is identical; the differences of the others. */
export function list(results: readonly Result[]): string {
  const lines = results.map(({ workload, major, variant, difference }) => {
    const name = `${workload} ${major} ${variant}`;
    return difference === null ? `identical  ${name}` : `different  ${name}: ${difference}`;
  });
  return `${lines.join('\n')}\n`;
}
