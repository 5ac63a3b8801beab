import { arrayOf, type PgType, type TypeScope } from '../postgres/index.js';
import type { Catalog } from '../timeline/catalog.js';

/** User-defined types, as a database's catalogs have them. */
export function catalogTypes({ types }: Catalog): TypeScope {
  const all = [...types.values()];
  const scalars = all.filter(({ kind }) => kind !== 'array');
  return {
    find: (namespace, name) =>
      scalars.find((type) => type.name === name && (namespace === undefined || type.namespace === namespace)),
    arrayOf: (element: PgType) =>
      types.get(element.arrayOid) ?? (element.arrayOid === 0 ? undefined : arrayOf(element)),
    names: () => scalars.map(({ name }) => name),
  };
}
