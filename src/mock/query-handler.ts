/** `query(…)`: answers to SQL, and to any other text that a client sends as a query. */
import type { QueryFacts } from '../walsender/answers.js';
import type { Asked, HandlerOptions, Resolver } from './handler.js';
import { answers } from './response.js';
import { callerOf } from './source-line.js';

/** What a resolver of `query` gets to see. */
export interface QueryInfo extends Omit<QueryFacts, 'values'> {
  /** Bound values in text form; empty in the simple protocol, and while a statement is only described. */
  readonly values: readonly (string | null)[];
  /** What the pattern matched; undefined for a text. */
  readonly match: RegExpMatchArray | undefined;
}

/** What `query` makes. */
export interface QueryHandler extends Asked<QueryInfo> {
  readonly kind: 'query';
  readonly pattern: string | RegExp;
  /** Undefined when it does not fit. */
  fit(text: string): { readonly match: RegExpMatchArray | undefined } | undefined;
}

function defineQuery(
  pattern: string | RegExp,
  resolver: Resolver<QueryInfo>,
  { once = false }: HandlerOptions = {},
): QueryHandler {
  const wanted = typeof pattern === 'string' ? normalized(pattern) : undefined;
  const shown = typeof pattern === 'string' ? JSON.stringify(pattern) : String(pattern);
  return {
    kind: 'query',
    title: `query(${shown})`,
    source: callerOf(defineQuery),
    pattern,
    resolver,
    once,
    fit(text) {
      if (typeof pattern === 'string') return normalized(text) === wanted ? { match: undefined } : undefined;
      pattern.lastIndex = 0;
      const match = pattern.exec(text);
      return match ? { match } : undefined;
    },
  };
}

/**
 * Answers queries that fit.
 *
 * @param pattern a regular expression, or the whole text (white space, case and a final semicolon do not count)
 * @param resolver gives the answer, `query.rows(…)` for example; undefined asks the next handler, `query.passthrough()` the server
 */
export const query = Object.assign(defineQuery, answers);

function normalized(text: string): string {
  return text.trim().replace(/\s*;$/, '').replace(/\s+/g, ' ').toLowerCase();
}

export function queryInfo(facts: QueryFacts, match: RegExpMatchArray | undefined): QueryInfo {
  const { values, ...others } = facts;
  const decoder = new TextDecoder();
  return { ...others, values: values.map((value) => value && decoder.decode(value)), match };
}
