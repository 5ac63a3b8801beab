import { compositeType, domainType, enumType, rangeType, type PgType } from '../../postgres/index.js';

/** The type with another name or labels, or with parts that were replaced; the type itself when nothing of it changes. */
export function rebuiltType(
  type: PgType,
  replaced: ReadonlyMap<PgType, PgType>,
  { name, namespace, labels }: Pick<PgType, 'name' | 'namespace' | 'labels'>,
): PgType {
  const current = (part: PgType): PgType => replaced.get(part) ?? part;
  const { oid, arrayOid, typeModifier, element, fields } = type;
  const same = name === type.name && namespace === type.namespace && labels === type.labels;
  const parts = [...(element ? [element] : []), ...(fields ?? []).map((field) => field.type)];
  if (same && !parts.some((part) => replaced.has(part))) return type;
  const identity = { oid, arrayOid, name, namespace };
  switch (type.kind) {
    case 'enum':
      return enumType(identity, labels ?? []);
    case 'domain':
      return domainType(identity, current(element!), typeModifier);
    case 'range':
      return rangeType(identity, current(element!));
    case 'composite':
      return compositeType(
        identity,
        fields!.map((field) => ({ ...field, type: current(field.type) })),
      );
    default:
      return type;
  }
}
