/** CREATE PUBLICATION, and ALTER PUBLICATION … ADD, which is how a dump says what a publication has. */
import type { Node as SqlNode, PublicationObjSpec } from 'libpg-query';
import type { Entry, Node } from '../node.js';
import type { Span } from '../source.js';
import type { DumpReading } from './dump-reading.js';
import { nameKey, nameOf } from './dump-names.js';
import { listOf, mapOf, mapOfEntries, names, plain, quoted } from './dump-nodes.js';
import { stringOf } from './type-text.js';

interface DumpPublication {
  readonly at: Span;
  readonly options: Readonly<Record<string, Node | undefined>>;
  readonly tables: Entry[];
  readonly schemas: string[];
}

export class DumpPublications {
  private readonly all = new Map<string, DumpPublication>();

  constructor(private readonly reading: DumpReading) {}

  /** @returns false for a statement about something else */
  statement(node: SqlNode, at: Span): boolean {
    if ('CreatePublicationStmt' in node) {
      const { pubname = '', for_all_tables: allTables, options = [], pubobjects = [] } = node.CreatePublicationStmt;
      const all = allTables === true ? plain('true', at) : undefined;
      const made = { at, options: { all_tables: all, ...this.options(options, at) }, tables: [], schemas: [] };
      this.all.set(pubname, made);
      this.add(made, pubobjects);
      return true;
    }
    if (!('AlterPublicationStmt' in node)) return false;
    const { pubname = '', action, pubobjects = [] } = node.AlterPublicationStmt;
    const known = this.all.get(pubname);
    if (known === undefined || action !== 'AP_AddObjects') this.reading.refuse(at, 'this ALTER PUBLICATION');
    else this.add(known, pubobjects);
    return true;
  }

  private options(options: readonly SqlNode[], at: Span): Record<string, Node | undefined> {
    const result: Record<string, Node | undefined> = {};
    for (const option of options) {
      if (!('DefElem' in option)) continue;
      const { defname, arg } = option.DefElem;
      const value = textOf(arg);
      if (defname === 'publish' && value === 'insert, update, delete, truncate') continue;
      else if (defname === 'publish')
        result['publish'] = names(
          value.split(',').map((word) => word.trim()),
          at,
        );
      else if (defname === 'publish_via_partition_root') {
        result['via_partition_root'] = plain(String(/^(?:true|on|1|t|yes)?$/i.test(value)), at);
      } else if (defname === 'publish_generated_columns') result['generated_columns'] = quoted(value || 'stored', at);
      else this.reading.refuse(at, `the option ${defname ?? ''} of a publication`);
    }
    return result;
  }

  private add(publication: DumpPublication, objects: readonly SqlNode[]): void {
    for (const node of objects) {
      if (!('PublicationObjSpec' in node)) continue;
      const { pubobjtype, pubtable, name = '' } = node.PublicationObjSpec;
      if (pubobjtype === 'PUBLICATIONOBJ_TABLES_IN_SCHEMA') publication.schemas.push(name);
      else if (pubtable?.relation && !this.reading.isPassedOver(pubtable.relation)) {
        publication.tables.push(this.publishedTable(pubtable));
      }
    }
  }

  private publishedTable({ relation, columns, whereClause }: NonNullable<PublicationObjSpec['pubtable']>): Entry {
    const at = this.reading.text.span(relation!.location);
    const key = nameKey(nameOf(relation!, this.reading.schema));
    const where = whereClause && quoted(this.where(relation!.location ?? 0), at);
    const list = columns && names(columns.map(stringOf), at);
    const only = relation!.inh !== true && this.reading.isInherited(key) ? plain('true', at) : undefined;
    return { key, keyAt: at, value: mapOf({ columns: list, where, only }, at) };
  }

  /** Behind the table's name and its columns. */
  private where(location: number): string {
    const { text } = this.reading.text;
    const start = /\bWHERE\b/i.exec(text.slice(this.reading.text.begin(location)));
    return this.reading.parenthesizedAt(this.reading.text.begin(location) + (start?.index ?? 0));
  }

  entries(): Entry[] {
    return [...this.all].map(([key, { at, options, tables, schemas }]) => {
      const isPlain = tables.every(({ value }) => value.kind === 'map' && value.entries.length === 0);
      const list = listOf(
        tables.map((entry) => quoted(entry.key, entry.keyAt)),
        at,
      );
      const published = tables.length === 0 ? undefined : isPlain ? list : mapOfEntries(tables, at);
      const inSchemas = schemas.length === 0 ? undefined : names(schemas, at);
      return { key, keyAt: at, value: mapOf({ tables: published, schemas: inSchemas, ...options }, at) };
    });
  }
}

function textOf(node: SqlNode | undefined): string {
  if (node === undefined) return '';
  if ('TypeName' in node) return (node.TypeName.names ?? []).map(stringOf).at(-1) ?? '';
  if ('Boolean' in node) return String(node.Boolean.boolval === true);
  if ('Integer' in node) return String(node.Integer.ival ?? 0);
  return stringOf(node);
}
