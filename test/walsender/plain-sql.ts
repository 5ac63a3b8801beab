/**
 * As much SQL as a replication connection needs to get started: settings, BEGIN and COMMIT, and the `set_config` that libpq's
 * walreceiver opens with. Everything else is 0A000.
 */
import { defaultSettings } from '../../src/postgres/settings.js';
import type {
  Field,
  SessionOptions,
  SqlEngine,
  SqlOutput,
  SqlOutputs,
  SqlSession,
  TransactionState,
} from '../../src/sql/engine.js';
import { WireError } from '../../src/values/wire-error.js';

export class PlainSqlEngine implements SqlEngine {
  readonly loaded = true;

  async load(): Promise<void> {
    // Nothing to load.
  }

  createSession(options: SessionOptions): SqlSession {
    return new PlainSqlSession(options);
  }
}

/** By major: names in the order in which the server reports them at start-up. */
function reportedNames(major: number): string[] {
  if (major < 16) {
    const names = [
      'application_name',
      'client_encoding',
      'DateStyle',
      'default_transaction_read_only',
      'in_hot_standby',
    ];
    names.push('integer_datetimes', 'IntervalStyle', 'is_superuser', 'server_encoding', 'server_version');
    names.push('session_authorization', 'standard_conforming_strings', 'TimeZone');
    return major >= 14
      ? names
      : names.filter((name) => name !== 'default_transaction_read_only' && name !== 'in_hot_standby');
  }
  const names = ['in_hot_standby', 'integer_datetimes', 'TimeZone', 'IntervalStyle', 'search_path', 'is_superuser'];
  names.push('application_name', 'default_transaction_read_only', 'scram_iterations', 'DateStyle');
  names.push(
    'standard_conforming_strings',
    'session_authorization',
    'client_encoding',
    'server_version',
    'server_encoding',
  );
  return major >= 18 ? names : names.filter((name) => name !== 'search_path');
}

function initialSettings({ host, user }: SessionOptions): [string, string][] {
  const superuser = host.roles.find(({ name }) => name === user)?.superuser ?? true;
  return [
    ['application_name', ''],
    ['client_encoding', 'UTF8'],
    ['data_directory_mode', '0700'],
    ['DateStyle', 'ISO, MDY'],
    ['default_transaction_read_only', 'off'],
    ['extra_float_digits', '1'],
    ['in_hot_standby', 'off'],
    ['integer_datetimes', 'on'],
    ['IntervalStyle', 'postgres'],
    ['is_superuser', superuser ? 'on' : 'off'],
    ['max_connections', '100'],
    ['max_replication_slots', '10'],
    ['max_wal_senders', '10'],
    ['scram_iterations', '4096'],
    ['search_path', '"$user", public'],
    ['server_encoding', 'UTF8'],
    ['server_version', host.server.version],
    ['session_authorization', user],
    ['standard_conforming_strings', 'on'],
    ['synchronous_standby_names', ''],
    ['TimeZone', 'UTC'],
    ['wal_level', 'logical'],
    ['wal_sender_timeout', '1min'],
  ];
}

class PlainSqlSession implements SqlSession {
  transactionStatus: 'I' | 'T' | 'E' = 'I';
  transaction: TransactionState | null = null;
  readonly outputSettings;
  readonly #settings = new Map<string, { readonly name: string; readonly value: string }>();

  constructor(private readonly options: SessionOptions) {
    const { host, settings } = options;
    this.outputSettings = defaultSettings(host.server.major);
    for (const [name, value] of initialSettings(options)) this.#settings.set(name.toLowerCase(), { name, value });
    for (const [name, value] of [...host.configuration, ...settings]) {
      const known = this.#settings.get(name.toLowerCase());
      if (!known)
        throw new WireError({
          severity: 'FATAL',
          code: '42704',
          message: `unrecognized configuration parameter "${name}"`,
        });
      this.#settings.set(name.toLowerCase(), { name: known.name, value });
    }
  }

  *query(text: string): SqlOutputs {
    const statement = text.trim().replace(/;$/, '').trim();
    if (statement === '') yield { kind: 'empty' };
    else if (/^select pg_catalog\.set_config\('search_path', '', false\)$/i.test(statement)) yield* setConfig();
    else if (/^begin\b/i.test(statement)) yield* this.#begin(statement);
    else if (/^(commit|rollback)$/i.test(statement)) yield* this.#end(statement);
    else this.#refuse(text);
  }

  parse(_statement: string, text: string): void {
    this.#refuse(text);
  }

  bind(_portal: string, statement: string): void {
    this.#noStatement(statement);
  }

  describeStatement(statement: string): never {
    return this.#noStatement(statement);
  }

  describePortal(portal: string): never {
    throw new WireError({ code: '34000', message: `portal "${portal}" does not exist` });
  }

  execute(portal: string): never {
    return this.describePortal(portal);
  }

  closeStatement(): void {
    // There are none; closing what there is not is no error.
  }

  closePortal(): void {
    // As with statements.
  }

  sync(): void {
    // No implicit transactions.
  }

  fail(): void {
    if (this.transactionStatus === 'T') this.transactionStatus = 'E';
  }

  assertNotFailed(): void {
    if (this.transactionStatus !== 'E') return;
    const message = 'current transaction is aborted, commands ignored until end of transaction block';
    throw new WireError({ code: '25P02', message });
  }

  useSnapshot(): void {
    if (this.transaction) this.transaction = { ...this.transaction, hasSnapshot: true };
  }

  show(name: string): { readonly name: string; readonly value: string } {
    const setting = this.#settings.get(name.toLowerCase());
    if (!setting) throw new WireError({ code: '42704', message: `unrecognized configuration parameter "${name}"` });
    return setting;
  }

  reportedParameters(): readonly (readonly [string, string])[] {
    return reportedNames(this.options.host.server.major).map((name) => [name, this.show(name).value] as const);
  }

  close(): void {
    // Nothing is held.
  }

  *#begin(statement: string): Generator<SqlOutput> {
    this.assertNotFailed();
    this.transactionStatus = 'T';
    this.transaction = {
      isolation: /repeatable read/i.test(statement) ? 'repeatable read' : 'read committed',
      readOnly: /read only/i.test(statement),
      hasSnapshot: false,
      inSubtransaction: false,
      hasWrites: false,
    };
    yield { kind: 'complete', tag: 'BEGIN' };
  }

  *#end(statement: string): Generator<SqlOutput> {
    const tag = this.transactionStatus === 'E' ? 'ROLLBACK' : statement.toUpperCase();
    this.transactionStatus = 'I';
    this.transaction = null;
    yield { kind: 'complete', tag };
  }

  #refuse(text: string): never {
    this.assertNotFailed();
    this.options.host.unanswered(text, 'there is no SQL engine');
    throw new WireError({ code: '0A000', message: `fake-walsender cannot answer: ${text}` });
  }

  #noStatement(statement: string): never {
    throw new WireError({ code: '26000', message: `prepared statement "${statement}" does not exist` });
  }
}

function* setConfig(): Generator<SqlOutput> {
  const field: Field = {
    name: 'set_config',
    tableOid: 0,
    attnum: 0,
    typeOid: 25,
    typeLength: -1,
    typeModifier: -1,
    format: 0,
  };
  yield { kind: 'rowDescription', fields: [field] };
  yield { kind: 'row', values: [''] };
  yield { kind: 'complete', tag: 'SELECT 1' };
}
