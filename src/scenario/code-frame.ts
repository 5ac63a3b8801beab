/** Diagnostics as text: `file:line:col: message`, the lines around it with a caret, and the hint. */
import type { Diagnostic, Place } from './diagnostic.js';
import { loadCodeFrame } from './lazy.cjs';
import type { Source } from './source.js';

/** Characters of a line. */
const shownColumns = 240;

/**
 * A diagnostic as a text of several lines, with the lines of the file that it is about.
 * @param sources by file name, as a result of loading has them
 */
export function formatDiagnostic(
  problem: Diagnostic,
  sources: ReadonlyMap<string, Pick<Source, 'text'>>,
  options: { readonly color?: boolean } = {},
): string {
  const severity = problem.severity === 'error' ? '' : `${problem.severity}: `;
  const parts = [`${formatPlace(problem)}: ${severity}${problem.message}`];
  const frame = codeFrame(problem, sources, options.color ?? false);
  if (frame !== undefined) parts.push(frame);
  if (problem.hint !== null) parts.push(`hint: ${problem.hint}`);
  for (const related of problem.related) parts.push(`${formatPlace(related)}: ${related.message}`);
  return parts.join('\n');
}

/** `file:line:column`. */
export function formatPlace({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}

function codeFrame(
  { file, line, column, endLine, endColumn }: Place,
  sources: ReadonlyMap<string, Pick<Source, 'text'>>,
  color: boolean,
): string | undefined {
  const text = sources.get(file)?.text;
  if (text === undefined || text === '') return undefined;
  // Of a long line, what is around the place.
  const from = column <= shownColumns / 2 ? 0 : column - shownColumns / 4;
  const lines = text.split('\n', endLine + 1).map((shown) => shown.slice(from, from + shownColumns));
  const place = (line: number, column: number) => ({
    line,
    column: Math.min(Math.max(column - from, 1), shownColumns + 1),
  });
  const end = endLine === line && endColumn <= column + 1 ? undefined : place(endLine, endColumn);
  return loadCodeFrame()(
    lines.join('\n'),
    { start: place(line, column), ...(end && { end }) },
    { forceColor: color, linesAbove: 1, linesBelow: 1 },
  );
}
