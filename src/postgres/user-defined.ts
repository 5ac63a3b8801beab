/** Enums, domains, and types of which only the OID and the name are known. */
import type { UserTypeFields } from './composite.js';
import { utf8 } from './big-endian.js';
import { inputText } from './character.js';
import { qualifiedName } from './identifier.js';
import { definePgType, ValueError, type PgType } from './pg-type.js';

export function enumType(type: UserTypeFields, labels: readonly string[]): PgType {
  const order = new Map(labels.map((label, i) => [label, i]));
  const shownName = qualifiedName(type);
  return definePgType({
    ...type,
    kind: 'enum',
    labels,
    length: 4,
    input: (text) => {
      if (!order.has(text)) throw new ValueError('22P02', `invalid input value for enum ${shownName}: "${text}"`);
      return text;
    },
    send: utf8,
    compare: (a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0),
  });
}

/** Its CHECK constraints are not evaluated. `typeModifier` is that of the base type. */
export function domainType(type: UserTypeFields, base: PgType, typeModifier = -1): PgType {
  return definePgType({
    ...type,
    kind: 'domain',
    element: base,
    typeModifier,
    length: base.length,
    delimiter: base.delimiter,
    input: (text, _typeModifier, major) => base.input(text, typeModifier, major),
    output: base.output,
    send: base.send,
    compare: base.compare,
  });
}

/** A type of an extension, say: any text is taken as canonical, and it is sent as text in binary mode too. */
export function opaqueType(type: UserTypeFields): PgType {
  return definePgType({ ...type, length: -1, input: inputText });
}
