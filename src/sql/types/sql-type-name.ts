/** Type names: in text (`to_regtype`), and as the parser gives them. */
import type { TypeName } from 'libpg-query';
import { parseTypeName, TypeNameError, type PgType, type TypeScope } from '../../postgres/index.js';
import { lengthModifier, numericTypeModifier, precisionModifier } from '../../postgres/type-modifier.js';
import type { StatementContext } from '../context.js';
import { NotEmulated, sqlError } from '../failure.js';
import { integerConstant, stringOf } from '../nodes.js';
import { typeOids } from './type-oids.js';
import type { TypeFacts } from './type-facts.js';

export interface NamedType {
  readonly oid: number;
  readonly typmod: number;
}

/** Undefined where no type has that name. */
export function parseSqlTypeName(context: StatementContext, text: string): NamedType | undefined {
  const { types, catalog, session } = context;
  const pgType = (facts: TypeFacts | undefined): PgType | undefined => facts && types.pgType(facts.oid);
  const scope: TypeScope = {
    find: (namespace, name) => pgType(types.byName(namespace, name, session.searchPath(catalog))),
    arrayOf: (element) => pgType(types.byOid(types.facts(element.oid).array)),
    names: () => [],
  };
  try {
    const { type, typeModifier } = parseTypeName(text, context.major, scope);
    return { oid: type.oid, typmod: typeModifier };
  } catch (error) {
    if (error instanceof TypeNameError && error.sqlState === '42704') return undefined;
    throw error;
  }
}

/** @throws SqlError 42704 */
export function resolveTypeName(context: StatementContext, node: TypeName): NamedType {
  const { types, catalog, session } = context;
  const names = (node.names ?? []).map(stringOf);
  if (node.setof === true || node.pct_type === true) throw new NotEmulated('this type name', node.location);
  const name = names.at(-1)!;
  const namespace = names.length > 1 ? names.at(-2) : undefined;
  const found = types.byName(namespace, name, session.searchPath(catalog));
  if (found === undefined) {
    const shown = names.join('.') + (node.arrayBounds === undefined ? '' : '[]');
    throw sqlError('42704', `type "${shown}" does not exist`, node.location);
  }
  const typmod = typeModifierOf(context, found, node);
  if (node.arrayBounds === undefined) return { oid: found.oid, typmod };
  if (found.array === 0) {
    throw sqlError(
      '42704',
      `could not find array type for data type ${types.format(found.oid, -1, [])}`,
      node.location,
    );
  }
  return { oid: found.array, typmod };
}

function typeModifierOf(context: StatementContext, { oid, name }: TypeFacts, node: TypeName): number {
  const values = (node.typmods ?? []).map((modifier) => {
    const value = integerConstant(modifier);
    if (value === undefined)
      throw sqlError('22023', 'type modifiers must be simple constants or identifiers', node.location);
    return value;
  });
  if (values.length === 0) return node.typemod ?? -1;
  switch (oid) {
    case typeOids.numeric:
      return numericTypeModifier(values, context.major);
    case typeOids.varchar:
    case typeOids.bpchar:
    case typeOids.bit:
    case typeOids.varbit:
      return lengthModifier(name as 'varchar' | 'bpchar' | 'bit' | 'varbit', values);
    case typeOids.time:
    case typeOids.timetz:
    case typeOids.timestamp:
    case typeOids.timestamptz:
      return precisionModifier(values);
    case typeOids.interval:
      // Range of fields, then digits of seconds; all bits set: all.
      return values[0]! * 0x10000 + (values[1] ?? 0xffff);
    default:
      throw sqlError('42601', `type modifier is not allowed for type "${name}"`, node.location);
  }
}
