/** Window functions: row_number, rank, dense_rank, and aggregates over the default frame. */
import type { Frame, Value } from '../expression/expression.js';
import type { Scope, WindowAggregate, WindowCall } from './scope.js';
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
    if (typeof window.function === 'object') fillAggregate(window, window.function, peersOf(window, partition), frame);
    else fillRanks(window, window.function, peersOf(window, partition));
  }
}

interface PartitionRow {
  readonly row: WindowRow;
  readonly by: readonly Value[];
}

/** Rows that the order does not tell apart, together. */
function peersOf({ order }: WindowCall, partition: readonly PartitionRow[]): WindowRow[][] {
  const peers: WindowRow[][] = [];
  partition.forEach(({ row, by }, i) => {
    if (i === 0 || compareBy(order, partition[i - 1]!.by, by) !== 0) peers.push([]);
    peers.at(-1)!.push(row);
  });
  return peers;
}

function fillRanks(
  { slot }: WindowCall,
  name: 'row_number' | 'rank' | 'dense_rank',
  peers: readonly WindowRow[][],
): void {
  let before = 0;
  peers.forEach((rows, i) => {
    rows.forEach((row, j) => {
      const number = name === 'row_number' ? before + j + 1 : name === 'rank' ? before + 1 : i + 1;
      row.slots[slot] = String(number);
    });
    before += rows.length;
  });
}

function fillAggregate(
  { slot }: WindowCall,
  aggregate: WindowAggregate,
  peers: readonly WindowRow[][],
  frame: Frame,
): void {
  const accumulator = aggregate.start(frame);
  for (const rows of peers) {
    for (const row of rows) {
      show(row, frame);
      const values = aggregate.arguments.map((argument) => argument.evaluate(frame));
      if (!aggregate.strict || !values.includes(null)) accumulator.add(values);
    }
    const result = accumulator.result();
    for (const row of rows) row.slots[slot] = result;
  }
}
