/** Types that a decompiled scenario declares under `types:`, instead of pinning them column by column. */
import { formatType, type PgType } from '../../postgres/index.js';
import type { SeenColumn } from '../../timeline/collect.js';
import { text, type YamlObject } from '../yaml-node.js';
import { namePart } from './tables.js';

export interface DeclaredTypes {
  /** By OID. */
  readonly types: ReadonlyMap<number, PgType>;
  /** In an order in which they can be declared. */
  readonly declarations: readonly TypeDeclaration[];
}

export interface TypeDeclaration {
  readonly oid: number;
  readonly arrayOid: number;
  readonly namespace: string;
  readonly name: string;
  /** An enum's. */
  readonly labels?: readonly string[];
  /** A domain's base type. */
  readonly domain?: string;
}

export function typesText({ declarations }: DeclaredTypes): YamlObject | undefined {
  if (declarations.length === 0) return undefined;
  return Object.fromEntries(
    declarations.map(({ oid, arrayOid, namespace, name, labels, domain }) => [
      `${namePart(namespace)}.${namePart(name)}`,
      {
        enum: labels?.map((label) => text(label)),
        domain: domain === undefined ? undefined : text(domain),
        oid: String(oid),
        array_oid: arrayOid === 0 ? undefined : String(arrayOid),
      },
    ]),
  );
}

/** The SQL name of a column's type, if it is declared and was called so when the column was seen. */
export function declaredName({ types }: DeclaredTypes, column: SeenColumn): string | undefined {
  const type = types.get(column.typeOid);
  if (type === undefined || column.typeModifier !== -1) return undefined;
  let shown = type;
  // A domain's Type message has the name of what it is a domain over.
  while (shown.kind === 'domain' && shown.element !== undefined) shown = shown.element;
  const { typeName } = column;
  if (typeName?.name !== shown.name || typeName.namespace !== shown.namespace) return undefined;
  return formatType(type, -1);
}
