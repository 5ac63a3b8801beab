/** format_type(): how the server spells a type in catalogs and messages. */
import { qualifiedName } from './identifier.js';
import type { PgType } from './pg-type.js';
import { sqlNameOf } from './sql-type-name.js';
import { printIntervalModifier, printLengthModifier, printNumericModifier } from './type-modifier.js';

/**
 * `character varying(20)[]`, `app."Status"`. User-defined types outside `searchPath` are qualified.
 * @param typeModifier undefined: not given, which differs from -1 for char and bit ("character", not "bpchar")
 */
export function formatType(
  type: PgType,
  typeModifier: number | undefined,
  major = 18,
  searchPath: readonly string[] = ['public'],
): string {
  if (type.kind === 'array') return `${formatType(type.element!, typeModifier, major, searchPath)}[]`;
  if (type.namespace !== 'pg_catalog') return qualifiedName(type, searchPath);
  // The bare words mean char(1) and bit(1).
  if (typeModifier === -1 && type.name === 'bpchar') return 'bpchar';
  if (typeModifier === -1 && type.name === 'bit') return '"bit"';
  const name = sqlNameOf(type.name);
  return typeModifier === undefined || typeModifier < 0 ? name : modify(type.name, name, typeModifier, major);
}

function modify(typname: string, name: string, typeModifier: number, major: number): string {
  switch (typname) {
    case 'bpchar':
    case 'varchar':
    case 'bit':
    case 'varbit':
      return name + printLengthModifier(typname, typeModifier);
    case 'numeric':
      return name + printNumericModifier(typeModifier, major);
    case 'interval':
      return name + printIntervalModifier(typeModifier);
    case 'time':
    case 'timetz':
    case 'timestamp':
    case 'timestamptz':
      return name.replace(' ', `(${typeModifier}) `);
    default:
      return name;
  }
}
