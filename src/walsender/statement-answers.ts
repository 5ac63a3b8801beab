/**
 * Statements of the extended protocol that handlers answer. Asked once for each execution: when it is bound, or before, when the
 * client wants to know the result's columns first (then that answer serves the next execution).
 */
import type { Field, SqlOutput } from '../sql/engine.js';
import type { WireError } from '../values/wire-error.js';
import type { GivenAnswer } from './answers.js';

export interface Unanswered {
  readonly text: string;
  readonly reason: string;
}

export interface PreparedText {
  readonly text: string;
  /** As Parse gave them: 0 for unspecified. */
  readonly parameterTypes: readonly number[];
  /** What SQL said to the text: the client's unless a handler answers when it is bound. */
  readonly refusal: WireError | undefined;
  /** Why SQL does not know the text: who has the last say may. */
  readonly unanswered: Unanswered | undefined;
  /** An answer that was asked for before it was bound. */
  answer: GivenAnswer | undefined;
}

/** OIDs for ParameterDescription: what the client said, text for the rest. */
export function parameterTypesOf({ text, parameterTypes }: PreparedText): number[] {
  const highest = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])));
  return Array.from({ length: Math.max(highest, parameterTypes.length) }, (_, i) => parameterTypes[i] || 25);
}

/** A portal whose result comes from a handler. */
export class AnsweredPortal {
  readonly fields: readonly Field[] | null;
  readonly #outputs: Iterator<SqlOutput>;
  /** Taken from the outputs, and not given yet. */
  readonly #ahead: SqlOutput[] = [];

  constructor(outputs: Iterable<SqlOutput>) {
    this.#outputs = outputs[Symbol.iterator]();
    let output = this.#next();
    for (; output?.kind === 'notice'; output = this.#next()) this.#ahead.push(output);
    this.fields = output?.kind === 'rowDescription' ? output.fields : null;
    if (output && output.kind !== 'rowDescription') this.#ahead.push(output);
  }

  /** What Execute gives: at most `maxRows` rows (0: all), then `suspended` or what ends the statement. */
  *execute(maxRows: number): Generator<SqlOutput> {
    for (let rows = 0; ;) {
      const output = this.#ahead.shift() ?? this.#next();
      if (!output) return;
      if (output.kind === 'row' && maxRows > 0 && rows++ === maxRows) {
        this.#ahead.unshift(output);
        yield { kind: 'suspended' };
        return;
      }
      yield output;
    }
  }

  #next(): SqlOutput | undefined {
    const result = this.#outputs.next();
    return result.done === true ? undefined : result.value;
  }
}
