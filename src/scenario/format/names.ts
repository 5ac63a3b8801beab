/** Names of tables and types: `users`, `public.users`, `sales."Order Items"`. Upper case is kept, nothing is folded. */
import { textSchema } from '../json-schema.js';
import { scalar } from '../scalars.js';

export interface QualifiedName {
  readonly namespace: string;
  readonly name: string;
}

export const tableName = scalar<QualifiedName>({
  expected: 'the name of a table',
  parse: (text) => parseQualifiedName(text),
  schema: textSchema,
  hint: () => 'schema.table; a name with a dot or a space needs double quotes',
});

/** Without a schema, `public`. Undefined for anything but one or two names. */
export function parseQualifiedName(text: string): QualifiedName | undefined {
  const parts = /^(?:("(?:[^"]|"")+"|[^".]+)\.)?("(?:[^"]|"")+"|[^".]+)$/.exec(text);
  return parts === null ? undefined : { namespace: unquote(parts[1] ?? 'public'), name: unquote(parts[2]!) };
}

function unquote(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name;
}

/** As messages show it: without the schema where that is `public`. */
export function formatName({ namespace, name }: QualifiedName): string {
  return `${namespace}.${name}`;
}
