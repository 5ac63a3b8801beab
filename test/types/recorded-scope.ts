/** The user-defined types that the recordings use, with the OIDs that a server gave them. */
import { arrayOf, compositeType, domainType, enumType, parseTypeName, rangeType } from '../../src/postgres/index.js';
import type { CompositeField, PgType, TypeScope, UserTypeFields } from '../../src/postgres/index.js';

/** @param oids by typname */
export function recordedScope(oids: Readonly<Record<string, number>>): TypeScope {
  const types = new Map<string, PgType>();
  const scope: TypeScope = {
    find: (_namespace, name) => types.get(name),
    arrayOf: (element) => arrayOf(element),
    names: () => types.keys(),
  };
  const row = (name: string, namespace: string): UserTypeFields => {
    return { oid: oids[name] ?? 0, namespace, name, arrayOid: oids[`_${name}`] ?? 0 };
  };
  const enumeration = (name: string, namespace: string, labels: string[]): void => {
    types.set(name, enumType(row(name, namespace), labels));
  };
  const domain = (name: string, namespace: string, base: string): void => {
    const { type, typeModifier } = parseTypeName(base, 18, scope);
    types.set(name, domainType(row(name, namespace), type, typeModifier));
  };
  const composite = (name: string, namespace: string, attributes: Record<string, string>): void => {
    const fields = Object.entries(attributes).map(([field, type]): CompositeField => {
      return { name: field, ...parseTypeName(type, 18, scope) };
    });
    types.set(name, compositeType(row(name, namespace), fields));
  };
  const range = (name: string, subtype: string): void => {
    types.set(name, rangeType(row(name, 'public'), parseTypeName(subtype, 18).type));
  };
  enumeration('mood', 'public', ['sad', 'ok', 'very happy']);
  enumeration('Status', 'app', ['on', 'off']);
  domain('posint', 'public', 'int');
  domain('short_email', 'public', 'varchar(20)');
  domain('price', 'public', 'numeric(6,2)');
  domain('stamp', 'public', 'timestamptz(3)');
  domain('int_list', 'public', 'int[]');
  domain('email', 'app', 'varchar(50)');
  domain('mood_domain', 'app', 'mood');
  domain('dom_of_dom', 'app', 'mood_domain');
  composite('pair', 'public', { a: 'int', b: 'text' });
  composite('quad', 'public', { p: 'pair', m: 'mood', t: 'timestamptz', f: 'float8' });
  composite('nested', 'app', { p: 'pair', m: 'mood' });
  composite('c2', 'public', { id: 'posint', e: 'email', md: 'mood_domain', dd: 'dom_of_dom', il: 'int_list' });
  range('floatrange', 'float8');
  range('textrange', 'text');
  return scope;
}
