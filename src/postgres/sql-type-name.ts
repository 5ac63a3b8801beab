/** What the SQL grammar and format_type() call the types that pg_type calls otherwise. */

/** Words of the grammar → typname. */
export const typeAliases: ReadonlyMap<string, string> = new Map([
  ['int', 'int4'],
  ['integer', 'int4'],
  ['smallint', 'int2'],
  ['bigint', 'int8'],
  ['boolean', 'bool'],
  ['real', 'float4'],
  ['double precision', 'float8'],
  ['decimal', 'numeric'],
  ['dec', 'numeric'],
  ['character varying', 'varchar'],
  ['char varying', 'varchar'],
  ['national character varying', 'varchar'],
  ['national char varying', 'varchar'],
  ['nchar varying', 'varchar'],
  ['character', 'bpchar'],
  ['char', 'bpchar'],
  ['national character', 'bpchar'],
  ['national char', 'bpchar'],
  ['nchar', 'bpchar'],
  ['bit varying', 'varbit'],
  ['bit', 'bit'],
]);

/** typname → what format_type() prints without a type modifier, where that differs. */
const sqlNames = new Map([
  ['bool', 'boolean'],
  ['int2', 'smallint'],
  ['int4', 'integer'],
  ['int8', 'bigint'],
  ['float4', 'real'],
  ['float8', 'double precision'],
  ['bpchar', 'character'],
  ['varchar', 'character varying'],
  ['varbit', 'bit varying'],
  ['time', 'time without time zone'],
  ['timetz', 'time with time zone'],
  ['timestamp', 'timestamp without time zone'],
  ['timestamptz', 'timestamp with time zone'],
  ['char', '"char"'],
]);
const typnames = new Map([...sqlNames].map(([typname, sqlName]) => [sqlName, typname]));

export function sqlNameOf(typname: string): string {
  return sqlNames.get(typname) ?? typname;
}

export function typnameOf(sqlName: string): string {
  return typeAliases.get(sqlName) ?? typnames.get(sqlName) ?? sqlName;
}
