/** CREATE TYPE and CREATE DOMAIN. */
import type { Node as SqlNode } from 'libpg-query';
import type { Entry } from '../node.js';
import type { Span } from '../source.js';
import { nameKey, nameOf } from './dump-names.js';
import { listOf, mapOf, mapOfEntries, quoted } from './dump-nodes.js';
import { stringOf, typeText } from './type-text.js';

/** Undefined for what makes no type. */
export function typeEntry(node: SqlNode, schema: string, at: Span): Entry | undefined {
  const entry = (name: readonly string[], value: Entry['value']): Entry => {
    const key = nameKey({ namespace: name.at(-2) ?? schema, name: name.at(-1)! });
    return { key, keyAt: at, value };
  };
  if ('CreateEnumStmt' in node) {
    const { typeName = [], vals = [] } = node.CreateEnumStmt;
    const labels = vals.map((label) => quoted(stringOf(label), at));
    return entry(typeName.map(stringOf), mapOf({ enum: listOf(labels, at) }, at));
  }
  if ('CreateDomainStmt' in node) {
    const { domainname = [], typeName } = node.CreateDomainStmt;
    return entry(domainname.map(stringOf), mapOf({ domain: quoted(typeText(typeName ?? {}), at) }, at));
  }
  if ('CreateRangeStmt' in node) {
    const { typeName = [], params = [] } = node.CreateRangeStmt;
    const subtype = params.find((param) => 'DefElem' in param && param.DefElem.defname === 'subtype');
    const type = subtype && 'DefElem' in subtype ? subtype.DefElem.arg : undefined;
    const text = type && 'TypeName' in type ? typeText(type.TypeName) : '';
    return entry(typeName.map(stringOf), mapOf({ range: mapOf({ subtype: quoted(text, at) }, at) }, at));
  }
  if ('CompositeTypeStmt' in node) {
    const { typevar, coldeflist = [] } = node.CompositeTypeStmt;
    const attributes = coldeflist.flatMap((column) =>
      'ColumnDef' in column
        ? [
            {
              key: column.ColumnDef.colname ?? '',
              keyAt: at,
              value: quoted(typeText(column.ColumnDef.typeName ?? {}), at),
            },
          ]
        : [],
    );
    const { namespace, name } = nameOf(typevar!, schema);
    return entry([namespace, name], mapOf({ composite: mapOfEntries(attributes, at) }, at));
  }
  return undefined;
}
