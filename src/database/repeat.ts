/**
 * `repeat` in constant memory. The first round is tried in a stand-in for the database: no rows, the same catalogs, WAL
 * where it stands. How far that round gets in LSNs, xids, time and sequences tells how far every round gets, so that the
 * rounds can be made when the timeline is read: each in a stand-in of its own, at the place worked out for it. A round
 * that needs what only the database has (NeedsDatabase) makes all of them run at once on the database itself.
 */
import type { Change, TimelineEvent } from '../timeline/timeline.js';
import { DatabaseState, NeedsDatabase } from './database-state.js';
import { EventLog } from './event-log.js';
import type { OpenTransaction } from './open-transaction.js';
import type { Publisher } from './publisher.js';
import { StatementError } from './statement-error.js';
import { TransactionWriter } from './transaction-writer.js';
import { positionAfter, type WalPosition } from './wal.js';

export interface RepeatOptions {
  /** Keep the rows that the rounds make, for later `where`s; memory then grows with the count. */
  readonly track?: boolean;
}

/** Where a run of rounds begins, and what one round takes. */
interface Rounds {
  readonly base: DatabaseState;
  readonly catalogIndex: number;
  readonly from: WalPosition;
  readonly to: WalPosition;
  readonly sequences: ReadonlyMap<string, number>;
  readonly sequencesAfter: ReadonlyMap<string, number>;
  readonly tablesWithRows: ReadonlySet<number>;
}

export function repeatEvents(
  publisher: Publisher,
  state: DatabaseState,
  count: number,
  body: (publisher: Publisher, index: number) => void,
  options: RepeatOptions,
  publisherOn: (standIn: DatabaseState) => Publisher,
): void {
  const play = (standIn: DatabaseState, index: number): Iterable<TimelineEvent> => {
    body(publisherOn(standIn), index);
    if (standIn.open.size > 0 || standIn.prepared.size > 0) throw new NeedsDatabase();
    return standIn.log;
  };
  const rounds = options.track === true || count < 2 ? null : tryRound(state, (standIn) => play(standIn, 0));
  if (rounds === null) {
    for (let i = 0; i < count; i++) body(publisher, i);
    return;
  }
  skipRounds(rounds, count);
  state.log.append({ run: () => playRounds(rounds, count, play) });
}

export function repeatChanges(
  writer: TransactionWriter,
  transaction: OpenTransaction,
  count: number,
  body: (transaction: OpenTransaction, index: number) => void,
  options: RepeatOptions,
  transactionOf: (standIn: TransactionWriter) => OpenTransaction,
): void {
  const { state } = writer;
  const topXid = writer.xid;
  const { currentXid } = writer;
  let last: Change | undefined;
  let first: Change | undefined;
  const play = (standIn: DatabaseState, index: number): Change[] => {
    const round = new TransactionWriter(standIn, {});
    round.standInFor(topXid, currentXid);
    const { depth } = round.subtransactions;
    body(transactionOf(round), index);
    if (round.subtransactions.depth !== depth || round.catalog !== standIn.catalog) throw new NeedsDatabase();
    const { abortedSubxids } = round.record;
    const changes = [...round.record.changes()];
    if (abortedSubxids.size === 0) return changes;
    return changes.filter((change) => change.kind !== 'subtransactionAbort' && !abortedSubxids.has(change.xid));
  };
  // A stand-in has the committed catalogs: not what this transaction has made of them.
  const atOnce = options.track === true || count < 2 || writer.catalog !== state.catalog;
  const rounds = atOnce
    ? null
    : tryRound(state, (standIn) => {
        const changes = play(standIn, 0);
        [first, last] = [changes[0], changes.at(-1)];
      });
  if (rounds === null || first === undefined || last === undefined) {
    for (let i = 0; i < count; i++) body(transaction, i);
    return;
  }
  skipRounds(rounds, count);
  writer.pushRun({
    xid: currentXid,
    firstLsn: first.lsn,
    lastLsn: last.lsn + (rounds.to.lsn - rounds.from.lsn) * BigInt(count - 1),
    run: () => playRounds(rounds, count, play),
  });
}

/** Plays the first round to see what one takes. @returns null when it needs the database itself */
function tryRound(base: DatabaseState, play: (standIn: DatabaseState) => void): Rounds | null {
  const tablesWithRows = new Set<number>();
  for (const [oid, store] of base.stores) if (!store.isEmpty) tablesWithRows.add(oid);
  const from = base.wal.position;
  const start = {
    base,
    catalogIndex: base.catalogs.length - 1,
    from,
    to: from,
    sequences: new Map(base.sequences),
    sequencesAfter: base.sequences,
    tablesWithRows,
  };
  const standIn = standInFor(start);
  try {
    play(standIn);
  } catch (error) {
    if (error instanceof NeedsDatabase) return null;
    throw error;
  }
  return { ...start, to: standIn.wal.position, sequencesAfter: standIn.sequences };
}

/** One stand-in serves all rounds of a reading, one after another. */
function* playRounds<T>(
  rounds: Rounds,
  count: number,
  play: (standIn: DatabaseState, index: number) => Iterable<T>,
): Generator<T> {
  const standIn = standInFor(rounds);
  let { from } = rounds;
  for (let i = 0; i < count; i++) {
    standIn.restart(from);
    advanceSequences(standIn.sequences, rounds, i);
    const round = playRound(standIn, i, play);
    from = positionAfter(rounds.from, rounds.to, i + 1);
    const { lsn, xid } = standIn.wal.position;
    if (lsn !== from.lsn || xid !== from.xid) throw unlike(i);
    yield* round;
  }
}

function playRound<T>(standIn: DatabaseState, index: number, play: (standIn: DatabaseState, index: number) => T): T {
  try {
    return play(standIn, index);
  } catch (error) {
    if (error instanceof NeedsDatabase) throw unlike(index);
    throw error;
  }
}

function standInFor({ base, tablesWithRows, catalogIndex, from, sequences }: Rounds): DatabaseState {
  const rowsElsewhere = (oid: number): boolean => tablesWithRows.has(oid) || base.rowsElsewhere?.(oid) === true;
  const { catalog } = base.catalogs[catalogIndex]!;
  return new DatabaseState(base.wal.at(from), base.oids, new EventLog(), catalog, new Map(sequences), rowsElsewhere);
}

function skipRounds(rounds: Rounds, count: number): void {
  rounds.base.wal.moveTo(positionAfter(rounds.from, rounds.to, count));
  advanceSequences(rounds.base.sequences, rounds, count);
}

function advanceSequences(sequences: Map<string, number>, rounds: Rounds, count: number): void {
  for (const [key, after] of rounds.sequencesAfter) {
    const before = rounds.sequences.get(key) ?? 1;
    sequences.set(key, before + (after - before) * count);
  }
}

function unlike(index: number): StatementError {
  return new StatementError({
    code: '55000',
    message: `round ${index} of a repeat does not write the same records as round 0`,
    hint: 'Set `track: true` to run every round at once.',
  });
}
