/** A run's WAL and what the recorder told → its history. */
import type { WorkloadRun } from '../run/run.js';
import type { History } from './history.js';
import { HistoryBuilder } from './history-builder.js';

export function buildHistory(run: WorkloadRun): History {
  const builder = new HistoryBuilder(run);
  let next = 0;
  for (const statement of run.statements) {
    const from = next;
    while (next < run.wal.length && run.wal[next]!.lsn < statement.endLsn) next++;
    builder.add(statement, run.wal.slice(from, next));
  }
  return builder.history;
}
