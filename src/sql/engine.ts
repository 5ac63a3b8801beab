/**
 * The seam between a connection and the SQL around its stream. The connection (walsender/) speaks the protocol; a session here
 * knows statements, transactions and settings. Calls are synchronous once the parser is loaded; results are pulled, so that
 * a client that stops reading stops the work.
 */
import type { OutputSettings } from '../postgres/pg-type.js';
import type { WireError } from '../values/wire-error.js';
import type { SqlHost } from './host.js';

export interface SqlEngine {
  /** False until `load` has resolved; sessions must not be asked to parse before that. */
  readonly loaded: boolean;
  /** Loads PostgreSQL's parser (WebAssembly, about 40 ms), once however often it is called. */
  load(): Promise<void>;
  /** @throws WireError, FATAL 42704 or 22023, for settings of the start-up packet that the server refuses. */
  createSession(options: SessionOptions): SqlSession;
}

export interface SessionOptions {
  readonly host: SqlHost;
  readonly pid: number;
  readonly user: string;
  readonly database: string;
  /** Settings in the start-up packet, those inside `options` (-c name=value) included. Names as the client wrote them. */
  readonly settings: ReadonlyMap<string, string>;
}

export interface Field {
  readonly name: string;
  /** 0 for what is no table's column. */
  readonly tableOid: number;
  /** attnum, 0 for what is no table's column. */
  readonly attnum: number;
  readonly typeOid: number;
  /** typlen. */
  readonly typeLength: number;
  readonly typeModifier: number;
  /** 0 text, 1 binary. */
  readonly format: 0 | 1;
}

/** A value in its field's format: text, binary, or NULL. */
export type FieldValue = string | Uint8Array | null;

/** What a statement gives, in the order of the protocol's messages. ReadyForQuery is the connection's own. */
export type SqlOutput =
  | { readonly kind: 'rowDescription'; readonly fields: readonly Field[] }
  | { readonly kind: 'row'; readonly values: readonly FieldValue[] }
  /** CopyOutResponse: every column has the same format. */
  | { readonly kind: 'copyOut'; readonly format: 0 | 1; readonly columns: number }
  | { readonly kind: 'copyData'; readonly data: Uint8Array }
  | { readonly kind: 'copyDone' }
  | { readonly kind: 'complete'; readonly tag: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'suspended' }
  | { readonly kind: 'notice'; readonly notice: WireError }
  /** ParameterStatus; the server sends these just before ReadyForQuery (14 and later) or at once. */
  | { readonly kind: 'parameter'; readonly name: string; readonly value: string }
  /** The statement waits: pull again when the wait is over. To cancel it, `throw` a WireError (57014) into the generator. */
  | { readonly kind: 'wait'; readonly wait: SqlWait };

export type SqlWait =
  | { readonly kind: 'sleep'; readonly microseconds: bigint }
  /** Returns how to stop listening. `timeout` is lock_timeout in milliseconds, 0 for none. */
  | { readonly kind: 'lock'; readonly timeout: number; whenFree(listener: () => void): () => void };

/** Errors of a statement are thrown as WireError by the call or by the generator's `next`; the session's status is right by then. */
export type SqlOutputs = Generator<SqlOutput, void, undefined>;

export interface StatementDescription {
  readonly parameterTypes: readonly number[];
  /** Null: returns no rows (NoData). Formats are 0. */
  readonly fields: readonly Field[] | null;
}

export interface TransactionState {
  readonly isolation: 'read uncommitted' | 'read committed' | 'repeatable read' | 'serializable';
  readonly readOnly: boolean;
  /** A statement has taken a snapshot already. */
  readonly hasSnapshot: boolean;
  /** A savepoint is open. */
  readonly inSubtransaction: boolean;
  /** Something was written: a message, a publication. */
  readonly hasWrites: boolean;
}

export interface SqlSession {
  /** ReadyForQuery's byte: idle, in a transaction block, in a failed one. */
  readonly transactionStatus: 'I' | 'T' | 'E';
  /** Null outside a transaction block. */
  readonly transaction: TransactionState | null;
  /** What output functions print for this session now. */
  readonly outputSettings: OutputSettings;

  /** A Query message: one or more statements, in one implicit transaction unless they open a block. */
  query(text: string): SqlOutputs;

  /** Parse. `parameterTypes`: OIDs, 0 for unspecified. The empty name is the unnamed statement. */
  parse(statement: string, text: string, parameterTypes: readonly number[]): void;
  /** Bind. Formats as in the message: none (all text), one for all, or one each. */
  bind(
    portal: string,
    statement: string,
    parameterFormats: readonly number[],
    parameters: readonly (Uint8Array | null)[],
    resultFormats: readonly number[],
  ): void;
  describeStatement(statement: string): StatementDescription;
  describePortal(portal: string): readonly Field[] | null;
  /** Execute. `maxRows` 0 for all; ends in `complete`, `empty` or `suspended`. Gives no rowDescription. */
  execute(portal: string, maxRows: number): SqlOutputs;
  closeStatement(statement: string): void;
  closePortal(portal: string): void;
  /** Sync: ends the implicit transaction. */
  sync(): void;

  /** An error outside this session's own calls (a replication command's, say): the transaction block fails, if there is one. */
  fail(): void;
  /** @throws WireError 25P02 when the transaction block has failed: replication commands are refused too. */
  assertNotFailed(): void;
  /** CREATE_REPLICATION_SLOT … USE_SNAPSHOT: the rest of the transaction sees the rows as of this LSN. */
  useSnapshot(lsn: bigint): void;

  /** SHOW, current_setting: the name as the server spells it, and the value as SHOW prints it. @throws WireError 42704. */
  show(name: string): { readonly name: string; readonly value: string };
  /** The settings reported at start-up (ParameterStatus), in the server's order. */
  reportedParameters(): readonly (readonly [name: string, value: string])[];
  /** LISTEN, advisory locks, prepared statements: let go of everything. */
  close(): void;
}
