/** The statements of a transaction, as data: written into as many databases as there are. */
import type { Database, OpenTransaction } from '../database/index.js';
import type { ScenarioStep } from '../scenario/steps.js';
import { rowDatums } from './row-datums.js';
import type { AnyTable } from './table.js';

/** A statement, as data: `users.insert(…)`, `ddl.addColumn(…)` make one, `publish` and `tx` take it. */
export interface Statement {
  readonly kind: 'statement';
  /** For messages. */
  readonly title: string;
  /** Tables that must be there before. */
  readonly tables: readonly AnyTable[];
  /**
   * Executes it.
   * @throws StatementError for what a real server would refuse
   * @internal
   */
  run(transaction: OpenTransaction, major: number): void;
}

export function statement(
  title: string,
  tables: readonly AnyTable[],
  run: (transaction: OpenTransaction, major: number) => void,
): Statement {
  return { kind: 'statement', title, tables, run };
}

/** What a transaction consists of: statements, and what the server does between them. */
export type TransactionPart = Statement | ScenarioStep;

export function runPart(part: TransactionPart, transaction: OpenTransaction, major: number): void {
  if (part.kind === 'statement') part.run(transaction, major);
  else transaction.step(part);
}

/** Makes the tables of the statements that the database does not have. */
export function declareTables(parts: Iterable<TransactionPart>, database: Database): void {
  for (const part of parts) {
    if (part.kind !== 'statement') continue;
    for (const table of part.tables) declareTable(table, database);
  }
}

/** Does nothing where there is a table of that name. @throws StatementError, TypeNameError */
export function declareTable(table: AnyTable, database: Database): void {
  for (const { namespace, name } of database.catalog.tables.values()) {
    if (namespace === table.namespace && name === table.name) return;
  }
  const { major } = database.timeline.server;
  const declaration = table.declarationFor(database.catalog, major);
  if (database.timeline.catalog === database.catalog) {
    const created = database.createTable(declaration);
    database.loadRows(
      table,
      (table.options.rows ?? []).map((row) => rowDatums(created, row, major)),
    );
  } else {
    // After DDL a table is something that the stream makes, too.
    const transaction = database.begin();
    transaction.createTable(declaration);
    transaction.commit();
  }
}
