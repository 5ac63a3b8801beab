/** Values for columns: expressions converted as on assignment, `DEFAULT`, and the order in which a statement names columns. */
import type { Node, ResTarget } from 'libpg-query';
import type { Column, Table } from '../../timeline/catalog.js';
import { coerce, typeName } from '../expression/coercion.js';
import { isUntyped, type Expression } from '../expression/expression.js';
import { NotEmulated, sqlError } from '../failure.js';
import type { Analysis, Scope } from '../query/scope.js';

/** DEFAULT is null. */
export type Assigned = Expression | null;

/** @throws SqlError 42703; NotEmulated for a part of a column */
export function columnNamed({ name, indirection, location }: ResTarget, table: Table): Column {
  if (indirection !== undefined) throw new NotEmulated(`an assignment to a part of ${name ?? 'a column'}`, location);
  const column = table.columns.find((candidate) => candidate.name === name);
  if (column !== undefined) return column;
  throw sqlError('42703', `column "${name ?? ''}" of relation "${table.name}" does not exist`, location);
}

/** @throws SqlError, NotEmulated */
export function assigned(node: Node, column: Column, scope: Scope, analysis: Analysis): Assigned {
  if ('SetToDefault' in node) return null;
  if (column.generated !== null) {
    throw sqlError('428C9', `column "${column.name}" can only be updated to DEFAULT`, locationOf(node), {
      detail: `Column "${column.name}" is a generated column.`,
    });
  }
  return assign(analysis, analysis.expression(node, scope), column);
}

/** As a column takes it: what is too long for it is refused, not cut. @throws SqlError 42804 */
export function assign(analysis: Analysis, expression: Expression, column: Column): Expression {
  const { types } = analysis.context;
  const { oid } = column.type;
  const isDomain = column.type.kind === 'domain';
  const type = isDomain ? types.baseOf(oid) : oid;
  const typmod = isDomain ? column.type.typeModifier : column.typeModifier;
  const typed = coerce(analysis, expression, type, -1, 'assignment');
  if (typed === undefined) {
    const [to, from] = [typeName(analysis.context, oid), typeName(analysis.context, expression.type)];
    const message = `column "${column.name}" is of type ${to} but expression is of type ${from}`;
    throw sqlError('42804', message, expression.location, {
      hint: 'You will need to rewrite or cast the expression.',
    });
  }
  // Without a type of its own a NULL has no length either.
  if (typmod === -1 || (isUntyped(expression) && expression.constant?.value === null)) return typed;
  return coerce(analysis, typed, type, typmod, 'assignment') ?? typed;
}

/** Where a node of an expression begins; undefined where it does not say. */
export function locationOf(node: Node): number | undefined {
  for (const inside of Object.values(node) as { location?: number }[]) return inside.location;
  return undefined;
}
