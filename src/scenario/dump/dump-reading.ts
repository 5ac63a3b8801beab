/**
 * A schema dump, as `pg_dump --schema-only` writes it, becomes the tree of a file to include: types, tables, publications. What a
 * scenario has no use for is counted and told in one note; what would change a table in a way that is not read is an error.
 */
import type { AlterTableStmt, Node as SqlNode, RangeVar, VariableSetStmt } from 'libpg-query';
import type { Problems } from '../diagnostic.js';
import type { Entry, MapNode, Node } from '../node.js';
import type { Span } from '../source.js';
import { SqlMistake, type SqlStatement, type SqlSupport } from '../sql-support.js';
import { SqlText } from '../sql-text.js';
import { nameKey, nameOf } from './dump-names.js';
import { mapOf, mapOfEntries } from './dump-nodes.js';
import { DumpPublications } from './dump-publications.js';
import { alterEffects, alterName, statementName } from './dump-statements.js';
import { DumpTable } from './dump-table.js';
import { typeEntry } from './dump-types.js';

/** Undefined when it cannot be read (reported). @param at - the whole file */
export function readDump(at: Span, problems: Problems, support: SqlSupport): MapNode | undefined {
  const text = new SqlText({ value: withoutPsql(at.source.text), at }, true);
  const reading = new DumpReading(text, problems);
  try {
    for (const statement of support.parse(text.text)) reading.statement(statement);
  } catch (error) {
    if (!(error instanceof SqlMistake)) throw error;
    problems.add('sql-syntax', text.span(error.location), `SQL: ${error.message}`);
    return undefined;
  }
  return reading.result(at);
}

/** psql's own commands, and the rows of COPY, give way to blanks: offsets stay. */
function withoutPsql(text: string): string {
  const blank = (part: string): string => part.replace(/[^\n]/g, ' ');
  return text
    .replace(/^(COPY .* FROM stdin;\n)([^]*?^\\\.$)/gm, (_, copy: string, rows: string) => copy + blank(rows))
    .replace(/^\\(?:restrict|unrestrict|connect|c|encoding|set|unset|echo|pset|i|ir)\b.*$/gm, blank);
}

export class DumpReading {
  /** For names without one. */
  schema = 'public';
  private readonly tables = new Map<string, DumpTable>();
  private readonly types: Entry[] = [];
  private readonly publications = new DumpPublications(this);
  private readonly skipped = new Map<string, number>();
  private firstSkipped: Span | undefined;
  /** Of tables that no publication has. */
  private readonly passedOver = new Set<string>();

  constructor(
    readonly text: SqlText,
    private readonly problems: Problems,
  ) {}

  statement({ node, location }: SqlStatement): void {
    const at = this.text.span(location);
    if ('CreateStmt' in node) {
      const { relation, if_not_exists: isOptional } = node.CreateStmt;
      const name = nameOf(relation!, this.schema);
      const key = nameKey(name);
      if (isOptional === true && this.tables.has(key)) return;
      if (relation!.relpersistence !== 'p') {
        this.skip('tables that are not logged', at);
        this.passedOver.add(key);
      } else this.tables.set(key, new DumpTable(name, this.text.span(relation!.location), node.CreateStmt, this));
    } else if ('AlterTableStmt' in node) this.alterTable(node.AlterTableStmt, at);
    else if ('IndexStmt' in node) this.table(node.IndexStmt.relation!)?.index(node.IndexStmt);
    else if ('VariableSetStmt' in node) this.set(node.VariableSetStmt, at);
    else if (!this.publications.statement(node, at)) {
      const type = typeEntry(node, this.schema, at);
      if (type !== undefined) this.types.push(type);
      else this.other(node, at);
    }
  }

  private alterTable({ relation, cmds = [], objtype = 'OBJECT_TABLE' }: AlterTableStmt, at: Span): void {
    const table = objtype === 'OBJECT_TABLE' ? this.tables.get(this.keyOf(relation!)) : undefined;
    for (const cmd of cmds) {
      if (!('AlterTableCmd' in cmd)) continue;
      const { subtype = 'AT_AddOf' } = cmd.AlterTableCmd;
      const about = alterEffects[subtype];
      if (objtype !== 'OBJECT_TABLE' || about === undefined) this.skip(alterName(subtype, objtype), at);
      else if (about === 'refused') this.refuse(at, alterName(subtype, objtype));
      // What is missing is reported, unless it was passed over.
      else (table ?? this.table(relation!))?.alter(cmd.AlterTableCmd);
    }
  }

  /** Only what tells where names without a schema lie. */
  private set({ name, args = [] }: VariableSetStmt, at: Span): void {
    const [first] = args;
    const path = first !== undefined && 'A_Const' in first ? first.A_Const.sval?.sval : undefined;
    if (name === 'search_path' && path !== undefined && path !== '') this.schema = path;
    else this.skip('SET', at);
  }

  private other(node: SqlNode, at: Span): void {
    const name = statementName(node);
    if (/^(?:DROP TABLE|DROP TYPE|RENAME|ALTER .* SET SCHEMA|ALTER TYPE|CREATE TABLE AS)$/.test(name))
      this.refuse(at, name);
    else this.skip(name, at);
  }

  /** Undefined for what is no table of the dump (reported, unless it was passed over). */
  table(relation: RangeVar): DumpTable | undefined {
    const key = this.keyOf(relation);
    const table = this.tables.get(key);
    if (table !== undefined || this.passedOver.has(key)) return table;
    const at = this.text.span(relation.location);
    this.problems.add('unknown-table', at, `this file creates no table \`${key}\``);
    return undefined;
  }

  isPassedOver(relation: RangeVar): boolean {
    return this.passedOver.has(this.keyOf(relation));
  }

  isInherited(key: string): boolean {
    return [...this.tables.values()].some(({ inherits }) => inherits.includes(key));
  }

  private keyOf(relation: RangeVar): string {
    return nameKey(nameOf(relation, this.schema));
  }

  attach(parent: string, child: DumpTable, bounds: Readonly<Record<string, Node | undefined>>): void {
    const table = this.tables.get(parent);
    if (table === undefined) this.refuse(child.at, `a partition of ${parent}, which this file does not create,`);
    else child.becomePartition(table, bounds);
  }

  skip(what: string, at: Span): void {
    this.firstSkipped ??= at;
    this.skipped.set(what, (this.skipped.get(what) ?? 0) + 1);
  }

  refuse(at: Span, what: string): void {
    this.problems.add('not-supported', at, `${what} is not read from a .sql file`, {
      hint: 'a dump of the finished schema (`pg_dump --schema-only`) does without it',
    });
  }

  /** The text between the parentheses that open next behind a location. */
  parenthesized(location: number): string {
    return this.parenthesizedAt(this.text.begin(location));
  }

  parenthesizedAt(index: number): string {
    const { text } = this.text;
    const start = text.indexOf('(', index) + 1;
    const parts = /'(?:[^']|'')*'|"[^"]*"|[()]/g;
    parts.lastIndex = start;
    let depth = 1;
    for (let part = parts.exec(text); part !== null; part = parts.exec(text)) {
      if (part[0] === '(') depth++;
      else if (part[0] === ')' && --depth === 0) return text.slice(start, part.index).trim();
    }
    return text.slice(start);
  }

  result(at: Span): MapNode {
    if (this.firstSkipped !== undefined) {
      const list = [...this.skipped].map(([what, count]) => `${count} × ${what}`).join(', ');
      this.problems.add('not-used', this.firstSkipped, `not used in a scenario: ${list}`, { severity: 'note' });
    }
    const tops = [...this.tables].filter(([, table]) => table.isTop);
    const some = (entries: readonly Entry[]): Node | undefined =>
      entries.length === 0 ? undefined : mapOfEntries(entries, at);
    return mapOf(
      {
        types: some(this.types),
        tables: some(tops.map(([key, table]) => table.entry(key))),
        publications: some(this.publications.entries()),
      },
      at,
    );
  }
}
