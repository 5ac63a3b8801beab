/** Columns: a short text (`bigint primary key`) or a map. */
import { byKind } from '../alternative.js';
import { mapOf, object, optional, required, type Read, type ReadOf } from '../object.js';
import { boolean, integer, name, oid, text } from '../scalars.js';
import { scalar } from '../scalars.js';
import type { Shape } from '../shape.js';
import type { Located, Span } from '../source.js';
import { textSchema } from '../json-schema.js';
import { value, type Value } from './values.js';

const pinnedTypeFields = {
  oid: required(oid, 'OID of the type.', 16400),
  name: required(name, 'Name of the type: what the Type message carries.', 'mood'),
  schema: optional(name, 'Its schema; `public` where left out.', 'public'),
  typmod: optional(integer(-1, 0x7fff_ffff, 'a type modifier'), 'atttypmod: -1, the default, for none.', -1),
};
export type PinnedType = ReadOf<typeof pinnedTypeFields>;

/** `numeric(10,2)`, or an OID and a name for a type that is not known here. */
export type TypeReference = Located<string> | PinnedType;

export const typeReference: Shape<TypeReference> = byKind({
  expected: 'a data type such as bigint or numeric(10,2)',
  scalar: name,
  map: object(pinnedTypeFields, { expected: 'a type by OID and name' }),
});

export function isPinned(type: TypeReference): type is PinnedType {
  return 'oid' in type;
}

const generatedFields = {
  as: required(text, 'The expression, for the reader: the row gives the value.', 'upper(email)'),
  stored: optional(boolean, 'Stored, or (false) virtual; stored by default.', true),
};

const columnFields = {
  type: required(typeReference, 'SQL data type.', 'numeric(10,2)', 'text[]'),
  not_null: optional(boolean, 'NOT NULL.', true),
  primary_key: optional(boolean, 'The column is the primary key.', true),
  identity: optional(boolean, 'GENERATED … AS IDENTITY: rows that leave it out get the next number.', true),
  toasted: optional(boolean, 'Every value that is not NULL is stored out of line (TOAST).', true),
  default: optional(value, 'What rows hold that leave the column out.', 0),
  generated: optional(
    object(generatedFields, { expected: 'a generated column' }),
    'A generated column. Its value is given in the row.',
    { as: 'upper(email)', stored: true },
  ),
};

export interface ColumnDeclaration {
  readonly at: Span;
  readonly type: TypeReference;
  readonly notNull: boolean;
  readonly primaryKey: boolean;
  readonly identity: boolean;
  readonly toasted: boolean;
  readonly default: Value | undefined;
  readonly generated: 'stored' | 'virtual' | undefined;
  /** Of a generated column: its expression. */
  readonly generatedAs?: string | undefined;
}

const longColumn = object(columnFields, { expected: 'a column: a data type, or a map of its properties' });

interface ShortColumn {
  readonly type: string;
  readonly attributes: ReadonlySet<string>;
}

const shortColumn = scalar<ShortColumn>({
  expected: 'a data type, then `primary key`, `not null` or `identity`',
  parse: parseShortColumn,
  schema: textSchema,
  hint: (written) =>
    /\b(default|check|references|unique|collate)\b/i.test(written)
      ? 'write the column as a map: { type: …, default: … }'
      : undefined,
});

const attributePattern =
  /\s+(primary\s+key|not\s+null|null|identity|generated\s+(?:always|by\s+default)\s+as\s+identity)$/i;

export function parseShortColumn(written: string): ShortColumn | undefined {
  const attributes = new Set<string>();
  let type = written.trim();
  for (let match = attributePattern.exec(type); match !== null; match = attributePattern.exec(type)) {
    const attribute = match[1]!.toLowerCase().replace(/\s+/g, ' ');
    attributes.add(attribute.endsWith('identity') ? 'identity' : attribute);
    type = type.slice(0, match.index);
  }
  return /\b(?:default|check|references|unique|primary|collate)\b/i.test(type) ? undefined : { type, attributes };
}

export const column: Shape<ColumnDeclaration> = {
  expected: longColumn.expected,
  read(node, reader) {
    if (node.kind !== 'scalar') {
      const long = longColumn.read(node, reader);
      return long && fromLong(long);
    }
    const short = shortColumn.read(node, reader);
    if (short === undefined) return undefined;
    const { type, attributes } = short.value;
    return {
      at: node.at,
      type: { value: type, at: beginning(node.at, type) },
      notNull: attributes.has('not null'),
      primaryKey: attributes.has('primary key'),
      identity: attributes.has('identity'),
      toasted: false,
      default: undefined,
      generated: undefined,
    };
  },
  jsonSchema: () => ({ anyOf: [shortColumn.jsonSchema(), longColumn.jsonSchema()] }),
};

function fromLong(long: ReadOf<typeof columnFields> & Read): ColumnDeclaration {
  return {
    at: long.at,
    type: long.type,
    notNull: long.notNull?.value ?? false,
    primaryKey: long.primaryKey?.value ?? false,
    identity: long.identity?.value ?? false,
    toasted: long.toasted?.value ?? false,
    default: long.default,
    generated: long.generated && ((long.generated.stored?.value ?? true) ? 'stored' : 'virtual'),
    generatedAs: long.generated?.as.value,
  };
}

/** The part of a scalar that `text`, at its beginning, takes up. */
function beginning(at: Span, text: string): Span {
  const offset = at.source.text.indexOf(text, at.start);
  return offset < 0 || offset + text.length > at.end ? at : { ...at, start: offset, end: offset + text.length };
}

export const columns = mapOf(column, 'a map from column names to data types');
