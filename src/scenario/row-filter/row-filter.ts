/**
 * Row filters (CREATE PUBLICATION … WHERE) over canonical texts, with SQL's three-valued logic. Texts are ordered as in
 * collation C. What is not understood is refused, never guessed.
 */
import {
  formatType,
  parseTypeName,
  typeByName,
  TypeNameError,
  ValueError,
  type PgType,
  type TypeScope,
} from '../../postgres/index.js';
import type { Column, RowFilter } from '../../timeline/catalog.js';
import { datumText } from '../compile/cells.js';
import { add, multiply, negate, remainder } from './decimal.js';
import { commonType, converted, isBoolean, isFloat, isInteger, isNumber, isText, type Operand } from './operand.js';
import { parseCondition, type ComparisonOperator, type Expression } from './syntax.js';
import { RowFilterError } from './tokens.js';

/** @throws RowFilterError where a real server refuses it, and for what is not supported here */
export function compileRowFilter(text: string, columns: readonly Column[], major: number, scope: TypeScope): RowFilter {
  const compiler = new Compiler(columns, major, scope);
  const condition = parseCondition(text);
  const holds = compiler.condition(condition);
  const names = [...compiler.names];
  let known: readonly Column[] | undefined;
  let positions: readonly number[] = [];
  return {
    text,
    columns: names,
    evaluate(row, current) {
      // The columns may have moved since; which ones they are stays the same for many rows.
      if (current !== known) positions = names.map((name) => current.findIndex((column) => column.name === name));
      known = current;
      return holds(positions.map((i) => datumText(row[i] ?? null)));
    },
  };
}

function truth(value: string | null): boolean | null {
  return value === null ? null : value === 't';
}

function fromTruth(value: boolean | null): string | null {
  return value === null ? null : value ? 't' : 'f';
}

const boolean = typeByName('bool')!;
const textType = typeByName('text')!;
const numeric = typeByName('numeric')!;
const integer = typeByName('int4')!;

class Compiler {
  /** Columns used, in the order of the row that `evaluate` gets. */
  readonly names = new Set<string>();

  constructor(
    private readonly columns: readonly Column[],
    private readonly major: number,
    private readonly scope: TypeScope,
  ) {}

  compile(expression: Expression): Operand {
    switch (expression.kind) {
      case 'column':
        return this.column(expression);
      case 'literal':
        return literal(expression);
      case 'not': {
        const operand = this.condition(expression.operand);
        return logical((row) => invert(operand(row)));
      }
      case 'and': {
        const [left, right] = [this.condition(expression.left), this.condition(expression.right)];
        return logical((row) => and(left(row), right(row)));
      }
      case 'or': {
        const [left, right] = [this.condition(expression.left), this.condition(expression.right)];
        return logical((row) => invert(and(invert(left(row)), invert(right(row)))));
      }
      case 'comparison': {
        const compare = this.comparison(expression.left, expression.right, expression, expression.operator);
        const test = tests[expression.operator];
        return logical((row) => {
          const order = compare(row);
          return order === null ? null : test(order);
        });
      }
      case 'distinct':
        return this.distinct(expression);
      case 'isNull': {
        const operand = this.compile(expression.operand);
        return logical((row) => (operand.evaluate(row) === null) !== expression.negated);
      }
      case 'isTruth': {
        const operand = this.condition(expression.operand);
        return logical((row) => (operand(row) === expression.truth) !== expression.negated);
      }
      case 'like':
        return this.like(expression);
      case 'arithmetic':
        return this.arithmetic(expression);
      case 'negative': {
        const operand = this.number(expression.operand);
        return computed(operand.type!, (row) => map(operand.evaluate(row), (value) => negate(value)));
      }
      case 'cast':
        return this.cast(expression);
      case 'call':
        return this.call(expression);
    }
  }

  private column({ name, start, end }: Expression & { kind: 'column' }): Operand {
    const column = this.columns.find((candidate) => candidate.name === name);
    if (column === undefined) throw new RowFilterError(`column "${name}" does not exist`, start, end, '42703');
    if (column.type.namespace !== 'pg_catalog') {
      throw new RowFilterError('a row filter cannot use columns of user-defined types', start, end, '0A000');
    }
    this.names.add(name);
    const position = [...this.names].indexOf(name);
    return { type: column.type, evaluate: (row) => row[position] ?? null };
  }

  /** @throws RowFilterError for what is not boolean */
  condition(expression: Expression): (row: readonly (string | null)[]) => boolean | null {
    const operand = this.compile(expression);
    const typed = operand.type === null ? this.typed(operand, boolean, expression) : operand;
    if (!isBoolean(typed.type!)) {
      throw refusal(
        expression,
        '42804',
        `argument of PUBLICATION WHERE must be type boolean, not type ${formatType(typed.type!, -1)}`,
      );
    }
    return (row) => truth(typed.evaluate(row));
  }

  /** Order of two operands; null where one is NULL. */
  private comparison(
    left: Expression,
    right: Expression,
    at: Expression,
    operator: string,
  ): (row: readonly (string | null)[]) => number | null {
    let [a, b] = [this.compile(left), this.compile(right)];
    a = a.type === null ? this.typed(a, b.type ?? textType, left) : a;
    b = b.type === null ? this.typed(b, a.type!, right) : b;
    const common = commonType(a.type!, b.type!);
    if (common?.name === 'timestamptz' && a.type !== b.type) {
      throw refusal(at, '0A000', 'a row filter cannot depend on the time zone of the session');
    }
    const compare = common?.compare;
    if (common === undefined || compare === undefined) {
      throw refusal(at, '42883', `operator does not exist: ${a.type!.name} ${operator} ${b.type!.name}`);
    }
    const [toCommonA, toCommonB] = [a.type!, b.type!];
    return (row) => {
      const [x, y] = [a.evaluate(row), b.evaluate(row)];
      if (x === null || y === null) return null;
      return compare(converted(x, toCommonA, common), converted(y, toCommonB, common));
    };
  }

  private distinct(expression: Expression & { kind: 'distinct' }): Operand {
    const { left, right, negated } = expression;
    const compare = this.comparison(left, right, expression, '=');
    const [a, b] = [this.compile(left), this.compile(right)];
    return logical((row) => {
      const [x, y] = [a.evaluate(row), b.evaluate(row)];
      const distinct = x === null || y === null ? x !== y : compare(row) !== 0;
      return distinct !== negated;
    });
  }

  private like({ left, right, ignoreCase }: Expression & { kind: 'like' }): Operand {
    const [text, pattern] = [this.text(left), this.text(right)];
    let [known, regex] = ['', likePattern('', ignoreCase)];
    return logical((row) => {
      const [value, wanted] = [text.evaluate(row), pattern.evaluate(row)];
      if (value === null || wanted === null) return null;
      if (wanted !== known) [known, regex] = [wanted, likePattern(wanted, ignoreCase)];
      return regex.test(value);
    });
  }

  private arithmetic({ operator, left, right }: Expression & { kind: 'arithmetic' }): Operand {
    const [a, b] = [this.number(left), this.number(right)];
    const integers = isInteger(a.type!) && isInteger(b.type!);
    if (isFloat(a.type!) || isFloat(b.type!)) {
      throw refusal(left, null, 'arithmetic with floating-point numbers is not supported in a row filter here');
    }
    if (operator === '%' && !integers) {
      throw refusal(left, null, 'the remainder of numbers that are not integers is not supported in a row filter here');
    }
    const compute = { '+': add, '-': (x: string, y: string) => add(x, negate(y)), '*': multiply, '%': remainder }[
      operator
    ];
    return computed(integers ? integer : numeric, (row) => {
      const [x, y] = [a.evaluate(row), b.evaluate(row)];
      return x === null || y === null ? null : compute(x, y);
    });
  }

  private number(expression: Expression): Operand {
    const operand = this.compile(expression);
    const typed = operand.type === null ? this.typed(operand, numeric, expression) : operand;
    if (!isNumber(typed.type!))
      throw refusal(expression, '42883', `operator does not exist for type ${typed.type!.name}`);
    return typed;
  }

  private text(expression: Expression): Operand {
    const operand = this.compile(expression);
    const typed = operand.type === null ? this.typed(operand, textType, expression) : operand;
    if (!isText(typed.type!))
      throw refusal(expression, '42883', `operator does not exist for type ${typed.type!.name}`);
    return typed;
  }

  private cast({ operand: inner, typeName, start, end }: Expression & { kind: 'cast' }): Operand {
    let type: PgType;
    let typeModifier: number;
    try {
      ({ type, typeModifier } = parseTypeName(typeName, this.major, this.scope));
    } catch (error) {
      if (error instanceof TypeNameError) throw new RowFilterError(error.message, start, end, error.sqlState);
      throw error;
    }
    const operand = this.compile(inner);
    if (operand.type === null) return this.typed(operand, type, inner, typeModifier);
    // Between these, a value's text is the same; whatever rounds or cuts is not.
    const from = operand.type;
    const widens = isInteger(from) && (isInteger(type) || type.name === 'numeric') && typeModifier === -1;
    const keepsText = isText(from) && isText(type) && type.name !== 'bpchar' && typeModifier === -1;
    if (!widens && !keepsText && commonType(from, type)?.oid !== type.oid) {
      throw refusal(inner, null, `a cast from ${from.name} to ${typeName} is not supported in a row filter here`);
    }
    return computed(type, (row) => map(operand.evaluate(row), (value) => converted(value, from, type)));
  }

  private call({ name, args, ...at }: Expression & { kind: 'call' }): Operand {
    const [first] = args;
    if (first !== undefined && args.length === 1) {
      if (name === 'lower' || name === 'upper') {
        const text = this.text(first);
        const change = name === 'lower' ? lower : upper;
        return computed(textType, (row) => map(text.evaluate(row), change));
      }
      if (name === 'length' || name === 'char_length' || name === 'character_length') {
        const text = this.text(first);
        const trimmed = text.type!.name === 'bpchar';
        return computed(integer, (row) =>
          map(text.evaluate(row), (s) => String(Array.from(trimmed ? s.replace(/ +$/, '') : s).length)),
        );
      }
      if (name === 'abs') {
        const number = this.number(first);
        return computed(number.type!, (row) => map(number.evaluate(row), (value) => value.replace(/^-/, '')));
      }
    }
    if (name === 'coalesce' && first !== undefined) return this.coalesce(args);
    throw new RowFilterError(`the function ${name} is not supported in a row filter here`, at.start, at.end, null);
  }

  private coalesce(args: readonly Expression[]): Operand {
    const operands = args.map((arg) => this.compile(arg));
    const type = operands.find((operand) => operand.type !== null)?.type ?? textType;
    const typed = operands.map((operand, i) => (operand.type === null ? this.typed(operand, type, args[i]!) : operand));
    return computed(type, (row) => {
      for (const operand of typed) {
        const value = operand.evaluate(row);
        if (value !== null) return value;
      }
      return null;
    });
  }

  /** A literal in quotes becomes a value of the type that its surroundings want. */
  private typed(operand: Operand, type: PgType, at: Expression, typeModifier = -1): Operand {
    const text = operand.constant ?? null;
    if (text === null) return computed(type, () => null);
    try {
      const value = type.input(text, typeModifier, this.major);
      return { type, constant: value, evaluate: () => value };
    } catch (error) {
      if (error instanceof ValueError) throw refusal(at, error.sqlState, error.message);
      throw error;
    }
  }
}

function literal({ type, text }: Expression & { kind: 'literal' }): Operand {
  if (type === 'null') return { type: null, constant: null, evaluate: () => null };
  if (type === 'string') return { type: null, constant: text, evaluate: () => text };
  if (type === 'boolean') return { type: boolean, constant: text, evaluate: () => text };
  const value = numeric.input(text, -1, 18);
  const isSmall = /^\d+$/.test(text) && BigInt(text) <= 0x7fff_ffffn;
  return { type: isSmall ? integer : numeric, constant: value, evaluate: () => value };
}

function logical(evaluate: (row: readonly (string | null)[]) => boolean | null): Operand {
  return { type: boolean, evaluate: (row) => fromTruth(evaluate(row)) };
}

function computed(type: PgType, evaluate: Operand['evaluate']): Operand {
  return { type, evaluate };
}

function map(value: string | null, change: (value: string) => string): string | null {
  return value === null ? null : change(value);
}

function invert(value: boolean | null): boolean | null {
  return value === null ? null : !value;
}

function and(a: boolean | null, b: boolean | null): boolean | null {
  if (a === false || b === false) return false;
  return a === null || b === null ? null : true;
}

const tests: Readonly<Record<ComparisonOperator, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** In collation C only the letters of ASCII have a case. */
function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function upper(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** `%` any characters, `_` one, `\` takes the next one as it is. */
function likePattern(pattern: string, ignoreCase: boolean): RegExp {
  const source = pattern.replace(/\\(.)|[%_]|[.*+?^${}()|[\]\\/]/gsu, (match, escaped?: string) => {
    if (escaped !== undefined) return escaped.replace(/[.*+?^${}()|[\]\\/]/u, '\\$&');
    if (match === '%') return '.*';
    return match === '_' ? '.' : `\\${match}`;
  });
  return new RegExp(`^${source}$`, ignoreCase ? 'isu' : 'su');
}

function refusal({ start, end }: Expression, sqlState: string | null, message: string): RowFilterError {
  return new RowFilterError(message, start, end, sqlState);
}
