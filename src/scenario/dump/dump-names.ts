/** Names of a dump as the format writes them. */
import type { RangeVar } from 'libpg-query';
import type { QualifiedName } from '../format/names.js';

/** In quotes where a dot or a quote would be taken for something else. */
export function quotedName(name: string): string {
  return /[".]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

export function nameKey({ namespace, name }: QualifiedName): string {
  return `${quotedName(namespace)}.${quotedName(name)}`;
}

export function nameOf({ schemaname, relname = '' }: RangeVar, schema: string): QualifiedName {
  return { namespace: schemaname ?? schema, name: relname };
}
