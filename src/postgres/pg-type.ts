/**
 * A PostgreSQL data type as the emulator needs it: what its input function accepts, what its output and send
 * functions print. Values travel through the program as *canonical text*: what the output function prints under
 * DateStyle ISO, IntervalStyle postgres, TimeZone UTC, extra_float_digits 1 (shortest), bytea_output hex. Canonical text
 * is injective: two stored values are byte-wise equal exactly when their canonical texts are.
 */

/** The settings of a session that change what output functions print. */
export interface OutputSettings {
  /** Server major, 10 to 20. */
  readonly major: number;
  readonly dateStyle: { readonly format: 'ISO' | 'SQL' | 'POSTGRES' | 'GERMAN'; readonly order: 'MDY' | 'DMY' | 'YMD' };
  readonly intervalStyle: 'postgres' | 'postgres_verbose' | 'sql_standard' | 'iso_8601';
  /** An IANA name or any form SET TimeZone takes. */
  readonly timeZone: string;
  readonly extraFloatDigits: number;
  readonly byteaOutput: 'hex' | 'escape';
  /**
   * Looks up an object that a value of type `type` (regclass, regproc …) names, for its send function; undefined when
   * there is none. Built-in types and schemas are known without it.
   */
  readonly oidOf?: ((type: string, name: string) => number | undefined) | undefined;
}

export type TypeKind = 'base' | 'array' | 'composite' | 'domain' | 'enum' | 'range' | 'multirange';

export interface CompositeField {
  readonly name: string;
  readonly type: PgType;
  /** atttypmod; -1 for none. */
  readonly typeModifier: number;
}

export interface PgType {
  readonly oid: number;
  /** 'pg_catalog' for built-in ones. */
  readonly namespace: string;
  /** typname: `int4`, `_int4`, `mood`. */
  readonly name: string;
  readonly kind: TypeKind;
  /** First server major that has it. */
  readonly since: number;
  /** The element of an array, the subtype of a range, the range of a multirange, the base type of a domain. */
  readonly element?: PgType | undefined;
  /** typtypmod: what a domain passes to its base type; -1 for none. */
  readonly typeModifier: number;
  /** typlen: bytes of a fixed-length type, -1 variable, -2 C string. Only -1 types can be stored out of line. */
  readonly length: number;
  /** typarray: the OID of the array type over it; 0 for none. */
  readonly arrayOid: number;
  /** typdelim: what stands between the elements of an array of it. */
  readonly delimiter: ',' | ';';
  /** Labels of an enum in their order. */
  readonly labels?: readonly string[] | undefined;
  /** Attributes of a composite. */
  readonly fields?: readonly CompositeField[] | undefined;
  /**
   * Input function, then output function: the canonical text of `text`.
   * @throws ValueError with the server's SQLSTATE and message where the server would refuse it.
   */
  input(text: string, typeModifier: number, major: number): string;
  /** Output function under a session's settings; undefined when that is always the canonical text. */
  readonly output?: ((canonical: string, settings: OutputSettings) => string) | undefined;
  /**
   * Send function; undefined where the type has none (the server then sends text even in binary mode).
   * @throws ValueError 42883 when a part of the value (an array's element) is of a type without one.
   */
  readonly send?: ((canonical: string, settings: OutputSettings) => Uint8Array) | undefined;
  /**
   * Order of two canonical texts by the type's default btree operator class (text as in collation C): negative, 0,
   * positive. Undefined where the type has no such order.
   */
  readonly compare?: ((a: string, b: string) => number) | undefined;
}

/** What definePgType needs: all that has no usual value. */
export type PgTypeFields = Pick<PgType, 'oid' | 'name' | 'length' | 'input'> & Partial<PgType>;

/** Every PgType is made here, so that all have one object shape: the hot path reads `output` and `send` of many. */
export function definePgType(fields: PgTypeFields): PgType {
  return {
    oid: fields.oid,
    namespace: fields.namespace ?? 'pg_catalog',
    name: fields.name,
    kind: fields.kind ?? 'base',
    since: fields.since ?? 10,
    element: fields.element,
    typeModifier: fields.typeModifier ?? -1,
    length: fields.length,
    arrayOid: fields.arrayOid ?? 0,
    delimiter: fields.delimiter ?? ',',
    labels: fields.labels,
    fields: fields.fields,
    input: fields.input,
    output: fields.output,
    send: fields.send,
    compare: fields.compare,
  };
}

type TypeFunctions = Pick<PgType, 'input' | 'output' | 'send' | 'compare' | 'delimiter'>;

/** A built-in base type: its row of pg_type and its functions. */
export function builtinType(
  oid: number,
  name: string,
  length: number,
  arrayOid: number,
  functions: Pick<TypeFunctions, 'input'> & Partial<TypeFunctions>,
  since = 10,
): PgType {
  return definePgType({ oid, name, length, arrayOid, since, ...functions });
}

/** A value that the type's input function refuses. */
export class ValueError extends Error {
  constructor(
    /** SQLSTATE, e.g. 22P02. */
    readonly sqlState: string,
    message: string,
  ) {
    super(message);
    this.name = 'ValueError';
  }
}
