/** What can be published: transactions, single statements, logical messages, faults, the outcome of what was prepared. */
import type { BeginOptions, Database, EndPins } from '../database/index.js';
import type { ScenarioStep } from '../scenario/steps.js';
import type { OriginMark, TimelineEvent } from '../timeline/timeline.js';
import { OpenTransactions } from './open-transactions.js';
import { lsnOf, placeOf, type LsnLike, type Published } from './published.js';
import { declareTables, runPart, statement, type Statement, type TransactionPart } from './statement.js';

/** Options of `tx`. What is not pinned is chosen as a server does. */
export interface TransactionOptions {
  /** Pins the transaction id. */
  readonly xid?: number;
  /** Pin start and end of the commit record. */
  readonly commitLsn?: LsnLike;
  readonly endLsn?: LsnLike;
  /** Pins the commit time: microseconds since 2000. */
  readonly commitTime?: bigint;
  readonly origin?: OriginMark;
  /** It has streamed blocks, which end at each `block()`: clients that asked for streaming get them before the commit. */
  readonly streamed?: boolean;
  /** PREPARE TRANSACTION under this name, instead of COMMIT. */
  readonly gid?: string;
  /** ROLLBACK instead of COMMIT. */
  readonly rollback?: boolean;
}

/** What `tx` makes. */
export interface PublishedTransaction {
  readonly kind: 'tx';
  readonly parts: readonly TransactionPart[];
  readonly options: TransactionOptions;
}

/** COMMIT PREPARED, ROLLBACK PREPARED or a logical message outside of any transaction. */
export interface WalRecord {
  readonly kind: 'record';
  /** @internal */
  write(database: Database): TimelineEvent;
}

/** What `publish` takes. A list is one transaction. */
export type Publishable = PublishedTransaction | Statement | WalRecord | ScenarioStep | readonly TransactionPart[];

/** A transaction of these statements. */
export function tx(
  parts: readonly TransactionPart[] | TransactionPart,
  options: TransactionOptions = {},
): PublishedTransaction {
  const list: readonly TransactionPart[] = 'kind' in parts ? [parts] : parts;
  return { kind: 'tx', parts: list, options };
}

/** In a streamed transaction: what has changed since the last block goes out now, to clients that asked for streaming. */
export function block(): Statement {
  return statement('block()', [], (transaction) => void transaction.endBlock());
}

/** SAVEPOINT, these statements, then RELEASE, or with `rollback` ROLLBACK TO. */
export function savepoint(
  parts: readonly TransactionPart[],
  { rollback = false }: { readonly rollback?: boolean } = {},
): Statement {
  const tables = parts.flatMap((part) => (part.kind === 'statement' ? part.tables : []));
  return statement('savepoint()', tables, (transaction, major) => {
    transaction.beginSubtransaction();
    for (const part of parts) runPart(part, transaction, major);
    transaction.endSubtransaction(rollback ? 'rollback' : 'commit');
  });
}

/** pg_logical_emit_message(true, …), as part of a transaction; clients get it that asked for `messages`. */
export function message(prefix: string, content: string | Uint8Array): Statement {
  return statement(`message ${prefix}`, [], (transaction) =>
    transaction.message({ prefix, content: bytesOf(content) }),
  );
}

/** pg_logical_emit_message(false, …): decoded where it stands. */
export function nonTransactionalMessage(prefix: string, content: string | Uint8Array): WalRecord {
  return { kind: 'record', write: (database) => database.message({ prefix, content: bytesOf(content) }) };
}

/** COMMIT PREPARED. @throws StatementError (42704), when it is published, for a gid that is not prepared */
export function commitPrepared(gid: string): WalRecord {
  return { kind: 'record', write: (database) => database.commitPrepared(gid) };
}

/** ROLLBACK PREPARED. @throws StatementError (42704), when it is published, for a gid that is not prepared */
export function rollbackPrepared(gid: string): WalRecord {
  return { kind: 'record', write: (database) => database.rollbackPrepared(gid) };
}

/** Writes it into each of the databases. @throws StatementError, and then nothing of a transaction shows */
export function write(what: Publishable, ...databases: readonly Database[]): Published {
  if (!((what as unknown) instanceof Object)) {
    throw new TypeError(`${typeof what} is nothing to publish: give tx([…]), a statement of a table, or a fault`);
  }
  if (!('kind' in what)) return writeTransaction(tx(what), databases);
  switch (what.kind) {
    case 'tx':
      return writeTransaction(what, databases);
    case 'statement':
      return writeTransaction(tx(what), databases);
    case 'record':
      return databases.map((database) => placeOf(what.write(database)))[0]!;
    default:
      return databases.map((database) => placeOf(database.step(what)))[0]!;
  }
}

function writeTransaction({ parts, options }: PublishedTransaction, databases: readonly Database[]): Published {
  for (const database of databases) declareTables(parts, database);
  const transaction = new OpenTransactions(databases, beginOptions(options));
  try {
    transaction.run(parts);
    return transaction.end(options, endPins(options));
  } catch (error) {
    // What was refused leaves nothing behind, as with a client that rolls back.
    transaction.rollback();
    throw error;
  }
}

export function beginOptions({ xid, origin, streamed }: TransactionOptions): BeginOptions {
  return {
    ...(xid !== undefined && { xid }),
    ...(origin && { origin }),
    ...(streamed !== undefined && { streamed }),
  };
}

export function endPins({ commitLsn, endLsn, commitTime }: TransactionOptions): EndPins {
  return {
    ...(commitLsn !== undefined && { lsn: lsnOf(commitLsn) }),
    ...(endLsn !== undefined && { endLsn: lsnOf(endLsn) }),
    ...(commitTime !== undefined && { time: commitTime }),
  };
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}
