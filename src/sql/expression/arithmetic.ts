/** Operators that calculate: numbers, positions in WAL, dates and times. */
import { ValueError } from '../../postgres/index.js';
import { formatLsn, parseLsn } from '../../values/lsn.js';
import { addMonths } from '../types/calendar-months.js';
import type { StatementContext } from '../context.js';
import { calculate, divisionByZero, type DecimalOperator } from '../types/decimal.js';
import { parseInterval, printInterval } from '../types/interval-values.js';
import { fromLocal, isInfinite, microsPerDay, printTimestamp, timeOf, toLocal } from '../types/time-values.js';
import { typeOids } from '../types/type-oids.js';

export type BinaryOperation = (left: string, right: string, context: StatementContext) => string;
export type PrefixOperation = (value: string, context: StatementContext) => string;

const integerLimits: Readonly<Record<string, { name: string; low: bigint; high: bigint }>> = {
  int2: { name: 'smallint', low: -0x8000n, high: 0x7fffn },
  int4: { name: 'integer', low: -0x8000_0000n, high: 0x7fff_ffffn },
  int8: { name: 'bigint', low: -(2n ** 63n), high: 2n ** 63n - 1n },
};

function integerOperation(operator: string, result: string): BinaryOperation | undefined {
  const calculate = integerOperators[operator];
  const limits = integerLimits[result];
  if (calculate === undefined || limits === undefined) return undefined;
  return (left, right) => checkInteger(calculate(BigInt(left), BigInt(right)), limits);
}

function checkInteger(value: bigint, { name, low, high }: { name: string; low: bigint; high: bigint }): string {
  if (value < low || value > high) throw new ValueError('22003', `${name} out of range`);
  return value.toString();
}

const integerOperators: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => {
    if (b === 0n) throw divisionByZero();
    return a / b;
  },
  '%': (a, b) => {
    if (b === 0n) throw divisionByZero();
    return a % b;
  },
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '#': (a, b) => a ^ b,
  '<<': (a, b) => BigInt.asIntN(64, a << (b & 63n)),
  '>>': (a, b) => a >> (b & 63n),
};

const floatOperators: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => {
    if (b === 0) throw divisionByZero();
    return a / b;
  },
  '^': (a, b) => a ** b,
};

function floatOperation(operator: string, result: number): BinaryOperation | undefined {
  const calculate = floatOperators[operator];
  return calculate && ((left, right, context) => printFloat(calculate(Number(left), Number(right)), result, context));
}

export function printFloat(value: number, type: number, { types, major }: StatementContext): string {
  return types.pgType(type).input(String(value), -1, major);
}

function addInterval(time: string, interval: string, sign: 1 | -1, zone: string | null): string {
  if (isInfinite(time)) return time;
  const { months, days, micros } = parseInterval(interval);
  const local = timeOf(zone === null ? time : toLocal(time, zone));
  const moved = addMonths(local, sign * months) + BigInt(sign * days) * microsPerDay;
  const absolute = zone === null ? moved : timeOf(fromLocal(printTimestamp(moved), zone));
  return printTimestamp(absolute + BigInt(sign) * micros) + (zone === null ? '' : '+00');
}

function readInterval(text: string, { types, major }: StatementContext): string {
  return types.pgType(typeOids.interval).input(text, -1, major);
}

function intervalSum(left: string, right: string, sign: 1 | -1, context: StatementContext): string {
  const [a, b] = [parseInterval(left), parseInterval(right)];
  const sum = {
    months: a.months + sign * b.months,
    days: a.days + sign * b.days,
    micros: a.micros + BigInt(sign) * b.micros,
  };
  return readInterval(printInterval(sum), context);
}

/** Days and the rest. */
function difference(left: string, right: string, context: StatementContext): string {
  const micros = timeOf(left) - timeOf(right);
  const days = micros / microsPerDay;
  return readInterval(printInterval({ months: 0, days: Number(days), micros: micros - days * microsPerDay }), context);
}

const asTimestamp = (date: string): string => (date.length === 10 ? `${date} 00:00:00` : date);
const zoneOf = (context: StatementContext): string => context.session.outputSettings.timeZone;
const addDays = (date: string, days: number): string =>
  printTimestamp(timeOf(date) + BigInt(days) * microsPerDay).slice(0, 10);

/** By operator and operand types. */
const others: Readonly<Record<string, BinaryOperation>> = {
  'pg_lsn-pg_lsn': (a, b) => (parseLsn(a) - parseLsn(b)).toString(),
  'pg_lsn+numeric': (a, b, { major }) => movedLsn(a, b, 1n, major),
  'numeric+pg_lsn': (a, b, { major }) => movedLsn(b, a, 1n, major),
  'pg_lsn-numeric': (a, b, { major }) => movedLsn(a, b, -1n, major),
  'date-date': (a, b) => ((timeOf(a) - timeOf(b)) / microsPerDay).toString(),
  'date+int4': (a, b) => addDays(a, Number(b)),
  'int4+date': (a, b) => addDays(b, Number(a)),
  'date-int4': (a, b) => addDays(a, -Number(b)),
  'date+interval': (a, b) => addInterval(asTimestamp(a), b, 1, null),
  'date-interval': (a, b) => addInterval(asTimestamp(a), b, -1, null),
  'timestamp+interval': (a, b) => addInterval(a, b, 1, null),
  'interval+timestamp': (a, b) => addInterval(b, a, 1, null),
  'timestamp-interval': (a, b) => addInterval(a, b, -1, null),
  'timestamptz+interval': (a, b, context) => addInterval(a, b, 1, zoneOf(context)),
  'interval+timestamptz': (a, b, context) => addInterval(b, a, 1, zoneOf(context)),
  'timestamptz-interval': (a, b, context) => addInterval(a, b, -1, zoneOf(context)),
  'timestamp-timestamp': difference,
  'timestamptz-timestamptz': difference,
  'interval+interval': (a, b, context) => intervalSum(a, b, 1, context),
  'interval-interval': (a, b, context) => intervalSum(a, b, -1, context),
};

function movedLsn(lsn: string, bytes: string, sign: bigint, major: number): string {
  const moved = parseLsn(lsn) + sign * BigInt(calculate('+', bytes, '0').split('.')[0]!);
  if (moved < 0n || moved >= 2n ** 64n) throw new ValueError('22003', 'pg_lsn out of range');
  return formatLsn(moved, major);
}

/** @param left typname of the left operand, and so on. Undefined: not an operator of this kind. */
export function arithmeticOperation(
  operator: string,
  left: string,
  right: string,
  result: string,
): BinaryOperation | undefined {
  if (left in integerLimits && right in integerLimits) return integerOperation(operator, result);
  if (left === 'numeric' && right === 'numeric' && '+-*/%'.includes(operator)) {
    return (a, b) => calculate(operator as DecimalOperator, a, b);
  }
  if (left.startsWith('float') && right.startsWith('float')) {
    return floatOperation(operator, result === 'float4' ? typeOids.float4 : typeOids.float8);
  }
  return others[left + operator + right];
}

export function prefixOperation(operator: string, type: string): PrefixOperation | undefined {
  const limits = integerLimits[type];
  const isNumber = limits !== undefined || type === 'numeric' || type.startsWith('float');
  if (operator === '+' && isNumber) return (value) => value;
  if (operator === '-' && limits !== undefined) return (value) => checkInteger(-BigInt(value), limits);
  if (operator === '-' && isNumber) return (value) => negated(value);
  if (operator === '@' && isNumber) return (value) => value.replace(/^-/, '');
  if (operator === '~' && limits !== undefined) return (value) => (~BigInt(value)).toString();
  return undefined;
}

function negated(value: string): string {
  if (value.startsWith('-')) return value.slice(1);
  return /^0(\.0*)?$/.test(value) || value === 'NaN' ? value : `-${value}`;
}
