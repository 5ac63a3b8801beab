/** Scenario text with positions. Offsets and columns count UTF-16 units, as editors do; lines and columns start at 1. */

import type { SourcePosition } from '../timeline/timeline.js';

export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** One file's text. */
export class Source {
  private readonly lineStarts: number[] = [0];

  constructor(
    /** As diagnostics name it: the path that was given. */
    readonly file: string,
    readonly text: string,
  ) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.lineStarts.push(at + 1);
  }

  position(offset: number): TextPosition {
    let low = 0;
    let high = this.lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lineStarts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.lineStarts[low]! + 1 };
  }
}

/** A piece of a source: `end` is exclusive. */
export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** A value and where it was written. */
export interface Located<T> {
  readonly value: T;
  readonly at: Span;
}

/** Where a span begins. */
export function sourcePosition({ source, start }: Span): SourcePosition {
  return { file: source.file, ...source.position(start) };
}
