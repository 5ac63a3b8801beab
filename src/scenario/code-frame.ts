/** Diagnostics as text: `file:line:col: message`, the lines around it with a caret, and the hint. */
import type { Diagnostic, Place } from './diagnostic.js';
import { loadCodeFrame } from './lazy.cjs';
import type { Source } from './source.js';

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
  const end = endLine === line && endColumn <= column + 1 ? undefined : { line: endLine, column: endColumn };
  return loadCodeFrame()(
    text,
    { start: { line, column }, ...(end && { end }) },
    { forceColor: color, linesAbove: 1, linesBelow: 1 },
  );
}
