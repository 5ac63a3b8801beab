/** The select list: `*` expanded, columns named as the server names them. */
import type { Node, ResTarget } from 'libpg-query';
import { sqlError } from '../failure.js';
import { fieldAt, fieldsOf, missingTable } from '../expression/columns.js';
import { resolveUntyped, typeName } from '../expression/coercion.js';
import type { Expression } from '../expression/expression.js';
import { kindOf, stringOf, stringsOf } from '../nodes.js';
import type { Analysis, Scope } from './scope.js';

export interface Target {
  readonly name: string;
  readonly expression: Expression;
}

/** @param keepUntyped literals of no type stay so (in the branches of a UNION) */
export function analyzeTargets(
  nodes: readonly Node[],
  scope: Scope,
  analysis: Analysis,
  keepUntyped: boolean,
): Target[] {
  return nodes.flatMap((node) => {
    const target = (node as { ResTarget: ResTarget }).ResTarget;
    const stars = starOf(target.val!, scope, analysis);
    if (stars !== undefined) return stars;
    const expression = analysis.expression(target.val!, scope);
    const name = target.name ?? columnName(target.val!, analysis.context.major)?.name ?? '?column?';
    return [{ name, expression: keepUntyped ? expression : resolveUntyped(analysis, expression) }];
  });
}

/** `*`, `t.*`, `(value).*`; undefined for anything else. */
function starOf(node: Node, scope: Scope, analysis: Analysis): Target[] | undefined {
  if ('ColumnRef' in node) {
    const fields = node.ColumnRef.fields ?? [];
    if (fields.length === 0 || kindOf(fields.at(-1)!) !== 'A_Star') return undefined;
    const location = node.ColumnRef.location ?? 0;
    if (fields.length === 1) return everything(scope, location);
    const names = fields.slice(0, -1).map(stringOf);
    const found = scope.table(names.at(-2), names.at(-1)!, location);
    if (found === undefined) throw missingTable(scope, names.join('.'), location);
    return found.table.columns.flatMap(({ name, hidden }, i) =>
      hidden ? [] : [{ name, expression: scope.tableColumn(found.table, found.depth, i, location) }],
    );
  }
  if (!('A_Indirection' in node) || kindOf(node.A_Indirection.indirection!.at(-1)!) !== 'A_Star') return undefined;
  const { arg, indirection } = node.A_Indirection;
  const steps = indirection!.slice(0, -1);
  const record = analysis.expression(
    steps.length === 0 ? arg! : { A_Indirection: { arg: arg!, indirection: steps } },
    scope,
  );
  const recordFields = fieldsOf(record, analysis);
  if (recordFields === undefined) {
    throw sqlError('42809', `type ${typeName(analysis.context, record.type)} is not composite`, record.location);
  }
  return recordFields.map((field, i) => ({
    name: field.name,
    expression: fieldAt(record, recordFields, i, record.location),
  }));
}

function everything(scope: Scope, location: number): Target[] {
  if (scope.tables.length === 0) throw sqlError('42601', 'SELECT * with no tables specified is not valid', location);
  return scope.visible.flatMap(({ name, hidden, expression }) =>
    hidden ? [] : [{ name, expression: expression(0, location) }],
  );
}

interface ColumnName {
  readonly name: string;
  /** A name of a type or construct, which a better one replaces. */
  readonly isWeak: boolean;
}

const strong = (name: string): ColumnName => ({ name, isWeak: false });
const weak = (name: string): ColumnName => ({ name, isWeak: true });

/** What the server calls a column without AS; undefined for `?column?`. */
export function columnName(node: Node, major: number): ColumnName | undefined {
  if ('ColumnRef' in node) return strong(stringOf(node.ColumnRef.fields!.at(-1)!));
  if ('A_Indirection' in node) {
    const names = stringsOf(node.A_Indirection.indirection!.filter((step) => kindOf(step) === 'String'));
    return names.length > 0 ? strong(names.at(-1)!) : columnName(node.A_Indirection.arg!, major);
  }
  if ('FuncCall' in node) {
    const name = stringsOf(node.FuncCall.funcname).at(-1)!;
    return strong(name === 'extract' && major < 14 ? 'date_part' : name);
  }
  // TRUE and FALSE were casts of strings once.
  if ('A_Const' in node && node.A_Const.boolval !== undefined && major < 15) return weak('bool');
  if ('A_Expr' in node) return node.A_Expr.kind === 'AEXPR_NULLIF' ? strong('nullif') : undefined;
  if ('TypeCast' in node) {
    const inner = columnName(node.TypeCast.arg!, major);
    return inner !== undefined && !inner.isWeak ? inner : weak(stringsOf(node.TypeCast.typeName!.names).at(-1)!);
  }
  if ('CollateClause' in node) return columnName(node.CollateClause.arg!, major);
  if ('CaseExpr' in node) {
    const otherwise = node.CaseExpr.defresult && columnName(node.CaseExpr.defresult, major);
    return otherwise !== undefined && !otherwise.isWeak ? otherwise : weak('case');
  }
  if ('SubLink' in node) return subqueryName(node.SubLink.subLinkType ?? '', node.SubLink.subselect!, major);
  if ('A_ArrayExpr' in node) return strong('array');
  if ('RowExpr' in node) return strong('row');
  if ('CoalesceExpr' in node) return strong('coalesce');
  if ('MinMaxExpr' in node) return strong(node.MinMaxExpr.op === 'IS_LEAST' ? 'least' : 'greatest');
  if ('SQLValueFunction' in node) return strong(valueFunctionName(node.SQLValueFunction.op ?? ''));
  return undefined;
}

function valueFunctionName(op: string): string {
  return op.replace('SVFOP_', '').replace(/_N$/, '').toLowerCase();
}

function subqueryName(kind: string, subselect: Node, major: number): ColumnName | undefined {
  if (kind === 'EXISTS_SUBLINK') return strong('exists');
  if (kind === 'ARRAY_SUBLINK') return strong('array');
  if (kind !== 'EXPR_SUBLINK' || !('SelectStmt' in subselect)) return undefined;
  const target = subselect.SelectStmt.targetList?.[0];
  if (target === undefined || !('ResTarget' in target)) return undefined;
  return target.ResTarget.name === undefined ? columnName(target.ResTarget.val!, major) : strong(target.ResTarget.name);
}
