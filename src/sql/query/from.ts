/** The FROM clause: what it makes visible, and how its rows are read. */
import type { Alias, JoinExpr, Node, RangeFunction, RangeSubselect, RangeVar, SelectStmt } from 'libpg-query';
import { NotEmulated, sqlError } from '../failure.js';
import { coerceToBoolean } from '../expression/coercion.js';
import { columnExpression, type Expression, type RecordField } from '../expression/expression.js';
import { resolveCall, type ResolvedCall } from '../expression/function-resolution.js';
import { junction } from '../expression/logic.js';
import { operatorCall } from '../expression/operators.js';
import { stringsOf } from '../nodes.js';
import { findRelation } from '../relations/relation-lookup.js';
import { typeOids } from '../types/type-oids.js';
import { functionItem, joinItem, queryItem, relationItem, type FromItem } from './from-items.js';
import type { Query } from './query.js';
import type { Analysis, Scope, ScopeColumn, ScopeTable, VisibleColumn } from './scope.js';

/** What one item of FROM contributes to the scope. */
interface Contribution {
  readonly item: FromItem;
  readonly visible: readonly VisibleColumn[];
}

/** Fills the scope; returns the items in their order. */
export function analyzeFrom(nodes: readonly Node[], scope: Scope, analysis: Analysis): FromItem[] {
  return nodes.map((node) => {
    const { item, visible } = fromItem(node, scope, analysis);
    scope.visible.push(...visible);
    return item;
  });
}

function fromItem(node: Node, scope: Scope, analysis: Analysis): Contribution {
  if ('RangeVar' in node) return tableReference(node.RangeVar, scope, analysis);
  if ('JoinExpr' in node) return join(node.JoinExpr, scope, analysis);
  if ('RangeSubselect' in node) return subselect(node.RangeSubselect, scope, analysis);
  if ('RangeFunction' in node) return functionReference(node.RangeFunction, scope, analysis);
  throw new NotEmulated(`${Object.keys(node)[0] ?? 'this'} in FROM`);
}

function tableReference(node: RangeVar, scope: Scope, analysis: Analysis): Contribution {
  const { context } = analysis;
  const location = node.location ?? 0;
  const name = node.relname!;
  const cte = node.schemaname === undefined ? scope.ctes.get(name) : undefined;
  if (cte !== undefined) {
    const { table, visible } = queryTable(cte.query, name, node.alias, cte.columnNames, scope, location);
    return { item: queryItem(cte.query, cte.isWorkingTable ? 'plain' : 'common', table), visible };
  }
  if (node.catalogname !== undefined && node.catalogname !== context.session.database) {
    const shown = [node.catalogname, node.schemaname, name].join('.');
    throw sqlError('0A000', `cross-database references are not implemented: "${shown}"`, location);
  }
  const relation = findRelation(context, node.schemaname, name);
  if (relation === undefined) {
    const shown = node.schemaname === undefined ? name : `${node.schemaname}.${name}`;
    throw sqlError('42P01', `relation "${shown}" does not exist`, location);
  }
  const columns = relation.columns.map((column) => ({ ...column, tableOid: relation.oid }));
  const table = addTable(scope, {
    alias: node.alias?.aliasname ?? name,
    realName: name,
    schema: node.alias === undefined ? relation.schema : undefined,
    columns: renamed(columns, node.alias, location),
    isScalar: false,
    rowType: relation.rowType,
    location,
    primaryKey: relation.primaryKey,
  });
  return { item: relationItem(relation, node.inh !== true, table), visible: visibleOf(table) };
}

function subselect(node: RangeSubselect, scope: Scope, analysis: Analysis): Contribution {
  const select = (node.subquery as { SelectStmt: SelectStmt }).SelectStmt;
  const isLateral = node.lateral === true;
  // LATERAL sees what stands before it as a query around its own.
  const query = analysis.query(select, isLateral ? scope : scope.outer, scope.ctes);
  if (!isLateral && query.isCorrelated) scope.isCorrelated = true;
  const { table, visible } = queryTable(query, node.alias?.aliasname ?? '', node.alias, [], scope, 0);
  return { item: queryItem(query, isLateral && query.isCorrelated ? 'lateral' : 'plain', table), visible };
}

function queryTable(
  query: Query,
  name: string,
  alias: Alias | undefined,
  columnNames: readonly string[],
  scope: Scope,
  location: number,
): { table: ScopeTable; visible: VisibleColumn[] } {
  const columns = query.columns.map((column, i) => ({
    ...column,
    name: columnNames[i] ?? column.name,
    hidden: false,
  }));
  const table = addTable(scope, {
    alias: alias?.aliasname ?? name,
    realName: name,
    schema: undefined,
    columns: renamed(columns, alias, location),
    isScalar: false,
    rowType: typeOids.record,
    location,
    primaryKey: undefined,
  });
  return { table, visible: visibleOf(table) };
}

function functionReference(node: RangeFunction, scope: Scope, analysis: Analysis): Contribution {
  const lists = (node.functions ?? []).map((item) => (item as Extract<Node, { List: unknown }>).List.items ?? []);
  if (lists.length !== 1) throw new NotEmulated('ROWS FROM');
  const [call] = lists[0]!;
  const { clause } = scope;
  scope.clause = 'from';
  const resolved =
    'FuncCall' in call! ? resolveCall(call.FuncCall, scope, analysis) : analysis.expression(call!, scope);
  scope.clause = clause;
  const location = 'FuncCall' in call! ? (call.FuncCall.location ?? 0) : 0;
  if ('definition' in resolved && !['scalar', 'row', 'set'].includes(resolved.definition.body.kind)) {
    throw sqlError('42803', 'aggregate functions are not allowed in functions in FROM', location);
  }
  const functionName = 'FuncCall' in call! ? stringsOf(call.FuncCall.funcname).at(-1)! : 'value';
  const fields = resultColumns(node, resolved, functionName, analysis);
  const withNumbers =
    node.ordinality === true
      ? [...fields.columns, { name: 'ordinality', type: typeOids.int8, typmod: -1 }]
      : fields.columns;
  const columns = withNumbers.map((field) => ({ ...field, tableOid: 0, attnum: 0, hidden: false }));
  const table = addTable(scope, {
    alias: node.alias?.aliasname ?? functionName,
    realName: functionName,
    schema: undefined,
    columns: renamed(columns, node.alias, location),
    isScalar: fields.isScalar && node.ordinality !== true,
    rowType: typeOids.record,
    location,
    primaryKey: undefined,
  });
  return { item: functionItem(resolved, fields.isScalar, node.ordinality === true, table), visible: visibleOf(table) };
}

function resultColumns(
  node: RangeFunction,
  call: ResolvedCall | Expression,
  functionName: string,
  analysis: Analysis,
): { columns: readonly RecordField[]; isScalar: boolean } {
  const type = 'definition' in call ? call.resultType : call.type;
  const fields = call.fields ?? analysis.context.types.fieldsOf(type);
  if (fields !== undefined) return { columns: fields, isScalar: false };
  if (node.coldeflist !== undefined) throw new NotEmulated('a column definition list in FROM');
  if (type === typeOids.record)
    throw sqlError('42601', `a column definition list is required for functions returning "record"`);
  const name = ('definition' in call ? call.definition.resultName : undefined) ?? node.alias?.aliasname ?? functionName;
  return { columns: [{ name, type, typmod: -1 }], isScalar: true };
}

function renamed(columns: readonly ScopeColumn[], alias: Alias | undefined, location: number): readonly ScopeColumn[] {
  const names = stringsOf(alias?.colnames);
  if (names.length > columns.length) {
    const counts = `${columns.length} columns available but ${names.length} columns specified`;
    throw sqlError('42P10', `table "${alias!.aliasname!}" has ${counts}`, location);
  }
  let next = 0;
  return columns.map((column) =>
    column.hidden || next >= names.length ? column : { ...column, name: names[next++]! },
  );
}

/** @throws SqlError 42712 for an alias that is there already */
function addTable(scope: Scope, table: Omit<ScopeTable, 'offset'>): ScopeTable {
  if (
    table.alias !== '' &&
    scope.tables.some((other) => other.alias === table.alias && other.schema === table.schema)
  ) {
    throw sqlError('42712', `table name "${table.alias}" specified more than once`);
  }
  const placed = { ...table, offset: scope.width };
  scope.width += table.columns.length;
  scope.tables.push(placed);
  return placed;
}

function visibleOf(table: ScopeTable): VisibleColumn[] {
  return table.columns.map((column, i) => ({
    name: column.name,
    hidden: column.hidden,
    expression: (depth, location) => {
      const source = {
        depth,
        index: table.offset + i,
        name: column.name,
        table: table.alias,
        tableOid: column.tableOid,
        attnum: column.attnum,
      };
      return columnExpression(source, column, location);
    },
  }));
}

const joinKinds = { JOIN_INNER: 'inner', JOIN_LEFT: 'left', JOIN_RIGHT: 'right', JOIN_FULL: 'full' } as const;

function join(node: JoinExpr, scope: Scope, analysis: Analysis): Contribution {
  const kind = joinKinds[node.jointype as keyof typeof joinKinds];
  const left = fromItem(node.larg!, scope, analysis);
  // What stands to the left of a join can be seen by LATERAL items to its right.
  const before = scope.visible.length;
  scope.visible.push(...left.visible);
  const right = fromItem(node.rarg!, scope, analysis);
  scope.visible.length = before;
  if (node.alias !== undefined) throw new NotEmulated('an alias for a join');
  const shared = node.isNatural === true ? commonNames(left.visible, right.visible) : stringsOf(node.usingClause);
  if (shared.length > 0) return joinUsing(shared, kind, left, right, analysis);
  const visible = [...left.visible, ...right.visible];
  const condition = node.quals && joinCondition(node.quals, visible, scope, analysis);
  return { item: joinItem(kind, left.item, right.item, condition), visible };
}

/** ON sees the two sides and nothing else of this FROM. */
function joinCondition(quals: Node, visible: readonly VisibleColumn[], scope: Scope, analysis: Analysis): Expression {
  const others = scope.visible.splice(0);
  scope.visible.push(...visible);
  const { clause } = scope;
  scope.clause = 'on';
  try {
    return coerceToBoolean(analysis, analysis.expression(quals, scope), 'JOIN/ON');
  } finally {
    scope.clause = clause;
    scope.visible.splice(0, scope.visible.length, ...others);
  }
}

function commonNames(left: readonly VisibleColumn[], right: readonly VisibleColumn[]): string[] {
  return left
    .filter(({ name, hidden }) => !hidden && right.some((r) => r.name === name && !r.hidden))
    .map(({ name }) => name);
}

/** The shared columns stand first, and once. */
function joinUsing(
  names: readonly string[],
  kind: 'inner' | 'left' | 'right' | 'full',
  left: Contribution,
  right: Contribution,
  analysis: Analysis,
): Contribution {
  if (kind === 'full') throw new NotEmulated('FULL JOIN … USING');
  const columnOf = (side: Contribution, name: string, word: string): VisibleColumn => {
    const found = side.visible.find((column) => column.name === name);
    if (found !== undefined) return found;
    throw sqlError('42703', `column "${name}" specified in USING clause does not exist in ${word} table`);
  };
  const pairs = names.map((name) => [columnOf(left, name, 'left'), columnOf(right, name, 'right')] as const);
  const tests = pairs.map(([a, b]) => operatorCall(analysis, '=', a.expression(0, -1), b.expression(0, -1), -1));
  const merged = pairs.map(([a, b]) => (kind === 'right' ? b : a));
  const rest = [...left.visible, ...right.visible].filter((column) => !names.includes(column.name));
  const condition = tests.length === 1 ? tests[0]! : junction('and', tests, -1);
  return { item: joinItem(kind, left.item, right.item, condition), visible: [...merged, ...rest] };
}
