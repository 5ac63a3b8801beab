/** Window functions: row_number, rank, dense_rank, and count(*) over whole partitions. */
import type { Frame, Value } from '../expression/expression.js';
import type { Scope, WindowCall } from './scope.js';
import { compareBy, sortValues } from './sort-keys.js';

interface WindowRow {
  readonly values: Value[];
  readonly slots: Value[];
}

/** All rows, in their order, with the windows' slots filled. */
export function* windowedRows(rows: Iterator<void>, frame: Frame, scope: Scope): Generator<void> {
  const all: WindowRow[] = [];
  while (rows.next().done !== true) all.push({ values: [...frame.values], slots: [...frame.slots] });
  for (const window of scope.windows) fillWindow(window, all, frame);
  for (const row of all) {
    show(row, frame);
    yield;
  }
}

function show(row: WindowRow, frame: Frame): void {
  frame.values = row.values;
  frame.slots = row.slots;
}

function fillWindow(window: WindowCall, rows: readonly WindowRow[], frame: Frame): void {
  const partitions = new Map<string, { row: WindowRow; by: Value[] }[]>();
  for (const row of rows) {
    show(row, frame);
    const key = JSON.stringify(window.partition.map((expression) => expression.evaluate(frame)));
    const partition = partitions.get(key) ?? [];
    partitions.set(key, partition);
    partition.push({ row, by: sortValues(window.order, frame) });
  }
  for (const partition of partitions.values()) {
    partition.sort((a, b) => compareBy(window.order, a.by, b.by));
    let rank = 0;
    let dense = 0;
    partition.forEach(({ row, by }, i) => {
      if (i === 0 || compareBy(window.order, partition[i - 1]!.by, by) !== 0) {
        rank = i + 1;
        dense++;
      }
      const results = { row_number: i + 1, rank, dense_rank: dense, count: partition.length };
      row.slots[window.slot] = String(results[window.function]);
    });
  }
}
