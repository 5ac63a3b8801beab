/**
 * One connection to a PostgreSQL server, real or fake. pg-protocol writes what is sent and parses what comes; this
 * module adds the order of things:
 *
 * ```
 *   SSLRequest? → StartupMessage → authentication → ready ──query──→ busy ──ReadyForQuery──→ ready
 *                                                              └──CopyBothResponse──→ replication (see replication.ts)
 * ```
 */
import type { Socket } from 'node:net';
import { DatabaseError, serialize } from 'pg-protocol';
import {
  CommandCompleteMessage,
  CopyDataMessage,
  DataRowMessage,
  NoticeMessage,
  ParameterStatusMessage,
  type BackendMessage,
} from 'pg-protocol/dist/messages.js';
import { Parser } from 'pg-protocol/dist/parser.js';
import { ConnectionError } from './connection-error.js';
import { Authentication } from './authentication.js';
import { openSocket } from './socket.js';
import type { Target } from './target.js';

export type { BackendMessage };
export { DatabaseError };

export interface QueryResult {
  /** Text form of each row's columns. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** CommandComplete's tags, one per statement. */
  readonly tags: readonly string[];
}

export interface ConnectionOptions {
  /** Sent as `replication=database`. */
  readonly replication: boolean;
  /** Milliseconds until the connection must be ready for its first query. */
  readonly timeout?: number;
  readonly onNotice?: (notice: NoticeMessage) => void;
}

/** Messages parsed but not yet read at which the socket is paused. */
const queueLimit = 1_000;

export class Connection {
  /** What the server reported by ParameterStatus: `server_version` and others. */
  readonly parameters = new Map<string, string>();
  readonly #parser = new Parser();
  readonly #queue: BackendMessage[] = [];
  #taken = 0;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  private constructor(
    readonly socket: Socket,
    readonly onNotice: ConnectionOptions['onNotice'],
  ) {
    socket.on('data', (chunk) => this.#parse(chunk));
    socket.on('error', (error) => this.#fail(ConnectionError.from(error)));
    socket.on('close', () => this.#fail(new ConnectionError('the server closed the connection')));
    socket.resume();
  }

  /**
   * @throws DatabaseError if the server refuses (its `code` is the SQLSTATE), ConnectionError if it cannot be reached,
   *   speaks otherwise than the protocol says, or needs more than `timeout` (10 s).
   */
  static async open(
    target: Target,
    { replication, timeout = 10_000, onNotice }: ConnectionOptions,
  ): Promise<Connection> {
    const signal = AbortSignal.timeout(timeout);
    const socket = await openSocket(target, signal);
    const giveUp = (): void => void socket.destroy(new ConnectionError(`not connected within ${timeout} ms`));
    signal.addEventListener('abort', giveUp);
    const connection = new Connection(socket, onNotice);
    try {
      await connection.#startUp(target, replication);
      return connection;
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  send(message: Buffer): void {
    this.socket.write(message);
  }

  /** True when every message received so far has been taken. */
  get drained(): boolean {
    return this.#taken === this.#queue.length;
  }

  /**
   * The next message, without notices and parameter changes, which are taken care of here.
   * @throws DatabaseError for an ErrorResponse, ConnectionError when the connection is lost.
   */
  async receive(): Promise<BackendMessage> {
    for (;;) {
      while (this.drained) {
        if (this.#failure) throw this.#failure;
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
      const message = this.#queue[this.#taken++]!;
      if (this.#taken === this.#queue.length) {
        this.#queue.length = this.#taken = 0;
        this.socket.resume();
      }
      if (message instanceof DatabaseError) throw message;
      if (message instanceof NoticeMessage) this.onNotice?.(message);
      else if (message instanceof ParameterStatusMessage) this.#setParameter(message);
      else return message;
    }
  }

  /** Runs a simple query. @throws DatabaseError, after which the connection is ready again unless it was FATAL. */
  async query(text: string): Promise<QueryResult> {
    this.send(serialize.query(text));
    const rows: (string | null)[][] = [];
    const tags: string[] = [];
    let refusal: DatabaseError | undefined;
    for (;;) {
      try {
        const message = await this.receive();
        if (message.name === 'readyForQuery') break;
        if (message instanceof DataRowMessage) rows.push(message.fields as (string | null)[]);
        else if (message instanceof CommandCompleteMessage) tags.push(message.text);
      } catch (error) {
        if (!(error instanceof DatabaseError) || refusal || error.severity === 'FATAL') throw refusal ?? error;
        refusal = error;
      }
    }
    if (refusal) throw refusal;
    return { rows, tags };
  }

  /** The socket, for somebody who reads it in another way from now on. The connection must be ready for a query. */
  release(): Socket {
    return this.socket.removeAllListeners('data');
  }

  /** Says Terminate and closes. */
  end(): void {
    this.socket.end(serialize.end());
  }

  #parse(chunk: Buffer): void {
    try {
      this.#parser.parse(chunk, (message) => this.#queue.push(lasting(message)));
    } catch (error) {
      this.socket.destroy(ConnectionError.from(error));
    }
    if (this.#queue.length - this.#taken > queueLimit) this.socket.pause();
    this.#wake?.();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }

  #setParameter(status: ParameterStatusMessage): void {
    this.parameters.set(status.parameterName, status.parameterValue);
  }

  async #startUp(target: Target, replication: boolean): Promise<void> {
    this.send(
      serialize.startup({
        user: target.user,
        database: target.database,
        application_name: target.applicationName,
        ...(replication ? { replication: 'database' } : {}),
      }),
    );
    const authentication = new Authentication(target);
    for (;;) {
      const message = await this.receive();
      if (message.name === 'readyForQuery') return;
      if (message.name === 'backendKeyData') continue;
      const answer = authentication.answer(message);
      if (answer) this.send(answer);
    }
  }
}

/** The parser writes to its buffer again: what waits in the queue must not point into it. */
function lasting(message: BackendMessage): BackendMessage {
  return message instanceof CopyDataMessage ? new CopyDataMessage(message.length, Buffer.from(message.chunk)) : message;
}
