/** The types that a scenario declares, and the SQL names of all types. */
import {
  arrayOf,
  compositeType,
  domainType,
  enumType,
  opaqueType,
  parseTypeName,
  rangeType,
  typeByName,
  typeByOid,
  TypeNameError,
  type PgType,
  type TypeScope,
} from '../../postgres/index.js';
import { keepMap } from '../../database/index.js';
import { isPinned, type TypeReference } from '../format/columns.js';
import { parseQualifiedName } from '../format/names.js';
import type { TypeDeclaration } from '../format/server.js';
import type { Named } from '../object.js';
import { didYouMean } from '../suggestion.js';
import type { Compilation } from './compilation.js';
import { rebuiltType } from './rebuilt-type.js';

/** Where types are made: the database before the stream, or a transaction. */
export interface TypeMaker {
  takeOid(pin?: number): number;
  createType(type: PgType): void;
}

export interface TypeWithModifier {
  readonly type: PgType;
  readonly typeModifier: number;
  readonly serial: boolean;
}

export class UserTypes implements TypeScope {
  private readonly byName = new Map<string, PgType>();
  private readonly arrays = new Map<PgType, PgType>();
  private readonly pinned = new Map<number, PgType>();

  constructor(
    private readonly major: number,
    private readonly compilation: Compilation,
  ) {}

  mark(): () => void {
    const maps = [this.byName, this.arrays, this.pinned].map((map) => keepMap<unknown, unknown>(map));
    return () => {
      for (const comeBack of maps) comeBack();
    };
  }

  /** What untyped columns are. */
  readonly text: TypeWithModifier = { type: typeByName('text')!, typeModifier: -1, serial: false };

  find(namespace: string | undefined, name: string): PgType | undefined {
    return this.byName.get(`${namespace ?? 'public'}.${name}`);
  }

  arrayOf(element: PgType): PgType | undefined {
    return this.arrays.get(element);
  }

  names(): Iterable<string> {
    return [...this.byName.values()].map((type) =>
      type.namespace === 'public' ? type.name : `${type.namespace}.${type.name}`,
    );
  }

  /** Undefined when there is no such type (reported). */
  resolve(reference: TypeReference): TypeWithModifier | undefined {
    if (isPinned(reference)) {
      const typeModifier = reference.typmod?.value ?? -1;
      return { type: this.pin(reference), typeModifier, serial: false };
    }
    try {
      return parseTypeName(reference.value, this.major, this);
    } catch (error) {
      if (!(error instanceof TypeNameError)) throw error;
      const unknown = error.unknownName;
      if (unknown !== undefined && this.compilation.problems.explains(unknown)) return undefined;
      const hint = unknown === undefined ? quoteIfCut(reference.value) : didYouMean(unknown, error.knownNames);
      const message = unknown === undefined ? error.message : `there is no type \`${unknown}\``;
      return this.compilation.report('unknown-type', reference.at, message, { hint });
    }
  }

  private pin(reference: Extract<TypeReference, { oid: unknown }>): PgType {
    const oid = reference.oid.value;
    let type = typeByOid(oid) ?? this.pinned.get(oid);
    const [namespace, name] = [reference.schema?.value ?? 'public', reference.name.value];
    // One that is built in is what it is; another one may have been renamed since.
    if (type === undefined || (this.pinned.has(oid) && (type.name !== name || type.namespace !== namespace))) {
      type = opaqueType({ oid, namespace, name });
      this.pinned.set(oid, type);
    }
    return type;
  }

  /** Makes a declared type, and its array type. */
  declare({ name, value: declaration }: Named<TypeDeclaration>, maker: TypeMaker): void {
    const qualified = parseQualifiedName(name.value);
    if (qualified === undefined) {
      this.compilation.report('invalid-value', name.at, '`types` takes names of types as its keys');
      return;
    }
    const arrayOid = maker.takeOid(declaration.arrayOid?.value);
    const fields = { ...qualified, oid: maker.takeOid(declaration.oid?.value), arrayOid };
    const type = this.make(declaration, fields);
    if (type === undefined) {
      this.compilation.problems.lost.push(name.at);
      return;
    }
    const array = arrayOf(type);
    this.byName.set(`${qualified.namespace}.${qualified.name}`, type);
    this.arrays.set(type, array);
    maker.createType(type);
    maker.createType(array);
  }

  /** ALTER TYPE. @returns what takes the place of the type, of its array type, and of the types that consist of them */
  alter(type: PgType, altered: Pick<PgType, 'name' | 'namespace' | 'labels'>): PgType[] {
    const replaced = new Map<PgType, PgType>();
    // A type stands behind those that it consists of.
    for (const [name, old] of [...this.byName]) {
      const now = rebuiltType(old, replaced, old === type ? altered : old);
      if (now === old) continue;
      replaced.set(old, now);
      this.byName.delete(name);
      this.byName.set(`${now.namespace}.${now.name}`, now);
      const array = arrayOf(now);
      replaced.set(this.arrays.get(old)!, array);
      this.arrays.delete(old);
      this.arrays.set(now, array);
    }
    return [...replaced.values()];
  }

  private make(declaration: TypeDeclaration, fields: Parameters<typeof enumType>[0]): PgType | undefined {
    if (declaration.enum !== undefined) {
      return enumType(
        fields,
        declaration.enum.map((label) => label.value),
      );
    }
    if (declaration.domain !== undefined) {
      const base = this.resolve(declaration.domain);
      return base && domainType(fields, base.type, base.typeModifier);
    }
    if (declaration.range !== undefined) {
      const subtype = this.resolve(declaration.range.subtype);
      return subtype && rangeType(fields, subtype.type);
    }
    if (declaration.composite !== undefined) {
      const attributes = declaration.composite.map(({ name, value }) => ({
        name: name.value,
        ...this.resolve(value.type),
      }));
      const known = attributes.flatMap(({ type, typeModifier, name }) =>
        type === undefined ? [] : [{ name, type, typeModifier: typeModifier ?? -1 }],
      );
      return known.length === attributes.length ? compositeType(fields, known) : undefined;
    }
    return undefined;
  }
}

/** What to do where YAML ended `numeric(10` at its comma, which it does within braces. */
function quoteIfCut(type: string): string | undefined {
  return /\(\s*\d+$/.test(type) ? `a comma within { } ends a value: quote it, as in "${type},…)"` : undefined;
}
