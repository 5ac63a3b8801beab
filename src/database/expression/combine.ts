/** Operators: two compiled operands → one. */
import { formatType } from '../../postgres/index.js';
import type { PgType } from '../../postgres/pg-type.js';
import {
  baseType,
  coerce,
  commonType,
  constant,
  isNumber,
  isText,
  types,
  type Compiled,
  type EvaluatedRow,
} from './coercion.js';
import { expressionError, mutable, notAllowed } from './expression-error.js';
import {
  arithmetic,
  arrayElements,
  arrayTypeOf,
  calculate,
  compares,
  isComparison,
  likePattern,
  negate,
  type Comparison,
} from './operators.js';

/** What may hold elements for ANY and ALL: their type, and the elements of a row's value. */
export interface ElementSource {
  readonly type: PgType;
  elements(row: EvaluatedRow): readonly (string | null)[] | null;
}

export function boolean(offset: number, evaluate: (row: EvaluatedRow) => boolean | null): Compiled {
  return {
    type: types.bool,
    offset,
    evaluate: (row) => {
      const value = evaluate(row);
      return value === null ? null : value ? 't' : 'f';
    },
  };
}

export function sign(operator: '-' | '+', compiled: Compiled, offset: number, major: number): Compiled {
  const value = compiled.type === null ? coerce(compiled, types.float8, major) : compiled;
  if (!isNumber(value.type)) throw noOperator(operator, [value.type], offset);
  if (operator === '+') return value;
  if (value.constant !== undefined) return constant(value.constant && negate(value.constant), value.type, offset);
  return {
    type: value.type,
    offset,
    evaluate: (row) => {
      const text = value.evaluate(row);
      return text === null ? null : negate(text);
    },
  };
}

/** @param offset - of the operator */
export function binary(operator: string, left: Compiled, right: Compiled, offset: number, major: number): Compiled {
  if (isComparison(operator)) {
    const [a, b, order] = comparable(operator, left, right, offset, major);
    return boolean(offset, (row) => {
      const x = a.evaluate(row);
      if (x === null) return null;
      const y = b.evaluate(row);
      return y === null ? null : compares(operator, order(x, y));
    });
  }
  const concatenates = operator === '||' && [left, right].some((operand) => isText(operand.type));
  const type = concatenates ? types.text : commonType(left.type, right.type);
  const calculates = arithmetic.includes(operator) && isCalculable(operator, type);
  if (type === undefined || (!concatenates && !calculates)) {
    throw noOperator(operator, [left.type, right.type], offset);
  }
  const [a, b] = [coerce(left, type, major), coerce(right, type, major)];
  return {
    type,
    offset,
    evaluate: (row) => {
      const [x, y] = [a.evaluate(row), b.evaluate(row)];
      if (x === null || y === null) return null;
      return concatenates ? x + y : calculate(operator, x, y, type, major);
    },
  };
}

function isCalculable(operator: string, type: PgType | undefined): boolean {
  return type !== undefined && isNumber(type) && !(operator === '%' && type.name.startsWith('float'));
}

/** Both sides in one type, and that type's order. */
export function comparable(
  operator: Comparison,
  left: Compiled,
  right: Compiled,
  offset: number,
  major: number,
): [Compiled, Compiled, (a: string, b: string) => number] {
  const type = commonType(left.type, right.type);
  if (dependsOnTimeZone(left.type, right.type)) throw notAllowed(left.offset, mutable);
  if (type?.compare === undefined) throw noOperator(operator, [left.type, right.type], offset);
  return [coerce(left, type, major), coerce(right, type, major), type.compare];
}

/** timestamptz has operators with date and timestamp, but the session's time zone decides what they say. */
function dependsOnTimeZone(a: PgType | null, b: PgType | null): boolean {
  const names = [a, b].map((type) => type && baseType(type).name);
  return names.includes('timestamptz') && (names.includes('timestamp') || names.includes('date'));
}

export function distinct(negated: boolean, left: Compiled, right: Compiled, offset: number, major: number): Compiled {
  const [a, b, order] = comparable('=', left, right, offset, major);
  return boolean(offset, (row) => {
    const [x, y] = [a.evaluate(row), b.evaluate(row)];
    const differs = x === null || y === null ? x !== y : order(x, y) !== 0;
    return differs !== negated;
  });
}

export function like(
  { caseInsensitive, negated, escape }: { caseInsensitive: boolean; negated: boolean; escape: string | null },
  left: Compiled,
  right: Compiled,
  offset: number,
  major: number,
): Compiled {
  if (![left.type, right.type].every((type) => type === null || isText(type))) {
    throw noOperator(caseInsensitive ? '~~*' : '~~', [left.type, right.type], offset);
  }
  // A char(n) keeps its blanks on the left side.
  const value = left.type !== null && baseType(left.type).name === 'bpchar' ? left : coerce(left, types.text, major);
  const pattern = coerce(right, types.text, major);
  const fixed = pattern.constant ? likePattern(pattern.constant, escape, caseInsensitive) : null;
  return boolean(offset, (row) => {
    const [text, source] = [value.evaluate(row), pattern.evaluate(row)];
    if (text === null || source === null) return null;
    return (fixed ?? likePattern(source, escape, caseInsensitive)).test(text) !== negated;
  });
}

/** ANY and ALL. */
export function quantified(
  operator: Comparison,
  all: boolean,
  left: Compiled,
  right: ElementSource,
  offset: number,
  major: number,
): Compiled {
  const type = commonType(left.type, right.type);
  if (type?.compare === undefined) throw noOperator(operator, [left.type, right.type], offset);
  const value = coerce(left, type, major);
  const order = type.compare;
  return boolean(offset, (row) => {
    const [text, list] = [value.evaluate(row), right.elements(row)];
    if (list === null) return null;
    let unknown = false;
    for (const element of list) {
      if (text === null || element === null) unknown = true;
      else if (compares(operator, order(text, element)) !== all) return !all;
    }
    return unknown ? null : all;
  });
}

/** An array value of which the elements are taken. @param leftType - decides what a string constant is an array of */
export function elementsOf(array: Compiled, leftType: PgType | null, major: number): ElementSource {
  const arrayType = array.type ?? arrayTypeOf(baseType(leftType ?? types.text));
  const element = arrayType?.element;
  if (arrayType?.kind !== 'array' || element === undefined) {
    throw expressionError('42809', 'op ANY/ALL (array) requires array on right side', array.offset);
  }
  const value = coerce(array, arrayType, major);
  return {
    type: element,
    elements: (row) => {
      const text = value.evaluate(row);
      return text === null ? null : arrayElements(text, element);
    },
  };
}

export function noOperator(operator: string, operandTypes: readonly (PgType | null)[], offset: number): Error {
  const names = operandTypes.map((type) => (type === null ? 'unknown' : formatType(type, -1)));
  const shown = names.length === 1 ? `${operator} ${names[0]}` : `${names[0]} ${operator} ${names[1]}`;
  return expressionError('42883', `operator does not exist: ${shown}`, offset);
}
