/** Tables as Relations describe them → declarations. */
import { formatType, parseTypeName, quoteIdentifier, typeByOid } from '../../postgres/index.js';
import type { SeenColumn, SeenTable } from '../../timeline/collect.js';
import { flow, text, type YamlObject, type YamlValue } from '../yaml-node.js';
import { Scalar, YAMLMap } from 'yaml';

/** What Relations do not tell of a table, from its server's catalogs. */
export interface TableFacts {
  /** Columns of the primary key, in its order; empty for none. */
  readonly primaryKey: readonly string[];
  readonly notNull: ReadonlySet<string>;
  /** Name of the replica identity's index, where one was chosen. */
  readonly identityIndex: string | null;
}

export interface TableContext {
  readonly major: number;
  readonly factsOf: (oid: number) => TableFacts | undefined;
  /** The column held a NULL when it was seen: its NOT NULL came later. */
  readonly hasNulls: (oid: number, column: string) => boolean;
  /** SQL name of a type that the scenario declares; undefined: written with its OID. */
  readonly declaredType: (column: SeenColumn) => string | undefined;
}

export function tableName({ namespace, name }: Pick<SeenTable, 'namespace' | 'name'>): Scalar {
  return text(`${namePart(namespace)}.${namePart(name)}`);
}

export function namePart(name: string): string {
  return /[."]/.test(name) || name.trim() !== name || name === '' ? `"${name.replaceAll('"', '""')}"` : name;
}

/** What `tables:` says of it. */
export function tableDeclaration(table: SeenTable, context: TableContext): YamlObject {
  return { oid: String(table.oid), ...seenTable(table, context) };
}

/** What `announce: …, as:` says of it: all that shows in a Relation. */
export function seenTable(table: SeenTable, context: TableContext): YamlObject {
  const facts = context.factsOf(table.oid);
  const { replicaIdentity, columns } = table;
  const identity = replicaIdentity === 'default' || replicaIdentity === 'index';
  const keys = identity ? columns.filter((column) => column.key).map((column) => column.name) : [];
  const published = new Set(columns.map((column) => column.name));
  const known = facts?.primaryKey.every((name) => published.has(name)) === true ? facts.primaryKey : [];
  // Under `default` the Relation itself tells the key: what the catalogs say by now may be another one.
  const primaryKey = replicaIdentity === 'default' ? (sameNames(known, keys) ? known : keys) : known;
  const index = facts?.identityIndex ?? `${table.name}_identity`;
  const hasIndex = replicaIdentity === 'index' && keys.length > 0;
  const single = primaryKey.length === 1 ? primaryKey[0] : undefined;
  const notNull = new Set(
    [...(facts?.notNull ?? []), ...(hasIndex ? keys : [])].filter((name) => !context.hasNulls(table.oid, name)),
  );
  const map = new YAMLMap();
  for (const column of columns) {
    const attribute = column.name === single ? 'primary key' : notNull.has(column.name) ? 'not null' : '';
    map.set(text(column.name), columnDeclaration(column, attribute, context));
  }
  return {
    replica_identity:
      replicaIdentity === 'default'
        ? undefined
        : replicaIdentity !== 'index'
          ? replicaIdentity
          : hasIndex
            ? flow([['index', text(index)]])
            : // An index that is gone identifies nothing.
              undefined,
    primary_key: primaryKey.length > 1 ? primaryKey.map((name) => text(name)) : undefined,
    indexes: hasIndex ? mapOf(index, flow([['unique', keys.map((name) => text(name))]])) : undefined,
    columns: map,
  };
}

function mapOf(name: string, value: YamlValue): YAMLMap {
  const map = new YAMLMap();
  map.set(text(name), value);
  return map;
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}

function columnDeclaration(column: SeenColumn, attribute: string, context: TableContext): YamlValue {
  const sqlName = builtinName(column, context.major) ?? context.declaredType(column);
  if (sqlName !== undefined) return text(attribute === '' ? sqlName : `${sqlName} ${attribute}`);
  const { namespace, name } = column.typeName ?? { namespace: 'pg_catalog', name: `type_${column.typeOid}` };
  const type = flow([
    ['oid', String(column.typeOid)],
    ['name', text(name)],
    ...(namespace === 'public' ? [] : [['schema', text(namespace)] as const]),
    ...(column.typeModifier === -1 ? [] : [['typmod', String(column.typeModifier)] as const]),
  ]);
  const attributes: (readonly [string, YamlValue])[] =
    attribute === '' ? [] : [[attribute === 'primary key' ? 'primary_key' : 'not_null', 'true']];
  return flow([['type', type], ...attributes]);
}

/** The SQL name of a built-in type, if it means just this type with just this modifier. */
function builtinName({ typeOid, typeModifier }: SeenColumn, major: number): string | undefined {
  const type = typeByOid(typeOid);
  if (type === undefined || type.since > major) return undefined;
  const candidates = [() => formatType(type, typeModifier, major), () => quoteIdentifier(type.name)];
  for (const candidate of candidates) {
    try {
      const name = candidate();
      const parsed = parseTypeName(name, major);
      if (parsed.type.oid === typeOid && parsed.typeModifier === typeModifier && !parsed.serial) return shortName(name);
    } catch {
      // Not a name that can be written.
    }
  }
  return undefined;
}

/** As people write them. */
const shortNames: readonly (readonly [RegExp, string])[] = [
  [/^character varying\b/, 'varchar'],
  [/^timestamp(\(\d\))? with time zone/, 'timestamptz$1'],
  [/^timestamp(\(\d\))? without time zone/, 'timestamp$1'],
  [/^time(\(\d\))? with time zone/, 'timetz$1'],
  [/^time(\(\d\))? without time zone/, 'time$1'],
];

function shortName(name: string): string {
  return shortNames.reduce((short, [pattern, replacement]) => short.replace(pattern, replacement), name);
}

/** For the reader: what DDL must have done between two versions of a table. */
export function whatBecame(before: SeenTable, after: SeenTable): string {
  const names = (columns: readonly SeenColumn[]): string => columns.map((column) => column.name).join(', ');
  const had = (column: SeenColumn): SeenColumn | undefined => before.columns.find(({ name }) => name === column.name);
  const added = after.columns.filter((column) => had(column) === undefined);
  const gone = before.columns.filter(({ name }) => !after.columns.some((column) => column.name === name));
  const changed = after.columns.filter((column) => {
    const old = had(column);
    return old !== undefined && (old.typeOid !== column.typeOid || old.typeModifier !== column.typeModifier);
  });
  const parts = [
    before.name === after.name && before.namespace === after.namespace ? '' : 'another name',
    before.replicaIdentity === after.replicaIdentity ? '' : `replica identity ${after.replicaIdentity}`,
    gone.length === 0 ? '' : `without ${names(gone)}`,
    added.length === 0 ? '' : `with ${names(added)}`,
    changed.length === 0 ? '' : `another type of ${names(changed)}`,
  ].filter((part) => part !== '');
  // A name may hold anything, and a comment is one line.
  return `DDL came before: ${parts.join('; ') || 'another definition'}`.replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
}
