/** The bytes of a message, eight a row, in hexadecimal and as characters; each run of one field's bytes is an element. */
import { formatHex } from '../../values/hex.js';
import type { ExplainedField } from '../../pgoutput/explain.js';
import { markup, type Html } from './markup.js';

const rowLength = 8;

/** @param end - how many of the bytes are shown */
export function bytesView(bytes: Uint8Array, fields: readonly ExplainedField[], end: number): Html {
  const owners = ownersOf(fields, end);
  const rows: Html[] = [];
  for (let start = 0; start < end; start += rowLength) {
    const rowEnd = Math.min(start + rowLength, end);
    const hex: Html[] = [];
    const text: Html[] = [];
    for (let at = start; at < rowEnd;) {
      let runEnd = at + 1;
      while (runEnd < rowEnd && owners[runEnd] === owners[at]) runEnd++;
      const gap = markup`${runEnd < rowEnd ? ' ' : ''}`;
      const run = bytes.subarray(at, runEnd);
      hex.push(element(owners[at], formatHex(run).replaceAll(/..(?=.)/g, '$& ')), gap);
      text.push(element(owners[at], Array.from(run, character).join('')));
      at = runEnd;
    }
    const padding = '   '.repeat(start + rowLength - rowEnd);
    const place = start.toString(16).padStart(4, '0');
    rows.push(markup`<span class="at">${place}</span>  ${hex}${padding}  <span class="text">${text}</span>\n`);
  }
  return markup`<pre class="bytes">${rows}</pre>`;
}

function element(field: number | undefined, text: string): Html {
  return field === undefined
    ? markup`<span class="strange">${text}</span>`
    : markup`<span data-f="${field}">${text}</span>`;
}

/** Of each byte, the field that it belongs to. */
function ownersOf(fields: readonly ExplainedField[], end: number): (number | undefined)[] {
  const owners = new Array<number | undefined>(end);
  fields.forEach(({ offset, length }, i) => owners.fill(i, offset, offset + length));
  return owners;
}

function character(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·';
}
