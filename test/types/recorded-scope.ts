/** The user-defined types that scripts/type-inputs.mjs creates, with the OIDs that a server gave them. */
import {
  arrayOf,
  compositeType,
  domainType,
  enumType,
  parseTypeName,
  rangeType,
  typeByName,
} from '../../src/postgres/index.js';
import type { PgType, TypeScope, UserTypeFields } from '../../src/postgres/index.js';

/** @param oids by typname */
export function recordedScope(oids: Readonly<Record<string, number>>): TypeScope {
  const types = new Map<string, PgType>();
  const fields = (name: string, namespace = 'public'): UserTypeFields => {
    return { oid: oids[name] ?? 0, namespace, name, arrayOid: oids[`_${name}`] ?? 0 };
  };
  const builtin = (name: string): PgType => typeByName(name)!;
  const add = (type: PgType): PgType => {
    types.set(type.name, type);
    return type;
  };
  const domain = (name: string, base: string): void => {
    const { type, typeModifier } = parseTypeName(base, 18);
    add(domainType(fields(name), type, typeModifier));
  };
  const mood = add(enumType(fields('mood'), ['sad', 'ok', 'very happy']));
  add(enumType(fields('Status', 'app'), ['on', 'off']));
  domain('posint', 'int');
  domain('email', 'varchar(20)');
  domain('price', 'numeric(6,2)');
  domain('stamp', 'timestamptz(3)');
  domain('int_list', 'int[]');
  const field = (name: string, type: PgType) => ({ name, type, typeModifier: -1 });
  const pair = add(compositeType(fields('pair'), [field('a', builtin('int4')), field('b', builtin('text'))]));
  const parts = [field('p', pair), field('m', mood), field('t', builtin('timestamptz')), field('f', builtin('float8'))];
  add(compositeType(fields('nested'), parts));
  add(rangeType(fields('floatrange'), builtin('float8')));
  add(rangeType(fields('textrange'), builtin('text')));
  return {
    find: (_namespace, name) => types.get(name),
    arrayOf: (element) => arrayOf(element),
    names: () => types.keys(),
  };
}
