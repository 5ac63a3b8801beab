/** Shapes of scalars. All read the text that the author wrote, so that no digit is lost on the way. */
import { parseLsn } from '../values/lsn.js';
import { parseTimestamp } from '../values/timestamp.js';
import { textSchema, type JsonSchema } from './json-schema.js';
import { isNull, type Node } from './node.js';
import { untagged, type Reader, type Shape } from './shape.js';
import type { Located } from './source.js';
import { alternatives, didYouMean } from './suggestion.js';

export interface ScalarOptions<T> {
  readonly expected: string;
  /** Undefined: the text is none of these. `plain`: written without quotes. */
  readonly parse: (text: string, plain: boolean) => T | undefined;
  readonly schema: JsonSchema;
  readonly hint?: (text: string) => string | undefined;
}

export function scalar<T>(options: ScalarOptions<T>): Shape<Located<T>> {
  const shape: Shape<Located<T>> = {
    expected: options.expected,
    read(node: Node, reader: Reader) {
      if (!untagged(node, reader)) return undefined;
      if (node.kind !== 'scalar' || isNull(node)) return reader.mismatch(node, shape);
      const value = options.parse(node.text, node.plain);
      return value === undefined ? reader.mismatch(node, shape, options.hint?.(node.text)) : { value, at: node.at };
    },
    jsonSchema: () => options.schema,
  };
  return shape;
}

/** Any text, as written. */
export const text = scalar<string>({ expected: 'text', parse: (value) => value, schema: textSchema });

/** Text that is not empty. */
export const name = scalar<string>({
  expected: 'a name',
  parse: (value) => (value === '' ? undefined : value),
  schema: textSchema,
});

export const boolean = scalar<boolean>({
  expected: '`true` or `false`',
  parse: (value, plain) => (plain ? ({ true: true, false: false } as Record<string, boolean>)[value] : undefined),
  schema: { type: 'boolean' },
});

export function integer(minimum: number, maximum: number, what = 'an integer'): Shape<Located<number>> {
  return scalar<number>({
    expected:
      maximum === Number.MAX_SAFE_INTEGER ? `${what}, ${minimum} or more` : `${what} from ${minimum} to ${maximum}`,
    parse: (value) => {
      const number = /^-?\d{1,16}$/.test(value) ? Number(value) : NaN;
      return number >= minimum && number <= maximum ? number : undefined;
    },
    schema: { type: 'integer', minimum, maximum },
  });
}

export const count = integer(0, Number.MAX_SAFE_INTEGER, 'a count');
export const oid = integer(1, 0xffff_ffff, 'an OID');
export const xid = integer(3, 0xffff_ffff, 'a transaction id');

export function choice<const W extends string>(...words: readonly W[]): Shape<Located<W>> {
  return scalar<W>({
    expected: alternatives(words),
    parse: (value) => words.find((word) => word === value),
    schema: { enum: words },
    hint: (value) => didYouMean(value, words),
  });
}

/** `0/1500000`: two halves in hexadecimal. */
export const lsn = scalar<bigint>({
  expected: 'an LSN such as 0/1500000',
  parse: parseLsnText,
  schema: { type: 'string', pattern: '^[0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8}$' },
});

export function parseLsnText(value: string): bigint | undefined {
  return orUndefined(parseLsn, value);
}

/** A moment, microseconds since 2000. */
export const time = scalar<bigint>({
  expected: 'a time such as 2026-01-01T00:00:00Z',
  parse: (value) => orUndefined(parseTimestamp, value),
  schema: { type: 'string', pattern: '^[+-]?\\d{4,6}-\\d\\d-\\d\\d[Tt ]\\d\\d:\\d\\d.*([Zz]|[+-]\\d\\d(:?\\d\\d)?)$' },
  hint: (value) => (/^\d{4}-\d\d-\d\d/.test(value) ? 'a date, a time of day, and Z or an offset' : undefined),
});

/** @param parse - throws SyntaxError for what it does not read */
function orUndefined<T>(parse: (value: string) => T, value: string): T | undefined {
  try {
    return parse(value);
  } catch {
    return undefined;
  }
}

const microseconds: Readonly<Record<string, number>> = {
  us: 1,
  ms: 1e3,
  s: 1e6,
  min: 60e6,
  h: 3600e6,
  d: 86_400e6,
};

/** A length of time, in microseconds. */
export const duration = scalar<number>({
  expected: 'a duration such as 250ms, 5s or 2min',
  parse: (value) => {
    const parts = /^(\d+(?:\.\d+)?) ?(us|ms|s|min|h|d)$/.exec(value);
    const exact = parts === null ? NaN : Number(parts[1]) * microseconds[parts[2]!]!;
    return Number.isSafeInteger(Math.round(exact)) ? Math.round(exact) : undefined;
  },
  schema: { type: 'string', pattern: '^\\d+(\\.\\d+)? ?(us|ms|s|min|h|d)$' },
  hint: (value) => (/^\d+(?:\.\d+)?$/.test(value) ? `add a unit: ${value}s or ${value}ms` : undefined),
});

const bytesPerUnit: Readonly<Record<string, number>> = { B: 1, kB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

/** Bytes per second, in PostgreSQL's units of 1024. */
export const bandwidth = scalar<number>({
  expected: 'a bandwidth such as 64kB/s',
  parse: parseBandwidth,
  schema: { type: 'string', pattern: '^\\d+ ?(B|kB|MB|GB)/s$' },
});

export function parseBandwidth(value: string): number | undefined {
  const parts = /^(\d+) ?(B|kB|MB|GB)\/s$/.exec(value);
  const rate = parts === null ? 0 : Number(parts[1]) * bytesPerUnit[parts[2]!]!;
  return rate > 0 ? rate : undefined;
}

/** Bytes as hexadecimal digits, with spaces wherever they help. */
export const hexBytes = scalar<Uint8Array>({
  expected: 'bytes in hexadecimal such as "55 00 0A"',
  parse: parseHex,
  schema: { type: ['string', 'integer'] },
});

export function parseHex(value: string): Uint8Array | undefined {
  const digits = value.replace(/\s+/g, '');
  if (!/^(?:[0-9A-Fa-f]{2})*$/.test(digits)) return undefined;
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}
