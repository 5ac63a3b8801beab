/** COPY's text and CSV formats. */
import type { StatementContext } from '../context.js';
import type { Value } from '../expression/expression.js';
import type { QueryColumn } from '../query/query.js';
import { textOutput } from '../types/output.js';

export interface TextFormat {
  readonly isCsv: boolean;
  readonly delimiter: string;
  readonly nullText: string;
  readonly hasHeader: boolean;
  readonly quote: string;
  readonly escape: string;
  /** Columns that are quoted always. */
  readonly forceQuote: readonly string[] | 'all';
}

const utf8 = new TextEncoder();

/** One line for each row, its line end included. */
export function* textLines(
  rows: Iterable<readonly Value[]>,
  columns: readonly QueryColumn[],
  context: StatementContext,
  format: TextFormat,
): Generator<Uint8Array> {
  const outputs = columns.map(({ type }) => textOutput(context, type));
  const forced = columns.map(({ name }) => format.forceQuote === 'all' || format.forceQuote.includes(name));
  const write = format.isCsv ? csvField(format, columns.length === 1) : textField(format.delimiter);
  const line = (cells: readonly string[]): Uint8Array => utf8.encode(`${cells.join(format.delimiter)}\n`);
  if (format.hasHeader) yield line(columns.map(({ name }) => write(name, false)));
  for (const row of rows) {
    yield line(
      row.map((value, i) => {
        if (value === null) return format.nullText;
        return write(outputs[i]?.(value) ?? value, forced[i]!);
      }),
    );
  }
}

const escapes: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
};

function textField(delimiter: string): (text: string) => string {
  const special = new RegExp(`[\\b\\f\\n\\r\\t\\v\\\\${delimiter === '\t' ? '' : `\\${delimiter}`}]`, 'g');
  return (text) => text.replace(special, (character) => escapes[character] ?? `\\${character}`);
}

function csvField(
  { delimiter, nullText, quote, escape }: TextFormat,
  isAlone: boolean,
): (text: string, force: boolean) => string {
  return (text, force) => {
    const isSpecial = text.includes(delimiter) || text.includes(quote) || /[\r\n]/.test(text);
    // \. alone on a line would end the data.
    if (!force && !isSpecial && text !== nullText && !(isAlone && text === '\\.')) return text;
    const body = Array.from(text)
      .map((character) => (character === quote || character === escape ? escape + character : character))
      .join('');
    return quote + body + quote;
  };
}
