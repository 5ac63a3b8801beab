/**
 * A session as connections hold it: settings from the first moment, statements once the evaluator is loaded. Most connections
 * (and every start of the server) get by without statements, so nothing of the evaluator is imported for them.
 */
import { majorFacts } from '../../postgres/major.js';
import type { OutputSettings } from '../../postgres/pg-type.js';
import type {
  Field,
  SessionOptions,
  SqlOutputs,
  SqlSession,
  StatementDescription,
  TransactionState,
} from '../engine.js';
import { wireErrorOf } from '../failure.js';
import type { AdvisoryLocks } from './advisory-locks.js';
import type { LoadedSession } from './session.js';
import type { SessionSettings } from './session-settings.js';
import { startSettings } from './start-settings.js';

export type OpenSession = (options: SessionOptions, locks: AdvisoryLocks, settings: SessionSettings) => LoadedSession;

export class DeferredSession implements SqlSession {
  private readonly settings: SessionSettings;
  private opened: LoadedSession | undefined;

  /** @param opener gives the evaluator's sessions. @throws Error before it is loaded */
  constructor(
    private readonly options: SessionOptions,
    private readonly locks: AdvisoryLocks,
    private readonly opener: () => OpenSession,
  ) {
    this.settings = startSettings(options);
    // What it begins with is reported apart.
    this.settings.changes();
  }

  private get session(): LoadedSession {
    this.opened ??= this.opener()(this.options, this.locks, this.settings);
    return this.opened;
  }

  get transactionStatus(): 'I' | 'T' | 'E' {
    return this.opened?.transactionStatus ?? 'I';
  }

  get transaction(): TransactionState | null {
    return this.opened?.transaction ?? null;
  }

  get outputSettings(): OutputSettings {
    return this.settings.output;
  }

  query(text: string): SqlOutputs {
    return this.session.query(text);
  }

  parse(statement: string, text: string, parameterTypes: readonly number[]): void {
    this.session.parse(statement, text, parameterTypes);
  }

  bind(...args: Parameters<SqlSession['bind']>): void {
    this.session.bind(...args);
  }

  describeStatement(statement: string): StatementDescription {
    return this.session.describeStatement(statement);
  }

  describePortal(portal: string): readonly Field[] | null {
    return this.session.describePortal(portal);
  }

  execute(portal: string, maxRows: number): SqlOutputs {
    return this.session.execute(portal, maxRows);
  }

  closeStatement(statement: string): void {
    this.opened?.closeStatement(statement);
  }

  closePortal(portal: string): void {
    this.opened?.closePortal(portal);
  }

  sync(): void {
    this.opened?.sync();
  }

  fail(): void {
    this.opened?.fail();
  }

  assertNotFailed(): void {
    this.opened?.assertNotFailed();
  }

  useSnapshot(lsn: bigint): void {
    this.opened?.useSnapshot(lsn);
  }

  show(name: string): { readonly name: string; readonly value: string } {
    try {
      return this.settings.show(name);
    } catch (error) {
      throw wireErrorOf(error, '') ?? error;
    }
  }

  reportedParameters(): readonly (readonly [name: string, value: string])[] {
    const names = majorFacts(this.options.host.server.major).parameterStatus;
    return names.map((name) => [name, this.settings.value(name) ?? '']);
  }

  close(): void {
    this.opened?.close();
  }
}
