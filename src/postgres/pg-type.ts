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
}

export type TypeKind = 'base' | 'array' | 'composite' | 'domain' | 'enum' | 'range' | 'multirange';

export interface PgType {
  readonly oid: number;
  /** 'pg_catalog' for built-in ones. */
  readonly namespace: string;
  /** typname: `int4`, `_int4`, `mood`. */
  readonly name: string;
  readonly kind: TypeKind;
  /** First server major that has it. */
  readonly since: number;
  /** The element of an array, the subtype of a range, the base type of a domain. */
  readonly element?: PgType;
  /** typlen: bytes of a fixed-length type, -1 variable, -2 C string. Only -1 types can be stored out of line. */
  readonly length: number;
  /**
   * Input function, then output function: the canonical text of `text`.
   * @throws ValueError with the server's SQLSTATE and message where the server would refuse it.
   */
  input(text: string, typeModifier: number, major: number): string;
  /** Output function under a session's settings; undefined when that is always the canonical text. */
  readonly output?: (canonical: string, settings: OutputSettings) => string;
  /** Send function; undefined where the type has none (the server then sends text even in binary mode). */
  readonly send?: (canonical: string, settings: OutputSettings) => Uint8Array;
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
