/** The types of one catalog state: the built-in ones of the major, user-defined ones, and the row types of tables. */
import {
  arrayOf,
  compositeType,
  formatType,
  ValueError,
  type OutputSettings,
  type PgType,
} from '../../postgres/index.js';
import type { Catalog, Table } from '../../timeline/catalog.js';
import { oidOfTableObject } from '../derived-oids.js';
import { NotEmulated } from '../failure.js';
import { perMajor } from '../system/lines.js';
import { castMethod } from './casts.js';
import { builtinType, objectIdentifierType } from './own-types.js';
import { builtinTypeFacts, userTypeFacts, type TypeFacts } from './type-facts.js';

const builtinByOid = perMajor((major) => new Map(builtinTypeFacts(major).map((facts) => [facts.oid, facts])));
const builtinByName = perMajor((major) => new Map(builtinTypeFacts(major).map((facts) => [facts.name, facts])));

/** regclass and its kin: values are OIDs that print as names. (Those of regproc are names: functions have no OIDs here.) */
export function isObjectIdentifier(facts: TypeFacts): boolean {
  return facts.namespace === 'pg_catalog' && facts.category === 'N' && /^reg(?!proc$)/.test(facts.name);
}

export class TypeSpace {
  private readonly user = new Map<number, PgType>();
  private readonly userFacts = new Map<number, TypeFacts>();

  constructor(
    readonly major: number,
    catalog: Catalog,
  ) {
    for (const type of catalog.types.values()) this.addUserType(type);
    for (const table of catalog.tables.values()) this.addRowType(table);
  }

  private addUserType(type: PgType, relation = 0): void {
    const base = type.kind === 'domain' && type.element ? this.byOid(type.element.oid) : undefined;
    this.user.set(type.oid, type);
    this.userFacts.set(type.oid, userTypeFacts(type, base, relation));
    if (type.arrayOid !== 0 && !this.user.has(type.arrayOid)) this.addUserType(arrayOf(type));
  }

  private addRowType(table: Table): void {
    const { oid, namespace, name } = table;
    const fields = table.columns.map(({ name, type, typeModifier }) => ({ name, type, typeModifier }));
    const rowType = { oid: oidOfTableObject(oid, 'rowType'), arrayOid: oidOfTableObject(oid, 'rowArray') };
    this.addUserType(compositeType({ ...rowType, namespace, name }, fields), oid);
  }

  byOid(oid: number): TypeFacts | undefined {
    return builtinByOid(this.major).get(oid) ?? this.userFacts.get(oid);
  }

  /** @throws Error for an OID that no type has: the evaluator made it up. */
  facts(oid: number): TypeFacts {
    const facts = this.byOid(oid);
    if (facts === undefined) throw new Error(`no type has OID ${oid}`);
    return facts;
  }

  /** @param searchPath schemas to look in for a name without one; pg_catalog comes first */
  byName(namespace: string | undefined, name: string, searchPath: readonly string[]): TypeFacts | undefined {
    if (namespace === undefined || namespace === 'pg_catalog') {
      const builtin = builtinByName(this.major).get(name);
      if (builtin !== undefined) return builtin;
    }
    for (const schema of namespace === undefined ? searchPath : [namespace]) {
      for (const facts of this.userFacts.values()) {
        if (facts.name === name && facts.namespace === schema) return facts;
      }
    }
    return undefined;
  }

  all(): TypeFacts[] {
    return [...builtinTypeFacts(this.major), ...this.userFacts.values()];
  }

  userType(oid: number): PgType | undefined {
    return this.user.get(oid);
  }

  /** Input, output and send of a type. @throws NotEmulated where nothing is known of its values. */
  pgType(oid: number): PgType {
    const user = this.user.get(oid);
    if (user !== undefined) return user;
    const facts = this.facts(oid);
    if (isObjectIdentifier(facts)) return objectIdentifierType(oid, facts.name);
    const known = builtinType(oid);
    if (known !== undefined) return known;
    const element = facts.kind === 'b' && facts.element !== 0 ? this.facts(facts.element) : undefined;
    if (element?.array === oid) return arrayOf(this.pgType(element.oid), oid, facts.name);
    throw new NotEmulated(`values of type ${facts.name}`);
  }

  /** format_type(). @param typeModifier undefined: not given, which differs from -1 for char and bit */
  format(oid: number, typeModifier: number | undefined, searchPath: readonly string[]): string {
    if (oid === 0) return '-';
    const facts = this.byOid(oid);
    if (facts === undefined) return '???';
    const element = facts.category === 'A' && facts.element !== 0 ? this.facts(facts.element) : undefined;
    if (element?.array === oid) return `${this.format(element.oid, typeModifier, searchPath)}[]`;
    const user = this.user.get(oid);
    if (user !== undefined) return formatType(user, typeModifier, this.major, searchPath);
    return formatType({ kind: 'base', namespace: 'pg_catalog', name: facts.name } as PgType, typeModifier, this.major);
  }

  /** Element type of an array, int2vector or oidvector; 0 for others. */
  elementOf(oid: number): number {
    const facts = this.facts(this.baseOf(oid));
    return facts.category === 'A' ? facts.element : 0;
  }

  /** The base type of a domain (of domains), any other type itself. */
  baseOf(oid: number): number {
    let facts = this.byOid(oid);
    while (facts?.base) facts = this.byOid(facts.base);
    return facts?.oid ?? oid;
  }

  /** Attributes of a composite type; undefined for other types and for `record`. */
  fieldsOf(oid: number): readonly { name: string; type: number; typmod: number }[] | undefined {
    return this.user.get(this.baseOf(oid))?.fields?.map(({ name, type, typeModifier }) => ({
      name,
      type: type.oid,
      typmod: typeModifier,
    }));
  }

  /** Implicitly. */
  converts(from: number, to: number): boolean {
    return castMethod(this, from, to, 'implicit') !== undefined;
  }

  /** @throws ValueError 42883 */
  send(oid: number, canonical: string, settings: OutputSettings): Uint8Array {
    const type = this.pgType(oid);
    if (type.send === undefined) {
      throw new ValueError('42883', `no binary output function available for type ${this.format(oid, -1, [])}`);
    }
    return type.send(canonical, settings);
  }
}
