/** GitHub's workflow commands: an error on the line of the scenario that says what was expected. */
import type { SourcePosition } from '../timeline/timeline.js';
import type { Finding } from './scenario-verdict.js';

/** Of an expectation that was not met. One line, without its end. */
export function githubAnnotation({ source, expected, seen }: Finding): string {
  return annotation(source, expected, `unmet: ${expected}: ${seen}`);
}

/** @param at the place that shows it */
export function annotation({ file, line, column }: SourcePosition, title: string, text: string): string {
  const place = `file=${escapeProperty(file)},line=${line},col=${column}`;
  return `::error ${place},title=${escapeProperty(title)}::${escapeData(text)}`;
}

/** Percent signs and line ends would end or change the command. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
