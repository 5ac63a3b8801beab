/** The annotated dump as text: offset, bytes, field, value, meaning. */
import { formatHex } from '../values/hex.js';
import { formatLsn } from '../values/lsn.js';
import { explainedLength, kindOf, type ExplainedMessage } from './explained-message.js';
import { PieceTracker, type Piece } from './pieces.js';
import { printable, shorten } from './printable.js';

export type Style = 'title' | 'kind' | 'faint' | 'value' | 'error';

export interface TextDumpOptions {
  /** Colours a text, or returns it as it is. */
  readonly paint?: (style: Style, text: string) => string;
  /** Every byte of every value. */
  readonly full?: boolean;
}

const bytesPerLine = 8;
const bytesWidth = 3 * bytesPerLine - 1;
/** Of a field that is longer only the first lines are shown. */
const mostLines = 4;
const mostCharacters = 40;

/** Follows a stream: to be given its messages in order. */
export class TextDump {
  readonly #pieces = new PieceTracker();
  readonly #paint: (style: Style, text: string) => string;
  readonly #full: boolean;
  #piece: Piece | null = null;

  constructor({ paint = (_, text) => text, full = false }: TextDumpOptions = {}) {
    this.#paint = paint;
    this.#full = full;
  }

  /** The message's lines, after a title where a piece of a transaction begins. */
  lines(message: ExplainedMessage): string[] {
    const piece = this.#pieces.follow(message);
    const lines = piece === this.#piece ? [''] : this.#title(piece);
    this.#piece = piece;
    lines.push(this.#heading(message), ...this.#fields(message));
    if (message.error !== null) lines.push(...this.#error(message));
    return lines;
  }

  #title({ title, detail }: Piece): string[] {
    const text = `${title}${detail === '' ? '' : `, ${detail}`}`;
    const rule = this.#paint('faint', '─'.repeat(Math.max(0, 78 - text.length)));
    return [...(this.#piece === null ? [] : ['']), `${this.#paint('title', text)} ${rule}`, ''];
  }

  #heading(message: ExplainedMessage): string {
    const { number, subject, lsn, bytes, source, place } = message;
    const parts = [this.#paint('faint', `#${number}`), this.#paint('kind', kindOf(message))];
    if (subject !== '') parts.push(printable(subject));
    const facts = [bytes.length === 1 ? '1 byte' : `${bytes.length} bytes`];
    if (lsn !== null) facts.unshift(`at ${formatLsn(lsn)}`);
    if (source !== null) facts.push(printable(`${source.file}:${source.line}:${source.column}`));
    if (place !== null) facts.push(place);
    return `${parts.join(' ')}  ${this.#paint('faint', facts.join(', '))}`;
  }

  #fields({ fields, bytes }: ExplainedMessage): string[] {
    const values = fields.map(({ value }) =>
      this.#full ? printable(value) : shorten(printable(value), mostCharacters),
    );
    const pathWidth = widest(
      fields.map(({ path }) => path),
      12,
    );
    const valueWidth = widest(
      values.filter((value) => value.length <= mostCharacters),
      8,
    );
    const lines: string[] = [];
    fields.forEach(({ offset, length, path, meaning }, i) => {
      const value = this.#paint('value', values[i]!.padEnd(valueWidth));
      const words = `${path.padEnd(pathWidth)}  ${value}  ${this.#paint('faint', printable(meaning))}`;
      lines.push(...this.#bytes(bytes, offset, offset + length, words));
    });
    return lines;
  }

  /** What no field covers, and why. */
  #error(message: ExplainedMessage): string[] {
    const { bytes, error } = message;
    const end = explainedLength(message);
    const rest =
      end < bytes.length ? this.#bytes(bytes, end, bytes.length, this.#paint('error', 'not understood')) : [];
    return [...rest, `    ${this.#paint('error', `error: ${printable(error!.message)}`)}`];
  }

  /** Lines of eight bytes, the first with words behind it. */
  #bytes(bytes: Uint8Array, start: number, end: number, words: string): string[] {
    const shownEnd = this.#full ? end : Math.min(end, start + mostLines * bytesPerLine);
    const lines: string[] = [];
    for (let at = start; at === start || at < shownEnd; at += bytesPerLine) {
      const hex = formatHex(bytes.subarray(at, Math.min(at + bytesPerLine, shownEnd))).replaceAll(/..(?=.)/g, '$& ');
      const place = this.#paint('faint', at.toString(16).padStart(4, '0'));
      lines.push(at === start ? `    ${place}  ${hex.padEnd(bytesWidth)}  ${words}`.trimEnd() : `    ${place}  ${hex}`);
    }
    if (end > shownEnd) lines.push(this.#paint('faint', `          … ${end - shownEnd} bytes more`));
    return lines;
  }
}

function widest(texts: readonly string[], least: number): number {
  return texts.reduce((width, text) => Math.max(width, text.length), least);
}
