/** Constants, parameters, casts, and the SQL functions that are written without parentheses. */
import type { A_Const, SQLValueFunction } from 'libpg-query';
import { NotEmulated } from '../failure.js';
import type { Analysis, Scope } from '../query/scope.js';
import { printTimestamp, printTimestamptz, toLocal } from '../types/time-values.js';
import { resolveTypeName } from '../types/sql-type-name.js';
import { typeOids } from '../types/type-oids.js';
import type { Handlers } from './analyze.js';
import { coerceOrFail, typeName } from './coercion.js';
import { constant, type Expression, type Frame, type Value } from './expression.js';
import { sqlError } from '../failure.js';

const maxInt8 = 2n ** 63n - 1n;

function constantOf(node: A_Const): Expression {
  const location = node.location ?? 0;
  if (node.isnull === true) return constant(null, typeOids.unknown, location);
  if (node.ival !== undefined) return constant(String(node.ival.ival ?? 0), typeOids.int4, location);
  if (node.sval !== undefined) return constant(node.sval.sval ?? '', typeOids.unknown, location);
  if (node.boolval !== undefined) return constant(node.boolval.boolval === true ? 't' : 'f', typeOids.bool, location);
  if (node.fval !== undefined) return numberOf(node.fval.fval ?? '0', location);
  if (node.bsval?.bsval?.startsWith('b') === true) return constant(node.bsval.bsval.slice(1), typeOids.bit, location);
  throw new NotEmulated('a hexadecimal bit string', location);
}

/** What int4 does not hold: int8, else numeric. */
function numberOf(text: string, location: number): Expression {
  if (/^-?\d+$/.test(text)) {
    const value = BigInt(text);
    if (value <= maxInt8 && value >= -maxInt8 - 1n) return constant(value.toString(), typeOids.int8, location);
  }
  const match = /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text);
  if (match === null) throw new NotEmulated(`the number ${text}`, location);
  const [, sign, whole = '', fraction = '', exponent] = match;
  if (exponent === undefined) {
    return constant(
      `${sign!}${whole.replace(/^0+(?=.)/, '') || '0'}${fraction === '' ? '' : `.${fraction}`}`,
      typeOids.numeric,
      location,
    );
  }
  const shift = Number(exponent) - fraction.length;
  const digits = (whole + fraction).replace(/^0+(?=.)/, '');
  if (shift >= 0) return constant(sign! + digits + '0'.repeat(shift), typeOids.numeric, location);
  const padded = digits.padStart(1 - shift, '0');
  return constant(`${sign!}${padded.slice(0, shift)}.${padded.slice(shift)}`, typeOids.numeric, location);
}

interface NiladicFunction {
  readonly type: number;
  readonly value: (frame: Frame) => Value;
}

const zoneOf = ({ context }: Frame): string => context.session.outputSettings.timeZone;
const transactionStart = (frame: Frame): string => printTimestamptz(frame.context.session.transactionTime);
const localStart = (frame: Frame): string =>
  toLocal(printTimestamp(frame.context.session.transactionTime) + '+00', zoneOf(frame));
const user = { type: typeOids.name, value: ({ context }: Frame): Value => context.session.user };

const niladic: Readonly<Record<string, NiladicFunction>> = {
  SVFOP_CURRENT_TIMESTAMP: { type: typeOids.timestamptz, value: transactionStart },
  SVFOP_LOCALTIMESTAMP: { type: typeOids.timestamp, value: localStart },
  SVFOP_CURRENT_DATE: { type: typeOids.date, value: (frame) => localStart(frame).slice(0, 10) },
  SVFOP_CURRENT_USER: user,
  SVFOP_CURRENT_ROLE: user,
  SVFOP_SESSION_USER: user,
  SVFOP_USER: user,
  SVFOP_CURRENT_CATALOG: { type: typeOids.name, value: ({ context }) => context.session.database },
  SVFOP_CURRENT_SCHEMA: {
    type: typeOids.name,
    value: ({ context }) => context.session.searchPath(context.catalog)[0] ?? null,
  },
};

function niladicCall(node: SQLValueFunction, _scope: Scope, { context }: Analysis): Expression {
  const known = niladic[node.op ?? ''];
  context.admit?.({ name: (node.op ?? '').replace('SVFOP_', ''), isImmutable: false }, node.location ?? 0);
  if (known === undefined) throw new NotEmulated((node.op ?? '').replace('SVFOP_', ''), node.location);
  return {
    type: known.type,
    typmod: -1,
    key: node.op!,
    children: [],
    evaluate: known.value,
    print: () => node.op!.replace('SVFOP_', ''),
    location: node.location ?? 0,
  };
}

export const constantNodes: Handlers = {
  A_Const: constantOf,
  ParamRef: (node, _scope, analysis) => analysis.parameters.use(node.number ?? 0, node.location ?? 0),
  SQLValueFunction: niladicCall,
  TypeCast: (node, scope, analysis) => {
    const type = resolveTypeName(analysis.context, node.typeName!);
    const argument = analysis.expression(node.arg!, scope);
    // Before the argument stands ::, or the type itself: `int '1'`.
    const location = (node.location ?? -1) >= 0 ? node.location! : (node.typeName?.location ?? -1);
    if (analysis.context.types.facts(type.oid).kind === 'p' && type.oid !== argument.type) {
      const names = `${typeName(analysis.context, argument.type)} to ${typeName(analysis.context, type.oid)}`;
      throw sqlError('42846', `cannot cast type ${names}`, location);
    }
    return coerceOrFail(analysis, argument, type.oid, type.typmod, 'explicit', location);
  },
  CollateClause: (node, scope, analysis) => {
    // Text is ordered by its bytes whatever the collation.
    return analysis.expression(node.arg!, scope);
  },
};
