/** Steps to begin with, for a table that is given: its life in four changes. */
import type { Column, Table } from '../../timeline/catalog.js';
import { nameKey } from '../dump/dump-names.js';
import { flow, plain, text, type YamlObject, type YamlValue } from '../yaml-node.js';
import { printYaml } from '../print.js';

/** Values that stand for a row in `where`, by the type of the key. */
const keyValues: Readonly<Record<string, string>> = {
  int2: '1',
  int4: '1',
  int8: '1',
  numeric: '1',
  uuid: '6f1c2c8e-0b39-4c52-9a37-5d5f6f0a0001',
  text: 'a',
  varchar: 'a',
  bpchar: 'a',
  date: '2026-01-01',
  timestamp: '2026-01-01 00:00:00',
  timestamptz: '2026-01-01 00:00:00+00',
};

/** How many columns beyond those that must have a value. */
const extraColumns = 3;

/** Undefined for a table of which no example can be given. Whether a server takes it must be tried: constraints are not known here. */
export function exampleStream(table: Table): string | undefined {
  const key = table.identityColumns.map((position) => table.columns[position]!);
  const where = key.map((column) => [column.name, keyValue(column)] as const);
  const known = where.filter((pair): pair is [string, string] => pair[1] !== undefined);
  if (known.length < key.length) return undefined;
  const name = nameKey(table);
  const others = table.columns.filter((column) => column.generated === null && !key.includes(column));
  const needed = others.filter((column) => column.notNull && !column.identity);
  const extra = others.filter((column) => !needed.includes(column) && !column.identity).slice(0, extraColumns);
  const row: [string, YamlValue][] = [
    ...known.map(([column, value]): [string, YamlValue] => [column, text(value)]),
    ...[...needed, ...extra].map(({ name: column }): [string, YamlValue] => [column, generated()]),
  ];
  const insert = `  # A row. !generate makes a value by the column's type and name, the same one every time.\n${step({ insert: text(name), row: flow(row) })}`;
  const [changed] = [...needed, ...extra];
  if (key.length === 0 || changed === undefined) return insert;
  const condition = flow(known.map(([column, value]) => [column, text(value)]));
  const update = { update: text(name), where: condition, set: flow([[changed.name, generated()]]) };
  return [
    insert,
    '\n  # A transaction of several changes. Rows are found by their values.\n  - transaction:\n      changes:\n',
    step(update, '        '),
    step({ delete: text(name), where: condition }, '        '),
  ].join('');
}

function keyValue({ type }: Column): string | undefined {
  return type.labels?.[0] ?? keyValues[type.name];
}

function generated(): YamlValue {
  const scalar = plain('');
  scalar.tag = '!generate';
  return scalar;
}

function step(value: YamlObject, indent = '  '): string {
  return printYaml([value]).replace(/^(?=.)/gm, indent);
}
