/** The difference between two snapshots of the catalogs → the DDL steps that make one of the other. */
import { liveColumns } from '../history/history.js';
import type { CatalogPublication, CatalogSnapshot, CatalogTable, CatalogType } from '../recorder/catalog.js';
import { sameTable } from '../history/catalog-view.js';
import { partitionBound } from './partition-bound.js';
import { qualified } from './names.js';
import { knownActions, publicationDeclaration, publicationOptions, publishedTables } from './publications.js';
import {
  columnDeclaration,
  indexDeclaration,
  plainIndexes,
  primaryKey,
  primaryKeyDeclaration,
  replicaIdentity,
  tableDeclaration,
} from './tables.js';
import { typeDeclaration, typeReference, usedTypes } from './types.js';
import type { Yaml, YamlMap } from './yaml.js';

export function ddlSteps(before: CatalogSnapshot, after: CatalogSnapshot): YamlMap[] {
  const steps: YamlMap[] = [];
  const renamed = schemaSteps(before, after, steps);
  typeSteps(before, after, renamed, steps);
  tableSteps(before, after, renamed, steps);
  publicationSteps(before, after, renamed, steps);
  return steps;
}

/** @returns new names of schemas by their old ones */
function schemaSteps(before: CatalogSnapshot, after: CatalogSnapshot, steps: YamlMap[]): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  const { made, gone, kept } = pair(before.schemas, after.schemas);
  for (const { name } of made) steps.push({ create_schema: name });
  for (const [old, now] of kept) {
    if (old.name === now.name) continue;
    renamed.set(old.name, now.name);
    steps.push({ rename_schema: { [old.name]: now.name } });
  }
  for (const { name } of gone) steps.push({ drop_schema: name });
  return renamed;
}

function typeSteps(
  before: CatalogSnapshot,
  after: CatalogSnapshot,
  schemas: ReadonlyMap<string, string>,
  steps: YamlMap[],
): void {
  const known = new Map(usedTypes(before).map((type) => [type.oid, type]));
  for (const type of usedTypes(after)) {
    const old = known.get(type.oid);
    if (old) typeChanges({ ...old, schema: schemas.get(old.schema) ?? old.schema }, type, steps);
    else if (type.kind !== 'b') steps.push({ create_type: { [qualified(type)]: typeDeclaration(type) } });
  }
}

function typeChanges(old: CatalogType, type: CatalogType, steps: YamlMap[]): void {
  if (old.name !== type.name) steps.push({ alter_type: qualified(old), rename_to: type.name });
  if (old.schema !== type.schema)
    steps.push({ alter_type: qualified({ ...old, name: type.name }), set_schema: type.schema });
  const [labels, oldLabels] = [type.labels ?? [], old.labels ?? []];
  labels.forEach((label, index) => {
    if (oldLabels.includes(label)) return;
    const change =
      labels.length === oldLabels.length ? { rename_value: { [oldLabels[index]!]: label } } : { add_value: label };
    steps.push({ alter_type: qualified(type), ...change });
  });
}

function tableSteps(
  before: CatalogSnapshot,
  after: CatalogSnapshot,
  schemas: ReadonlyMap<string, string>,
  steps: YamlMap[],
): void {
  const { made, gone, kept } = pair(permanent(before), permanent(after));
  for (const table of made) {
    // A partitioned table is declared with its partitions.
    if (made.some(({ oid }) => oid === table.partitionOf)) continue;
    steps.push({
      create_table: { [qualified(table)]: { ...tableDeclaration(table, after), ...partitionOf(table, after) } },
    });
  }
  for (const [old, now] of kept) {
    const from = { ...old, schema: schemas.get(old.schema) ?? old.schema };
    const changes = tableChanges(from, now, before, after);
    // An index that is no identity, a default …
    if (changes.length === 0 && !sameTable(from, now)) changes.push({ alter: qualified(now), rewrite: true });
    steps.push(...changes);
  }
  for (const table of gone)
    steps.push({ drop_table: qualified({ ...table, schema: schemas.get(table.schema) ?? table.schema }) });
}

function permanent({ tables }: CatalogSnapshot): CatalogTable[] {
  return (tables ?? []).filter(({ persistence }) => persistence === 'p');
}

function partitionOf({ partitionOf: parent, bound }: CatalogTable, catalog: CatalogSnapshot): YamlMap {
  if (parent === null) return {};
  return { columns: undefined, partition_of: { table: tableName(catalog, parent), ...partitionBound(bound!) } };
}

function tableName({ tables }: CatalogSnapshot, oid: number): string {
  return qualified(tables!.find((table) => table.oid === oid)!);
}

function tableChanges(
  old: CatalogTable,
  now: CatalogTable,
  before: CatalogSnapshot,
  after: CatalogSnapshot,
): YamlMap[] {
  const steps: YamlMap[] = [];
  const name = qualified(old);
  const alter = (change: YamlMap): void => void steps.push({ alter: name, ...change });
  columnChanges(old, now, before, after, alter);
  indexChanges(old, now, alter);
  const parent = now.partitionOf ?? old.partitionOf;
  if (old.partitionOf !== now.partitionOf && parent !== null) {
    const change =
      now.partitionOf === null
        ? { detach_partition: name }
        : { attach_partition: { [name]: partitionBound(now.bound!) } };
    steps.push({ alter: tableName(after, parent), ...change });
  }
  if (old.name !== now.name) alter({ rename_to: now.name });
  if (old.schema !== now.schema)
    steps.push({ alter: qualified({ schema: old.schema, name: now.name }), set_schema: now.schema });
  return steps;
}

function columnChanges(
  old: CatalogTable,
  now: CatalogTable,
  before: CatalogSnapshot,
  after: CatalogSnapshot,
  alter: (change: YamlMap) => void,
): void {
  const inherited = inheritedChanges(now, before, after);
  for (const change of columnSteps(old, now, before, after)) {
    // What is done to a parent reaches its partitions and the tables that inherit from it.
    if (!inherited.has(JSON.stringify(change))) alter(change);
  }
}

function inheritedChanges(table: CatalogTable, before: CatalogSnapshot, after: CatalogSnapshot): Set<string> {
  const changes = new Set<string>();
  for (const oid of [...(table.inherits ?? []), ...(table.partitionOf === null ? [] : [table.partitionOf])]) {
    const [old, now] = [before, after].map(({ tables }) => tables?.find((parent) => parent.oid === oid));
    if (!old || !now) continue;
    for (const change of columnSteps(old, now, before, after)) changes.add(JSON.stringify(change));
    for (const change of inheritedChanges(now, before, after)) changes.add(change);
  }
  return changes;
}

function columnSteps(old: CatalogTable, now: CatalogTable, before: CatalogSnapshot, after: CatalogSnapshot): YamlMap[] {
  const steps: YamlMap[] = [];
  const current = new Map(liveColumns(now).map((column) => [column.attnum, column]));
  for (const column of liveColumns(old)) {
    const changed = current.get(column.attnum);
    current.delete(column.attnum);
    if (changed === undefined) {
      steps.push({ drop_column: column.name });
      continue;
    }
    if (changed.name !== column.name) steps.push({ rename_column: { [column.name]: changed.name } });
    if (!sameType(column, changed, before, after)) {
      steps.push({ alter_type: { [changed.name]: typeReference(changed, after) } });
    }
    if (changed.notNull !== column.notNull) {
      steps.push({ [changed.notNull ? 'set_not_null' : 'drop_not_null']: changed.name });
    }
  }
  for (const column of current.values())
    steps.push({ add_column: { [column.name]: columnDeclaration(column, after) } });
  return steps;
}

type Column = NonNullable<CatalogTable['columns']>[number];

/** Renaming a type changes what its name reads like in every column. */
function sameType(a: Column, b: Column, before: CatalogSnapshot, after: CatalogSnapshot): boolean {
  if (a.type !== b.type) return false;
  const renamed = nameOf(a.type, before) !== nameOf(b.type, after);
  return renamed || a.typeName === b.typeName;
}

function nameOf(oid: number, { types }: CatalogSnapshot): string | undefined {
  const type = types?.find((candidate) => candidate.oid === oid);
  return type && qualified(type);
}

function indexChanges(old: CatalogTable, now: CatalogTable, alter: (change: YamlMap) => void): void {
  const [oldKey, key] = [primaryKey(old), primaryKey(now)];
  if (oldKey?.name !== key?.name || oldKey?.attnums.join() !== key?.attnums.join()) {
    if (oldKey) alter({ drop_primary_key: true });
    if (key) alter({ primary_key: primaryKeyDeclaration(key, now) });
  }
  const had = plainIndexes(old).filter(({ primary }) => !primary);
  const has = plainIndexes(now).filter(({ primary }) => !primary);
  for (const index of has) {
    if (!had.some(({ name }) => name === index.name))
      alter({ add_index: { [index.name]: indexDeclaration(index, now) } });
  }
  if (JSON.stringify(replicaIdentityOf(old)) !== JSON.stringify(replicaIdentityOf(now))) {
    const identity = replicaIdentityOf(now);
    if (identity !== undefined) alter({ replica_identity: identity });
  }
  for (const { name } of had) if (!has.some((index) => index.name === name)) alter({ drop_index: name });
}

/** Undefined: by an index that is gone, which follows from dropping it. */
function replicaIdentityOf(table: CatalogTable): Yaml | undefined {
  return table.identity === 'i' && !table.indexes?.some(({ identity }) => identity)
    ? undefined
    : replicaIdentity(table);
}

function publicationSteps(
  before: CatalogSnapshot,
  after: CatalogSnapshot,
  renamed: ReadonlyMap<string, string>,
  steps: YamlMap[],
): void {
  const { made, gone, kept } = pair(before.publications, after.publications);
  for (const { name } of gone) steps.push({ drop_publication: name });
  for (const publication of made)
    steps.push({ create_publication: { [publication.name]: publicationDeclaration(publication, after) } });
  for (const [old, now] of kept) {
    if (old.name !== now.name) steps.push({ alter_publication: old.name, rename_to: now.name });
    const schemas = old.schemas?.map((schema) => renamed.get(schema) ?? schema) ?? [];
    memberSteps({ ...old, schemas }, now, before, after, steps);
    const [options, others] = [publicationOptions(now), publicationOptions(old)];
    if (JSON.stringify(options) !== JSON.stringify(others)) {
      steps.push({ alter_publication: now.name, set: { ...optionDefaults(now), ...defined(options) } });
    }
  }
}

function memberSteps(
  old: CatalogPublication,
  now: CatalogPublication,
  before: CatalogSnapshot,
  after: CatalogSnapshot,
  steps: YamlMap[],
): void {
  const name = now.name;
  const had = new Map((old.tables ?? []).map((table) => [table.oid, JSON.stringify(table)]));
  const has = new Map((now.tables ?? []).map((table) => [table.oid, JSON.stringify(table)]));
  const survives = (oid: number): boolean => after.tables!.some((table) => table.oid === oid);
  // What is dropped leaves its publications by itself.
  const dropped = [...had.keys()].filter((oid) => !has.has(oid) && survives(oid));
  const added = [...has.keys()].filter((oid) => !had.has(oid));
  const changed = [...has].some(([oid, text]) => had.has(oid) && had.get(oid) !== text);
  if (changed || (added.length > 0 && dropped.length > 0)) {
    steps.push({ alter_publication: name, set: { tables: publishedTables(now, after) } });
  } else {
    const part = { ...now, tables: (now.tables ?? []).filter(({ oid }) => added.includes(oid)) };
    if (added.length > 0) steps.push({ alter_publication: name, add: { tables: publishedTables(part, after) } });
    if (dropped.length > 0) steps.push({ alter_publication: name, drop: dropped.map((oid) => tableName(before, oid)) });
  }
  const [schemas, others] = [now.schemas ?? [], old.schemas ?? []];
  const [more, fewer] = [
    schemas.filter((schema) => !others.includes(schema)),
    others.filter((schema) => !schemas.includes(schema)),
  ];
  if (more.length > 0) steps.push({ alter_publication: name, add: { schemas: more } });
  if (fewer.length > 0) steps.push({ alter_publication: name, drop: { schemas: fewer } });
}

function optionDefaults(publication: CatalogPublication): YamlMap {
  return {
    publish: knownActions(publication),
    via_partition_root: publication.viaRoot === undefined ? undefined : false,
    generated_columns: publication.generated === undefined ? undefined : 'none',
  };
}

function defined(map: YamlMap): YamlMap {
  return Object.fromEntries(Object.entries(map).filter(([, value]) => value !== undefined));
}

/** Matches what has the same OID. */
function pair<T extends { readonly oid: number }>(before: readonly T[] | null, after: readonly T[] | null) {
  const old = new Map((before ?? []).map((item) => [item.oid, item]));
  const made: T[] = [];
  const kept: [T, T][] = [];
  for (const item of after ?? []) {
    const match = old.get(item.oid);
    if (match === undefined) made.push(item);
    else kept.push([match, item]);
    old.delete(item.oid);
  }
  return { made, kept, gone: [...old.values()] };
}
