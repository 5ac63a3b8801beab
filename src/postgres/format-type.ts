/** format_type(): how the server spells a type in catalogs and messages. */
import { qualifiedName } from './identifier.js';
import type { PgType } from './pg-type.js';
import { printIntervalModifier, printLengthModifier, printNumericModifier } from './type-modifier.js';

const sqlNames = new Map([
  ['bool', 'boolean'],
  ['int2', 'smallint'],
  ['int4', 'integer'],
  ['int8', 'bigint'],
  ['float4', 'real'],
  ['float8', 'double precision'],
  ['varchar', 'character varying'],
  ['varbit', 'bit varying'],
]);

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
  return formatBuiltin(type.name, typeModifier, major);
}

function formatBuiltin(name: string, typeModifier: number | undefined, major: number): string {
  const modifier = typeModifier === -1 ? undefined : typeModifier;
  switch (name) {
    case 'bpchar':
      if (typeModifier === -1) return 'bpchar';
      return `character${modifier === undefined ? '' : printLengthModifier(name, modifier)}`;
    case 'bit':
      // Quoted, because the bare word means bit(1).
      if (typeModifier === -1) return '"bit"';
      return `bit${modifier === undefined ? '' : printLengthModifier(name, modifier)}`;
    case 'varchar':
    case 'varbit':
      return sqlNames.get(name)! + (modifier === undefined ? '' : printLengthModifier(name, modifier));
    case 'numeric':
      return `numeric${modifier === undefined ? '' : printNumericModifier(modifier, major)}`;
    case 'time':
    case 'timestamp':
      return `${name}${modifier === undefined ? '' : `(${modifier})`} without time zone`;
    case 'timetz':
    case 'timestamptz':
      return `${name.slice(0, -2)}${modifier === undefined ? '' : `(${modifier})`} with time zone`;
    case 'interval':
      return `interval${modifier === undefined ? '' : printIntervalModifier(modifier)}`;
    case 'char':
      return '"char"';
    default:
      return sqlNames.get(name) ?? name;
  }
}
