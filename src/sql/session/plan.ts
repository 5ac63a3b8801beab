/** What a statement does, known before it does it: the columns that it returns, and how to run it. */
import type { Value } from '../expression/expression.js';
import type { SqlOutput } from '../engine.js';
import type { QueryColumn } from '../query/query.js';

/** Values of the statement's parameters, in their canonical text. */
export type ParameterValues = readonly Value[];

/** Returns rows. */
export interface RowsPlan {
  readonly kind: 'rows';
  readonly columns: readonly QueryColumn[];
  /** Finds errors that the server finds before it describes the rows. */
  check?(): void;
  /** Runs it, row by row. May stop at once to wait, and is then run anew. */
  rows(parameters: ParameterValues): Iterable<readonly Value[]>;
  /** CommandComplete's tag after `count` rows. */
  tag(count: number): string;
}

/** Returns none: it gives its messages, CommandComplete included, itself. */
export interface ActionPlan {
  readonly kind: 'action';
  run(parameters: ParameterValues): Iterable<SqlOutput>;
}

export type Plan = RowsPlan | ActionPlan;

export function action(run: () => string): ActionPlan {
  return {
    kind: 'action',
    run: function* () {
      yield { kind: 'complete', tag: run() };
    },
  };
}

export function column(name: string, type: number, typmod = -1): QueryColumn {
  return { name, type, typmod, tableOid: 0, attnum: 0 };
}
