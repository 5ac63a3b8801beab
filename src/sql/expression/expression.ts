/** Expressions after analysis: typed, ready to be evaluated on a row. Values are canonical text, or null for NULL. */
import { quoteIdentifier } from '../../postgres/index.js';
import type { StatementContext } from '../context.js';
import { typeOids } from '../types/type-oids.js';

export type Value = string | null;

/** Where an expression finds its values: the row of its own query, and those of the queries around it. */
export interface Frame {
  readonly context: StatementContext;
  readonly parameters: readonly Value[];
  /** The columns of everything in FROM, one after another. */
  values: Value[];
  /** What aggregates, window functions and set-returning functions gave for this row. */
  slots: Value[];
  readonly outer: Frame | null;
  /** What this run of the query has worked out once: rows of a joined table by key, say. */
  readonly memo: Map<object, unknown>;
  /** Results of subqueries that do not depend on the row, for the whole statement. */
  readonly cache: Map<object, unknown>;
}

/** A column of something in FROM. */
export interface ColumnSource {
  /** Queries outwards: 0 is the expression's own. */
  readonly depth: number;
  /** In the frame's `values`. */
  readonly index: number;
  readonly name: string;
  /** The alias that it is known by, for messages. */
  readonly table: string;
  /** 0 where it is no table's column. */
  readonly tableOid: number;
  readonly attnum: number;
}

export interface RecordField {
  readonly name: string;
  readonly type: number;
  readonly typmod: number;
}

export interface ColumnType {
  readonly type: number;
  readonly typmod: number;
  /** What a record consists of; undefined for what is none, or a named composite type. */
  readonly fields?: readonly RecordField[] | undefined;
}

export interface Expression {
  readonly type: number;
  readonly typmod: number;
  /** Its structure: expressions of one query with equal keys have equal values in one row. */
  readonly key: string;
  readonly children: readonly Expression[];
  evaluate(frame: Frame): Value;
  /** As the server's deparser prints it; undefined where that is not known. */
  readonly print: (() => string) | undefined;
  readonly column?: ColumnSource | undefined;
  /** The table's column that it shows, where it is not the `column` itself: attnum 0 for a whole row. */
  readonly origin?: Pick<ColumnSource, 'tableOid' | 'attnum'> | undefined;
  /** The value of a constant. */
  readonly constant?: { readonly value: Value } | undefined;
  /** Number of a parameter. */
  readonly parameter?: number | undefined;
  /** Evaluating it does something, or gives something new each time. */
  readonly volatile?: boolean | undefined;
  /** A call of a function that is not immutable. */
  readonly isMutable?: boolean | undefined;
  readonly isSubquery?: boolean | undefined;
  /** Evaluates all its children, and depends on nothing else: with constants it is one itself. */
  readonly isPure?: boolean | undefined;
  /** An aggregate: its arguments are evaluated elsewhere, on each row of the group. */
  readonly isAggregate?: boolean | undefined;
  /** `a = b`, true exactly when the texts of both values are the same. */
  readonly equality?: readonly [Expression, Expression] | undefined;
  /** What AND joins. */
  readonly conjuncts?: readonly Expression[] | undefined;
  /** Depends on columns that are not among `children`: a subquery that refers to this query. */
  readonly isOpaque?: boolean | undefined;
  /** What a record consists of. */
  readonly fields?: readonly RecordField[] | undefined;
  /** Byte offset in the statement's text; -1 for unknown. */
  readonly location: number;
}

export function constant(value: Value, type: number, location: number, typmod = -1, print?: () => string): Expression {
  return {
    type,
    typmod,
    key: `${type}'${value ?? 'null'}'`,
    children: [],
    evaluate: () => value,
    print: print ?? (() => printConstant(value, type)),
    constant: { value },
    location,
  };
}

/** A string literal whose type its surroundings decide. */
export function isUntyped(expression: Expression): boolean {
  return expression.type === typeOids.unknown;
}

function printConstant(value: Value, type: number): string {
  if (value === null) return 'NULL';
  switch (type) {
    case typeOids.bool:
      return value === 't' ? 'true' : 'false';
    case typeOids.int4:
      return value.startsWith('-') ? `'${value}'::integer` : value;
    case typeOids.numeric:
      return value.startsWith('-') ? `'${value}'::numeric` : value;
    default:
      return quoteLiteral(value);
  }
}

/** As quote_literal() does. */
export function quoteLiteral(text: string): string {
  const quoted = text.replace(/['\\]/g, '$&$&');
  return text.includes('\\') ? `E'${quoted}'` : `'${quoted}'`;
}

export function columnExpression(
  source: ColumnSource,
  { type, typmod, fields }: ColumnType,
  location: number,
): Expression {
  const { depth, index } = source;
  return {
    type,
    typmod,
    key: `column${depth}.${index}`,
    children: [],
    evaluate: columnReader(depth, index),
    print: depth === 0 ? () => quoteIdentifier(source.name) : undefined,
    column: source,
    fields,
    location,
  };
}

function columnReader(depth: number, index: number): (frame: Frame) => Value {
  if (depth === 0) return (frame) => frame.values[index]!;
  if (depth === 1) return (frame) => frame.outer!.values[index]!;
  return (frame) => {
    let at = frame;
    for (let i = 0; i < depth; i++) at = at.outer!;
    return at.values[index]!;
  };
}

/** True, or false for false and NULL. */
export function isTrue(value: Value): boolean {
  return value === 't';
}

export function fromBoolean(value: boolean): Value {
  return value ? 't' : 'f';
}

/** Depth first; `visit` tells whether to go on below. */
export function walk(expression: Expression, visit: (expression: Expression) => boolean): void {
  if (!visit(expression)) return;
  for (const child of expression.children) walk(child, visit);
}

export function isVolatile(expression: Expression): boolean {
  let found = false;
  walk(expression, (e) => {
    found ||= e.volatile === true;
    return !found;
  });
  return found;
}

/** A constant, or what is worked out from constants alone. */
function isFixed(expression: Expression): boolean {
  return expression.constant !== undefined || (expression.isPure === true && expression.children.every(isFixed));
}

/** Works out what does not depend on the row: the server does so before it begins, and finds errors such as 1/0 then. */
export function checkConstants(expression: Expression, context: StatementContext): void {
  if (isFixed(expression)) {
    expression.evaluate({
      context,
      parameters: [],
      values: [],
      slots: [],
      outer: null,
      memo: new Map(),
      cache: new Map(),
    });
  } else if (expression.isPure === true) {
    for (const child of expression.children) checkConstants(child, context);
  }
}
