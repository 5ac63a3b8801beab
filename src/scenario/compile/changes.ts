/** The changes of a transaction, carried out in the database. */
import type { AbortPins, OpenTransaction, Place, Publisher, RowValues, UpdateStatement } from '../../database/index.js';
import type { Table } from '../../timeline/catalog.js';
import type { SourcePosition } from '../../timeline/timeline.js';
import { hashRound } from '../faker.js';
import type { Change, ChangeOf } from '../format/changes.js';
import { formatName, type QualifiedName } from '../format/names.js';
import type { Text } from '../format/texts.js';
import type { Row } from '../format/values.js';
import type { Read } from '../object.js';
import type { Located } from '../source.js';
import { evaluateTemplate, type TemplateScope } from '../template.js';
import { TemplateError } from '../template-error.js';
import type { Compilation } from './compilation.js';
import { attempt, settle, type StatementParts } from './refusal.js';
import { givenRow, rowValues } from './rows.js';
import {
  alterPublication,
  alterTable,
  alterUserType,
  announceAs,
  createPublications,
  createTables,
  createTypes,
} from './ddl.js';
import { runSqlWithin } from './sql.js';
import { isFault, scenarioStep } from './steps.js';

const rowKeys = ['row', 'rows', 'where', 'set', 'old', 'key', 'new'] as const;

/** Where changes run: a transaction, and the rounds of the `repeat`s around. */
export class ChangeRunner {
  #scope: TemplateScope | undefined;

  constructor(
    readonly compilation: Compilation,
    readonly transaction: OpenTransaction,
    /** Undefined in a `repeat` within the transaction, whose rounds write nothing beside it. */
    private readonly publisher: Publisher | undefined,
    readonly index: number | undefined,
    readonly round: number,
  ) {}

  get scope(): TemplateScope {
    this.#scope ??= this.compilation.scope(this.index, this.round, () => this.transaction.xid);
    return this.#scope;
  }

  run(changes: readonly Change[]): void {
    for (const change of changes) this.change(change);
  }

  change(change: Change): void {
    // That of a fault is where something lies, and no pin.
    if ('lsn' in change && !isFault(change) && change.lsn !== undefined) this.transaction.reach(change.lsn.value);
    switch (change.kind) {
      case 'insert':
        this.insert(change);
        break;
      case 'update':
        this.update(change);
        break;
      case 'delete':
        this.delete(change);
        break;
      case 'truncate':
        this.truncate(change);
        break;
      case 'message':
        this.message(change);
        break;
      case 'announce':
        if (change.as === undefined) {
          this.tables(change, 'announce', change.announce, (tables) =>
            this.transaction.announce(tables, place(change)),
          );
        } else announceAs(this, change, change.as);
        break;
      case 'drop_table':
        this.tables(change, 'DROP TABLE', change.dropTable, (tables) => {
          for (const table of tables) this.transaction.dropTable(table, place(change));
        });
        break;
      case 'alter':
        alterTable(this, change);
        break;
      case 'create_table':
        createTables(this, change);
        break;
      case 'create_publication':
        createPublications(this, change);
        break;
      case 'alter_publication':
        alterPublication(this, change);
        break;
      case 'drop_publication':
        this.attempt(change, 'DROP PUBLICATION', () =>
          this.transaction.dropPublication(change.dropPublication.value, place(change)),
        );
        break;
      case 'create_schema':
      case 'drop_schema':
        this.attempt(change, change.kind === 'create_schema' ? 'CREATE SCHEMA' : 'DROP SCHEMA', () =>
          this.transaction.changeSchemas(place(change)),
        );
        break;
      case 'rename_schema':
        for (const { name, value } of change.renameSchema) {
          this.attempt(change, 'ALTER SCHEMA', () =>
            this.transaction.renameSchema(name.value, value.value, place(change)),
          );
        }
        break;
      case 'create_type':
        createTypes(this, change);
        break;
      case 'alter_type':
        alterUserType(this, change);
        break;
      case 'sql':
        runSqlWithin(change, this.compilation, this.transaction);
        break;
      case 'subtransaction':
        this.subtransaction(change);
        break;
      case 'savepoint':
        this.attempt(change, 'SAVEPOINT', () => this.transaction.savepoint(change.savepoint.value, change.xid?.value));
        break;
      case 'release':
        this.attempt(change, 'RELEASE', () => this.transaction.release(change.release.value));
        break;
      case 'rollback_to':
        this.attempt(change, 'ROLLBACK TO', () =>
          this.transaction.rollbackTo(change.rollbackTo.value, abortPins(change), change.xid?.value),
        );
        break;
      case 'repeat':
        this.repeat(change);
        break;
      default:
        this.fault(change);
    }
  }

  private insert(change: ChangeOf<'insert'>): void {
    const table = this.table(change.insert);
    if (table === undefined || this.isDamaged(change)) return;
    if (change.new !== undefined) {
      const seen = change.new;
      const values = rowValues(seen, table, this.compilation, this.scope);
      if (values === undefined) return this.loseRow(change);
      const statement = (): void => this.transaction.insertSeen(change.insert.value, values, place(change));
      this.statement(change, 'INSERT', table, [seen], statement);
      return;
    }
    if (change.copy?.value === true) {
      const rows: RowValues[] = [];
      this.eachRow(change, (row, scope) => {
        const values = rowValues(row, table, this.compilation, scope);
        if (values === undefined) this.loseRow(change);
        else rows.push(values);
      });
      this.statement(change, 'COPY', table, [], () => this.transaction.copy(change.insert.value, rows, place(change)));
      return;
    }
    let at = place(change);
    this.eachRow(change, (row, scope) => {
      const values = givenRow(row, table, this.compilation, scope);
      if (values === undefined) return this.loseRow(change);
      this.statement(change, 'INSERT', table, [row], () => this.transaction.insertGiven(values, at));
      // A pin is the first row's.
      at = { source: change.source };
    });
  }

  private eachRow(change: ChangeOf<'insert'>, add: (row: Row, scope: TemplateScope) => void): void {
    if (change.row !== undefined) add(change.row, this.scope);
    for (const { row, repeat } of change.rows ?? []) {
      if (repeat === null) add(row, this.scope);
      else {
        for (let i = 0; i < repeat.value; i++) {
          add(
            row,
            this.compilation.scope(i, hashRound(this.round, i), () => this.transaction.xid),
          );
        }
      }
    }
  }

  private update(change: ChangeOf<'update'>): void {
    const table = this.table(change.update);
    if (table === undefined || this.isDamaged(change)) return;
    const parts = [change.where, change.set, change.old, change.key, change.new];
    const values = parts.map((row) => row && rowValues(row, table, this.compilation, this.scope));
    if (parts.some((row, i) => row !== undefined && values[i] === undefined)) return this.loseRow(change);
    const [where, set, old, key, next] = values;
    let statement: UpdateStatement;
    if (where !== undefined && set !== undefined) statement = { where, set };
    else if (next === undefined) return;
    else if (old !== undefined) statement = { old, new: next };
    else statement = key === undefined ? { new: next } : { key, ...loggedOf(change), new: next };
    this.statement(change, 'UPDATE', table, parts, () => {
      this.transaction.update(change.update.value, statement, place(change));
    });
  }

  private delete(change: ChangeOf<'delete'>): void {
    const table = this.table(change.delete);
    if (table === undefined || this.isDamaged(change)) return;
    const written = change.where ?? change.old ?? change.key;
    const values = written && rowValues(written, table, this.compilation, this.scope);
    if (values === undefined) return this.loseRow(change);
    const statement = change.where
      ? { where: values }
      : change.old
        ? { old: values }
        : { key: values, ...loggedOf(change) };
    this.statement(change, 'DELETE', table, [written], () => {
      this.transaction.delete(change.delete.value, statement, place(change));
    });
  }

  private truncate(change: ChangeOf<'truncate'>): void {
    const options = {
      cascade: change.cascade?.value ?? false,
      restartIdentity: change.restartIdentity?.value ?? false,
      only: change.only?.value ?? false,
    };
    this.tables(change, 'TRUNCATE', change.truncate, (tables) => {
      this.transaction.truncate(tables, options, place(change));
    });
  }

  private message(change: ChangeOf<'message'>): void {
    const message = messageStatement(change.message, this.scope, this.compilation);
    if (message === undefined) return;
    this.attempt(change, 'message', () => {
      if (change.message.transactional?.value !== false) this.transaction.message(message, place(change));
      else if (this.publisher !== undefined) this.publisher.message(message, place(change));
      else {
        const what = 'a message that is not transactional cannot be repeated inside a transaction';
        this.compilation.report('not-supported', change.at, what);
      }
    });
  }

  private subtransaction(change: ChangeOf<'subtransaction'>): void {
    const { xid, rollback, changes } = change.subtransaction;
    this.attempt(change, 'subtransaction', () => {
      this.transaction.beginSubtransaction(xid?.value);
      this.run(changes);
      this.transaction.endSubtransaction(
        rollback?.value === true ? 'rollback' : 'commit',
        abortPins(change.subtransaction),
      );
    });
  }

  private repeat(change: ChangeOf<'repeat'>): void {
    const { rounds, indexOf, track } = this.compilation.rounds(change);
    this.transaction.repeat(
      rounds,
      (transaction, i) => {
        const index = indexOf(i);
        const round = hashRound(this.round, index);
        new ChangeRunner(this.compilation, transaction, undefined, index, round).run(change.changes);
      },
      { track },
    );
  }

  private fault(change: Change): void {
    if (!isFault(change)) return;
    const step = scenarioStep(change, this.compilation);
    if (step === undefined) return;
    if (step.kind === 'label') this.compilation.label(change, step.name, this.index, this.publisher?.lsn);
    this.transaction.step(step);
  }

  table(name: Located<QualifiedName>): Table | undefined {
    return this.compilation.table(name, this.transaction.catalog);
  }

  private tables(
    change: Change,
    what: string,
    names: readonly Located<QualifiedName>[],
    statement: (tables: readonly QualifiedName[]) => void,
  ): void {
    const tables = names.flatMap((name) => this.table(name) ?? []);
    if (tables.length < names.length) return this.lose(change);
    this.attempt(change, `${what} ${tables.map(formatName).join(', ')}`, () =>
      statement(names.map((name) => name.value)),
    );
  }

  private statement(
    change: Change,
    verb: string,
    table: Table,
    rows: NonNullable<StatementParts['rows']>,
    statement: () => void,
  ): void {
    // Nearly none is refused, and there may be millions: what is said of a refusal is put together when there is one.
    try {
      statement();
    } catch (error) {
      const publishers = (action: 'update' | 'delete'): readonly string[] => this.publishersOf(table, action);
      settle(error, this.compilation, { what: `${verb} on ${formatName(table)}`, step: change, rows, publishers });
    }
  }

  private publishersOf(table: Table, action: 'update' | 'delete'): readonly string[] {
    return [...(this.transaction.catalog.publications?.values() ?? [])]
      .filter((publication) => publication.publish[action])
      .filter(
        ({ allTables, tables, schemas }) => allTables || tables.has(table.oid) || schemas.includes(table.namespace),
      )
      .map((publication) => publication.name);
  }

  attempt(change: Read, what: string, statement: () => void): void {
    attempt(this.compilation, { what, step: change }, statement);
  }

  /** Whether one of its rows could not be read (reported): without it the change would be another one. */
  private isDamaged(change: Change & Partial<Record<(typeof rowKeys)[number], unknown>>): boolean {
    const damaged = rowKeys.some((key) => change.keys[key] !== undefined && change[key] === undefined);
    if (damaged) this.loseRow(change);
    return damaged;
  }

  lose(change: Read): void {
    this.compilation.problems.lost.push(change.whole);
  }

  private loseRow(change: Read): void {
    this.compilation.problems.lostRows.push(change.whole);
  }
}

function loggedOf({ logged }: ChangeOf<'update' | 'delete'>): { logged?: 'full' } {
  return logged?.value === 'full' ? { logged: 'full' } : {};
}

export function place(change: Read & { readonly lsn?: Located<bigint> | undefined }): Place {
  const { source, lsn } = change;
  return lsn === undefined ? { source } : { source, lsn: lsn.value };
}

export function abortPins(pins: {
  readonly source: SourcePosition;
  readonly abortLsn: readonly Located<bigint>[] | undefined;
  readonly abortTime: Located<bigint> | undefined;
  readonly streamed: Located<boolean> | undefined;
}): AbortPins {
  return {
    source: pins.source,
    ...(pins.abortLsn && { lsns: pins.abortLsn.map((lsn) => lsn.value) }),
    ...(pins.abortTime && { time: pins.abortTime.value }),
    ...(pins.streamed && { endsBlock: pins.streamed.value }),
  };
}

/** Undefined when its template means nothing (reported). */
export function messageStatement(
  message: ChangeOf<'message'>['message'],
  scope: TemplateScope,
  compilation: Compilation,
): { prefix: string; content: Uint8Array } | undefined {
  const prefix = textOf(message.prefix, scope, compilation);
  const content =
    message.content.value instanceof Uint8Array ? message.content.value : textOf(message.content, scope, compilation);
  if (prefix === undefined || content === undefined) return undefined;
  return { prefix, content: typeof content === 'string' ? new TextEncoder().encode(content) : content };
}

export function textOf({ value, at }: Text, scope: TemplateScope, compilation: Compilation): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) {
    return compilation.report('wrong-type', at, '!bytes is for the content of a message');
  }
  try {
    return evaluateTemplate(value, scope) ?? '';
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    return compilation.report('invalid-template', at, error.message, { hint: error.hint });
  }
}
