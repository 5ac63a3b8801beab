/** User-defined types → `types:`. */
import type { CatalogSnapshot, CatalogTable, CatalogType } from '../recorder/catalog.js';
import { qualified } from './names.js';
import { text, type Yaml, type YamlMap } from './yaml.js';

/** Built-in types, those of information_schema included, lie below. */
const firstUserOid = 16384;

/** The types that columns use, directly or within another; what a type consists of comes before it. */
export function usedTypes({ types, tables }: CatalogSnapshot): CatalogType[] {
  const byOid = new Map((types ?? []).map((type) => [type.oid, type]));
  const used = new Set<CatalogType>();
  const use = (oid: number): void => {
    const type = byOid.get(oid);
    if (type === undefined || used.has(type)) return;
    for (const part of [type.base, type.element, ...(type.attributes ?? []).map((attribute) => attribute.type)])
      use(part);
    used.add(type);
  };
  for (const { columns } of tables ?? []) for (const column of columns ?? []) use(column.type);
  return [...used].filter((type) => !isArray(type));
}

/** Arrays come with their elements. A domain over an array is none. */
function isArray({ kind, category }: CatalogType): boolean {
  return kind === 'b' && category === 'A';
}

export function typesOf(catalog: CatalogSnapshot): YamlMap {
  return Object.fromEntries(usedTypes(catalog).map((type) => [qualified(type), typeDeclaration(type)]));
}

export function typeDeclaration(type: CatalogType): YamlMap {
  const pins = { oid: type.oid, array_oid: type.array === 0 ? undefined : type.array };
  switch (type.kind) {
    case 'e':
      return { enum: (type.labels ?? []).map(text), ...pins };
    case 'd':
      return { domain: type.baseName!, ...pins };
    case 'c':
      return {
        composite: Object.fromEntries((type.attributes ?? []).map(({ name, typeName }) => [name, typeName])),
        ...pins,
      };
    case 'r':
      return { range: { subtype: type.subtype }, ...pins };
    default:
      throw new Error(`a scenario cannot declare the type ${type.schema}.${type.name} of kind ${type.kind}`);
  }
}

/** A column's type; those that a scenario cannot declare by OID and name. */
export function typeReference(column: NonNullable<CatalogTable['columns']>[number], { types }: CatalogSnapshot): Yaml {
  const type = column.type < firstUserOid ? undefined : types?.find(({ oid }) => oid === column.type);
  if (type?.kind === 'b' && !isArray(type)) return { type: { oid: type.oid, name: type.name, schema: type.schema } };
  return column.typeName;
}
