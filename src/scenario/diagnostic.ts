/** What is wrong with a scenario, where, and what to do about it. */
import type { Source, Span } from './source.js';

/** Stable codes: what tools may filter by. */
export const diagnosticCodes = {
  'yaml-syntax': 'The text is not YAML.',
  'yaml-documents': 'A file holds one scenario: a second YAML document is refused.',
  'yaml-alias': 'An alias without its anchor, one that contains itself, or aliases that multiply without end.',
  'yaml-tag': 'A tag that the format does not have, or in a place that takes none.',
  'yaml-key': 'A key that is not plain text.',
  'unquoted-template': '{{…}} without quotes: YAML reads it as a map.',
  'duplicate-key': 'The same key twice in one map.',
  'unknown-key': 'A key that is not part of the format here.',
  'missing-key': 'A key that is required here.',
  'conflicting-keys': 'Keys that exclude each other.',
  'wrong-type': 'A list, map or scalar where something else belongs.',
  'invalid-value': 'A scalar that its key does not take.',
  'unknown-step': 'A step that does not say what it is, or says two things.',
  'unknown-table': 'A table that the scenario does not declare, or not any more.',
  'unknown-column': 'A column that its table does not have.',
  'unknown-type': 'A data type that neither PostgreSQL nor the scenario has.',
  'unknown-name': 'A publication, label, savepoint, open or prepared transaction that is not there.',
  'duplicate-name': 'Something declared twice.',
  'missing-value': 'A column that must have a value and has none.',
  'invalid-input': "A value that the column's type refuses.",
  'invalid-template': 'A {{…}} that names nothing or cannot be evaluated.',
  include: 'A file to include that cannot be read, or lies outside the folder.',
  'refused-by-server': 'A statement that a real server refuses.',
  'no-effect': 'A statement that does nothing.',
  'sql-syntax': 'A text that is not SQL.',
  'sql-inexact': 'SQL of which it is not determined what comes of it: now(), random(), what only a server knows.',
  'not-used': 'Statements of a schema dump that a scenario has no use for.',
  'not-supported': 'Part of the format that this version does not execute.',
} as const;

/** A code: stable, so that tools may filter by it. */
export type DiagnosticCode = keyof typeof diagnosticCodes;

/** A note is for information: nothing is wrong. */
export type Severity = 'error' | 'warning' | 'note';

/** A place in a file: from its first character to behind its last. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly endLine: number;
  /** Exclusive. */
  readonly endColumn: number;
}

/** A second place that a problem is about. */
export interface Related extends Place {
  readonly message: string;
}

/** A problem of a scenario, and its place. */
export interface Diagnostic extends Place {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string | null;
  readonly related: readonly Related[];
}

export interface DiagnosticExtras {
  readonly hint?: string | undefined;
  readonly related?: readonly { readonly at: Span; readonly message: string }[] | undefined;
  readonly severity?: Severity;
}

export function placeOf(at: Span): Place {
  const start = at.source.position(at.start);
  const end = at.source.position(at.end);
  return { file: at.source.file, line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}

function lineOf(at: Span): string {
  return `${at.source.file}:${at.source.position(at.start).line}`;
}

/** Collects the problems of a scenario and all files it includes. */
export class Problems {
  readonly list: Diagnostic[] = [];
  /** Texts by file name, for code frames. */
  readonly sources = new Map<string, Source>();
  /** Parts of the text that could not be used: declarations, steps. */
  readonly lost: Span[] = [];
  /** Rows that could not be used, with the statement or the table that they stand in. */
  readonly lostRows: Span[] = [];
  private readonly unreadable = new Set<string>();
  private readonly seen = new Set<string>();

  get hasErrors(): boolean {
    return this.list.some((problem) => problem.severity === 'error');
  }

  /** The same finding at the same place counts once: a statement in a loop is checked many times. */
  add(code: DiagnosticCode, at: Span, message: string, extras: DiagnosticExtras = {}): void {
    // What is left of a line that is not YAML means little.
    if (!code.startsWith('yaml-') && this.unreadable.has(lineOf(at))) return;
    if (code === 'yaml-syntax') this.unreadable.add(lineOf(at));
    const identity = `${at.source.file}\0${at.start}\0${code}\0${message}`;
    if (this.seen.has(identity)) return;
    this.seen.add(identity);
    this.sources.set(at.source.file, at.source);
    for (const related of extras.related ?? []) this.sources.set(related.at.source.file, related.at.source);
    this.list.push({
      ...placeOf(at),
      code,
      severity: extras.severity ?? 'error',
      message,
      hint: extras.hint ?? null,
      related: (extras.related ?? []).map((related) => ({ ...placeOf(related.at), message: related.message })),
    });
  }

  /** Whether a part that could not be used mentions all of `words`: that what they name is missing is no mistake of its own. */
  explains(...words: readonly string[]): boolean {
    return this.lost.some((span) => mentions(span, words));
  }

  /** The same of a row, which may have been lost by itself. */
  explainsRow(...words: readonly string[]): boolean {
    return this.explains(...words) || this.lostRows.some((span) => mentions(span, words));
  }

  /** In reading order: by file as first met, then by position. */
  sorted(): Diagnostic[] {
    const files = [...this.sources.keys()];
    return [...this.list].sort(
      (a, b) => files.indexOf(a.file) - files.indexOf(b.file) || a.line - b.line || a.column - b.column,
    );
  }
}

/** As whole words: `nam` is not in `name`. */
function mentions({ source, start, end }: Span, words: readonly string[]): boolean {
  const text = source.text.slice(start, end);
  return words.every((word) => {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (!isWordCharacter(text[at - 1]) || !isWordCharacter(word[0])) {
        if (!isWordCharacter(text[at + word.length]) || !isWordCharacter(word.at(-1))) return true;
      }
    }
    return false;
  });
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\w\u0080-\uffff]/.test(character);
}
