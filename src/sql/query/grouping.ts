/** GROUP BY and aggregates. */
import { sqlError } from '../failure.js';
import { equalityKey, rowKeyOf } from '../expression/comparison.js';
import { isTrue, type Expression, type Frame, type Value } from '../expression/expression.js';
import type { TypeSpace } from '../types/type-space.js';
import type { Accumulator, AggregateCall, Scope } from './scope.js';
import { compareBy, sortValues } from './sort-keys.js';

export function isGrouped(scope: Scope, groups: readonly Expression[], having: Expression | undefined): boolean {
  return groups.length > 0 || scope.aggregates.length > 0 || having !== undefined;
}

/** Columns must be grouped by, directly or through a primary key. @throws SqlError 42803 */
export function checkGrouped(expression: Expression, groups: readonly Expression[], scope: Scope): void {
  const keys = new Set(groups.map((group) => group.key));
  const check = (e: Expression): void => {
    if (keys.has(e.key) || e.isAggregate === true) return;
    const { column } = e;
    if (column?.depth === 0 && !isDetermined(column.index, keys, scope)) {
      const message = `column "${column.table}.${column.name}" must appear in the GROUP BY clause or be used in an aggregate function`;
      throw sqlError('42803', message, e.location);
    }
    e.children.forEach(check);
  };
  check(expression);
}

/** The whole primary key of its table is grouped by. */
function isDetermined(index: number, keys: ReadonlySet<string>, scope: Scope): boolean {
  const table = scope.tables.find(({ offset, columns }) => index >= offset && index < offset + columns.length);
  return table?.primaryKey?.every((position) => keys.has(`column0.${table.offset + position}`)) === true;
}

interface Group {
  /** A row of the group: columns that are grouped by have the same values in all. */
  readonly values: Value[];
  readonly aggregates: readonly PendingAggregate[];
}

/** One row for each group, in the order in which the groups came up. */
export function* groupedRows(
  rows: Iterator<void>,
  frame: Frame,
  scope: Scope,
  groupBy: readonly Expression[],
  types: TypeSpace,
): Generator<void> {
  const keyOf = rowKeyOf(
    types,
    groupBy.map((expression) => expression.type),
  );
  const groups = new Map<string, Group>();
  const start = (): Group => {
    return {
      values: [...frame.values],
      aggregates: scope.aggregates.map((call) => new PendingAggregate(call, frame, types)),
    };
  };
  while (rows.next().done !== true) {
    const key = keyOf(groupBy.map((expression) => expression.evaluate(frame)));
    let group = groups.get(key);
    if (group === undefined) {
      group = start();
      groups.set(key, group);
    }
    for (const aggregate of group.aggregates) aggregate.add(frame);
  }
  if (groups.size === 0 && groupBy.length === 0) {
    frame.values.fill(null);
    groups.set('', start());
  }
  for (const { values, aggregates } of groups.values()) {
    frame.values = values;
    for (const aggregate of aggregates) frame.slots[aggregate.slot] = aggregate.result();
    yield;
  }
}

/** One aggregate over one group. With ORDER BY inside, its rows are kept and sorted first. */
class PendingAggregate {
  readonly slot: number;
  private readonly accumulator: Accumulator;
  private readonly seen = new Set<string>();
  private readonly kept: { values: Value[]; by: Value[] }[] = [];
  private readonly distinctKeys: readonly ((value: string) => string)[];

  constructor(
    private readonly call: AggregateCall,
    frame: Frame,
    types: TypeSpace,
  ) {
    this.slot = call.slot;
    this.accumulator = call.start(frame);
    this.distinctKeys = call.distinct ? call.arguments.map(({ type }) => equalityKey(types, type)) : [];
  }

  add(frame: Frame): void {
    const { call } = this;
    if (call.filter !== undefined && !isTrue(call.filter.evaluate(frame))) return;
    const values = call.arguments.map((argument) => argument.evaluate(frame));
    if (call.strict && values.includes(null)) return;
    if (call.distinct && !this.isNew(values)) return;
    if (call.order.length > 0) this.kept.push({ values, by: sortValues(call.order, frame) });
    else this.accumulator.add(values);
  }

  private isNew(values: readonly Value[]): boolean {
    const key = values.map((value, i) => (value === null ? '\0' : this.distinctKeys[i]!(value))).join('\0');
    if (this.seen.has(key)) return false;
    this.seen.add(key);
    return true;
  }

  result(): Value {
    this.kept.sort((a, b) => compareBy(this.call.order, a.by, b.by));
    for (const { values } of this.kept) this.accumulator.add(values);
    return this.accumulator.result();
  }
}
