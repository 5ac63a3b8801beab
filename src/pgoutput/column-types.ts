/** Names of built-in types for `relation()`: what they are to PostgreSQL, and what their values are to a program. */

/** OIDs by typname: the type's, and that of arrays of it. They are the same in every major that has the type. */
const oids = {
  bit: [1560, 1561],
  bool: [16, 1000],
  box: [603, 1020],
  bpchar: [1042, 1014],
  bytea: [17, 1001],
  char: [18, 1002],
  cidr: [650, 651],
  circle: [718, 719],
  date: [1082, 1182],
  daterange: [3912, 3913],
  float4: [700, 1021],
  float8: [701, 1022],
  inet: [869, 1041],
  int2: [21, 1005],
  int4: [23, 1007],
  int4range: [3904, 3905],
  int8: [20, 1016],
  int8range: [3926, 3927],
  interval: [1186, 1187],
  json: [114, 199],
  jsonb: [3802, 3807],
  jsonpath: [4072, 4073],
  line: [628, 629],
  lseg: [601, 1018],
  macaddr: [829, 1040],
  macaddr8: [774, 775],
  money: [790, 791],
  name: [19, 1003],
  numeric: [1700, 1231],
  numrange: [3906, 3907],
  oid: [26, 1028],
  path: [602, 1019],
  pg_lsn: [3220, 3221],
  point: [600, 1017],
  polygon: [604, 1027],
  regclass: [2205, 2210],
  text: [25, 1009],
  time: [1083, 1183],
  timestamp: [1114, 1115],
  timestamptz: [1184, 1185],
  timetz: [1266, 1270],
  tsquery: [3615, 3645],
  tsrange: [3908, 3909],
  tstzrange: [3910, 3911],
  tsvector: [3614, 3643],
  uuid: [2950, 2951],
  varbit: [1562, 1563],
  varchar: [1043, 1015],
  xid: [28, 1011],
  xml: [142, 143],
} as const;

/** SQL's own names. `char` is missing: in SQL it is character(1), in pg_type a type of one byte. */
const aliases = {
  bigint: 'int8',
  'bit varying': 'varbit',
  boolean: 'bool',
  character: 'bpchar',
  'character varying': 'varchar',
  decimal: 'numeric',
  'double precision': 'float8',
  int: 'int4',
  integer: 'int4',
  real: 'float4',
  smallint: 'int2',
  'time with time zone': 'timetz',
  'time without time zone': 'time',
  'timestamp with time zone': 'timestamptz',
  'timestamp without time zone': 'timestamp',
} as const;

type Typname = keyof typeof oids;
type Alias = keyof typeof aliases;

/** `int8`, `bigint`, `text`, `text[]` … */
export type ColumnTypeName = Typname | Alias | `${Typname | Alias}[]`;

/** A column's type by name, or by OID and atttypmod (-1, none, when left out): for user-defined types and modifiers. */
export type ColumnType = ColumnTypeName | { readonly oid: number; readonly typmod?: number };

/** What values of a type are to a program. All others are strings: the type's text form. */
interface NativeValues {
  bool: boolean;
  bytea: Uint8Array;
  float4: number;
  float8: number;
  int2: number;
  int4: number;
  int8: bigint;
  oid: number;
  xid: number;
}

type NativeOf<T> = T extends keyof NativeValues ? NativeValues[T] : string;

/** The type of a column's values, NULL aside. */
export type ValueOf<T extends ColumnType> = NativeOf<T extends Alias ? (typeof aliases)[T] : T>;

/** Undefined when there is no such name. */
export function oidOfType(name: string): number | undefined {
  const isArray = name.endsWith('[]');
  const elementName = isArray ? name.slice(0, -2) : name;
  const typname = (aliases as Readonly<Record<string, Typname>>)[elementName] ?? elementName;
  return (oids as Readonly<Record<string, readonly [number, number]>>)[typname]?.[isArray ? 1 : 0];
}

export function columnTypeNames(): readonly string[] {
  return [...Object.keys(oids), ...Object.keys(aliases)];
}
