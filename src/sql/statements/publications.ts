/** CREATE, ALTER and DROP PUBLICATION. */
import type {
  AlterPublicationStmt,
  CreatePublicationStmt,
  DropStmt,
  Node,
  PublicationObjSpec,
  RenameStmt,
} from 'libpg-query';
import type { PublicationStatement } from '../../database/index.js';
import type { Publication, PublishedTable, RowFilter, Table } from '../../timeline/catalog.js';
import { OutOfLine, RawText, type Datum } from '../../timeline/datum.js';
import { WireError } from '../../values/wire-error.js';
import { analyzeFilter } from '../analysis.js';
import type { StatementContext } from '../context.js';
import type { SqlOutput } from '../engine.js';
import { walk, type Expression, type Frame, type Value } from '../expression/expression.js';
import { NotEmulated, sqlError } from '../failure.js';
import { stringOf, stringsOf } from '../nodes.js';
import { namespaceNames } from '../relations/namespaces.js';
import { findRelation } from '../relations/relation-lookup.js';
import { action, type ActionPlan } from '../session/plan.js';
import type { SessionState } from '../session/session-state.js';
import { publicationOptions, type PublicationOptions } from './publication-options.js';

interface Objects {
  readonly tables: ReadonlyMap<number, PublishedTable>;
  readonly schemas: readonly string[];
}

/** In the catalog, one publication takes the place of another. Null: there was, or is, none. */
function replace(
  session: SessionState,
  statement: PublicationStatement,
  before: Publication | null,
  after: Publication | null,
): void {
  const catalog = session.context([]).catalog;
  const publications = new Map(catalog.publications ?? []);
  if (before !== null) publications.delete(before.name);
  if (after !== null) publications.set(after.name, after);
  session.transactionNow!.catalog = { ...catalog, publications };
  session.writing.replacePublication(statement, before, after);
}

export function planCreatePublication(statement: CreatePublicationStmt, session: SessionState): ActionPlan {
  const name = statement.pubname!;
  return action(() => {
    const context = session.context([]);
    if (context.catalog.publications?.has(name) === true)
      throw sqlError('42710', `publication "${name}" already exists`);
    const options = publicationOptions(statement.options ?? [], context.major);
    const objects = objectsOf(statement.pubobjects ?? [], context);
    const publication: Publication = {
      oid: session.host.takeOid(),
      name,
      allTables: statement.for_all_tables === true,
      ...objects,
      ...withDefaults(options),
    };
    checkFilters(publication, context);
    replace(session, 'create', null, publication);
    return 'CREATE PUBLICATION';
  });
}

function withDefaults(
  options: PublicationOptions,
): Pick<Publication, 'publish' | 'viaPartitionRoot' | 'generatedColumns'> {
  return {
    publish: options.publish ?? { insert: true, update: true, delete: true, truncate: true },
    viaPartitionRoot: options.viaPartitionRoot ?? false,
    generatedColumns: options.generatedColumns ?? 'none',
  };
}

/** @throws SqlError 42704 */
function existing(session: SessionState, name: string): Publication {
  const { catalog } = session.context([]);
  if (catalog.publications === null) {
    throw new NotEmulated(`changing publication "${name}", which exists only because the scenario declares none,`);
  }
  const found = catalog.publications.get(name);
  if (found === undefined) throw sqlError('42704', `publication "${name}" does not exist`);
  return found;
}

export function planAlterPublication(statement: AlterPublicationStmt, session: SessionState): ActionPlan {
  const name = statement.pubname!;
  return action(() => {
    const old = existing(session, name);
    const context = session.context([]);
    if (statement.options !== undefined) {
      const next = { ...old, ...definedOnly(publicationOptions(statement.options, context.major)) };
      replace(session, 'options', old, next);
      return 'ALTER PUBLICATION';
    }
    if (old.allTables) {
      throw sqlError('55000', `publication "${name}" is defined as FOR ALL TABLES`, undefined, {
        detail: 'Tables cannot be added to or dropped from FOR ALL TABLES publications.',
      });
    }
    const objects = objectsOf(statement.pubobjects ?? [], context);
    const { next, kind } = altered(old, objects, statement.action ?? 'AP_AddObjects', context);
    checkFilters(next, context);
    replace(session, kind, old, next);
    return 'ALTER PUBLICATION';
  });
}

function definedOnly(options: PublicationOptions): Partial<Publication> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function altered(
  old: Publication,
  { tables, schemas }: Objects,
  how: NonNullable<AlterPublicationStmt['action']>,
  { catalog }: StatementContext,
): { next: Publication; kind: 'addTables' | 'dropTables' | 'setTables' } {
  const relationName = (oid: number): string => catalog.tables.get(oid)?.name ?? String(oid);
  switch (how) {
    case 'AP_AddObjects': {
      for (const oid of tables.keys()) {
        if (old.tables.has(oid)) {
          throw sqlError('42710', `relation "${relationName(oid)}" is already member of publication "${old.name}"`);
        }
      }
      for (const schema of schemas) {
        if (old.schemas.includes(schema)) {
          throw sqlError('42710', `schema "${schema}" is already member of publication "${old.name}"`);
        }
      }
      const next = { ...old, tables: new Map([...old.tables, ...tables]), schemas: [...old.schemas, ...schemas] };
      return { next, kind: 'addTables' };
    }
    case 'AP_DropObjects': {
      for (const oid of tables.keys()) {
        if (!old.tables.has(oid))
          throw sqlError('42704', `relation "${relationName(oid)}" is not part of the publication`);
      }
      for (const schema of schemas) {
        if (!old.schemas.includes(schema))
          throw sqlError('42704', `tables from schema "${schema}" are not part of the publication`);
      }
      const kept = new Map([...old.tables].filter(([oid]) => !tables.has(oid)));
      return {
        next: { ...old, tables: kept, schemas: old.schemas.filter((s) => !schemas.includes(s)) },
        kind: 'dropTables',
      };
    }
    case 'AP_SetObjects':
      return { next: { ...old, tables, schemas }, kind: 'setTables' };
  }
}

export function* dropPublications(statement: DropStmt, session: SessionState): Generator<SqlOutput> {
  for (const object of statement.objects ?? []) {
    const name = stringOf(object);
    const { catalog } = session.context([]);
    if (catalog.publications === null) continue;
    const found = catalog.publications.get(name);
    if (found !== undefined) {
      replace(session, 'drop', found, null);
      continue;
    }
    if (statement.missing_ok !== true) throw sqlError('42704', `publication "${name}" does not exist`);
    const message = `publication "${name}" does not exist, skipping`;
    yield { kind: 'notice', notice: new WireError({ severity: 'NOTICE', code: '00000', message }) };
  }
  yield { kind: 'complete', tag: 'DROP PUBLICATION' };
}

export function renamePublication(statement: RenameStmt, session: SessionState): string {
  const name = stringOf(statement.object!);
  const newName = statement.newname!;
  const old = existing(session, name);
  if (session.context([]).catalog.publications?.has(newName) === true) {
    throw sqlError('42710', `publication "${newName}" already exists`);
  }
  replace(session, 'rename', old, { ...old, name: newName });
  return 'ALTER PUBLICATION';
}

/** @throws SqlError as the server does for what cannot be published */
function objectsOf(nodes: readonly Node[], context: StatementContext): Objects {
  const tables = new Map<number, PublishedTable>();
  const schemas: string[] = [];
  for (const node of nodes) {
    const spec = (node as { PublicationObjSpec: PublicationObjSpec }).PublicationObjSpec;
    const isSchema = spec.pubobjtype !== 'PUBLICATIONOBJ_TABLE';
    if (isSchema && context.major < 15) throw sqlError('42601', 'syntax error at or near "TABLES"', spec.location);
    if (isSchema) schemas.push(schemaOf(spec, context));
    else {
      const { table, published } = publishedTable(spec, context);
      if (tables.has(table.oid) && (published.columns !== null || published.where !== null)) {
        throw sqlError('42710', `conflicting or redundant WHERE clauses for table "${table.name}"`);
      }
      tables.set(table.oid, published);
    }
  }
  return { tables, schemas };
}

function schemaOf(spec: PublicationObjSpec, context: StatementContext): string {
  const current = context.session.searchPath(context.catalog)[0];
  const name = spec.pubobjtype === 'PUBLICATIONOBJ_TABLES_IN_CUR_SCHEMA' ? current : spec.name;
  if (name === undefined) throw sqlError('3F000', 'no schema has been selected for CURRENT_SCHEMA');
  if (!namespaceNames(context).includes(name)) throw sqlError('3F000', `schema "${name}" does not exist`);
  return name;
}

function publishedTable(
  spec: PublicationObjSpec,
  context: StatementContext,
): { table: Table; published: PublishedTable } {
  const { relation, columns, whereClause } = spec.pubtable!;
  const { schemaname, relname = '' } = relation!;
  const shown = schemaname === undefined ? relname : `${schemaname}.${relname}`;
  const found = findRelation(context, schemaname, relname);
  if (found === undefined) throw sqlError('42P01', `relation "${shown}" does not exist`);
  const table = context.catalog.tables.get(found.oid);
  if (table === undefined) throw notPublishable(relname, found.schema === 'pg_catalog', context.major);
  const names = columns === undefined ? null : stringsOf(columns);
  for (const [i, name] of (names ?? []).entries()) {
    if (names!.indexOf(name) !== i) throw sqlError('42710', `duplicate column "${name}" in publication column list`);
    if (!table.columns.some((column) => column.name === name)) {
      throw sqlError('42703', `column "${name}" of relation "${relname}" does not exist`);
    }
  }
  const where = whereClause === undefined ? null : rowFilter(whereClause, table, context);
  return { table, published: { columns: names, where } };
}

function notPublishable(name: string, isSystem: boolean, major: number): Error {
  if (major < 15) {
    const detail = isSystem
      ? 'System tables cannot be added to publications.'
      : 'Only tables can be added to publications.';
    return sqlError('22023', `"${name}" is ${isSystem ? 'a system' : 'not a'} table`, undefined, { detail });
  }
  const detail = `This operation is not supported for ${isSystem ? 'system tables' : 'views'}.`;
  return sqlError('22023', `cannot add relation "${name}" to publication`, undefined, { detail });
}

/** Evaluated as this session's server would, on whatever version of the table a change has. */
function rowFilter(node: Node, table: Table, context: StatementContext): RowFilter {
  const expression = analyzeFilter(node, table, context);
  checkFilter(expression, context);
  if (expression.print === undefined) throw new NotEmulated('this row filter', expression.location);
  const names = new Set<string>();
  walk(expression, ({ column }) => {
    if (column !== undefined) names.add(column.name);
    return true;
  });
  const frame: Frame = {
    context,
    parameters: [],
    values: [],
    slots: [],
    outer: null,
    memo: new Map(),
    cache: new Map(),
  };
  return {
    text: expression.print(),
    columns: [...names],
    evaluate: (row, columns) => {
      frame.values = table.columns.map(({ name }) => valueOf(row[columns.findIndex((column) => column.name === name)]));
      const value = expression.evaluate(frame);
      return value === null ? null : value === 't';
    },
  };
}

/** Only what gives the same result always, whatever the user. @throws SqlError 0A000 */
function checkFilter(expression: Expression, { types }: StatementContext): void {
  const refuse = ({ location }: Expression, detail: string): Error =>
    sqlError('0A000', 'invalid publication WHERE expression', location, { detail });
  walk(expression, (part) => {
    if (part.isSubquery === true) {
      const allowed =
        'columns, constants, built-in operators, built-in data types, built-in collations, and immutable built-in functions';
      throw refuse(part, `Only ${allowed} are allowed.`);
    }
    if (types.facts(part.type).namespace !== 'pg_catalog') throw refuse(part, 'User-defined types are not allowed.');
    if (part.isMutable === true) throw refuse(part, 'User-defined or built-in mutable functions are not allowed.');
    return true;
  });
}

function valueOf(datum: Datum | undefined): Value {
  if (typeof datum === 'string') return datum;
  return datum instanceof OutOfLine || datum instanceof RawText ? datum.text : null;
}

/** Columns lists and filters of partitioned tables need publish_via_partition_root. */
function checkFilters({ name, tables, viaPartitionRoot }: Publication, { catalog }: StatementContext): void {
  if (viaPartitionRoot) return;
  for (const [oid, { where, columns }] of tables) {
    const table = catalog.tables.get(oid);
    if (table?.kind !== 'p') continue;
    if (where !== null) {
      throw sqlError('22023', 'cannot use publication WHERE clause for relation "' + table.name + '"', undefined, {
        detail: 'WHERE clause cannot be used for a partitioned table when publish_via_partition_root is false.',
      });
    }
    if (columns !== null) {
      throw sqlError(
        '22023',
        `cannot use column list for relation "${table.namespace}.${table.name}" in publication "${name}"`,
        undefined,
        {
          detail: 'Column lists cannot be specified for partitioned tables when publish_via_partition_root is false.',
        },
      );
    }
  }
}
