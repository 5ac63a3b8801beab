/** A table of the scenario with its rows as of the statement's snapshot. */
import type { Table } from '../../timeline/catalog.js';
import { OutOfLine, RawText, type Datum, type Row } from '../../timeline/datum.js';
import type { StatementContext } from '../context.js';
import { oidOfTableObject } from '../derived-oids.js';
import type { Value } from '../expression/expression.js';
import type { Relation } from './relation.js';

const relations = new WeakMap<Table, Relation>();

export function tableRelation(table: Table): Relation {
  let relation = relations.get(table);
  if (relation === undefined) {
    relation = makeRelation(table);
    relations.set(table, relation);
  }
  return relation;
}

function makeRelation(table: Table): Relation {
  return {
    oid: table.oid,
    schema: table.namespace,
    name: table.name,
    kind: table.kind,
    columns: table.columns.map(({ name, type, typeModifier }, i) => ({
      name,
      type: type.oid,
      typmod: typeModifier,
      attnum: table.attnums[i]!,
      hidden: false,
    })),
    rowType: oidOfTableObject(table.oid, 'rowType'),
    primaryKey: table.primaryKey && !table.primaryKey.deferrable ? table.primaryKey.columns : undefined,
    rows: (context, only) => rowsOf(table, context, only),
  };
}

function* rowsOf(table: Table, context: StatementContext, only: boolean): Generator<readonly Value[]> {
  const rows = context.host.tablesAt(context.snapshotLsn);
  for (const member of only ? [table] : withDescendants(table, context)) {
    const positions = member === table ? undefined : columnPositions(table, member);
    for (const row of rows.get(member.oid) ?? []) yield valuesOf(row, table.columns.length, positions);
  }
}

/** The table, its partitions and what inherits from it, at any depth. */
export function withDescendants(table: Table, { catalog }: StatementContext): Table[] {
  const found = [table];
  for (const parent of found) {
    for (const candidate of catalog.tables.values()) {
      const isChild = candidate.partitionOf === parent.oid || candidate.inherits.includes(parent.oid);
      if (isChild && !found.includes(candidate)) found.push(candidate);
    }
  }
  return found;
}

/** Where the parent's columns stand in the child; undefined where they stand in the same places. */
function columnPositions(parent: Table, child: Table): readonly number[] | undefined {
  const positions = parent.columns.map(({ name }) => child.columns.findIndex((column) => column.name === name));
  return positions.every((position, i) => position === i) ? undefined : positions;
}

/** Rows from before a column was added lack it. */
function valuesOf(row: Row, width: number, positions: readonly number[] | undefined): Value[] {
  const values: Value[] = [];
  for (let i = 0; i < width; i++) values.push(textOf(row[positions === undefined ? i : positions[i]!]));
  return values;
}

function textOf(datum: Datum | undefined): Value {
  if (typeof datum === 'string') return datum;
  return datum instanceof OutOfLine || datum instanceof RawText ? datum.text : null;
}
