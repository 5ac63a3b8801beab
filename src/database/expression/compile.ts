/** Syntax tree → something that can be evaluated: columns are looked up, types decided, constants converted. */
import { formatType, parseTypeName } from '../../postgres/index.js';
import { ValueError, type PgType } from '../../postgres/pg-type.js';
import { firstNormalOid } from '../../values/oid.js';
import type { Column } from '../../timeline/catalog.js';
import { call, mismatch } from './calls.js';
import { baseType, cast, coerce, commonTypeOf, constant, types, type Compiled } from './coercion.js';
import { binary, boolean, distinct, elementsOf, like, quantified, sign, type ElementSource } from './combine.js';
import { expressionError, notAllowed } from './expression-error.js';
import type { Comparison } from './operators.js';
import { startOf, type Expression } from './syntax-tree.js';

export interface Scope {
  readonly columns: readonly Column[];
  readonly major: number;
  /** Where a column's value stands in a row: filled in when the row's columns are known. */
  readonly slots: Map<string, { position: number }>;
}

type Of<K extends Expression['kind']> = Extract<Expression, { kind: K }>;

/** @throws StatementError with the position, for what is wrong or cannot be evaluated here */
export function compile(expression: Expression, scope: Scope): Compiled {
  const compiled = build(expression, scope);
  const start = startOf(expression);
  return compiled.offset === start ? compiled : { ...compiled, offset: start };
}

function build(expression: Expression, scope: Scope): Compiled {
  const { offset } = expression;
  const { major } = scope;
  switch (expression.kind) {
    case 'constant':
      return expression.type === 'string'
        ? constant(expression.value, null, offset)
        : numberConstant(expression, scope);
    case 'boolean':
      return constant(expression.value ? 't' : 'f', types.bool, offset);
    case 'null':
      return constant(null, null, offset);
    case 'column':
      return column(expression, scope);
    case 'and':
    case 'or':
      return logical(expression, scope);
    case 'not': {
      const operand = booleanOperand(expression.operand, scope, 'NOT');
      return boolean(offset, (row) => {
        const value = operand.evaluate(row);
        return value === null ? null : value !== 't';
      });
    }
    case 'unary':
      return sign(expression.operator, compile(expression.operand, scope), offset, major);
    case 'binary':
      return binary(plain(expression.operator), ...pair(expression, scope), offset, major);
    case 'test':
      return test(expression, scope);
    case 'distinct':
      return distinct(expression.negated, ...pair(expression, scope), offset, major);
    case 'like':
      return like(expression, ...pair(expression, scope), offset, major);
    case 'quantified': {
      const left = compile(expression.operands[0], scope);
      const source = elementSource(expression.operands[1], left.type, scope);
      return quantified(plain(expression.operator) as Comparison, expression.all, left, source, offset, major);
    }
    case 'cast': {
      const type = typeNamed(expression.typeName, expression.typeOffset, scope);
      return cast(compile(expression.operand, scope), type, scope.major, startOf(expression));
    }
    case 'array':
      throw expressionError('0A000', 'an array can only stand behind ANY or ALL here', offset);
    case 'call':
      return call(
        expression.name,
        expression.operands.map((operand) => compile(operand, scope)),
        offset,
        major,
      );
    case 'case':
      return caseOf(expression, scope);
  }
}

function numberConstant({ value, offset }: Of<'constant'>, { major }: Scope): Compiled {
  const integer = /^\d+$/.test(value) ? BigInt(value) : null;
  const type =
    integer === null || integer >= 2n ** 63n ? types.numeric : integer >= 2n ** 31n ? types.int8 : types.int4;
  return constant(type.input(value, -1, major), type, offset);
}

const systemColumns = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid']);

function column({ name, offset }: Of<'column'>, { columns, slots }: Scope): Compiled {
  const found = columns.find((candidate) => candidate.name === name);
  if (found === undefined && systemColumns.has(name)) throw notAllowed(offset, 'System columns are not allowed.');
  if (found === undefined) throw expressionError('42703', `column "${name}" does not exist`, offset);
  if (found.type.oid >= firstNormalOid) {
    throw notAllowed(offset, 'User-defined types are not allowed.');
  }
  let slot = slots.get(name);
  if (slot === undefined) {
    slot = { position: -1 };
    slots.set(name, slot);
  }
  const place = slot;
  return { type: found.type, offset, evaluate: (row) => row.text(place.position) };
}

/** AND and OR: one side can decide although the other is unknown. */
function logical({ kind, operands, offset }: Of<'and' | 'or'>, scope: Scope): Compiled {
  const [a, b] = operands.map((operand) => booleanOperand(operand, scope, kind.toUpperCase())) as [Compiled, Compiled];
  const deciding = kind === 'and' ? 'f' : 't';
  return {
    type: types.bool,
    offset,
    evaluate: (row) => {
      const x = a.evaluate(row);
      if (x === deciding) return x;
      const y = b.evaluate(row);
      return y === deciding || x !== null ? y : null;
    },
  };
}

function booleanOperand(expression: Expression, scope: Scope, of: string): Compiled {
  const operand = compile(expression, scope);
  if (operand.type !== null && baseType(operand.type).name !== 'bool') {
    throw expressionError(
      '42804',
      `argument of ${of} must be type boolean, not type ${formatType(operand.type, -1)}`,
      startOf(expression),
    );
  }
  return coerce(operand, types.bool, scope.major);
}

function test({ test: what, negated, operand, offset }: Of<'test'>, scope: Scope): Compiled {
  const value = what === 'null' ? compile(operand, scope) : booleanOperand(operand, scope, `IS ${what.toUpperCase()}`);
  const wanted = what === 'true' ? 't' : what === 'false' ? 'f' : null;
  return boolean(offset, (row) => (value.evaluate(row) === wanted) !== negated);
}

function caseOf({ whens, otherwise, offset }: Of<'case'>, scope: Scope): Compiled {
  const conditions = whens.map(({ condition }) => booleanOperand(condition, scope, 'CASE/WHEN'));
  const compiled = [...whens.map(({ result }) => result), otherwise ?? { kind: 'null' as const, offset }].map(
    (result) => compile(result, scope),
  );
  const type = commonTypeOf(compiled.map((result) => result.type));
  if (type === undefined) throw mismatch('CASE', compiled);
  const results = compiled.map((result) => coerce(result, type, scope.major));
  return {
    type,
    offset,
    evaluate: (row) => {
      const hit = conditions.findIndex((condition) => condition.evaluate(row) === 't');
      return results.at(hit)!.evaluate(row);
    },
  };
}

function pair(
  { operands }: { readonly operands: readonly [Expression, Expression] },
  scope: Scope,
): [Compiled, Compiled] {
  return [compile(operands[0], scope), compile(operands[1], scope)];
}

function plain(operator: string): string {
  return operator === '!=' ? '<>' : operator;
}

/** `ARRAY[…]`, or an array value. */
function elementSource(expression: Expression, leftType: PgType | null, scope: Scope): ElementSource {
  if (expression.kind !== 'array') return elementsOf(compile(expression, scope), leftType, scope.major);
  const compiled = expression.elements.map((element) => compile(element, scope));
  const type = commonTypeOf([leftType, ...compiled.map((element) => element.type)]);
  if (type === undefined) throw mismatch('ARRAY', compiled);
  const elements = compiled.map((element) => coerce(element, type, scope.major));
  return { type, elements: (row) => elements.map((element) => element.evaluate(row)) };
}

function typeNamed(name: string, offset: number, { major }: Scope): { type: PgType; typeModifier: number } {
  try {
    return parseTypeName(name, major);
  } catch (error) {
    if (error instanceof ValueError) throw expressionError(error.sqlState, error.message, offset);
    throw error;
  }
}
