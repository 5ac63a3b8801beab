/** Problems as GitHub's workflow commands: they then show on the lines of the pull request. */
import type { Diagnostic } from '../scenario/index.js';

/** One line, without its end. */
export function annotation({
  severity,
  file,
  line,
  column,
  endLine,
  endColumn,
  code,
  message,
  hint,
}: Diagnostic): string {
  const level = severity === 'note' ? 'notice' : severity;
  const place = [
    `file=${escapeProperty(file)}`,
    `line=${line}`,
    `endLine=${endLine}`,
    // Columns are for what stays on one line, and there the end is inclusive.
    ...(line === endLine ? [`col=${column}`, `endColumn=${Math.max(column, endColumn - 1)}`] : []),
    `title=${code}`,
  ];
  return `::${level} ${place.join(',')}::${escapeData(hint === null ? message : `${message}\n${hint}`)}`;
}

/** Percent signs and line ends would end or change the command. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
