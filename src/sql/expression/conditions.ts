/** AND, OR, NOT, CASE, COALESCE, GREATEST, IS NULL, IS TRUE. */
import type { BooleanTest, BoolExpr, CaseExpr, MinMaxExpr, NullTest } from 'libpg-query';
import { parseComposite } from '../../postgres/index.js';
import type { Analysis, Scope } from '../query/scope.js';
import { typeOids } from '../types/type-oids.js';
import type { Handlers } from './analyze.js';
import { coerceToBoolean, coerceToCommon } from './coercion.js';
import { fieldsOf } from './columns.js';
import { comparisonOf } from './comparison.js';
import { constant, fromBoolean, isTrue, type Expression, type Value } from './expression.js';
import { junction, negation } from './logic.js';
import { operatorCall } from './operators.js';

function logic(node: BoolExpr, scope: Scope, analysis: Analysis): Expression {
  const word = (node.boolop ?? '').replace('_EXPR', '');
  const tests = (node.args ?? []).map((arg) => coerceToBoolean(analysis, analysis.expression(arg, scope), word));
  const location = node.location ?? 0;
  return word === 'NOT' ? negation(tests[0]!, location) : junction(word === 'AND' ? 'and' : 'or', tests, location);
}

function caseOf(node: CaseExpr, scope: Scope, analysis: Analysis): Expression {
  const location = node.location ?? 0;
  const subject = node.arg && analysis.expression(node.arg, scope);
  const branches = (node.args ?? []).map((arg) => {
    const when = (arg as { CaseWhen: { expr?: never; result?: never } }).CaseWhen;
    const test = analysis.expression(when.expr!, scope);
    return {
      test:
        subject === undefined
          ? coerceToBoolean(analysis, test, 'CASE/WHEN')
          : operatorCall(analysis, '=', subject, test, test.location),
      result: analysis.expression(when.result!, scope),
    };
  });
  const otherwise = node.defresult
    ? analysis.expression(node.defresult, scope)
    : constant(null, typeOids.unknown, location);
  // The ELSE branch comes first when the common type is looked for.
  const { type, coerced } = coerceToCommon(analysis, [otherwise, ...branches.map(({ result }) => result)], 'CASE');
  const [fallback, ...results] = coerced as [Expression, ...Expression[]];
  const tests = branches.map(({ test }) => test);
  const typmods = new Set(coerced.map((result) => result.typmod));
  return {
    type,
    typmod: typmods.size === 1 ? fallback.typmod : -1,
    key: `case(${[...tests, ...coerced].map((e) => e.key).join()})`,
    children: [...tests, ...coerced],
    evaluate: (frame) => {
      for (let i = 0; i < tests.length; i++) {
        if (isTrue(tests[i]!.evaluate(frame))) return results[i]!.evaluate(frame);
      }
      return fallback.evaluate(frame);
    },
    print: undefined,
    location,
  };
}

function coalesce(args: readonly Expression[], location: number, analysis: Analysis): Expression {
  const { type, coerced } = coerceToCommon(analysis, args, 'COALESCE');
  return {
    type,
    typmod: new Set(coerced.map((e) => e.typmod)).size === 1 ? coerced[0]!.typmod : -1,
    key: `coalesce(${coerced.map((e) => e.key).join()})`,
    children: coerced,
    evaluate: (frame) => {
      for (const argument of coerced) {
        const value = argument.evaluate(frame);
        if (value !== null) return value;
      }
      return null;
    },
    print: coerced.every((e) => e.print) ? () => `COALESCE(${coerced.map((e) => e.print!()).join(', ')})` : undefined,
    location,
  };
}

function extreme(node: MinMaxExpr, scope: Scope, analysis: Analysis): Expression {
  const word = node.op === 'IS_LEAST' ? 'LEAST' : 'GREATEST';
  const args = (node.args ?? []).map((arg) => analysis.expression(arg, scope));
  const { type, coerced } = coerceToCommon(analysis, args, word);
  const compare = comparisonOf(analysis.context.types, type);
  const sign = word === 'LEAST' ? -1 : 1;
  return {
    type,
    typmod: -1,
    key: `${word}(${coerced.map((e) => e.key).join()})`,
    children: coerced,
    evaluate: (frame) => {
      let best: Value = null;
      for (const argument of coerced) {
        const value = argument.evaluate(frame);
        if (value !== null && (best === null || sign * compare(value, best) > 0)) best = value;
      }
      return best;
    },
    print: undefined,
    location: node.location ?? 0,
  };
}

/** A row is NULL when all its fields are, and NOT NULL when none is. */
function nullTest(node: NullTest, scope: Scope, analysis: Analysis): Expression {
  const argument = analysis.expression(node.arg!, scope);
  const isNull = node.nulltesttype === 'IS_NULL';
  const fields = fieldsOf(argument, analysis);
  return {
    type: typeOids.bool,
    typmod: -1,
    key: `${argument.key} is${isNull ? '' : ' not'} null`,
    children: [argument],
    evaluate: (frame) => {
      const value = argument.evaluate(frame);
      if (fields === undefined || value === null) return fromBoolean((value === null) === isNull);
      return fromBoolean(parseComposite(value, fields.length).every((field) => (field === null) === isNull));
    },
    print: argument.print && (() => `(${argument.print!()} IS ${isNull ? '' : 'NOT '}NULL)`),
    location: node.location ?? 0,
  };
}

function booleanTest(node: BooleanTest, scope: Scope, analysis: Analysis): Expression {
  const words = (node.booltesttype ?? '').replaceAll('_', ' ');
  const argument = coerceToBoolean(analysis, analysis.expression(node.arg!, scope), words);
  const wanted: Value = words.endsWith('TRUE') ? 't' : words.endsWith('FALSE') ? 'f' : null;
  const negated = words.includes('NOT');
  return {
    type: typeOids.bool,
    typmod: -1,
    key: `${argument.key} ${words}`,
    children: [argument],
    evaluate: (frame) => fromBoolean((argument.evaluate(frame) === wanted) !== negated),
    print: argument.print && (() => `(${argument.print!()} ${words})`),
    location: node.location ?? 0,
  };
}

export const conditionNodes: Handlers = {
  BoolExpr: logic,
  CaseExpr: caseOf,
  CoalesceExpr: (node, scope, analysis) =>
    coalesce(
      (node.args ?? []).map((arg) => analysis.expression(arg, scope)),
      node.location ?? 0,
      analysis,
    ),
  MinMaxExpr: extreme,
  NullTest: nullTest,
  BooleanTest: booleanTest,
};
