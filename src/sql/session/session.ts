/** A session: the simple and the extended query protocol over one state. */
import { WireError } from '../../values/wire-error.js';
import { ValueError } from '../../postgres/index.js';
import type {
  Field,
  SessionOptions,
  SqlOutput,
  SqlOutputs,
  SqlSession,
  StatementDescription,
  TransactionState,
} from '../engine.js';
import type { OutputSettings } from '../../postgres/index.js';
import type { Value } from '../expression/expression.js';
import { NotEmulated, SqlError, wireErrorOf } from '../failure.js';
import { parseStatements, type ParsedStatement } from '../parser.js';
import { Parameters } from '../query/parameters.js';
import { planStatement } from '../statements/dispatch.js';
import { endsFailedTransaction } from '../statements/transactions.js';
import { inputValue } from '../types/convert.js';
import { receiveValue } from '../types/receive.js';
import type { AdvisoryLocks } from './advisory-locks.js';
import type { Plan } from './plan.js';
import { fieldsOf, Portal } from './portal.js';
import type { SessionSettings } from './session-settings.js';
import { SessionState } from './session-state.js';
import { StatementStore, type PreparedStatement } from './statement-store.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** All of a session but what can be asked of it before the evaluator is loaded. */
export type LoadedSession = Omit<SqlSession, 'show' | 'reportedParameters'>;

export class Session implements LoadedSession {
  private readonly state: SessionState;
  private readonly store = new StatementStore();

  constructor(options: SessionOptions, locks: AdvisoryLocks, settings: SessionSettings) {
    this.state = new SessionState(options, locks, settings);
    this.state.preparedStatements = () => [...this.store.statements.values()].filter(({ name }) => name !== '');
    this.state.cursors = () => [...this.store.portals.values()].filter(({ name }) => name !== '');
  }

  get transactionStatus(): 'I' | 'T' | 'E' {
    return this.state.status === 'failed' ? 'E' : this.state.status === 'block' ? 'T' : 'I';
  }

  get transaction(): TransactionState | null {
    return this.state.state;
  }

  get outputSettings(): OutputSettings {
    return this.state.outputSettings;
  }

  *query(text: string): SqlOutputs {
    this.state.queryText = text;
    this.store.statements.delete('');
    this.store.closePortal('');
    try {
      const statements = parseStatements(text);
      if (statements.length === 0) yield { kind: 'empty' };
      for (const statement of statements) yield* this.runSimply(statement);
      this.sync();
    } catch (error) {
      throw this.failure(error, text);
    }
    yield* this.changedSettings();
  }

  private *runSimply(statement: ParsedStatement): Generator<SqlOutput> {
    this.admit(statement);
    const plan = planStatement(statement.node, statement.text, this.state, this.store, new Parameters([], false));
    const portal = new Portal('', plan, [], [], statement.text, this.state.host.now());
    const context = this.state.context([]);
    if (plan.kind === 'rows') {
      plan.check?.();
      yield { kind: 'rowDescription', fields: fieldsOf(plan.columns, context, []) };
    }
    yield* this.withNotices(portal.run(this.state, context, 0));
  }

  /** In a failed transaction only what ends it runs. Every statement runs in a transaction. */
  private admit({ node }: Pick<ParsedStatement, 'node'>): void {
    this.state.slept.clear();
    const kind = 'TransactionStmt' in node ? (node.TransactionStmt.kind ?? '') : '';
    if (!endsFailedTransaction(kind)) this.state.assertNotFailed();
    this.state.ensureTransaction();
  }

  /** Notices, and up to 13 changed settings, come as they arise. */
  private *withNotices(outputs: Iterable<SqlOutput>): Generator<SqlOutput> {
    for (const output of outputs) {
      for (const notice of this.state.pendingNotices.splice(0)) yield { kind: 'notice', notice };
      if (this.state.major < 14) yield* this.changedSettings();
      yield output;
    }
  }

  private *changedSettings(): Generator<SqlOutput> {
    for (const [name, value] of this.state.settings.changes()) yield { kind: 'parameter', name, value };
  }

  /** The error for the client; the transaction has failed by then. */
  private failure(error: unknown, text: string): unknown {
    this.fail();
    const known = wireErrorOf(error, text);
    if (known !== undefined) return known;
    if (error instanceof NotEmulated) return this.notEmulated(error, text);
    return error;
  }

  private notEmulated({ what, location }: NotEmulated, text: string): WireError {
    const reason = `${what} is not emulated`;
    this.state.host.unanswered(text, reason);
    const positioned = wireErrorOf(new SqlError({ code: '0A000', message: '' }, location), text)!;
    return new WireError({
      code: '0A000',
      message: `fake-walsender cannot answer this query: ${reason}`,
      detail: `Query: ${text.trim()}`,
      hint: 'Answer it in the scenario (answers:), by a query handler, or from a real server (upstream).',
      ...(positioned.position === undefined ? {} : { position: positioned.position }),
    });
  }

  parse(statement: string, text: string, parameterTypes: readonly number[]): void {
    this.attempt(text, () => {
      if (statement === '') this.store.statements.delete('');
      const statements = parseStatements(text);
      if (statements.length > 1) {
        throw new WireError({ code: '42601', message: 'cannot insert multiple commands into a prepared statement' });
      }
      const [parsed] = statements;
      const parameters = new Parameters(parameterTypes, true);
      if (parsed !== undefined) {
        this.admit(parsed);
        if (this.state.status !== 'failed' && 'SelectStmt' in parsed.node) this.plan(parsed, parameters);
      }
      this.store.addStatement({
        name: statement,
        text,
        node: parsed?.node,
        parameterTypes: parameters.resolved(),
        fromSql: false,
        preparedAt: this.state.host.now(),
      });
    });
  }

  private plan(
    statement: { readonly node: ParsedStatement['node']; readonly text: string },
    parameters: Parameters,
  ): Plan {
    return planStatement(statement.node, statement.text, this.state, this.store, parameters);
  }

  bind(
    portal: string,
    statement: string,
    parameterFormats: readonly number[],
    parameters: readonly (Uint8Array | null)[],
    resultFormats: readonly number[],
  ): void {
    const prepared = this.attempt('', () => this.store.statement(statement));
    this.attempt(prepared.text, () => {
      const { parameterTypes, node, text } = prepared;
      checkCounts(statement, parameterFormats, parameters, parameterTypes);
      if (node !== undefined) this.admit({ node });
      const values = parameters.map((bytes, i) =>
        this.parameter(bytes, parameterTypes[i]!, formatOf(parameterFormats, i), i + 1),
      );
      const plan: Plan =
        node === undefined ? emptyPlan : this.plan({ node, text }, new Parameters(parameterTypes, true));
      if (plan.kind === 'rows') plan.check?.();
      if (plan.kind === 'rows' && resultFormats.length > 1 && resultFormats.length !== plan.columns.length) {
        const message = `bind message has ${resultFormats.length} result formats but query has ${plan.columns.length} columns`;
        throw new WireError({ code: '08P01', message });
      }
      this.store.addPortal(new Portal(portal, plan, values, resultFormats, text, this.state.host.now()));
    });
  }

  private parameter(bytes: Uint8Array | null, type: number, format: number, number: number): Value {
    if (bytes === null) return null;
    const context = this.state.context([]);
    const text = format === 1 ? receiveValue(context.types, type, bytes, number) : decode(bytes);
    try {
      return inputValue(context, text, type, -1);
    } catch (error) {
      // A value of which only the text is known, not how the type reads it.
      if (error instanceof NotEmulated) return text;
      throw error;
    }
  }

  describeStatement(statement: string): StatementDescription {
    return this.attempt('', () => {
      const prepared = this.store.statement(statement);
      const { parameterTypes } = prepared;
      return { parameterTypes, fields: this.fieldsOfStatement(prepared) };
    });
  }

  private fieldsOfStatement({ node, text, parameterTypes }: PreparedStatement): readonly Field[] | null {
    if (node === undefined || 'TransactionStmt' in node) return null;
    this.admit({ node });
    const plan = this.plan({ node, text }, new Parameters(parameterTypes, true));
    return plan.kind === 'rows' ? fieldsOf(plan.columns, this.state.context([]), []) : null;
  }

  describePortal(portal: string): readonly Field[] | null {
    return this.attempt('', () => {
      const { plan, formats } = this.store.portal(portal);
      return plan.kind === 'rows' ? fieldsOf(plan.columns, this.state.context([]), formats) : null;
    });
  }

  *execute(portal: string, maxRows: number): SqlOutputs {
    let text = '';
    try {
      const opened = this.store.portal(portal);
      text = opened.text;
      this.state.queryText = text;
      if (opened.plan === emptyPlan) return yield { kind: 'empty' };
      this.state.slept.clear();
      this.state.ensureTransaction();
      yield* this.withNotices(opened.run(this.state, this.state.context([]), maxRows));
    } catch (error) {
      throw this.failure(error, text);
    }
  }

  closeStatement(statement: string): void {
    this.store.statements.delete(statement);
  }

  closePortal(portal: string): void {
    this.store.closePortal(portal);
  }

  sync(): void {
    if (this.state.status === 'implicit') {
      this.state.commit();
      this.store.closePortals();
    }
    if (this.state.status === 'idle') this.store.closePortals();
  }

  fail(): void {
    this.state.fail();
    this.store.closePortals();
    this.state.pendingNotices.length = 0;
  }

  assertNotFailed(): void {
    this.state.assertNotFailed();
  }

  useSnapshot(lsn: bigint): void {
    const transaction = this.state.transactionNow;
    if (transaction === null) return;
    transaction.snapshotLsn = lsn;
    transaction.hasSnapshot = true;
  }

  close(): void {
    this.store.clear();
    this.state.rollback();
    this.state.locks.release(this.state.pid);
  }

  private attempt<T>(text: string, act: () => T): T {
    try {
      return act();
    } catch (error) {
      throw this.failure(error, text);
    }
  }
}

const emptyPlan: Plan = { kind: 'action', run: () => [] };

function formatOf(formats: readonly number[], index: number): number {
  return formats.length === 0 ? 0 : formats.length === 1 ? formats[0]! : formats[index]!;
}

function checkCounts(
  statement: string,
  formats: readonly number[],
  parameters: readonly unknown[],
  types: readonly number[],
): void {
  if (formats.length > 1 && formats.length !== parameters.length) {
    const message = `bind message has ${formats.length} parameter formats but ${parameters.length} parameters`;
    throw new WireError({ code: '08P01', message });
  }
  if (parameters.length !== types.length) {
    const message = `bind message supplies ${parameters.length} parameters, but prepared statement "${statement}" requires ${types.length}`;
    throw new WireError({ code: '08P01', message });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ValueError('22021', 'invalid byte sequence for encoding "UTF8"');
  }
}
