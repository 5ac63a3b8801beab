/** COPY … TO STDOUT. */
import type { CopyStmt, DefElem, Node } from 'libpg-query';
import { quoteIdentifier } from '../../postgres/index.js';
import { analyzeStatement } from '../analysis.js';
import type { SqlOutput } from '../engine.js';
import type { Value } from '../expression/expression.js';
import { NotEmulated, sqlError } from '../failure.js';
import { stringOf, stringsOf } from '../nodes.js';
import { Parameters } from '../query/parameters.js';
import type { Query } from '../query/query.js';
import { findRelation } from '../relations/relation-lookup.js';
import type { ActionPlan } from '../session/plan.js';
import type { SessionState } from '../session/session-state.js';
import { booleanOf } from '../session/setting-values.js';
import { binaryLines } from './copy-binary.js';
import { textLines, type TextFormat } from './copy-text.js';
import { queryPlan, mentionedStrings } from './select.js';

interface CopyOptions {
  readonly format: 'text' | 'csv' | 'binary';
  readonly text: TextFormat;
}

export function planCopy(statement: CopyStmt, session: SessionState): ActionPlan {
  if (statement.is_from === true) throw new NotEmulated('COPY FROM');
  if (statement.filename !== undefined || statement.is_program === true)
    throw new NotEmulated('COPY to a file or program');
  const options = optionsOf(statement.options ?? []);
  session.takeSnapshot();
  const query = statement.query === undefined ? tableQuery(statement, session) : selectQuery(statement.query, session);
  const plan = queryPlan(query, mentionedStrings(statement), session);
  return {
    kind: 'action',
    run: function* (): Generator<SqlOutput> {
      const { columns } = plan;
      const isBinary = options.format === 'binary';
      yield { kind: 'copyOut', format: isBinary ? 1 : 0, columns: columns.length };
      const context = session.context([]);
      const count = { rows: 0 };
      const rows = counted(plan.rows([]), count);
      const lines = isBinary ? binaryLines(rows, columns, context) : textLines(rows, columns, context, options.text);
      for (const data of lines) yield { kind: 'copyData', data };
      yield { kind: 'copyDone' };
      yield { kind: 'complete', tag: `COPY ${count.rows}` };
    },
  };
}

function* counted(rows: Iterable<readonly Value[]>, count: { rows: number }): Generator<readonly Value[]> {
  for (const row of rows) {
    count.rows++;
    yield row;
  }
}

function selectQuery(node: Node, session: SessionState): Query {
  if (!('SelectStmt' in node)) throw new NotEmulated('COPY of a statement that changes data');
  return analyzeStatement(node.SelectStmt, session.context([]), new Parameters([], false));
}

/** A table copies as SELECT of its columns FROM ONLY it, generated ones left out. */
function tableQuery({ relation, attlist }: CopyStmt, session: SessionState): Query {
  const context = session.context([]);
  const { schemaname, relname = '' } = relation!;
  const found = findRelation(context, schemaname, relname);
  const shown = schemaname === undefined ? relname : `${schemaname}.${relname}`;
  if (found === undefined) throw sqlError('42P01', `relation "${shown}" does not exist`, undefined);
  const hint = { hint: 'Try the COPY (SELECT ...) TO variant.' };
  if (found.kind === 'p') throw sqlError('42809', `cannot copy from partitioned table "${relname}"`, undefined, hint);
  if (found.kind === 'v') throw sqlError('42809', `cannot copy from view "${relname}"`, undefined, hint);
  const generated = new Set(
    (context.catalog.tables.get(found.oid)?.columns ?? []).filter((c) => c.generated !== null).map(({ name }) => name),
  );
  const names =
    attlist === undefined
      ? found.columns.map(({ name }) => name).filter((name) => !generated.has(name))
      : stringsOf(attlist);
  for (const name of names) {
    if (!found.columns.some((c) => c.name === name)) {
      throw sqlError('42703', `column "${name}" of relation "${relname}" does not exist`);
    }
    if (generated.has(name)) {
      const detail = { detail: 'Generated columns cannot be used in COPY.' };
      throw sqlError('42P10', `column "${name}" is a generated column`, undefined, detail);
    }
    if (names.indexOf(name) !== names.lastIndexOf(name))
      throw sqlError('42701', `column "${name}" specified more than once`);
  }
  const target = (name: string): Node => ({
    ResTarget: { val: { ColumnRef: { fields: [{ String: { sval: name } }], location: -1 } } },
  });
  const from: Node = { RangeVar: { ...relation!, inh: false } };
  return analyzeStatement(
    { targetList: names.map(target), fromClause: [from], op: 'SETOP_NONE' },
    context,
    new Parameters([], false),
  );
}

function optionsOf(elements: readonly Node[]): CopyOptions {
  const given = new Map<string, DefElem>();
  for (const element of elements) {
    const option = (element as { DefElem: DefElem }).DefElem;
    const name = option.defname!;
    if (given.has(name)) throw sqlError('42601', 'conflicting or redundant options', option.location);
    given.set(name, option);
  }
  const text = (name: string): string | undefined => {
    const option = given.get(name);
    given.delete(name);
    return option?.arg === undefined ? undefined : stringOf(option.arg);
  };
  const flag = (name: string): boolean => {
    const option = given.get(name);
    given.delete(name);
    if (option === undefined) return false;
    const { arg } = option;
    if (arg === undefined) return true;
    if ('Boolean' in arg) return arg.Boolean.boolval === true;
    const value = 'Integer' in arg ? (arg.Integer.ival ?? 0) === 1 : booleanOf(stringOf(arg));
    if (value === undefined) throw sqlError('42601', `${name} requires a Boolean value`, option.location);
    return value;
  };
  const format = text('format') ?? 'text';
  if (format !== 'text' && format !== 'csv' && format !== 'binary') {
    throw sqlError('22023', `COPY format "${format}" not recognized`);
  }
  const isCsv = format === 'csv';
  const quote = text('quote') ?? '"';
  const result: CopyOptions = {
    format,
    text: {
      isCsv,
      delimiter: text('delimiter') ?? (isCsv ? ',' : '\t'),
      nullText: text('null') ?? (isCsv ? '' : '\\N'),
      hasHeader: flag('header'),
      quote,
      escape: text('escape') ?? quote,
      forceQuote: forcedOf(given),
    },
  };
  const encoding = text('encoding');
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) throw new NotEmulated(`encoding ${encoding}`);
  const [unknown] = given.values();
  if (unknown !== undefined) {
    throw sqlError(
      '42601',
      `option ${quoteIdentifier(unknown.defname!).replace(/^([^"].*)$/, '"$1"')} not recognized`,
      unknown.location,
    );
  }
  return result;
}

function forcedOf(given: Map<string, DefElem>): readonly string[] | 'all' {
  const option = given.get('force_quote');
  given.delete('force_quote');
  if (option?.arg === undefined) return [];
  return 'List' in option.arg ? stringsOf(option.arg.List.items) : 'all';
}
