/** A short way to write what a workload does, as calls of the database. */
import {
  Database,
  type ColumnDeclaration,
  type OpenTransaction,
  type RowValues,
  type TableDeclaration,
} from '../../src/database/index.js';
import {
  arrayOf,
  compositeType,
  domainType,
  enumType,
  parseTypeName,
  typeByName,
  type PgType,
} from '../../src/postgres/index.js';
import { OutOfLine, type Datum } from '../../src/timeline/datum.js';

export type Value = string | number | null | Datum;

/** Where the stream was read in a connection of its own. */
export interface Capture {
  readonly label: string;
  readonly lsn: bigint;
  readonly confirmed: boolean;
}

export const big = (text: string): OutOfLine => new OutOfLine(text);

export class Stopped extends Error {}

export class Script {
  readonly db: Database;
  readonly captures: Capture[] = [];
  readonly types = new Map<string, PgType>();

  /** @param stopAt - the label of the capture at which the script ends */
  constructor(
    readonly major: number,
    private readonly stopAt?: string,
  ) {
    this.db = new Database({
      server: { major, version: `${major}.1`, systemId: '1', timelineId: 1, startLsn: 0x1000000n, clock: 1_000_000n },
      clockStep: 1000n,
      nextXid: 700,
    });
  }

  /** `id int4 pk` … : name, type, then pk, not null, stored, virtual, identity. */
  columns(...texts: string[]): { columns: ColumnDeclaration[]; key: string[] } {
    const key: string[] = [];
    const columns = texts.map((text): ColumnDeclaration => {
      const [, name, typeText, rest] = /^(\S+) (\S+(?:\([\d,]+\))?)(.*)$/.exec(text)!;
      if (rest!.includes(' pk')) key.push(name!);
      const known = this.types.get(typeText!);
      const { type, typeModifier } =
        known === undefined ? parseTypeName(typeText!, this.major) : { type: known, typeModifier: -1 };
      return {
        name: name!,
        type,
        typeModifier,
        notNull: rest!.includes(' not null'),
        identity: rest!.includes(' identity'),
        ...(rest!.includes(' stored')
          ? { generated: 'stored' }
          : rest!.includes(' virtual')
            ? { generated: 'virtual' }
            : {}),
      };
    });
    return { columns, key };
  }

  declaration(name: string, columns: string[], more: Partial<TableDeclaration> = {}): TableDeclaration {
    const { columns: parsed, key } = this.columns(...columns);
    const [namespace, local] = name.includes('.') ? (name.split('.') as [string, string]) : ['public', name];
    return {
      namespace,
      name: local,
      columns: parsed,
      ...(key.length > 0 ? { primaryKey: { columns: key } } : {}),
      ...more,
    };
  }

  table(name: string, columns: string[], more: Partial<TableDeclaration> = {}): void {
    this.db.createTable(this.declaration(name, columns, more));
  }

  enum(name: string, labels: string[], namespace = 'public'): PgType {
    const oid = this.db.takeOid();
    const type = enumType({ oid, namespace, name, arrayOid: this.db.takeOid() }, labels);
    return this.#keep(name, type);
  }

  domain(name: string, base: string, namespace = 'public'): PgType {
    const known = this.types.get(base);
    const { type, typeModifier } =
      known === undefined ? parseTypeName(base, this.major) : { type: known, typeModifier: -1 };
    return this.#keep(name, domainType({ oid: this.db.takeOid(), namespace, name, arrayOid: 0 }, type, typeModifier));
  }

  composite(name: string, fields: [string, string][], namespace = 'public'): PgType {
    const oid = this.db.takeOid();
    const resolved = fields.map(([field, text]) => ({
      name: field,
      type: this.types.get(text) ?? typeByName(text)!,
      typeModifier: -1,
    }));
    return this.#keep(name, compositeType({ oid, namespace, name, arrayOid: this.db.takeOid() }, resolved));
  }

  array(name: string, element: string): PgType {
    return this.#keep(name, arrayOf(this.types.get(element)!));
  }

  #keep(name: string, type: PgType): PgType {
    this.types.set(name, type);
    this.db.createType(type);
    return type;
  }

  publication(name: string, tables: string[] | 'all', more: Record<string, unknown> = {}): void {
    this.db.createPublication({
      name,
      ...(tables === 'all' ? { allTables: true } : { tables: tables.map((table) => ref(table)) }),
      ...more,
    });
  }

  /** A transaction of its own. */
  tx(body: (tx: Tx) => void, options: Parameters<Database['begin']>[0] = {}): void {
    const tx = this.begin(options);
    body(tx);
    tx.open.commit();
  }

  begin(options: Parameters<Database['begin']>[0] = {}): Tx {
    return new Tx(this.db.begin(options), this);
  }

  /** WAL that has nothing to do with the stream, so that what follows does not begin where something ended. */
  gap(): void {
    this.db.message({ prefix: '', content: new Uint8Array() });
  }

  /** @throws Stopped */
  capture(label: string, confirmed: boolean): void {
    this.captures.push({ label, lsn: this.db.lsn, confirmed });
    if (label === this.stopAt) throw new Stopped();
  }
}

export class Tx {
  constructor(
    readonly open: OpenTransaction,
    private readonly script: Script,
  ) {}

  insert(table: string, ...rows: Value[][]): void {
    for (const row of rows) this.open.insert(ref(table), this.#row(table, row));
  }

  copy(table: string, ...rows: Value[][]): void {
    this.open.copy(
      ref(table),
      rows.map((row) => this.#row(table, row)),
    );
  }

  update(table: string, where: Record<string, Value>, set: Record<string, Value>): void {
    this.open.update(ref(table), { where: texts(where), set: texts(set) });
  }

  delete(table: string, where: Record<string, Value> = {}): void {
    this.open.delete(ref(table), { where: texts(where) });
  }

  truncate(...tables: string[]): void {
    this.open.truncate(tables.map((table) => ref(table)));
  }

  filler(count = 40): void {
    for (let i = 0; i < count; i++) this.insert('filler', [i, 'f']);
  }

  message(prefix: string, text: string): void {
    this.open.message({ prefix, content: new TextEncoder().encode(text) });
  }

  addColumn(table: string, column: string, more: Partial<ColumnDeclaration> = {}): void {
    const declaration = { ...this.script.columns(column).columns[0]!, ...more };
    this.open.alterTable(ref(table), [{ kind: 'addColumn', column: declaration }]);
  }

  dropColumn(table: string, name: string): void {
    this.open.alterTable(ref(table), [{ kind: 'dropColumn', name }]);
  }

  #row(table: string, row: Value[]): RowValues {
    const { namespace, name } = ref(table);
    const found = [...this.open.catalog.tables.values()].find((t) => t.namespace === namespace && t.name === name)!;
    return texts(Object.fromEntries(row.map((value, i) => [found.columns[i]!.name, value])));
  }
}

export function ref(name: string): { namespace: string; name: string } {
  const [namespace, local] = name.includes('.') ? (name.split('.') as [string, string]) : ['public', name];
  return { namespace, name: local };
}

function texts(values: Record<string, Value>): RowValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  );
}
