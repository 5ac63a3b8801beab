/** regclass, regtype and their kin: from OID to name and back. */
import { quoteIdentifier } from '../../postgres/index.js';
import { parseQualifiedName } from './qualified-name.js';
import type { StatementContext } from '../context.js';
import { NotEmulated, sqlError } from '../failure.js';
import { namespaceNames } from '../relations/namespaces.js';
import { relationByName, relationByOid } from '../relations/relation-lookup.js';
import { roleOid, roles } from '../relations/roles.js';
import { oidOfSchema } from '../derived-oids.js';
import { parseSqlTypeName } from './sql-type-name.js';

/** What the output function prints: the name, qualified where search_path would not find it; the number if nothing has it. */
export function objectName(context: StatementContext, type: string, oid: number): string {
  if (oid === 0) return '-';
  switch (type) {
    case 'regclass': {
      const relation = relationByOid(context, oid);
      if (relation === undefined) return String(oid);
      const visible = relationByName(context, undefined, relation.name)?.oid === oid;
      return visible
        ? quoteIdentifier(relation.name)
        : `${quoteIdentifier(relation.schema)}.${quoteIdentifier(relation.name)}`;
    }
    case 'regtype':
      return context.types.byOid(oid) === undefined
        ? String(oid)
        : context.types.format(oid, undefined, context.session.searchPath(context.catalog));
    case 'regnamespace':
      return quoted(
        namespaceNames(context).find((name) => oidOfSchema(name, context.major) === oid),
        oid,
      );
    case 'regrole':
      return quoted(roles(context).find((role) => role.oid === oid)?.name, oid);
    default:
      throw new NotEmulated(`values of type ${type}`);
  }
}

function quoted(name: string | undefined, oid: number): string {
  return name === undefined ? String(oid) : quoteIdentifier(name);
}

/** What the input function reads: a name or a number. Undefined where no object has that name. */
export function objectOid(context: StatementContext, type: string, text: string): number | undefined {
  if (text === '-') return 0;
  if (/^\d+$/.test(text)) return Number(text);
  switch (type) {
    case 'regclass': {
      const [schema, name] = relationNameParts(context, text);
      return relationByName(context, schema, name)?.oid;
    }
    case 'regtype':
      return parseSqlTypeName(context, text)?.oid;
    case 'regnamespace': {
      const [name] = parseQualifiedName(text);
      return namespaceNames(context).includes(name!) ? oidOfSchema(name!, context.major) : undefined;
    }
    case 'regrole':
      return roleOid(context, parseQualifiedName(text)[0]!);
    default:
      throw new NotEmulated(`values of type ${type}`);
  }
}

/** @throws SqlError as the type's input function does where there is no such object. */
export function requireObjectOid(context: StatementContext, type: string, text: string): number {
  const oid = objectOid(context, type, text);
  if (oid !== undefined) return oid;
  const shown = parseQualifiedName(text).join('.');
  const name = parseQualifiedName(text)[0]!;
  switch (type) {
    case 'regclass':
      throw sqlError('42P01', `relation "${shown}" does not exist`);
    case 'regtype':
      throw sqlError('42704', `type "${text}" does not exist`);
    case 'regnamespace':
      throw sqlError('3F000', `schema "${name}" does not exist`);
    default:
      throw sqlError('42704', `role "${name}" does not exist`);
  }
}

function relationNameParts(context: StatementContext, text: string): [schema: string | undefined, name: string] {
  const parts = parseQualifiedName(text);
  if (parts.length === 3 && parts[0] === context.session.database) parts.shift();
  if (parts.length > 2) throw sqlError('0A000', `cross-database references are not implemented: "${parts.join('.')}"`);
  return parts.length === 2 ? [parts[0]!, parts[1]!] : [undefined, parts[0]!];
}
