/** What the scenario format asks of SQL, answered by PostgreSQL's parser and the evaluator. */
import { StatementError } from '../../database/index.js';
import { ValueError } from '../../postgres/index.js';
import { SqlMistake, type SqlSupport } from '../../scenario/sql-support.js';
import type { Catalog } from '../../timeline/catalog.js';
import { WireError } from '../../values/wire-error.js';
import { NotEmulated, SqlError } from '../failure.js';
import { parseStatements, requireParser } from '../parser.js';
import { executeDml } from './execute.js';

export const sqlSupport: SqlSupport = {
  parse(text) {
    requireParser();
    try {
      return parseStatements(text);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      const before = Array.from(text).slice(0, (error.position ?? 1) - 1);
      throw new SqlMistake('syntax', error.message, new TextEncoder().encode(before.join('')).length, error.code);
    }
  },

  execute(node, target) {
    try {
      executeDml(node, target);
    } catch (error) {
      throw mistakeOf(error, target.transaction.catalog) ?? error;
    }
  },
};

/** Undefined for what others know better: the database's refusals, faults of this program. */
function mistakeOf(error: unknown, catalog: Catalog): SqlMistake | undefined {
  if (error instanceof StatementError) return undefined;
  if (error instanceof NotEmulated) {
    const message = `${error.what} cannot be computed exactly here`;
    return new SqlMistake('inexact', message, error.location, '', 'write what it comes to: a value, or the rows');
  }
  // The format's own input functions refuse what depends on the clock.
  const isClock = error instanceof Error && /^"\w+" depends on the clock/.test(error.message);
  if (isClock) return new SqlMistake('inexact', error.message, error instanceof SqlError ? error.location : undefined);
  if (error instanceof SqlError) {
    const { message, code, hint, detail } = error.fields;
    return new SqlMistake('refused', message, error.location, code, hint ?? detail, catalog);
  }
  if (error instanceof ValueError) return new SqlMistake('refused', error.message, undefined, error.sqlState);
  if (error instanceof WireError) return new SqlMistake('refused', error.message, undefined, error.code, error.hint);
  return undefined;
}
