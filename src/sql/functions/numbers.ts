/** Functions on numbers (manual chapter "Mathematical Functions and Operators"). */
import { printFloat } from '../expression/arithmetic.js';
import { sqlError } from '../failure.js';
import { calculate, roundDecimal, truncateDecimal, wholeDecimal } from '../types/decimal.js';
import { compareNumeric } from '../../postgres/numeric.js';
import { typeOids } from '../types/type-oids.js';
import { functions, setFunctions, volatileFunctions, type Call } from './definition.js';

const withoutSign = (value: string): string => value.replace(/^-/, '');

function float(change: (value: number) => number): (call: Call, value: string) => string {
  return ({ context }, value) => printFloat(change(Number(value)), typeOids.float8, context);
}

/** Half to even. */
function roundFloat(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

function signOf(value: string): string {
  return String(Math.sign(compareNumeric(value, '0')));
}

/** A longer one would keep every other client waiting: statements are evaluated in one go. */
const longestSeries = 10_000_000;

function* series(from: bigint, to: bigint, step: bigint): Generator<string> {
  if (step === 0n) throw sqlError('22023', 'step size cannot equal zero');
  if ((to - from) / step >= longestSeries) throw tooLong();
  for (let value = from; step > 0n ? value <= to : value >= to; value += step) yield value.toString();
}

function* decimalSeries(from: string, to: string, step: string): Generator<string> {
  const direction = compareNumeric(step, '0');
  if (direction === 0) throw sqlError('22023', 'step size cannot equal zero');
  let count = 0;
  for (let value = from; compareNumeric(value, to) * direction <= 0; value = calculate('+', value, step)) {
    if (count++ >= longestSeries) throw tooLong();
    yield value;
  }
}

function tooLong(): Error {
  return sqlError('54000', `fake-walsender makes series of ${longestSeries} rows at most`);
}

export const numberFunctions = [
  functions({
    ...Object.fromEntries(
      ['int2', 'int4', 'int8', 'numeric', 'float4', 'float8'].map((type) => [
        `abs(${type}) ${type}`,
        (_: Call, value: string) => withoutSign(value),
      ]),
    ),
    ...Object.fromEntries(
      ['int2', 'int4', 'int8', 'numeric'].map((type) => [
        `mod(${type}, ${type}) ${type}`,
        (_: Call, a: string, b: string) => calculate('%', a, b),
      ]),
    ),
    'round(numeric) numeric': (_, value) => roundDecimal(value, 0),
    'round(numeric, int4) numeric': (_, value, digits) => roundDecimal(value, Number(digits)),
    'round(float8) float8': float(roundFloat),
    'trunc(numeric) numeric': (_, value) => truncateDecimal(value, 0),
    'trunc(numeric, int4) numeric': (_, value, digits) => truncateDecimal(value, Number(digits)),
    'trunc(float8) float8': float(Math.trunc),
    'ceil(numeric) numeric': (_, value) => wholeDecimal(value, 'up'),
    'ceil(float8) float8': float(Math.ceil),
    'ceiling(numeric) numeric': (_, value) => wholeDecimal(value, 'up'),
    'ceiling(float8) float8': float(Math.ceil),
    'floor(numeric) numeric': (_, value) => wholeDecimal(value, 'down'),
    'floor(float8) float8': float(Math.floor),
    'sign(numeric) numeric': (_, value) => signOf(value),
    'sign(float8) float8': float(Math.sign),
    'sqrt(float8) float8': float((value) => {
      if (value < 0) throw sqlError('2201F', 'cannot take square root of a negative number');
      return Math.sqrt(value);
    }),
    'power(float8, float8) float8': ({ context }, a, b) => printFloat(Number(a) ** Number(b), typeOids.float8, context),
    'pow(float8, float8) float8': ({ context }, a, b) => printFloat(Number(a) ** Number(b), typeOids.float8, context),
    'div(numeric, numeric) numeric': (_, a, b) => truncateDecimal(calculate('/', a, b), 0),
  }),
  volatileFunctions({
    'random() float8': ({ context }) => printFloat(Math.random(), typeOids.float8, context),
  }),
  setFunctions({
    'generate_series(int4, int4) setof int4': (_, from, to) => series(BigInt(from), BigInt(to), 1n),
    'generate_series(int4, int4, int4) setof int4': (_, from, to, step) =>
      series(BigInt(from), BigInt(to), BigInt(step)),
    'generate_series(int8, int8) setof int8': (_, from, to) => series(BigInt(from), BigInt(to), 1n),
    'generate_series(int8, int8, int8) setof int8': (_, from, to, step) =>
      series(BigInt(from), BigInt(to), BigInt(step)),
    'generate_series(numeric, numeric) setof numeric': (_, from, to) => decimalSeries(from, to, '1'),
    'generate_series(numeric, numeric, numeric) setof numeric': (_, from, to, step) => decimalSeries(from, to, step),
  }),
];
