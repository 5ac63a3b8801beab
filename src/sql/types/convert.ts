/** Values from one type to another, by the way that `castMethod` found. */
import { ValueError } from '../../postgres/index.js';
import { truncateIdentifier } from '../../protocol/identifier.js';
import type { StatementContext } from '../context.js';
import { NotEmulated, sqlError } from '../failure.js';
import { arrayParts, printParts } from './array-values.js';
import { castMethod, type CastContext, type CastMethod } from './casts.js';
import { roundDecimal } from './decimal.js';
import { requireObjectOid } from './object-names.js';
import { outputText } from './output.js';
import { fromLocal, isInfinite, toLocal } from './time-values.js';
import { typeOids } from './type-oids.js';
import { isObjectIdentifier } from './type-space.js';

export interface Conversion {
  readonly from: number;
  readonly to: number;
  /** atttypmod of the target, -1 for none. */
  readonly typmod: number;
  readonly method: CastMethod;
  readonly context: CastContext;
}

/** The type's input function. @throws ValueError or SqlError where it refuses the text. */
export function inputValue(context: StatementContext, text: string, type: number, typmod: number): string {
  const { types, major } = context;
  const facts = types.facts(type);
  if (isObjectIdentifier(facts)) return String(requireObjectOid(context, facts.name, text));
  const element =
    facts.kind === 'b' && facts.category === 'A' && facts.element !== 0 ? types.facts(facts.element) : undefined;
  if (element !== undefined && isObjectIdentifier(element)) {
    const parts = arrayParts(types, type, text);
    return printParts(types, type, {
      ...parts,
      elements: parts.elements.map((e) => e && inputValue(context, e, element.oid, -1)),
    });
  }
  // Without a zone, times are the session's.
  if (type === typeOids.timestamptz && !namesZone(text) && context.session.outputSettings.timeZone !== 'UTC') {
    const local = types.pgType(typeOids.timestamp).input(text, typmod, major);
    return fromLocal(local, context.session.outputSettings.timeZone);
  }
  return types.pgType(type).input(text, typmod, major);
}

function namesZone(text: string): boolean {
  return (
    /([+-]\d{1,2}(:?\d\d)?|z|utc|gmt|[a-z]+\/[a-z_]+|infinity|epoch|now|today|tomorrow|yesterday)\s*(bc)?$/i.test(
      text.slice(10),
    ) || /^\s*[-+]?[a-z]/i.test(text)
  );
}

export function convertValue(context: StatementContext, value: string, conversion: Conversion): string {
  const { from, to, typmod, method } = conversion;
  switch (method) {
    case 'relabel':
      return typmod === -1 ? value : applyModifier(context, value, conversion);
    case 'text':
      return inputValue(context, outputText(context, from, value), to, typmod);
    case 'elements':
      return convertElements(context, value, conversion);
    case 'function':
      return convertByFunction(context, value, conversion);
  }
}

function convertElements(
  context: StatementContext,
  value: string,
  { from, to, typmod, context: when }: Conversion,
): string {
  const { types } = context;
  const parts = arrayParts(types, from, value);
  const [source, target] = [types.elementOf(from), types.elementOf(to)];
  const method = castMethod(types, source, target, when)!;
  const conversion = { from: source, to: target, typmod, method, context: when };
  const elements = parts.elements.map((element) =>
    element === null ? null : convertValue(context, element, conversion),
  );
  return printParts(types, to, { ...parts, elements });
}

/** Length coercion: numeric(10,2), varchar(5), timestamp(0). An explicit cast cuts strings, others refuse what is too long. */
function applyModifier(context: StatementContext, value: string, { to, typmod, context: when }: Conversion): string {
  const { types, major } = context;
  if (when === 'explicit' && (to === typeOids.varchar || to === typeOids.bpchar)) {
    const characters = Array.from(value);
    const length = typmod - 4;
    return characters.length <= length
      ? types.pgType(to).input(value, typmod, major)
      : characters.slice(0, length).join('');
  }
  return types.pgType(to).input(value, typmod, major);
}

const integers = new Map<number, string>([
  [typeOids.int2, 'smallint'],
  [typeOids.int4, 'integer'],
  [typeOids.int8, 'bigint'],
  [typeOids.oid, 'OID'],
]);
const floats = new Set<number>([typeOids.float4, typeOids.float8]);
const strings = new Set<number>([typeOids.text, typeOids.varchar, typeOids.bpchar, typeOids.name, typeOids.char]);

function convertByFunction(context: StatementContext, value: string, conversion: Conversion): string {
  const { types, major } = context;
  const from = types.baseOf(conversion.from);
  const to = types.baseOf(conversion.to);
  if (from === to) return applyModifier(context, value, conversion);
  const integer = integers.get(to) ?? (isObjectIdentifier(types.facts(to)) ? 'OID' : undefined);
  if (integer !== undefined) return toInteger(context, value, from, to, integer);
  if (to === typeOids.numeric || floats.has(to)) return toNumber(context, value, from, to, conversion.typmod);
  if (strings.has(to)) return toText(context, value, from, to, conversion);
  switch (to) {
    case typeOids.bool:
      return value === '0' ? 'f' : 't';
    case typeOids.date:
      return isInfinite(value) ? value : localOf(context, value, from).slice(0, 10);
    case typeOids.timestamp:
      return applyModifier(
        context,
        from === typeOids.date ? midnight(value) : localOf(context, value, from),
        conversion,
      );
    case typeOids.timestamptz:
      return applyModifier(
        context,
        fromLocal(from === typeOids.date ? midnight(value) : value, context.session.outputSettings.timeZone),
        conversion,
      );
    case typeOids.time:
      if (from === typeOids.timestamp || from === typeOids.timestamptz)
        return types.pgType(to).input(localOf(context, value, from).slice(11), conversion.typmod, major);
  }
  throw new NotEmulated(`the cast from ${types.format(from, -1, [])} to ${types.format(to, -1, [])}`);
}

function midnight(date: string): string {
  return isInfinite(date) ? date : `${date} 00:00:00`;
}

function localOf(context: StatementContext, value: string, from: number): string {
  return from === typeOids.timestamptz ? toLocal(value, context.session.outputSettings.timeZone) : value;
}

function toInteger(context: StatementContext, value: string, from: number, to: number, name: string): string {
  if (from === typeOids.bool) return value === 't' ? '1' : '0';
  if (from === typeOids.char) return String(value === '' ? 0 : (value.charCodeAt(0) << 24) >> 24);
  if (strings.has(from)) return String(requireObjectOid(context, context.types.facts(to).name, value));
  const text = floats.has(from) ? wholeFloat(value) : from === typeOids.numeric ? wholeNumeric(value, name) : value;
  const limits: Readonly<Record<string, [bigint, bigint]>> = {
    smallint: [-0x8000n, 0x7fffn],
    integer: [-0x8000_0000n, 0x7fff_ffffn],
    bigint: [-(2n ** 63n), 2n ** 63n - 1n],
    OID: [0n, 0xffff_ffffn],
  };
  const [low, high] = limits[name]!;
  const number = text === undefined ? undefined : BigInt(text);
  // int4 and int2 become oids by their bits.
  if (name === 'OID' && number !== undefined && number < 0n && from !== typeOids.int8)
    return BigInt.asUintN(32, number).toString();
  if (number === undefined || number < low || number > high) throw new ValueError('22003', `${name} out of range`);
  return number.toString();
}

function wholeNumeric(value: string, name: string): string {
  if (value === 'NaN') throw sqlError('0A000', `cannot convert NaN to ${name}`);
  if (value.endsWith('Infinity')) throw sqlError('0A000', `cannot convert infinity to ${name}`);
  return roundDecimal(value, 0);
}

/** Half to even; undefined for what is no integer. */
function wholeFloat(value: string): string | undefined {
  const number = Number(value);
  if (!Number.isFinite(number)) return undefined;
  const floor = Math.floor(number);
  const rest = number - floor;
  const rounded = rest < 0.5 ? floor : rest > 0.5 ? floor + 1 : floor % 2 === 0 ? floor : floor + 1;
  return BigInt(rounded).toString();
}

function toNumber(context: StatementContext, value: string, from: number, to: number, typmod: number): string {
  // A float becomes a numeric of the digits that it is sure to hold.
  const digits = from === typeOids.float4 ? 6 : 15;
  const text =
    to === typeOids.numeric && floats.has(from) && Number.isFinite(Number(value))
      ? Number(Number(value).toPrecision(digits)).toString()
      : value;
  return context.types.pgType(to).input(text, typmod, context.major);
}

function toText(context: StatementContext, value: string, from: number, to: number, conversion: Conversion): string {
  let text = outputText(context, from, value);
  if (from === typeOids.bool) text = value === 't' ? 'true' : 'false';
  if (from === typeOids.bpchar) text = value.replace(/ +$/, '');
  if (to === typeOids.name) return truncateIdentifier(text);
  if (to === typeOids.char)
    return from === typeOids.int4 ? String.fromCharCode(Number(value) & 0xff) : text.slice(0, 1);
  return conversion.typmod === -1 ? text : applyModifier(context, text, conversion);
}
