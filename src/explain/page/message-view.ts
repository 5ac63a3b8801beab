/** A message of the page: its line, and below it its bytes beside its fields. */
import type { SourcePosition } from '../../timeline/timeline.js';
import { formatLsn } from '../../values/lsn.js';
import type { ExplainedField } from '../../pgoutput/explain.js';
import { kindOf, type ExplainedMessage } from '../explained-message.js';
import { printable, shorten } from '../printable.js';
import { bytesView } from './bytes-view.js';
import { markup, type Html } from './markup.js';

export interface MessageViewOptions {
  /** Every byte and field of long messages. */
  readonly full: boolean;
  readonly open: boolean;
  /** The scenario's text at a line. */
  readonly lineOf: (source: SourcePosition) => string | undefined;
}

/** What one message may put into the page. */
const mostBytes = 4096;
const mostFields = 400;
const mostCharacters = 200;
const mostOnOneLine = 30;

export function messageView(message: ExplainedMessage, options: MessageViewOptions): Html {
  const { number, subject, lsn, bytes, source, place, error } = message;
  const kind = kindOf(message);
  const origin = source === null ? place : `line ${source.line}`;
  return markup`<li><details class="message"${options.open ? markup` open` : null}>
<summary>
<span class="number">${number}</span>
<span class="kind ${families[kind] ?? ''}">${kind}</span>
<span class="subject">${subject === '' ? '' : shorten(printable(subject), 80)}</span>
<span class="lsn">${lsn === null ? '' : formatLsn(lsn)}</span>
<span class="size">${bytes.length} B</span>
<span class="line">${origin}</span>
</summary>
<div class="body">
${source === null ? null : sourceView(source, options)}
${error === null ? null : markup`<p class="error">${printable(error.message)}</p>`}
${contents(message, options.full)}
</div>
</details></li>
`;
}

/** Colours of kinds. */
const families: Readonly<Record<string, string>> = {
  insert: 'adds',
  update: 'changes',
  delete: 'removes',
  truncate: 'removes',
  relation: 'describes',
  type: 'describes',
  origin: 'describes',
  unreadable: 'bad',
};

function sourceView(source: SourcePosition, { lineOf }: MessageViewOptions): Html {
  const text = lineOf(source);
  const code = text === undefined ? null : markup`<code>${shorten(text.trim(), mostCharacters)}</code>`;
  return markup`<p class="source"><span>${printable(source.file)}:${source.line}</span>${code}</p>`;
}

function contents({ bytes, fields }: ExplainedMessage, full: boolean): Html {
  const end = full ? bytes.length : Math.min(bytes.length, mostBytes);
  const shown = full ? fields : fields.slice(0, mostFields);
  const left: string[] = [];
  if (end < bytes.length) left.push(`${bytes.length - end} bytes`);
  if (shown.length < fields.length) left.push(`${fields.length - shown.length} fields`);
  const note = `Not shown: ${left.join(' and ')}. The option --full shows them.`;
  return markup`<div class="split">
${bytesView(bytes, shown, end)}
<div class="fields"><table>
<thead><tr><th>at</th><th>field</th><th>value</th><th>meaning</th></tr></thead>
<tbody>${shown.map((field, i) => fieldRow(field, i, full))}</tbody>
</table></div>
</div>${left.length === 0 ? null : markup`<p class="note">${note}</p>`}`;
}

/** One row can be reached with the Tab key; from there the arrow keys lead to the others. */
function fieldRow({ offset, path, value, meaning }: ExplainedField, index: number, full: boolean): Html {
  const text = full ? printable(value) : shorten(printable(value), mostCharacters);
  const cells = [
    markup`<td class="at">${offset.toString(16).padStart(4, '0')}</td>`,
    markup`<td class="path">${path}</td>`,
    markup`<td class="value${text.length > mostOnOneLine ? ' long' : ''}">${text}</td>`,
    markup`<td class="meaning">${printable(meaning)}</td>`,
  ];
  return markup`<tr data-f="${index}" tabindex="${index === 0 ? 0 : -1}">${cells}</tr>\n`;
}
