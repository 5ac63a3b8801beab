/** Columns as `table()` takes them: what their text says, for the compiler and for the database. */
import type { ColumnDeclaration } from '../database/index.js';
import type { ColumnTypeName, ValueOf } from '../pgoutput/column-types.js';
import { parseTypeName, type TypeScope } from '../postgres/index.js';
import { parseShortColumn } from '../scenario/format/columns.js';
import type { Unchanged } from '../pgoutput/messages.js';
import type { OutOfLine, RawText } from '../timeline/datum.js';

/**
 * `int8 primary key`, `varchar(20) not null`, `bigserial` …: a data type, then `primary key`, `not null` or `identity`; or a map
 * with more of it.
 */
export type ColumnDefinition =
  | string
  | {
      readonly type: string;
      /** For rows that leave the column out. */
      readonly default?: Constant;
      /** Every value that is not NULL is stored out of line (TOAST), so that updates that leave it alone send it as unchanged. */
      readonly toasted?: boolean;
      /** A generated column: rows give its value, as if the expression had made it. */
      readonly generated?: 'stored' | 'virtual';
    };

/** A value of a column. */
export type Constant = bigint | number | boolean | string | Uint8Array | null;

/** Column name → definition, in the order of the columns. */
export type ColumnDefinitions = Readonly<Record<string, ColumnDefinition>>;

type TextOf<D> = D extends string ? D : D extends { readonly type: infer T extends string } ? T : never;

/** The text without what follows the data type, then without `(…)`. */
type DataType<S extends string> =
  S extends `${infer T} ${'primary key' | 'not null' | 'null' | 'identity' | 'generated'}${string}`
    ? DataType<T>
    : S extends `${infer T} not`
      ? DataType<T>
      : S extends `${infer A}(${string})${infer B}`
        ? `${A}${B}`
        : S;

type Serial = { smallserial: number; serial: number; bigserial: bigint };

/** Types that are not built in have their text form. */
type ValueOfType<T extends string> = T extends keyof Serial
  ? Serial[T]
  : T extends ColumnTypeName
    ? ValueOf<T>
    : string;

type NotNull =
  | `${string}primary key${string}`
  | `${string}not null${string}`
  | `${string}identity${string}`
  | `${string}serial${string}`;
type HasDefault = `${string}identity${string}` | `${string}serial${string}`;

/** A column's values, by its definition. */
export type ColumnValue<D> =
  Lowercase<TextOf<D>> extends infer S extends string
    ? ValueOfType<DataType<S>> | (S extends NotNull ? never : null)
    : never;

/** A stored row. */
export type RowOfColumns<C extends ColumnDefinitions> = { readonly [Name in keyof C]: ColumnValue<C[Name]> };

type MayBeLeftOut<D> =
  Lowercase<TextOf<D>> extends infer S
    ? S extends HasDefault
      ? true
      : D extends { readonly default: unknown }
        ? true
        : S extends NotNull
          ? false
          : true
    : never;

/** A value as it is written: `toasted(…)` stores it out of line, `raw(…)` sends it as it stands. */
export type Written<V> = V | Toasted<V> | RawText;

/** A value stored out of line. */
export interface Toasted<V> {
  readonly toasted: V;
}

/** A row to insert: what is nullable or has a default may be left out. */
export type InsertRow<C extends ColumnDefinitions> = {
  readonly [Name in keyof C as MayBeLeftOut<C[Name]> extends true ? never : Name]: Written<ColumnValue<C[Name]>>;
} & { readonly [Name in keyof C as MayBeLeftOut<C[Name]> extends true ? Name : never]?: Written<ColumnValue<C[Name]>> };

/** New values, of which some may be `unchanged` (stored out of line, and not sent). */
export type NewRow<C extends ColumnDefinitions> = {
  readonly [Name in keyof InsertRow<C>]: InsertRow<C>[Name] | Unchanged;
};

/** Values of some of the columns. */
export type SomeValues<C extends ColumnDefinitions> = { readonly [Name in keyof C]?: Written<ColumnValue<C[Name]>> };
/** Values of some of the columns, as they are stored. */
export type SomeColumns<C extends ColumnDefinitions> = { readonly [Name in keyof C]?: ColumnValue<C[Name]> };

export type WrittenValue = Written<Constant> | Unchanged | OutOfLine;

interface ReadColumn {
  readonly declaration: ColumnDeclaration;
  readonly primaryKey: boolean;
  readonly default: Constant | undefined;
}

/**
 * What a definition says, for a server of this major.
 * @throws TypeError for a text that is none; TypeNameError for a data type that there is not
 */
export function readColumn(name: string, definition: ColumnDefinition, major: number, scope: TypeScope): ReadColumn {
  const long: Exclude<ColumnDefinition, string> = typeof definition === 'string' ? { type: definition } : definition;
  const { type: text, default: value, toasted = false, generated } = long;
  const short = parseShortColumn(text);
  if (short === undefined) {
    throw new TypeError(
      `column ${name}: ${JSON.stringify(text)} is not a data type followed by primary key, not null or identity; ` +
        'write { type, default, toasted, generated } for more',
    );
  }
  const { type, typeModifier, serial } = parseTypeName(short.type, major, scope);
  return {
    declaration: {
      name,
      type,
      typeModifier,
      notNull: short.attributes.has('not null') || serial,
      identity: short.attributes.has('identity') || serial,
      toasted,
      ...(generated && { generated }),
    },
    primaryKey: short.attributes.has('primary key'),
    default: value,
  };
}
