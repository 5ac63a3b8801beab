/** GitHub's workflow commands: an error on the line of the scenario that says what was expected. */
import type { Finding } from './scenario-verdict.js';

/** One line, without its end. */
export function githubAnnotation({ source, expected, seen }: Finding): string {
  const { file, line, column } = source;
  const properties = [
    `file=${escapeProperty(file)}`,
    `line=${line}`,
    `col=${column}`,
    `title=${escapeProperty(expected)}`,
  ];
  return `::error ${properties.join(',')}::${escapeData(`unmet: ${expected}: ${seen}`)}`;
}

/** Percent signs and line ends would end or change the command. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
