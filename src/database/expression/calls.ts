/** Function calls, and what looks like one: COALESCE, GREATEST, LEAST, NULLIF. */
import { formatType } from '../../postgres/index.js';
import { binary, comparable, noOperator } from './combine.js';
import { coerce, commonType, commonTypeOf, isNumber, types, type Compiled } from './coercion.js';
import { expressionError, mutable, notAllowed } from './expression-error.js';
import { functions, mutableFunctions } from './functions.js';

export function call(name: string, operands: readonly Compiled[], offset: number, major: number): Compiled {
  if (name === 'coalesce' || name === 'greatest' || name === 'least') return chosen(name, operands, offset, major);
  if (name === 'nullif') return nullIf(operands, offset, major);
  if (name === 'mod' && operands.length === 2) {
    return binary('%', operands[0]!, operands[1]!, offset, major);
  }
  if (mutableFunctions.has(name)) throw notAllowed(offset, mutable);
  const signature = Object.hasOwn(functions, name) ? functions[name]! : undefined;
  if (signature === undefined || major < (signature.since ?? 0)) {
    throw expressionError(
      '0A000',
      `function ${name} is not supported here`,
      offset,
      `Supported are coalesce, greatest, least, mod, nullif, ${Object.keys(functions).join(', ')}.`,
    );
  }
  const { parameters, optional = 0, result } = signature;
  if (operands.length > parameters.length || operands.length < parameters.length - optional) {
    const shown = operands.map(({ type }) => (type === null ? 'unknown' : formatType(type, -1))).join(', ');
    throw expressionError('42883', `function ${name}(${shown}) does not exist`, offset);
  }
  const parts = operands.map((operand, i) => argument(operand, parameters[i]!, name, offset, major));
  const type = result === 'number' ? parts[0]!.type : result;
  return {
    type,
    offset,
    evaluate: (row) => {
      const texts = parts.map((part) => part.evaluate(row));
      return texts.includes(null) ? null : signature.call(...(texts as [string, string?, string?]));
    },
  };
}

function argument(
  operand: Compiled,
  parameter: 'text' | 'int4' | 'numeric' | 'number',
  name: string,
  offset: number,
  major: number,
): Compiled {
  if (parameter === 'number') {
    if (operand.type === null) return coerce(operand, types.float8, major);
    if (isNumber(operand.type)) return operand;
  } else {
    const type = types[parameter];
    if (commonType(operand.type, type)?.oid === type.oid) return coerce(operand, type, major);
  }
  throw expressionError('42883', `function ${name}(${formatType(operand.type!, -1)}) does not exist`, offset);
}

function chosen(name: string, operands: readonly Compiled[], offset: number, major: number): Compiled {
  if (operands.length === 0) throw expressionError('42601', `${name} needs an argument`, offset);
  const type = commonTypeOf(operands.map((operand) => operand.type));
  if (type === undefined) throw mismatch(name, operands);
  const values = operands.map((operand) => coerce(operand, type, major));
  const { compare } = type;
  if (name !== 'coalesce' && compare === undefined) throw noOperator('<', [type, type], offset);
  const wanted = name === 'greatest' ? 1 : -1;
  return {
    type,
    offset,
    evaluate: (row) => {
      let best: string | null = null;
      for (const value of values) {
        const text = value.evaluate(row);
        if (text === null) continue;
        if (name === 'coalesce') return text;
        if (best === null || compare!(text, best) * wanted > 0) best = text;
      }
      return best;
    },
  };
}

function nullIf(operands: readonly Compiled[], offset: number, major: number): Compiled {
  if (operands.length !== 2) throw expressionError('42601', 'nullif needs two arguments', offset);
  const [a, b, order] = comparable('=', operands[0]!, operands[1]!, offset, major);
  return {
    type: a.type,
    offset,
    evaluate: (row) => {
      const [x, y] = [a.evaluate(row), b.evaluate(row)];
      return x !== null && y !== null && order(x, y) === 0 ? null : x;
    },
  };
}

/** The first that does not fit those before it. */
export function mismatch(name: string, operands: readonly Compiled[]): Error {
  const at = operands.findIndex((_, i) => commonTypeOf(operands.slice(0, i + 1).map(({ type }) => type)) === undefined);
  const before = commonTypeOf(operands.slice(0, at).map(({ type }) => type))!;
  const { type, offset } = operands[at]!;
  const names = `${formatType(before, -1)} and ${formatType(type!, -1)}`;
  return expressionError('42804', `${name.toUpperCase()} types ${names} cannot be matched`, offset);
}
