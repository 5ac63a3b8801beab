/** Which partition a row belongs to. */
import type { PartitionBound, Partitioning } from '../timeline/catalog.js';
import type { Datum, Row } from '../timeline/datum.js';
import { ValueError, type PgType } from '../postgres/pg-type.js';
import { partitionHash } from './partition-hash.js';
import { datumText } from './row-values.js';
import { StatementError } from './statement-error.js';
import type { StoredCatalog, StoredTable } from './stored-table.js';

/** A leaf and the row in the leaf's column order. */
export interface Routed {
  readonly leaf: StoredTable;
  readonly row: Row;
}

/**
 * Follows the bounds from a table down to a leaf; an ordinary table is its own leaf.
 * @throws StatementError 23514 when there is no partition for the row
 */
export function routeRow(catalog: StoredCatalog, table: StoredTable, row: Row): Routed {
  let target = table;
  let values = row;
  while (target.kind === 'p') {
    const key = partitionKey(target, values);
    const partitions = partitionsOf(catalog, target);
    const chosen =
      partitions.find((partition) => accepts(target, partition.bound!, key)) ??
      partitions.find((partition) => partition.bound!.kind === 'default');
    if (chosen === undefined) throw noPartition(target, key);
    values = reorder(target, chosen, values);
    target = chosen;
  }
  return { leaf: target, row: values };
}

/** @throws StatementError 23514 when a row given to a partition by name lies outside its bound, or one above it */
export function checkPartitionConstraint(catalog: StoredCatalog, leaf: StoredTable, row: Row): void {
  let child = leaf;
  while (child.partitionOf !== null) {
    const parent = catalog.tables.get(child.partitionOf)!;
    const key = partitionKey(parent, reorder(leaf, parent, row));
    const bound = child.bound!;
    const inside =
      bound.kind === 'default'
        ? !partitionsOf(catalog, parent).some((other) => accepts(parent, other.bound!, key))
        : accepts(parent, bound, key);
    if (!inside) {
      throw new StatementError(
        { code: '23514', message: `new row for relation "${leaf.name}" violates partition constraint` },
        { kind: 'partition', name: leaf.name },
      );
    }
    child = parent;
  }
}

/** A row of one table in the column order of another with the same columns. */
export function reorder(from: StoredTable, to: StoredTable, row: Row): Row {
  if (from.columns.length === to.columns.length && from.columns.every((c, i) => c.name === to.columns[i]!.name)) {
    return row;
  }
  return to.columns.map((column) => row[from.columns.findIndex((other) => other.name === column.name)] ?? null);
}

/**
 * The bound with its values in canonical form.
 * @throws StatementError 42P16, 42P17 or the value's own error
 */
export function defineBound(
  parent: StoredTable,
  name: string,
  bound: PartitionBound,
  siblings: readonly StoredTable[],
  major: number,
): PartitionBound {
  const subject = { kind: 'partition', name } as const;
  const { strategy, columns } = parent.partitioning!;
  if (bound.kind !== 'default' && bound.kind !== strategy) {
    throw new StatementError(
      { code: '42P16', message: `invalid bound specification for a ${strategy} partition` },
      subject,
    );
  }
  const types = columns.map((i) => parent.columns[i]!.type);
  const defined = canonicalBound(bound, types, name, major);
  if (defined.kind === 'range' && compareKeys(types, defined.from, -1, defined.to, 1) >= 0) {
    throw new StatementError(
      { code: '42P17', message: `empty range bound specified for partition "${name}"` },
      subject,
    );
  }
  const overlapped = siblings.find((sibling) => overlaps(types, defined, sibling.bound!));
  if (overlapped !== undefined) {
    throw new StatementError(
      { code: '42P17', message: `partition "${name}" would overlap partition "${overlapped.name}"` },
      subject,
    );
  }
  return defined;
}

function canonicalBound(bound: PartitionBound, types: readonly PgType[], name: string, major: number): PartitionBound {
  const input = (text: string | null, type: PgType): string | null => {
    if (text === null) return null;
    try {
      return type.input(text, -1, major);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      throw new StatementError({ code: error.sqlState, message: error.message }, { kind: 'partition', name });
    }
  };
  const key = (values: readonly (string | null)[]): (string | null)[] => {
    if (values.length !== types.length) {
      throw new StatementError(
        {
          code: '42P16',
          message: `a bound of partition "${name}" must have ${types.length} values, one per key column`,
        },
        { kind: 'partition', name },
      );
    }
    return values.map((text, i) => input(text, types[i]!));
  };
  switch (bound.kind) {
    case 'range':
      return { kind: 'range', from: key(bound.from), to: key(bound.to) };
    case 'list':
      return { kind: 'list', values: bound.values.map((text) => input(text, types[0]!)) };
    default:
      return bound;
  }
}

function overlaps(types: readonly PgType[], a: PartitionBound, b: PartitionBound): boolean {
  if (a.kind === 'default') return b.kind === 'default';
  if (a.kind === 'range' && b.kind === 'range') {
    return compareKeys(types, a.from, -1, b.to, 1) < 0 && compareKeys(types, b.from, -1, a.to, 1) < 0;
  }
  if (a.kind === 'list' && b.kind === 'list') {
    return a.values.some((x) => b.values.some((y) => sameKey(types[0]!, x, y)));
  }
  if (a.kind === 'hash' && b.kind === 'hash') {
    const divisor = greatestCommonDivisor(a.modulus, b.modulus);
    return a.remainder % divisor === b.remainder % divisor;
  }
  return false;
}

function accepts(parent: StoredTable, bound: PartitionBound, key: readonly (string | null)[]): boolean {
  const types = keyTypes(parent);
  switch (bound.kind) {
    case 'list':
      return bound.values.some((value) => sameKey(types[0]!, value, key[0]!));
    case 'range':
      return (
        !key.includes(null) &&
        compareKeys(types, key, 0, bound.from, -1) >= 0 &&
        compareKeys(types, key, 0, bound.to, 1) < 0
      );
    case 'hash':
      return Number(partitionHash(types, key) % BigInt(bound.modulus)) === bound.remainder;
    case 'default':
      return false;
  }
}

/** Compares two keys column by column; a null counts as the infinity of the sign given for its side. */
function compareKeys(
  types: readonly PgType[],
  a: readonly (string | null)[],
  signOfNullA: number,
  b: readonly (string | null)[],
  signOfNullB: number,
): number {
  for (let i = 0; i < types.length; i++) {
    const x = a[i] ?? null;
    const y = b[i] ?? null;
    const infinities = (x === null ? signOfNullA : 0) - (y === null ? signOfNullB : 0);
    if (x === null || y === null) return infinities;
    const order = types[i]!.compare!(x, y);
    if (order !== 0) return order;
  }
  return 0;
}

function sameKey(type: PgType, a: string | null, b: string | null): boolean {
  return a === b || (a !== null && b !== null && type.compare?.(a, b) === 0);
}

function partitionKey(table: StoredTable, row: Row): (string | null)[] {
  return (table.partitioning as Partitioning).columns.map((i) => datumText(row[i] as Datum));
}

function keyTypes(table: StoredTable): PgType[] {
  return (table.partitioning as Partitioning).columns.map((i) => table.columns[i]!.type);
}

function partitionsOf(catalog: StoredCatalog, table: StoredTable): StoredTable[] {
  return [...catalog.tables.values()].filter((candidate) => candidate.partitionOf === table.oid);
}

function noPartition(table: StoredTable, key: readonly (string | null)[]): StatementError {
  const names = table.partitioning!.columns.map((i) => table.columns[i]!.name).join(', ');
  return new StatementError(
    {
      code: '23514',
      message: `no partition of relation "${table.name}" found for row`,
      detail: `Partition key of the failing row contains (${names}) = (${key.map((text) => text ?? 'null').join(', ')}).`,
    },
    { kind: 'table', name: table.name },
  );
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
