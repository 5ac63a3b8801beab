/** How the items of FROM give their rows: each fills its columns of the frame, row by row. */
import { parseComposite } from '../../postgres/index.js';
import { NotEmulated } from '../failure.js';
import { setValues } from '../expression/calls.js';
import { isVolatile, type Expression, type Frame, type Value } from '../expression/expression.js';
import type { ResolvedCall } from '../expression/function-resolution.js';
import type { Relation } from '../relations/relation.js';
import { cachedRows, type Query } from './query.js';
import type { ScopeTable } from './scope.js';

/** First column in the frame's `values`, and the one after the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface BaseItem {
  readonly kind: 'base';
  readonly span: Span;
  /** Its rows depend on what stands before it in FROM. */
  readonly isLateral: boolean;
  /** Reading it does something, or gives something new each time. */
  readonly isVolatile: boolean;
  rows(frame: Frame): Iterable<readonly Value[]>;
}

export interface JoinItem {
  readonly kind: 'inner' | 'left';
  readonly left: FromItem;
  readonly right: FromItem;
  readonly condition: Expression | undefined;
}

export type FromItem = BaseItem | JoinItem;

export function isVolatileItem(item: FromItem): boolean {
  return item.kind === 'base' ? item.isVolatile : isVolatileItem(item.left) || isVolatileItem(item.right);
}

function spanOf(table: ScopeTable): Span {
  return { from: table.offset, to: table.offset + table.columns.length };
}

export function relationItem(relation: Relation, only: boolean, table: ScopeTable): BaseItem {
  return {
    kind: 'base',
    span: spanOf(table),
    isLateral: false,
    isVolatile: false,
    rows: (frame) => relation.rows(frame.context, only),
  };
}

/**
 * A subquery.
 * @param use common: a common table expression, which runs once for the whole statement whatever it does
 */
export function queryItem(query: Query, use: 'plain' | 'lateral' | 'common', table: ScopeTable): BaseItem {
  return {
    kind: 'base',
    span: spanOf(table),
    isLateral: use === 'lateral',
    isVolatile: query.isVolatile,
    rows: (frame) => {
      if (use === 'plain') return query.rows(frame, frame.outer);
      if (use === 'lateral' || query.isCorrelated) return query.rows(frame, use === 'lateral' ? frame : frame.outer);
      return query.isVolatile ? onceOf(query, frame) : cachedRows(query, frame);
    },
  };
}

function onceOf(query: Query, frame: Frame): readonly Value[][] {
  let rows = frame.cache.get(query) as Value[][] | undefined;
  if (rows === undefined) {
    rows = [...query.rows(frame, null)];
    frame.cache.set(query, rows);
  }
  return rows;
}

/** A function call (or another expression): its values are rows, or one column. */
export function functionItem(
  call: ResolvedCall | Expression,
  isScalar: boolean,
  withOrdinality: boolean,
  table: ScopeTable,
): BaseItem {
  const width = table.columns.length - (withOrdinality ? 1 : 0);
  const parts = 'definition' in call ? call.arguments : [call];
  return {
    kind: 'base',
    span: spanOf(table),
    isLateral: parts.some(usesRow),
    isVolatile: parts.some(isVolatile) || ('definition' in call && call.definition.isVolatile),
    rows: function* (frame) {
      let number = 0;
      for (const value of 'definition' in call ? setValues(call, frame) : [call.evaluate(frame)]) {
        const values = isScalar ? [value as Value] : rowOf(value, width);
        yield withOrdinality ? [...values, String(++number)] : values;
      }
    },
  };
}

function rowOf(value: Value | readonly Value[], width: number): readonly Value[] {
  if (value === null) return new Array<Value>(width).fill(null);
  return typeof value === 'string' ? parseComposite(value, width) : value;
}

function usesRow(expression: Expression): boolean {
  return expression.column?.depth === 0 || expression.isOpaque === true || expression.children.some(usesRow);
}

export function joinItem(
  kind: 'inner' | 'left' | 'right' | 'full',
  left: FromItem,
  right: FromItem,
  condition: Expression | undefined,
): JoinItem {
  if (kind === 'full') throw new NotEmulated('FULL JOIN');
  // Columns have fixed places, so that a right join is a left one with its sides swapped.
  return kind === 'right' ? { kind: 'left', left: right, right: left, condition } : { kind, left, right, condition };
}
