/**
 * Joins: items of FROM are read one inside the other, in their order. Conditions are tested as soon as all their columns are
 * there; an equality with what came before finds rows by key instead of trying all.
 */
import { isTrue, isVolatile, type Expression, type Frame, type Value } from '../expression/expression.js';
import type { BaseItem, FromItem, JoinItem, Span } from './from-items.js';

/** Fills the frame, once for each row that passes. */
export type RowSource = (frame: Frame) => Iterator<void>;

interface Step {
  readonly scan: RowSource;
}

/** Parts of a condition that all must hold. */
export function conjunctsOf(condition: Expression | undefined): readonly Expression[] {
  if (condition === undefined) return [];
  return condition.conjuncts === undefined ? [condition] : condition.conjuncts.flatMap(conjunctsOf);
}

/** @param given columns that are filled already */
export function joinSource(
  items: readonly FromItem[],
  conditions: readonly Expression[],
  given: readonly Span[] = [],
): RowSource {
  const flat: (BaseItem | JoinItem)[] = [];
  const pending = [...conditions];
  const flatten = (item: FromItem): void => {
    if (item.kind !== 'inner') return void flat.push(item);
    flatten(item.left);
    flatten(item.right);
    pending.push(...conjunctsOf(item.condition));
  };
  items.forEach(flatten);
  const steps: Step[] = [];
  const filled = [...given];
  flat.forEach((item, i) => {
    const spans = spansOf(item);
    const isLast = i === flat.length - 1;
    const ready = takeReady(pending, [...filled, ...spans], isLast);
    const scan = item.kind === 'base' ? baseScan(item, ready, filled) : leftJoinScan(item, ready, filled);
    steps.push({ scan });
    filled.push(...spans);
  });
  return nested(steps, pending);
}

function spansOf(item: FromItem): readonly Span[] {
  return item.kind === 'base' ? [item.span] : [...spansOf(item.left), ...spansOf(item.right)];
}

/** The conditions that can be tested now; those that do something, or depend on what is not known, come last. */
function takeReady(pending: Expression[], filled: readonly Span[], isLast: boolean): Expression[] {
  const ready = pending.filter(
    (condition) => isLast || (!isLate(condition) && uses(condition, (index) => isIn(filled, index))),
  );
  for (const condition of ready) pending.splice(pending.indexOf(condition), 1);
  return ready.sort((a, b) => Number(isLate(a)) - Number(isLate(b)));
}

function isLate(condition: Expression): boolean {
  return isVolatile(condition) || isOpaque(condition);
}

function isOpaque(expression: Expression): boolean {
  return expression.isOpaque === true || expression.children.some(isOpaque);
}

function isIn(spans: readonly Span[], index: number): boolean {
  return spans.some(({ from, to }) => index >= from && index < to);
}

/** All columns of this query that it uses pass the test. */
function uses(expression: Expression, test: (index: number) => boolean): boolean {
  if (expression.column?.depth === 0 && !test(expression.column.index)) return false;
  return expression.children.every((child) => uses(child, test));
}

function nested(steps: readonly Step[], conditions: readonly Expression[]): RowSource {
  if (steps.length === 0) return once(conditions);
  if (steps.length === 1) return steps[0]!.scan;
  return function* (frame) {
    const open: Iterator<void>[] = [steps[0]!.scan(frame)];
    while (open.length > 0) {
      if (open.at(-1)!.next().done === true) open.pop();
      else if (open.length === steps.length) yield;
      else open.push(steps[open.length]!.scan(frame));
    }
  };
}

/** No FROM: one row without columns. */
function once(conditions: readonly Expression[]): RowSource {
  return function* (frame) {
    if (conditions.every((condition) => isTrue(condition.evaluate(frame)))) yield;
  };
}

function filtered(scan: RowSource, conditions: readonly Expression[]): RowSource {
  if (conditions.length === 0) return scan;
  return function* (frame) {
    for (const rows = scan(frame); rows.next().done !== true;) {
      if (conditions.every((condition) => isTrue(condition.evaluate(frame)))) yield;
    }
  };
}

interface Keys {
  /** Of the item's own columns. */
  readonly inner: readonly Expression[];
  /** Of what came before. */
  readonly outer: readonly Expression[];
}

function baseScan(item: BaseItem, conditions: readonly Expression[], filled: readonly Span[]): RowSource {
  const keys: { inner: Expression[]; outer: Expression[] } = { inner: [], outer: [] };
  const rest: Expression[] = [];
  for (const condition of conditions) {
    const pair = item.isLateral || filled.length === 0 ? undefined : keyPair(condition, item.span);
    if (pair === undefined) rest.push(condition);
    else {
      keys.inner.push(pair[0]);
      keys.outer.push(pair[1]);
    }
  }
  const scan =
    item.isLateral || filled.length === 0
      ? plainScan(item)
      : keys.inner.length > 0
        ? keyedScan(item, keys)
        : rescan(item);
  return filtered(scan, rest);
}

/** `a = b` with one side of the item's columns alone, the other of others. */
function keyPair(condition: Expression, { from, to }: Span): [inner: Expression, outer: Expression] | undefined {
  if (condition.equality === undefined || isLate(condition)) return undefined;
  const own = (index: number): boolean => index >= from && index < to;
  const isInner = (e: Expression): boolean => uses(e, own) && !uses(e, () => false);
  const [a, b] = condition.equality;
  if (isInner(a) && uses(b, (index) => !own(index))) return [a, b];
  return isInner(b) && uses(a, (index) => !own(index)) ? [b, a] : undefined;
}

function fill(frame: Frame, span: Span, row: readonly Value[]): void {
  for (let i = 0; i < row.length; i++) frame.values[span.from + i] = row[i]!;
}

function plainScan(item: BaseItem): RowSource {
  return function* (frame) {
    for (const row of item.rows(frame)) {
      fill(frame, item.span, row);
      yield;
    }
  };
}

function memoized<T>(frame: Frame, key: object, make: () => T): T {
  const known = frame.memo.get(key) as T | undefined;
  if (known !== undefined) return known;
  const made = make();
  frame.memo.set(key, made);
  return made;
}

/** Read again for each row before it: its rows are kept. */
function rescan(item: BaseItem): RowSource {
  return function* (frame) {
    for (const row of memoized(frame, item, () => [...item.rows(frame)])) {
      fill(frame, item.span, row);
      yield;
    }
  };
}

/** Found by key. */
function keyedScan(item: BaseItem, keys: Keys): RowSource {
  return function* (frame) {
    const rows = memoized(frame, keys, () => rowsByKey(item, keys.inner, frame));
    const key = keyOf(keys.outer, frame);
    if (key === null) return;
    for (const row of rows.get(key) ?? []) {
      fill(frame, item.span, row);
      yield;
    }
  };
}

function rowsByKey(
  item: BaseItem,
  expressions: readonly Expression[],
  frame: Frame,
): Map<string, (readonly Value[])[]> {
  const rows = new Map<string, (readonly Value[])[]>();
  for (const row of item.rows(frame)) {
    fill(frame, item.span, row);
    const key = keyOf(expressions, frame);
    if (key === null) continue;
    const found = rows.get(key);
    if (found === undefined) rows.set(key, [row]);
    else found.push(row);
  }
  return rows;
}

/** Null where one of them is NULL, which equals nothing. */
function keyOf(expressions: readonly Expression[], frame: Frame): string | null {
  let key = '';
  for (const expression of expressions) {
    const value = expression.evaluate(frame);
    if (value === null) return null;
    key += `${value}\0`;
  }
  return key;
}

/** Conditions on its left side alone are tested before its right side is looked at. */
function leftJoinScan(item: JoinItem, conditions: readonly Expression[], filled: readonly Span[]): RowSource {
  const before = [...filled, ...spansOf(item.left)];
  const isEarly = (condition: Expression): boolean =>
    !isLate(condition) && uses(condition, (index) => isIn(before, index));
  const left = joinSource([item.left], conditions.filter(isEarly), filled);
  const right = joinSource([item.right], conjunctsOf(item.condition), before);
  const empty = spansOf(item.right);
  const rows: RowSource = function* (frame) {
    for (const lefts = left(frame); lefts.next().done !== true;) {
      let matched = false;
      for (const rights = right(frame); rights.next().done !== true;) {
        matched = true;
        yield;
      }
      if (matched) continue;
      for (const { from, to } of empty) frame.values.fill(null, from, to);
      yield;
    }
  };
  return filtered(
    rows,
    conditions.filter((condition) => !isEarly(condition)),
  );
}
