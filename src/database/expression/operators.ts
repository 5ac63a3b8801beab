/** Operators on values of one type each. */
import { parseArray, typeByOid } from '../../postgres/index.js';
import { ValueError, type PgType } from '../../postgres/pg-type.js';
import { printFloat8 } from '../../postgres/float.js';
import { integer, isInteger } from './coercion.js';
import {
  addDecimals,
  divideDecimals,
  isFinite,
  multiplyDecimals,
  parseDecimal,
  printDecimal,
  remainderDecimals,
} from './decimal.js';

export type Comparison = '=' | '<>' | '<' | '>' | '<=' | '>=';

export function isComparison(operator: string): operator is Comparison {
  return ['=', '<>', '<', '>', '<=', '>='].includes(operator);
}

export function compares(operator: Comparison, order: number): boolean {
  switch (operator) {
    case '=':
      return order === 0;
    case '<>':
      return order !== 0;
    case '<':
      return order < 0;
    case '>':
      return order > 0;
    case '<=':
      return order <= 0;
    case '>=':
      return order >= 0;
  }
}

export const arithmetic = ['+', '-', '*', '/', '%'];

/** @throws ValueError 22012 division_by_zero, 22003 numeric_value_out_of_range */
export function calculate(operator: string, a: string, b: string, type: PgType, major: number): string {
  if (isInteger(type)) return integerResult(operator, BigInt(a), BigInt(b), type, major);
  if (type.name === 'numeric') return numericResult(operator, a, b);
  const result = floatResult(operator, Number(a), Number(b));
  return type.input(printFloat8(result), -1, major);
}

function integerResult(operator: string, a: bigint, b: bigint, type: PgType, major: number): string {
  if ((operator === '/' || operator === '%') && b === 0n) throw divisionByZero();
  const result =
    operator === '+' ? a + b : operator === '-' ? a - b : operator === '*' ? a * b : operator === '/' ? a / b : a % b;
  return integer(String(result), type, major);
}

function numericResult(operator: string, a: string, b: string): string {
  if (!isFinite(a) || !isFinite(b)) {
    const result = floatResult(operator, Number(a), Number(b));
    return Number.isNaN(result) ? 'NaN' : result === 0 ? '0' : result > 0 ? 'Infinity' : '-Infinity';
  }
  const [x, y] = [parseDecimal(a), parseDecimal(b)];
  if ((operator === '/' || operator === '%') && y.digits === 0n) throw divisionByZero();
  switch (operator) {
    case '+':
      return printDecimal(addDecimals(x, y));
    case '-':
      return printDecimal(addDecimals(x, { digits: -y.digits, scale: y.scale }));
    case '*':
      return printDecimal(multiplyDecimals(x, y));
    case '/':
      return printDecimal(divideDecimals(x, y));
    default:
      return printDecimal(remainderDecimals(x, y));
  }
}

function floatResult(operator: string, a: number, b: number): number {
  if (operator === '/' && b === 0 && !Number.isNaN(a)) throw divisionByZero();
  return operator === '+'
    ? a + b
    : operator === '-'
      ? a - b
      : operator === '*'
        ? a * b
        : operator === '/'
          ? a / b
          : a % b;
}

function divisionByZero(): ValueError {
  return new ValueError('22012', 'division by zero');
}

export function negate(text: string): string {
  if (text === 'NaN' || /^0(\.0*)?$/.test(text)) return text;
  return text.startsWith('-') ? text.slice(1) : `-${text}`;
}

/** LIKE: `%` any text, `_` one character. @throws ValueError 22025 when the pattern ends with the escape character */
export function likePattern(pattern: string, escape: string | null, caseInsensitive: boolean): RegExp {
  let source = '';
  const characters = Array.from(pattern);
  for (let i = 0; i < characters.length; i++) {
    let character = characters[i]!;
    if (character === escape) {
      if (++i >= characters.length) throw new ValueError('22025', 'LIKE pattern must not end with escape character');
      character = characters[i]!;
    } else if (character === '%' || character === '_') {
      source += character === '%' ? '[^]*' : '[^]';
      continue;
    }
    source += character.replace(/[\\^$.*+?()[\]{}|/-]/u, '\\$&');
  }
  return new RegExp(`^${source}$`, caseInsensitive ? 'iu' : 'u');
}

/** The elements of an array value, of all dimensions. */
export function arrayElements(text: string, element: PgType): readonly (string | null)[] {
  return parseArray(text, element.delimiter).elements;
}

/** The array type over a type; undefined where none is known. */
export function arrayTypeOf(element: PgType): PgType | undefined {
  return typeByOid(element.arrayOid);
}
