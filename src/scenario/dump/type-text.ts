/** Type names of a dump, as columns of a scenario write them. */
import type { Node, TypeName } from 'libpg-query';
import { quoteIdentifier } from '../../postgres/index.js';

/** What INTERVAL's fields are as a type modifier. */
const intervalFields: Readonly<Record<number, string>> = {
  4: ' year',
  2: ' month',
  6: ' year to month',
  8: ' day',
  1024: ' hour',
  1032: ' day to hour',
  2048: ' minute',
  3072: ' hour to minute',
  3080: ' day to minute',
  4096: ' second',
  6144: ' minute to second',
  7168: ' hour to second',
  7176: ' day to second',
};

/** `varchar(20)`, `numeric(10,2)[]`, `public.mood`. */
export function typeText({ names = [], typmods = [], arrayBounds = [] }: TypeName): string {
  const parts = names.map(stringOf);
  const isBuiltin = parts.length > 1 && parts[0] === 'pg_catalog';
  const name = parts.at(-1)!;
  // Without its schema, char is not the character that takes one byte.
  const base =
    parts.length === 1 && name === 'char' ? '"char"' : (isBuiltin ? [name] : parts.map(quoteIdentifier)).join('.');
  const modifiers = typmods.map(integerOf);
  const suffix = '[]'.repeat(Math.min(arrayBounds.length, 1));
  if (base === 'interval') return `interval${intervalSuffix(modifiers)}${suffix}`;
  return `${base}${modifiers.length === 0 ? '' : `(${modifiers.join(',')})`}${suffix}`;
}

/** Fields, then digits of seconds. All bits set: all fields. */
function intervalSuffix([mask, digits]: readonly number[]): string {
  if (mask === undefined) return '';
  return `${intervalFields[mask] ?? ''}${digits === undefined ? '' : `(${digits})`}`;
}

export function stringOf(node: Node): string {
  return 'String' in node ? (node.String.sval ?? '') : '';
}

function integerOf(node: Node): number {
  if ('A_Const' in node) return node.A_Const.ival?.ival ?? 0;
  if ('A_Expr' in node && node.A_Expr.rexpr !== undefined) return -integerOf(node.A_Expr.rexpr);
  return 'Integer' in node ? (node.Integer.ival ?? 0) : 0;
}
