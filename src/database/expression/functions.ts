/** Built-in immutable functions that row filters use. */
import { ValueError, type PgType } from '../../postgres/pg-type.js';
import { types } from './coercion.js';
import { isFinite, parseDecimal, printDecimal, roundDecimal } from './decimal.js';
import { negate } from './operators.js';

export interface FunctionSignature {
  /** Type names of the arguments; 'number' takes any number and is what it is given. */
  readonly parameters: readonly ('text' | 'int4' | 'numeric' | 'number')[];
  /** How many of the last parameters can be left out. */
  readonly optional?: number;
  readonly result: PgType | 'number';
  readonly since?: number;
  /** Optional arguments are undefined where they are left out. */
  call(first: string, second?: string, third?: string): string;
}

const { text, int4, bool, numeric } = types;
const count = (value: string): string => String(Array.from(value).length);

function trim(side: 'start' | 'end' | 'both'): FunctionSignature {
  return {
    parameters: ['text', 'text'],
    optional: 1,
    result: text,
    call: (value, characters = ' ') => {
      const cut = new Set(characters);
      const all = Array.from(value);
      let [start, end] = [0, all.length];
      if (side !== 'end') while (start < end && cut.has(all[start]!)) start++;
      if (side !== 'start') while (end > start && cut.has(all[end - 1]!)) end--;
      return all.slice(start, end).join('');
    },
  };
}

const length: FunctionSignature = { parameters: ['text'], result: int4, call: count };
const substring: FunctionSignature = {
  parameters: ['text', 'int4', 'int4'],
  optional: 1,
  result: text,
  call: (value, from = '1', size) => {
    if (size !== undefined && Number(size) < 0) throw new ValueError('22011', 'negative substring length not allowed');
    const end = size === undefined ? Infinity : Number(from) - 1 + Number(size);
    return Array.from(value)
      .slice(Math.max(Number(from) - 1, 0), Math.max(end, 0))
      .join('');
  },
};
const strpos = (value: string, part = ''): string => {
  const at = value.indexOf(part);
  return String(at < 0 ? 0 : Array.from(value.slice(0, at)).length + 1);
};
const whole = (round: (text: string) => string): FunctionSignature => ({
  parameters: ['number'],
  result: 'number',
  call: (value) => (isFinite(value) && /[.e]/i.test(value) ? round(value) : value),
});
const towards =
  (up: boolean) =>
  (value: string): string => {
    if (/e/i.test(value)) return String(up ? Math.ceil(Number(value)) : Math.floor(Number(value)));
    const { digits, scale } = parseDecimal(value);
    const unit = 10n ** BigInt(scale);
    const remainder = ((digits % unit) + unit) % unit;
    return String((digits - remainder) / unit + (up && remainder > 0n ? 1n : 0n));
  };

export const functions: Readonly<Record<string, FunctionSignature>> = {
  lower: { parameters: ['text'], result: text, call: (value) => value.toLowerCase() },
  upper: { parameters: ['text'], result: text, call: (value) => value.toUpperCase() },
  length,
  char_length: length,
  character_length: length,
  octet_length: {
    parameters: ['text'],
    result: int4,
    call: (value) => String(new TextEncoder().encode(value).length),
  },
  btrim: trim('both'),
  trim: trim('both'),
  ltrim: trim('start'),
  rtrim: trim('end'),
  left: {
    parameters: ['text', 'int4'],
    result: text,
    call: (value, size = '0') => Array.from(value).slice(0, Number(size)).join(''),
  },
  right: {
    parameters: ['text', 'int4'],
    result: text,
    call: (value, size = '0') => {
      const all = Array.from(value);
      return all.slice(Number(size) >= 0 ? Math.max(all.length - Number(size), 0) : -Number(size)).join('');
    },
  },
  substring,
  substr: substring,
  strpos: { parameters: ['text', 'text'], result: int4, call: strpos },
  position: { parameters: ['text', 'text'], result: int4, call: (part, value = '') => strpos(value, part) },
  starts_with: {
    parameters: ['text', 'text'],
    result: bool,
    since: 11,
    call: (value, prefix = '') => (value.startsWith(prefix) ? 't' : 'f'),
  },
  replace: {
    parameters: ['text', 'text', 'text'],
    result: text,
    call: (value, from = '', to = '') => (from === '' ? value : value.split(from).join(to)),
  },
  reverse: { parameters: ['text'], result: text, call: (value) => Array.from(value).reverse().join('') },
  abs: { parameters: ['number'], result: 'number', call: (value) => (value.startsWith('-') ? negate(value) : value) },
  floor: whole(towards(false)),
  ceil: whole(towards(true)),
  ceiling: whole(towards(true)),
  round: {
    parameters: ['numeric', 'int4'],
    optional: 1,
    result: numeric,
    call: (value, scale = '0') =>
      isFinite(value) ? printDecimal(roundDecimal(parseDecimal(value), Number(scale))) : value,
  },
};

/** Functions that a server knows and refuses in row filters, since their result depends on more than their arguments. */
export const mutableFunctions = new Set([
  ...['now', 'random', 'clock_timestamp', 'statement_timestamp', 'transaction_timestamp', 'timeofday'],
  ...['current_setting', 'nextval', 'currval', 'lastval', 'concat', 'concat_ws', 'format', 'to_char', 'to_date'],
  ...['to_timestamp', 'age', 'txid_current', 'gen_random_uuid', 'pg_backend_pid', 'version'],
]);
