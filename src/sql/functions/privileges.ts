/** has_…_privilege and pg_has_role: everybody may do everything here, but to what does not exist. */
import type { Value } from '../expression/expression.js';
import { sqlError } from '../failure.js';
import { roleOid } from '../relations/roles.js';
import { requireObjectOid } from '../types/object-names.js';
import { namespaceNames } from '../relations/namespaces.js';
import { functions, type Call } from './definition.js';

type Check = (call: Call, object: string) => void;

function requireRole({ context }: Call, name: string): void {
  if (roleOid(context, name) === undefined) throw sqlError('42704', `role "${name}" does not exist`);
}

const objects: Readonly<Record<string, Check>> = {
  table: ({ context }, name) => void requireObjectOid(context, 'regclass', name),
  sequence: ({ context }, name) => void requireObjectOid(context, 'regclass', name),
  schema: ({ context }, name) => {
    if (!namespaceNames(context).includes(name)) throw sqlError('3F000', `schema "${name}" does not exist`);
  },
  database: ({ context }, name) => {
    if (name !== context.session.database && !context.host.databases.includes(name)) {
      throw sqlError('3D000', `database "${name}" does not exist`);
    }
  },
  type: ({ context }, name) => void requireObjectOid(context, 'regtype', name),
};

const privileges =
  /^\s*(select|insert|update|delete|truncate|references|trigger|usage|create|connect|temp(orary)?|execute|maintain)( with grant option)?\s*$/i;

function checkPrivilege(text: string): void {
  const unknown = text.split(',').find((word) => !privileges.test(word));
  if (unknown !== undefined) throw sqlError('22023', `unrecognized privilege type: "${unknown.trim()}"`);
}

/** With the user's name, OID or none in front; the object by name or OID. */
function privilegeForms(kind: string, check: Check): Record<string, (call: Call, ...values: string[]) => Value> {
  const name = `has_${kind}_privilege`;
  const granted = (call: Call, user: string | undefined, object: string | undefined, privilege: string): Value => {
    if (user !== undefined) requireRole(call, user);
    if (object !== undefined) check(call, object);
    checkPrivilege(privilege);
    return 't';
  };
  return {
    [`${name}(text, text) bool`]: (call, object, privilege) => granted(call, undefined, object, privilege),
    [`${name}(oid, text) bool`]: (call, _object, privilege) => granted(call, undefined, undefined, privilege),
    [`${name}(name, text, text) bool`]: (call, user, object, privilege) => granted(call, user, object, privilege),
    [`${name}(name, oid, text) bool`]: (call, user, _object, privilege) => granted(call, user, undefined, privilege),
    [`${name}(oid, text, text) bool`]: (call, _user, object, privilege) => granted(call, undefined, object, privilege),
    [`${name}(oid, oid, text) bool`]: (call, _user, _object, privilege) =>
      granted(call, undefined, undefined, privilege),
  };
}

function hasRole(call: Call, ...roles: string[]): Value {
  for (const role of roles) if (!/^\d+$/.test(role)) requireRole(call, role);
  return 't';
}

/** Membership, as a superuser has it in every role. */
function roleForms(): Record<string, (call: Call, ...values: string[]) => Value> {
  return {
    'pg_has_role(name, text) bool': (call, role) => hasRole(call, role),
    'pg_has_role(oid, text) bool': () => 't',
    'pg_has_role(name, name, text) bool': (call, user, role) => hasRole(call, user, role),
    'pg_has_role(name, oid, text) bool': (call, user) => hasRole(call, user),
    'pg_has_role(oid, name, text) bool': (call, _user, role) => hasRole(call, role),
    'pg_has_role(oid, oid, text) bool': () => 't',
  };
}

export const privilegeFunctions = [
  ...Object.entries(objects).map(([kind, check]) => functions(privilegeForms(kind, check))),
  functions(roleForms()),
  functions({
    'has_column_privilege(oid, text, text) bool': () => 't',
    'has_column_privilege(text, text, text) bool': () => 't',
    'has_any_column_privilege(oid, text) bool': () => 't',
    'has_any_column_privilege(text, text) bool': () => 't',
  }),
];
