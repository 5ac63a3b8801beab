/** Aggregates, and the window functions. */
import { printFloat } from '../expression/arithmetic.js';
import { comparisonOf } from '../expression/comparison.js';
import type { Value } from '../expression/expression.js';
import type { Accumulator } from '../query/scope.js';
import { printElements } from '../types/array-values.js';
import { calculate } from '../types/decimal.js';
import { parseInterval, printInterval } from '../types/interval-values.js';
import { typeOids } from '../types/type-oids.js';
import { aggregates, windowFunctions, type AggregateBody, type Call } from './definition.js';

function counter(): Accumulator {
  let count = 0;
  return {
    add: () => {
      count++;
    },
    result: () => String(count),
  };
}

function extreme(direction: 1 | -1): AggregateBody {
  return ({ context, argumentTypes }) => {
    const compare = comparisonOf(context.types, argumentTypes[0]!);
    let best: Value = null;
    return {
      add: ([value]) => {
        if (best === null || direction * compare(value!, best) > 0) best = value!;
      },
      result: () => best,
    };
  };
}

/** Sum of numbers as decimals; null without rows. */
function decimalSum(): Accumulator {
  let sum: Value = null;
  return { add: ([value]) => void (sum = sum === null ? value! : calculate('+', sum, value!)), result: () => sum };
}

function floatSum(type: number): AggregateBody {
  return ({ context }) => {
    let sum: number | null = null;
    return {
      add: ([value]) => void (sum = (sum ?? 0) + Number(value)),
      result: () => (sum === null ? null : printFloat(sum, type, context)),
    };
  };
}

function intervalSum({ context }: Call): Accumulator {
  let sum = { months: 0, days: 0, micros: 0n };
  let count = 0;
  return {
    add: ([value]) => {
      const next = parseInterval(value!);
      sum = { months: sum.months + next.months, days: sum.days + next.days, micros: sum.micros + next.micros };
      count++;
    },
    result: () =>
      count === 0 ? null : context.types.pgType(typeOids.interval).input(printInterval(sum), -1, context.major),
  };
}

function average(): Accumulator {
  const sum = decimalSum();
  let count = 0;
  return {
    add: (values) => {
      sum.add(values);
      count++;
    },
    result: () => (count === 0 ? null : calculate('/', sum.result()!, String(count))),
  };
}

function floatAverage({ context }: Call): Accumulator {
  let sum = 0;
  let count = 0;
  return {
    add: ([value]) => {
      sum += Number(value);
      count++;
    },
    result: () => (count === 0 ? null : printFloat(sum / count, typeOids.float8, context)),
  };
}

function collected({ context, resultType }: Call): Accumulator {
  const elements: Value[] = [];
  return {
    add: ([value]) => void elements.push(value!),
    result: () => (elements.length === 0 ? null : printElements(context.types, resultType, elements)),
  };
}

/** The first value has no delimiter in front. */
function joined(): Accumulator {
  let text: Value = null;
  return {
    add: ([value, delimiter]) => {
      if (value === null) return;
      text = text === null ? value! : text + (delimiter ?? '') + value!;
    },
    result: () => text,
  };
}

/** bool_and and bool_or: the value that decides. */
function decided(by: 't' | 'f'): AggregateBody {
  return () => {
    let result: Value = null;
    return { add: ([value]) => void (result = value === by || result === by ? by : value!), result: () => result };
  };
}

function firstValue(): Accumulator {
  let first: Value = null;
  return { add: ([value]) => void (first ??= value!), result: () => first };
}

const ordered = [
  ...[
    'int2',
    'int4',
    'int8',
    'float4',
    'float8',
    'numeric',
    'oid',
    'text',
    'bpchar',
    'date',
    'time',
    'timetz',
    'timestamp',
  ],
  ...['timestamptz', 'interval', 'inet', 'money', 'anyenum', 'anyarray', '[13-]pg_lsn', '[15-]xid8', '[18-]bytea'],
];

function each(
  types: readonly string[],
  signature: (type: string) => string,
  body: AggregateBody,
): Record<string, AggregateBody> {
  return Object.fromEntries(
    types.map((type) => {
      const [, range = '', name] = /^(\[.*\])?(\w+)$/.exec(type)!;
      return [range + signature(name!), body];
    }),
  );
}

export const aggregateFunctions = [
  aggregates(
    {
      'count() int8': counter,
      'count(any) int8': counter,
      ...each(ordered, (type) => `max(${type}) ${type}`, extreme(1)),
      ...each(ordered, (type) => `min(${type}) ${type}`, extreme(-1)),
      'sum(int2) int8': decimalSum,
      'sum(int4) int8': decimalSum,
      'sum(int8) numeric': decimalSum,
      'sum(numeric) numeric': decimalSum,
      'sum(float4) float4': floatSum(typeOids.float4),
      'sum(float8) float8': floatSum(typeOids.float8),
      'sum(interval) interval': intervalSum,
      ...each(['int2', 'int4', 'int8', 'numeric'], (type) => `avg(${type}) numeric`, average),
      'avg(float4) float8': floatAverage,
      'avg(float8) float8': floatAverage,
      'bool_and(bool) bool': decided('f'),
      'bool_or(bool) bool': decided('t'),
      'every(bool) bool': decided('f'),
      '[16-]any_value(anyelement) anyelement': firstValue,
    },
    true,
  ),
  aggregates(
    {
      'array_agg(anynonarray) anyarray': collected,
      'string_agg(text, text) text': joined,
    },
    false,
  ),
  windowFunctions(['row_number() int8', 'rank() int8', 'dense_rank() int8']),
];
