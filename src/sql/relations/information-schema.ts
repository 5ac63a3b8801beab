/** information_schema: tables, columns and keys. */
import type { Column, Table } from '../../timeline/catalog.js';
import type { StatementContext } from '../context.js';
import { systemRelations } from './system-schema.js';
import type { TypeSpace } from '../types/type-space.js';
import { typeOids } from '../types/type-oids.js';
import { indexesOf, type IndexFacts } from './table-facts.js';
import { namespaceNames } from './namespaces.js';
import type { CatalogBuilders, CatalogRow } from './relation.js';

function tableRow(context: StatementContext, schema: string, name: string, isView: boolean): CatalogRow {
  return {
    table_catalog: context.session.database,
    table_schema: schema,
    table_name: name,
    table_type: isView ? 'VIEW' : 'BASE TABLE',
    self_referencing_column_name: null,
    reference_generation: null,
    user_defined_type_catalog: null,
    user_defined_type_schema: null,
    user_defined_type_name: null,
    is_insertable_into: isView ? 'NO' : 'YES',
    is_typed: 'NO',
    commit_action: null,
  };
}

function* tables(context: StatementContext): Generator<CatalogRow> {
  for (const { namespace, name } of context.catalog.tables.values()) yield tableRow(context, namespace, name, false);
  for (const { schema, name, kind } of systemRelations(context.major).values())
    yield tableRow(context, schema, name, kind === 'v');
}

interface ColumnFacts {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  readonly position: number;
  readonly type: number;
  readonly typmod: number;
  readonly column: Column | undefined;
}

function* allColumns({ catalog, major }: StatementContext): Generator<ColumnFacts> {
  for (const table of catalog.tables.values()) {
    for (const [i, column] of table.columns.entries()) {
      const { name, type, typeModifier } = column;
      yield {
        schema: table.namespace,
        table: table.name,
        name,
        position: table.attnums[i]!,
        type: type.oid,
        typmod: typeModifier,
        column,
      };
    }
  }
  for (const { schema, name: table, columns } of systemRelations(major).values()) {
    for (const { name, type, typmod, attnum, hidden } of columns) {
      if (!hidden) yield { schema, table, name, position: attnum, type, typmod, column: undefined };
    }
  }
}

const charTypes = new Set<number>([typeOids.varchar, typeOids.bpchar, typeOids.text]);
const bitTypes = new Set<number>([typeOids.bit, typeOids.varbit]);
const timeTypes = new Set<number>([typeOids.time, typeOids.timetz, typeOids.timestamp, typeOids.timestamptz]);
const bits = new Map<number, number>([
  [typeOids.int2, 16],
  [typeOids.int4, 32],
  [typeOids.int8, 64],
  [typeOids.float4, 24],
  [typeOids.float8, 53],
]);
const integers = new Set<number>([typeOids.int2, typeOids.int4, typeOids.int8]);

/** Lengths and precisions; null where the type has none. */
function sizes(type: number, typmod: number): CatalogRow {
  const length = charTypes.has(type) && typmod > 4 ? typmod - 4 : bitTypes.has(type) && typmod > 0 ? typmod : null;
  const isNumeric = type === typeOids.numeric && typmod >= 4;
  const precision = isNumeric ? ((typmod - 4) >> 16) & 0xffff : (bits.get(type) ?? null);
  const scale = isNumeric ? (typmod - 4) & 0x7ff : integers.has(type) ? 0 : null;
  const octets = charTypes.has(type) ? (length === null ? 2 ** 30 : length * 4) : null;
  const text = (value: number | null): string | null => (value === null ? null : String(value));
  return {
    character_maximum_length: text(length),
    character_octet_length: text(octets),
    numeric_precision: text(precision),
    numeric_precision_radix: type === typeOids.numeric ? '10' : bits.has(type) ? '2' : null,
    numeric_scale: text(scale),
    datetime_precision:
      type === typeOids.date
        ? '0'
        : timeTypes.has(type) || type === typeOids.interval
          ? text(typmod < 0 ? 6 : typmod & 0xffff)
          : null,
  };
}

/** `ARRAY`, `USER-DEFINED`, or the name of a built-in type. */
function dataType(types: TypeSpace, type: number): string {
  const base = types.facts(types.baseOf(type));
  if (base.category === 'A' && base.length === -1 && base.element !== 0) return 'ARRAY';
  return base.namespace === 'pg_catalog' ? types.format(base.oid, undefined, []) : 'USER-DEFINED';
}

function columnRow(context: StatementContext, facts: ColumnFacts): CatalogRow {
  const { types, session } = context;
  const { column, type, typmod } = facts;
  const domain = types.facts(type).kind === 'd' ? types.facts(type) : undefined;
  const udt = types.facts(types.baseOf(type));
  const generated = column?.generated ?? null;
  return {
    table_catalog: session.database,
    table_schema: facts.schema,
    table_name: facts.table,
    column_name: facts.name,
    ordinal_position: String(facts.position),
    column_default: null,
    is_nullable: column?.notNull === true ? 'NO' : 'YES',
    data_type: dataType(types, type),
    ...sizes(udt.oid, domain?.baseModifier ?? typmod),
    interval_type: null,
    interval_precision: null,
    character_set_catalog: null,
    character_set_schema: null,
    character_set_name: null,
    collation_catalog: null,
    collation_schema: null,
    collation_name: null,
    domain_catalog: domain === undefined ? null : session.database,
    domain_schema: domain?.namespace ?? null,
    domain_name: domain?.name ?? null,
    udt_catalog: session.database,
    udt_schema: udt.namespace,
    udt_name: udt.name,
    scope_catalog: null,
    scope_schema: null,
    scope_name: null,
    maximum_cardinality: null,
    dtd_identifier: String(facts.position),
    is_self_referencing: 'NO',
    is_identity: column?.identity === true ? 'YES' : 'NO',
    identity_generation: column?.identity === true ? 'BY DEFAULT' : null,
    identity_start: null,
    identity_increment: null,
    identity_maximum: null,
    identity_minimum: null,
    identity_cycle: 'NO',
    is_generated: generated === null ? 'NEVER' : 'ALWAYS',
    generation_expression: null,
    is_updatable: column === undefined ? 'NO' : generated === null ? 'YES' : 'NO',
  };
}

function primaryKeys({ catalog }: StatementContext): IndexFacts[] {
  return [...catalog.tables.values()].flatMap((table) => indexesOf(table).filter(({ isPrimary }) => isPrimary));
}

function* constraints(context: StatementContext): Generator<CatalogRow> {
  const { database } = context.session;
  for (const { table, name, isDeferrable } of primaryKeys(context)) {
    yield constraintRow(database, table, name, 'PRIMARY KEY', isDeferrable);
  }
  for (const table of context.catalog.tables.values()) {
    for (const [i, column] of table.columns.entries()) {
      if (!column.notNull) continue;
      const name =
        context.major >= 18
          ? `${table.name}_${column.name}_not_null`
          : `2200_${table.oid}_${table.attnums[i]!}_not_null`;
      yield constraintRow(database, table, name, 'CHECK', false);
    }
  }
}

function constraintRow(database: string, table: Table, name: string, type: string, isDeferrable: boolean): CatalogRow {
  return {
    constraint_catalog: database,
    constraint_schema: table.namespace,
    constraint_name: name,
    table_catalog: database,
    table_schema: table.namespace,
    table_name: table.name,
    constraint_type: type,
    is_deferrable: isDeferrable ? 'YES' : 'NO',
    initially_deferred: 'NO',
    enforced: 'YES',
    nulls_distinct: null,
  };
}

function* keyColumns(context: StatementContext): Generator<CatalogRow> {
  const { database } = context.session;
  for (const { table, name, columns } of primaryKeys(context)) {
    for (const [i, position] of columns.entries()) {
      yield {
        constraint_catalog: database,
        constraint_schema: table.namespace,
        constraint_name: name,
        table_catalog: database,
        table_schema: table.namespace,
        table_name: table.name,
        column_name: table.columns[position]!.name,
        ordinal_position: String(i + 1),
        position_in_unique_constraint: null,
      };
    }
  }
}

function schemata(context: StatementContext): CatalogRow[] {
  return namespaceNames(context).map((name) => ({
    catalog_name: context.session.database,
    schema_name: name,
    schema_owner:
      name === 'public' && context.major >= 15 ? 'pg_database_owner' : (context.host.roles[0]?.name ?? 'postgres'),
    default_character_set_catalog: null,
    default_character_set_schema: null,
    default_character_set_name: null,
    sql_path: null,
  }));
}

export const informationSchemaBuilders: CatalogBuilders = {
  'information_schema.tables': tables,
  'information_schema.columns': (context) => [...allColumns(context)].map((facts) => columnRow(context, facts)),
  'information_schema.table_constraints': constraints,
  'information_schema.key_column_usage': keyColumns,
  'information_schema.constraint_column_usage': (context) => [...keyColumns(context)],
  'information_schema.schemata': schemata,
};
