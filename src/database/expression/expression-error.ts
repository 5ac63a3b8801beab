import { StatementError } from '../statement-error.js';

/** @param offset - into the expression's text, 0-based; the error's `position` is 1-based, as a server counts */
export function expressionError(code: string, message: string, offset: number, detail?: string): StatementError {
  return new StatementError({ code, message, position: offset + 1, ...(detail === undefined ? {} : { detail }) });
}

/** What no server takes as a row filter. */
export function notAllowed(
  offset: number,
  detail = 'Only columns, constants, built-in operators, built-in data types, built-in collations, and immutable built-in functions are allowed.',
): StatementError {
  return expressionError('0A000', 'invalid publication WHERE expression', offset, detail);
}

export const mutable = 'User-defined or built-in mutable functions are not allowed.';
