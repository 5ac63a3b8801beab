/** `sql:` steps: transaction control is carried out here, what changes rows by the evaluator that the caller gave. */
import type { TransactionStmt } from 'libpg-query';
import type { Table } from '../../timeline/catalog.js';
import { formatName } from '../format/names.js';
import { StatementError, type OpenTransaction, type Publisher } from '../../database/index.js';
import type { Read } from '../object.js';
import { sourcePosition, type Located, type Span } from '../source.js';
import { SqlMistake, type SqlStatement, type SqlSupport } from '../sql-support.js';
import { SqlText } from '../sql-text.js';
import { quote } from '../suggestion.js';
import type { Compilation } from './compilation.js';
import { attempt } from './refusal.js';
import { reportMistake } from './sql-mistakes.js';

type SqlStep = Read & { readonly sql: Located<string> };

/** Between statements: the transaction that BEGIN began. */
interface Block {
  readonly transaction: OpenTransaction;
  readonly at: Span;
}

/** At the top level: each statement is a transaction of its own, but what stands between BEGIN and COMMIT. */
export function runSql(step: SqlStep, compilation: Compilation, publisher: Publisher): void {
  let block: Block | undefined;
  forEachStatement(step, compilation, (statement, support, at) => {
    if ('TransactionStmt' in statement.node) {
      block = control(statement.node.TransactionStmt, block, publisher, at);
    } else if (block !== undefined) {
      change(statement, block.transaction, support, compilation, at);
    } else {
      const transaction = publisher.begin({ source: sourcePosition(at) });
      change(statement, transaction, support, compilation, at);
      transaction.commit();
    }
  });
  if (block === undefined) return;
  const hint = 'end it with COMMIT or ROLLBACK';
  compilation.report('missing-key', block.at, 'SQL: this transaction is never ended', { hint });
}

/** Inside a transaction: savepoints, and no other transaction control. */
export function runSqlWithin(step: SqlStep, compilation: Compilation, transaction: OpenTransaction): void {
  forEachStatement(step, compilation, (statement, support, at) => {
    if ('TransactionStmt' in statement.node) savepoint(statement.node.TransactionStmt, transaction);
    else change(statement, transaction, support, compilation, at);
  });
}

/** Statements that are wrong are reported and passed over. */
function forEachStatement(
  step: SqlStep,
  compilation: Compilation,
  run: (statement: SqlStatement, support: SqlSupport, at: Span) => void,
): void {
  const support = compilation.sql;
  if (support === undefined) {
    compilation.report('not-supported', step.at, 'SQL is executed only for callers that hand in a parser of SQL');
    return;
  }
  const text = new SqlText(step.sql);
  let statements: readonly SqlStatement[] = [];
  try {
    statements = support.parse(text.text);
    if (statements.length === 0) throw new SqlMistake('syntax', 'there is no statement in this text');
  } catch (error) {
    if (!(error instanceof SqlMistake)) throw error;
    reportMistake(error, text.span(error.location), text.text, compilation);
  }
  for (const statement of statements) {
    const at = text.span(statement.location);
    attempt(compilation, { what: 'SQL', step: { ...step, at, whole: at, source: sourcePosition(at) } }, () => {
      try {
        run(statement, support, at);
      } catch (error) {
        if (!(error instanceof SqlMistake)) throw error;
        reportMistake(error, error.location === undefined ? at : text.span(error.location), text.text, compilation);
      }
    });
  }
}

function change(
  { node }: SqlStatement,
  transaction: OpenTransaction,
  support: SqlSupport,
  compilation: Compilation,
  at: Span,
): void {
  try {
    support.execute(node, {
      transaction,
      place: { source: sourcePosition(at) },
      server: compilation.server,
      generatedAs: (table, column) => generatedAs(table, column, transaction, compilation),
    });
  } catch (error) {
    // A statement may well meet no row: that is SQL, if hardly meant.
    if (!(error instanceof StatementError) || error.code !== '02000') throw error;
    compilation.report('no-effect', at, `SQL: ${error.message}`, { severity: 'warning' });
  }
}

/** Partitions have those of their roots. */
function generatedAs(
  table: Table,
  column: string,
  { catalog }: OpenTransaction,
  { generatedAs: known }: Compilation,
): string | undefined {
  for (let one: Table | undefined = table; one !== undefined; one = catalog.tables.get(one.partitionOf ?? 0)) {
    const found = known.get(`${formatName(one)}.${column}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @returns the transaction that is open afterwards */
function control(
  statement: TransactionStmt,
  block: Block | undefined,
  publisher: Publisher,
  at: Span,
): Block | undefined {
  const { kind, gid = '', chain } = statement;
  if (chain === true) throw new SqlMistake('inexact', 'AND CHAIN is not executed', statement.location);
  switch (kind) {
    case 'TRANS_STMT_BEGIN':
    case 'TRANS_STMT_START':
      if (block !== undefined) throw new SqlMistake('refused', 'there is already a transaction in progress');
      return { transaction: publisher.begin({ source: sourcePosition(at) }), at };
    case 'TRANS_STMT_COMMIT':
      opened(block).commit();
      return undefined;
    case 'TRANS_STMT_ROLLBACK':
      opened(block).abort();
      return undefined;
    case 'TRANS_STMT_PREPARE':
      opened(block).prepare(gid);
      return undefined;
    case 'TRANS_STMT_COMMIT_PREPARED':
      publisher.commitPrepared(gid);
      return block;
    case 'TRANS_STMT_ROLLBACK_PREPARED':
      publisher.rollbackPrepared(gid);
      return block;
    default:
      savepoint(statement, opened(block));
      return block;
  }
}

function opened(block: Block | undefined): OpenTransaction {
  if (block === undefined) throw new SqlMistake('refused', 'there is no transaction in progress');
  return block.transaction;
}

function savepoint(
  { kind = 'TRANS_STMT_BEGIN', savepoint_name: name = '' }: TransactionStmt,
  transaction: OpenTransaction,
): void {
  if (kind === 'TRANS_STMT_SAVEPOINT') transaction.savepoint(name);
  else if (kind === 'TRANS_STMT_RELEASE') transaction.release(name);
  else if (kind === 'TRANS_STMT_ROLLBACK_TO') transaction.rollbackTo(name);
  else {
    const word = kind.replace('TRANS_STMT_', '').replaceAll('_', ' ');
    throw new SqlMistake('refused', `${quote(word)} has no meaning inside a transaction: the step stands in one`);
  }
}
