/** A table of a dump while its statements are read: CREATE TABLE, then what ALTER TABLE and CREATE INDEX add to it. */
import type {
  AlterTableCmd,
  ColumnDef,
  Constraint,
  CreateStmt,
  IndexStmt,
  Node as SqlNode,
  PartitionSpec,
} from 'libpg-query';
import type { QualifiedName } from '../format/names.js';
import type { Entry, Node } from '../node.js';
import type { Span } from '../source.js';
import type { DumpReading } from './dump-reading.js';
import { nameKey, nameOf } from './dump-names.js';
import { mapOf, mapOfEntries, names, plain, quoted } from './dump-nodes.js';
import { boundEntries, constantNode } from './dump-values.js';
import { stringOf, typeText } from './type-text.js';

interface DumpColumn {
  readonly name: string;
  readonly at: Span;
  readonly type: string;
  notNull: boolean;
  identity: boolean;
  default: Node | undefined;
  generated: Node | undefined;
}

export class DumpTable {
  readonly columns: DumpColumn[] = [];
  readonly partitions: DumpTable[] = [];
  private primaryKey: Node | undefined;
  private readonly indexes: Entry[] = [];
  private replicaIdentity: Node | undefined;
  private readonly partitionBy: Node | undefined;
  readonly inherits: readonly string[];
  /** Of a partition: its bounds. */
  private bounds: Readonly<Record<string, Node | undefined>> = {};
  private parent: DumpTable | undefined;

  constructor(
    readonly name: QualifiedName,
    readonly at: Span,
    statement: CreateStmt,
    private readonly reading: DumpReading,
  ) {
    const { tableElts = [], inhRelations = [], partspec, partbound, ofTypename } = statement;
    if (ofTypename !== undefined) reading.refuse(at, 'CREATE TABLE … OF');
    for (const element of tableElts) {
      if ('ColumnDef' in element) this.addColumn(element.ColumnDef);
      else if ('Constraint' in element) this.addConstraint(element.Constraint);
      else reading.refuse(at, 'CREATE TABLE … LIKE');
    }
    this.partitionBy = partspec && this.partitioning(partspec);
    const parents = inhRelations.map((node) =>
      nameKey(nameOf((node as Extract<SqlNode, { RangeVar: unknown }>).RangeVar, reading.schema)),
    );
    this.inherits = partbound === undefined ? parents : [];
    if (partbound !== undefined) reading.attach(parents[0]!, this, boundEntries(partbound, at));
  }

  addColumn({ colname = '', typeName, constraints = [], location }: ColumnDef): void {
    const at = this.reading.text.span(location);
    const column: DumpColumn = {
      name: colname,
      at,
      type: typeText(typeName ?? {}),
      notNull: false,
      identity: false,
      default: undefined,
      generated: undefined,
    };
    this.columns.push(column);
    const serial = /^(?:(?:big|small)?serial\d?)$/.test(column.type);
    if (serial) column.identity = true;
    for (const node of constraints) {
      if ('Constraint' in node) this.columnConstraint(column, node.Constraint);
    }
  }

  private columnConstraint(column: DumpColumn, constraint: Constraint): void {
    switch (constraint.contype) {
      case 'CONSTR_NOTNULL':
        column.notNull = true;
        return;
      case 'CONSTR_DEFAULT':
        this.setDefault(column, constraint.raw_expr!);
        return;
      case 'CONSTR_GENERATED': {
        const stored = plain(String(constraint.generated_kind !== 'v'), column.at);
        const as = this.reading.parenthesized(constraint.location ?? 0);
        column.generated = mapOf({ as: quoted(as, column.at), stored }, column.at);
        return;
      }
      case 'CONSTR_IDENTITY':
        column.identity = true;
        return;
      case 'CONSTR_PRIMARY':
      case 'CONSTR_UNIQUE':
        this.addConstraint({ ...constraint, keys: [{ String: { sval: column.name } }] });
        return;
      default:
        this.addConstraint(constraint);
    }
  }

  private setDefault(column: DumpColumn, expression: SqlNode): void {
    const call = 'FuncCall' in expression ? expression.FuncCall.funcname?.map(stringOf).at(-1) : undefined;
    if (call === 'nextval') {
      column.identity = true;
      return;
    }
    column.default = constantNode(expression, column.at);
    if (column.default === undefined)
      this.reading.skip('a DEFAULT that is no constant (rows give the value)', column.at);
  }

  addConstraint(constraint: Constraint): void {
    const { contype, conname, keys = [], deferrable, location, indexname } = constraint;
    const at = location === undefined ? this.at : this.reading.text.span(location);
    const columns = names(keys.map(stringOf), at);
    switch (contype) {
      case 'CONSTR_PRIMARY':
        if (indexname !== undefined) this.reading.refuse(at, 'PRIMARY KEY USING INDEX');
        this.primaryKey = deferrable === true ? mapOf({ columns, deferrable: plain('true', at) }, at) : columns;
        break;
      case 'CONSTR_UNIQUE':
        // One that may be violated for a while is neither an identity nor checked row by row.
        if (deferrable === true) this.reading.skip('a DEFERRABLE unique constraint', at);
        else this.addIndex(conname ?? this.constraintName(keys.map(stringOf)), true, keys.map(stringOf), at);
        break;
      case 'CONSTR_NOTNULL':
        for (const column of this.columns) if (keys.some((key) => stringOf(key) === column.name)) column.notNull = true;
        break;
      case 'CONSTR_CHECK':
        this.reading.skip('CHECK', at);
        break;
      case 'CONSTR_FOREIGN':
        this.reading.skip('FOREIGN KEY', at);
        break;
      case 'CONSTR_EXCLUSION':
        this.reading.skip('EXCLUDE', at);
        break;
      default:
        break;
    }
  }

  /** As the server names it. */
  private constraintName(columns: readonly string[]): string {
    return `${this.name.name}_${columns.join('_')}_key`;
  }

  index({ idxname = '', unique, indexParams = [], whereClause, relation }: IndexStmt): void {
    const at = this.reading.text.span(relation?.location);
    const columns = indexParams.map((node) => ('IndexElem' in node ? node.IndexElem.name : undefined));
    const isPlain = whereClause === undefined && !columns.includes(undefined);
    if (isPlain) this.addIndex(idxname, unique === true, columns as string[], at);
    else this.reading.skip('an index over expressions or some of the rows', at);
  }

  private addIndex(name: string, unique: boolean, columns: readonly string[], at: Span): void {
    const value = mapOf({ [unique ? 'unique' : 'columns']: names(columns, at) }, at);
    this.indexes.push({ key: name, keyAt: at, value });
  }

  /** One of those in `alterEffects` that are read. */
  alter({ subtype, name, def }: AlterTableCmd): void {
    const column = this.columns.find((candidate) => candidate.name === name);
    switch (subtype) {
      case 'AT_AddConstraint':
        if (def && 'Constraint' in def) this.addConstraint(def.Constraint);
        return;
      case 'AT_AddColumn':
        if (def && 'ColumnDef' in def) this.addColumn(def.ColumnDef);
        return;
      case 'AT_AddIdentity':
        if (column) column.identity = true;
        return;
      case 'AT_ColumnDefault':
        if (column && def) this.setDefault(column, def);
        else if (column) column.default = undefined;
        return;
      case 'AT_SetNotNull':
        if (column) column.notNull = true;
        return;
      case 'AT_DropNotNull':
        if (column) column.notNull = false;
        return;
      case 'AT_ReplicaIdentity':
        if (def && 'ReplicaIdentityStmt' in def) this.identity(def.ReplicaIdentityStmt);
        return;
      case 'AT_AttachPartition':
        if (def && 'PartitionCmd' in def && def.PartitionCmd.bound) {
          const child = this.reading.table(def.PartitionCmd.name!);
          if (child) this.reading.attach(nameKey(this.name), child, boundEntries(def.PartitionCmd.bound, child.at));
        }
        return;
      default:
        return;
    }
  }

  private identity({ identity_type: kind, name = '' }: { identity_type?: string; name?: string }): void {
    const word = { d: 'default', f: 'full', n: 'nothing' }[kind ?? ''];
    this.replicaIdentity = word === undefined ? mapOf({ index: quoted(name, this.at) }, this.at) : plain(word, this.at);
  }

  private partitioning({ strategy, partParams = [], location }: PartitionSpec): Node | undefined {
    const at = this.reading.text.span(location);
    const columns = partParams.map((node) => ('PartitionElem' in node ? node.PartitionElem.name : undefined));
    if (columns.includes(undefined)) {
      this.reading.refuse(at, 'partitioning by an expression');
      return undefined;
    }
    const key = (strategy ?? '').replace('PARTITION_STRATEGY_', '').toLowerCase();
    return mapOf({ [key]: names(columns as string[], at) }, at);
  }

  becomePartition(parent: DumpTable, bounds: Readonly<Record<string, Node | undefined>>): void {
    parent.partitions.push(this);
    this.parent = parent;
    this.bounds = bounds;
  }

  get isTop(): boolean {
    return this.parent === undefined;
  }

  private get hasKey(): boolean {
    return this.primaryKey !== undefined || this.parent?.hasKey === true;
  }

  entry(key: string): Entry {
    return { key, keyAt: this.at, value: mapOf({ ...this.bounds, ...this.properties() }, this.at) };
  }

  private properties(): Readonly<Record<string, Node | undefined>> {
    const common = {
      columns: this.parent === undefined ? this.columnNodes() : this.columnOrder(this.parent),
      primary_key: this.parent?.hasKey === true ? undefined : this.primaryKey,
      replica_identity: this.replicaIdentity,
      indexes: this.indexes.length === 0 ? undefined : mapOfEntries(this.indexes, this.at),
      partition_by: this.partitionBy,
      partitions:
        this.partitions.length === 0
          ? undefined
          : mapOfEntries(
              this.partitions.map((partition) => partition.entry(nameKey(partition.name))),
              this.at,
            ),
    };
    return this.inherits.length === 0 ? common : { ...common, inherits: names(this.inherits, this.at) };
  }

  private columnNodes(): Node {
    return mapOfEntries(
      this.columns.map((column) => ({ key: column.name, keyAt: column.at, value: columnNode(column) })),
      this.at,
    );
  }

  /** A partition has its parent's columns: all that it can say of them is another order. */
  private columnOrder(parent: DumpTable): Node | undefined {
    const isOther = this.columns.some(({ name }, i) => name !== parent.columns[i]?.name);
    return isOther
      ? names(
          this.columns.map(({ name }) => name),
          this.at,
        )
      : undefined;
  }
}

/** Short where the type and NOT NULL are all there is. */
function columnNode({ type, at, notNull, identity, default: value, generated }: DumpColumn): Node {
  const isShort = value === undefined && generated === undefined;
  if (isShort) return quoted(`${type}${identity ? ' identity' : notNull ? ' not null' : ''}`, at);
  const flag = (set: boolean): Node | undefined => (set ? plain('true', at) : undefined);
  const flags = { not_null: flag(notNull), identity: flag(identity) };
  return mapOf({ type: quoted(type, at), ...flags, default: value, generated }, at);
}
