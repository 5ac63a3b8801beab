/** What becomes of a query that neither a handler nor the server can answer. */
import type { Answer, QueryFacts } from '../walsender/answers.js';
import type { QueryHandler } from './query-handler.js';

/** What a callback for unhandled queries can print. */
export interface UnhandledPrint {
  /** Warns on the console as the strategy `warn` does. */
  warning(): void;
  /** As the strategy `error` does. */
  error(): void;
}

/** May give an answer after all. */
export type UnhandledCallback = (
  query: QueryFacts,
  print: UnhandledPrint,
) => Answer | undefined | Promise<Answer | undefined>;

/**
 * `error`, the default: an error on the console, and the client gets 0A000. `warn`: the same, a warning. `bypass`: the `upstream`
 * is asked. A function: it may print, and answer.
 */
export type OnUnhandledQuery = 'error' | 'warn' | 'bypass' | UnhandledCallback;

export interface UnhandledQuery {
  readonly text: string;
  /** What the server could not do with it. */
  readonly reason: string;
  readonly user: string;
  readonly database: string;
}

/** What the console shows: what was asked, the nearest handler and where it stands, and one to paste. */
export function unhandledMessage(
  { text, reason, user, database }: UnhandledQuery,
  handlers: readonly QueryHandler[],
): string {
  const nearest = nearestHandler(text, handlers);
  const lines = [
    'a client asked what neither a handler nor the server itself can answer:',
    '',
    indented(text),
    '',
    `(${reason}; user ${user}, database ${database})`,
    ...(nearest ? [`The nearest handler is ${nearest.title} at ${nearest.source}, which does not fit.`] : []),
    'To answer it, add this handler:',
    '',
    indented(pasteReady(text)),
  ];
  return `[fake-walsender] ${lines.join('\n')}`;
}

export function printUnhandled(message: string, severity: 'warning' | 'error'): void {
  if (severity === 'warning') console.warn(message);
  else console.error(message);
}

/** The handler whose pattern has most of the query's words in common with it; undefined where none has any. */
export function nearestHandler(text: string, handlers: readonly QueryHandler[]): QueryHandler | undefined {
  const wanted = words(text);
  let nearest: QueryHandler | undefined;
  let best = 0;
  for (const handler of handlers) {
    const { pattern } = handler;
    const own = words(typeof pattern === 'string' ? pattern : pattern.source.replace(/\\./g, ' '));
    const shared = [...own].filter((word) => wanted.has(word) || [...wanted].some((other) => isSlip(word, other)));
    const likeness = (2 * shared.length) / (own.size + wanted.size);
    if (likeness > best) [nearest, best] = [handler, likeness];
  }
  return nearest;
}

/** Words that every query has tell nothing. */
const common = new Set(['select', 'from', 'where', 'and', 'as', 'on']);

function words(text: string): ReadonlySet<string> {
  return new Set((text.toLowerCase().match(/[a-z_]\w+/g) ?? []).filter((word) => !common.has(word)));
}

/** One is the other but for a letter or two. */
function isSlip(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 2 || Math.min(a.length, b.length) < 5) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return Math.max(a.length, b.length) - start - end <= 2;
}

function pasteReady(text: string): string {
  const trimmed = text.trim();
  const isOneLine = !trimmed.includes('\n') && trimmed.length <= 80;
  const quoted = `'${trimmed.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const template = `\`${trimmed.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${')}\``;
  return `query(${isOneLine ? quoted : template}, () => query.rows([{ column: 'value' }])),`;
}

function indented(text: string): string {
  return text.trim().replace(/^/gm, '  ');
}
