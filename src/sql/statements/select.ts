/** SELECT, VALUES, and whatever else returns the rows of a query. */
import type { SelectStmt } from 'libpg-query';
import { analyzeStatement } from '../analysis.js';
import type { Parameters } from '../query/parameters.js';
import type { Query } from '../query/query.js';
import type { RowsPlan } from '../session/plan.js';
import type { SessionState } from '../session/session-state.js';

/** Strings in the tree: any of them may be the name of a publication. */
export function mentionedStrings(tree: unknown, found = new Set<string>()): string[] {
  if (typeof tree === 'object' && tree !== null) {
    for (const [key, value] of Object.entries(tree)) {
      if (key === 'sval' && typeof value === 'string' && value !== '') found.add(value);
      else mentionedStrings(value, found);
    }
  }
  return [...found];
}

export function planSelect(statement: SelectStmt, session: SessionState, parameters: Parameters): RowsPlan {
  session.takeSnapshot();
  const query = analyzeStatement(statement, session.context([]), parameters);
  return queryPlan(query, mentionedStrings(statement), session);
}

export function queryPlan(query: Query, mentioned: readonly string[], session: SessionState): RowsPlan {
  return {
    kind: 'rows',
    columns: query.columns,
    check: () => query.check?.(session.context([])),
    rows: (values) => {
      const strings = [...mentioned, ...values.filter((value) => value !== null)];
      return query.rows({ context: session.context(strings), parameters: values, cache: new Map() }, null);
    },
    tag: (count) => `SELECT ${count}`,
  };
}
