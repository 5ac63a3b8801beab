/** Mistakes in SQL → diagnostics. */
import type { Catalog } from '../../timeline/catalog.js';
import type { DiagnosticCode } from '../diagnostic.js';
import type { Span } from '../source.js';
import type { SqlMistake } from '../sql-support.js';
import { didYouMean } from '../suggestion.js';
import type { Compilation } from './compilation.js';

export function reportMistake(mistake: SqlMistake, at: Span, text: string, compilation: Compilation): void {
  const { kind, message, code, hint, catalog } = mistake;
  const [name] = namesIn(message);
  if (kind === 'refused' && name !== undefined && compilation.problems.explains(name)) return;
  const refusal = kind === 'refused' && code !== '' ? `; a real server refuses this statement with ${code}` : '';
  const meant = name && catalog && didYouMean(name, namesFor(code, message, catalog));
  const template =
    kind === 'syntax' && text.includes('{{') ? 'SQL takes no {{…}}: write the change as a step' : undefined;
  compilation.report(codeOf(mistake), at, `SQL: ${message}${refusal}`, { hint: meant ?? hint ?? template });
}

/** What a mistake is about stands in double quotes. */
function namesIn(message: string): string[] {
  return [...message.matchAll(/"([^"]+)"/g)].map((match) => match[1]!);
}

function codeOf({ kind, code }: SqlMistake): DiagnosticCode {
  if (kind !== 'refused') return kind === 'syntax' ? 'sql-syntax' : 'sql-inexact';
  if (code === '42P01') return 'unknown-table';
  if (code === '42703') return 'unknown-column';
  if (code === '42704') return 'unknown-type';
  return code.startsWith('22') ? 'invalid-input' : 'refused-by-server';
}

/** What a name that is not there may have been meant to be. */
function namesFor(code: string, message: string, { tables }: Catalog): Iterable<string> {
  if (code === '42P01') return [...tables.values()].flatMap(({ namespace, name }) => [name, `${namespace}.${name}`]);
  if (code !== '42703') return [];
  const of = /of relation "([^"]+)"/.exec(message)?.[1];
  const some = [...tables.values()].filter(({ name }) => of === undefined || name === of);
  return some.flatMap(({ columns }) => columns.map(({ name }) => name));
}
