/** Functions that read the system catalogs (manual chapter "System Catalog Information Functions"). */
import { quoteIdentifier } from '../../postgres/index.js';
import type { Table } from '../../timeline/catalog.js';
import type { StatementContext } from '../context.js';
import { oidOfTableObject } from '../derived-oids.js';
import type { Value } from '../expression/expression.js';
import { NotEmulated, sqlError } from '../failure.js';
import { ancestors } from '../relations/publications.js';
import { relationByName, relationByOid } from '../relations/relation-lookup.js';
import { roles } from '../relations/roles.js';
import { withDescendants } from '../relations/table-relation.js';
import { constraintDefinition, indexDefinition, indexesOf, type IndexFacts } from '../relations/table-facts.js';
import { objectOid } from '../types/object-names.js';
import { functions, functionsOnNull, setFunctions, type Call } from './definition.js';

function tableOf({ context }: Call, oid: string): Table | undefined {
  return context.catalog.tables.get(Number(oid));
}

function indexOf({ context }: Call, oid: string): IndexFacts | undefined {
  for (const table of context.catalog.tables.values()) {
    const found = indexesOf(table).find((index) => index.oid === Number(oid));
    if (found !== undefined) return found;
  }
  return undefined;
}

function formatType({ context }: Call, oid: Value, typmod: Value): Value {
  if (oid === null) return null;
  const path = context.session.searchPath(context.catalog);
  return context.types.format(Number(oid), typmod === null ? undefined : Number(typmod), path);
}

/** Bounds of partitions stand as they print; everything else is a row filter's text. */
function expressionText({ context }: Call, tree: string, relation: string): Value {
  if (/^(FOR VALUES |DEFAULT$)/.test(tree)) return tree;
  const table = context.catalog.tables.get(Number(relation));
  return table === undefined ? null : context.printFilter(table, tree);
}

function indexText(call: Call, oid: string, column = '0'): Value {
  const index = indexOf(call, oid);
  if (index === undefined) return null;
  if (column === '0') return indexDefinition(index);
  const position = index.columns[Number(column) - 1];
  return position === undefined ? '' : quoteIdentifier(index.table.columns[position]!.name);
}

function constraintText({ context }: Call, oid: string): Value {
  for (const table of context.catalog.tables.values()) {
    if (oidOfTableObject(table.oid, 'primaryKeyConstraint') !== Number(oid)) continue;
    return constraintDefinition(indexesOf(table).find(({ isPrimary }) => isPrimary)!);
  }
  return null;
}

function partitionKey(call: Call, oid: string): Value {
  const table = tableOf(call, oid);
  if (!table?.partitioning) return null;
  const { strategy, columns } = table.partitioning;
  return `${strategy.toUpperCase()} (${columns.map((position) => quoteIdentifier(table.columns[position]!.name)).join(', ')})`;
}

/** Found by its bare name? */
function isVisible({ context }: Call, oid: string): Value {
  const relation = relationByOid(context, Number(oid));
  if (relation === undefined) return null;
  return relationByName(context, undefined, relation.name)?.oid === relation.oid ? 't' : 'f';
}

function lookup(type: string): (call: Call, text: string) => Value {
  return ({ context }, text) => objectOid(context, type, text)?.toString() ?? null;
}

/** One page for a table with rows, none without. */
function size({ context }: Call, oid: string): Value {
  const table = context.catalog.tables.get(Number(oid));
  if (table === undefined) return relationByOid(context, Number(oid)) === undefined ? null : '8192';
  return context.host.tablesAt(context.snapshotLsn).get(table.oid)?.length ? '8192' : '0';
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

function pretty(bytes: string): string {
  let value = Number(bytes);
  let unit = 0;
  while (Math.abs(value) >= 10 * 1024 && unit < units.length - 1) {
    value = Math.round(value / 1024);
    unit++;
  }
  return `${value} ${units[unit]!}`;
}

function* partitionTree({ context }: Call, oid: string): Generator<readonly Value[]> {
  const root = context.catalog.tables.get(Number(oid));
  if (root === undefined || (root.kind !== 'p' && root.partitionOf === null)) return;
  for (const table of withDescendants(root, context)) {
    const above = ancestors(context.catalog, table);
    yield [
      String(table.oid),
      table.partitionOf?.toString() ?? null,
      table.kind === 'r' ? 't' : 'f',
      String(table === root ? 0 : above.indexOf(root) + 1),
    ];
  }
}

function partitionAncestors(call: Call, oid: string): Value[] {
  const table = tableOf(call, oid);
  if (table === undefined || (table.kind !== 'p' && table.partitionOf === null)) return [];
  return [table, ...ancestors(call.context.catalog, table)].map((t) => String(t.oid));
}

const noComment = (): Value => null;

function requireColumn(context: StatementContext, name: string, column: string): void {
  const oid = objectOid(context, 'regclass', name);
  if (oid === undefined) throw sqlError('42P01', `relation "${name}" does not exist`);
  const table = context.catalog.tables.get(oid);
  if (table && !table.columns.some((c) => c.name === column)) {
    throw sqlError('42703', `column "${column}" of relation "${name}" does not exist`);
  }
}

const sizes = Object.fromEntries(
  ['pg_relation_size', 'pg_table_size', 'pg_total_relation_size'].map((name) => [`${name}(regclass) int8`, size]),
);

export const catalogFunctions = [
  functionsOnNull({
    'format_type(oid, int4) text': (call, oid, typmod) => formatType(call, oid, typmod),
  }),
  functions({
    ...sizes,
    'pg_indexes_size(regclass) int8': () => '0',
    'pg_database_size(name) int8': () => '7700000',
    'pg_size_pretty(int8) text': (_, bytes) => pretty(bytes),
    'pg_get_expr(pg_node_tree, oid) text': expressionText,
    'pg_get_expr(pg_node_tree, oid, bool) text': expressionText,
    'pg_get_indexdef(oid) text': indexText,
    'pg_get_indexdef(oid, int4, bool) text': indexText,
    'pg_get_constraintdef(oid) text': constraintText,
    'pg_get_constraintdef(oid, bool) text': constraintText,
    'pg_get_partkeydef(oid) text': partitionKey,
    'pg_get_userbyid(oid) name': ({ context }, oid) =>
      roles(context).find((role) => role.oid === Number(oid))?.name ?? `unknown (OID=${oid})`,
    'pg_get_serial_sequence(text, text) text': ({ context }, name, column) => {
      requireColumn(context, name, column);
      return null;
    },
    'pg_table_is_visible(oid) bool': isVisible,
    'pg_type_is_visible(oid) bool': ({ context }, oid) => {
      const facts = context.types.byOid(Number(oid));
      if (facts === undefined) return null;
      return ['pg_catalog', ...context.session.searchPath(context.catalog)].includes(facts.namespace) ? 't' : 'f';
    },
    'pg_function_is_visible(oid) bool': () => {
      throw new NotEmulated('OIDs of functions');
    },
    'to_regclass(text) regclass': lookup('regclass'),
    'to_regtype(text) regtype': lookup('regtype'),
    'to_regnamespace(text) regnamespace': lookup('regnamespace'),
    'to_regrole(text) regrole': lookup('regrole'),
    'obj_description(oid) text': noComment,
    'obj_description(oid, name) text': noComment,
    'col_description(oid, int4) text': noComment,
    'shobj_description(oid, name) text': noComment,
    '[12-]pg_partition_root(regclass) regclass': (call, oid) => partitionAncestors(call, oid).at(-1) ?? null,
    'pg_tablespace_location(oid) text': () => '',
    'pg_relation_filenode(regclass) oid': (call, oid) => (tableOf(call, oid)?.kind === 'r' ? oid : null),
    'pg_relation_is_updatable(regclass, bool) int4': (call, oid) => (tableOf(call, oid) === undefined ? '0' : '28'),
  }),
  setFunctions({
    '[12-]pg_partition_tree(regclass) setof (relid regclass, parentrelid regclass, isleaf bool, level int4)':
      partitionTree,
    '[12-]pg_partition_ancestors(regclass) setof (relid regclass)': partitionAncestors,
  }),
];
