/** A connection to a real server: simple queries, COPY in, notices, the transaction status. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { DatabaseError, serialize } from 'pg-protocol';
import {
  CommandCompleteMessage,
  CopyDataMessage,
  DataRowMessage,
  NoticeMessage,
  ReadyForQueryMessage,
  type BackendMessage,
} from 'pg-protocol/dist/messages.js';
import { Parser } from 'pg-protocol/dist/parser.js';

export type { BackendMessage };

export interface QueryResult {
  /** Text form of each row's columns. */
  readonly rows: readonly (readonly (string | null)[])[];
  readonly tags: readonly string[];
  /** Texts of the notices, in order. */
  readonly notices: readonly string[];
  readonly error: DatabaseError | undefined;
}

export class Connection {
  /** As ReadyForQuery said last: I idle, T in a transaction, E in a failed one. */
  status = 'I';
  readonly #parser = new Parser();
  readonly #queue: BackendMessage[] = [];
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.#parser.parse(chunk, (message) => this.#queue.push(lasting(message)));
      this.#wake?.();
    });
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  /** @param parameters - of the start-up packet. @throws DatabaseError when the server refuses. */
  static async open(port: number, parameters: Record<string, string>): Promise<Connection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const connection = new Connection(socket);
    connection.send(serialize.startup(parameters));
    for (;;) {
      const message = await connection.receive();
      if (message instanceof DatabaseError) {
        socket.destroy();
        throw message;
      }
      if (message instanceof ReadyForQueryMessage) return connection;
    }
  }

  send(message: Buffer): void {
    this.socket.write(message);
  }

  async receive(): Promise<BackendMessage> {
    while (this.#queue.length === 0) {
      if (this.#failure) throw this.#failure;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#queue.shift()!;
  }

  /** Runs a simple query; an error of the server's is part of the result. @param stdin - what a COPY reads */
  async run(text: string, stdin = ''): Promise<QueryResult> {
    this.send(serialize.query(text));
    const rows: (string | null)[][] = [];
    const tags: string[] = [];
    const notices: string[] = [];
    let error: DatabaseError | undefined;
    for (;;) {
      const message = await this.receive();
      if (message instanceof ReadyForQueryMessage) {
        this.status = message.status;
        return { rows, tags, notices, error };
      } else if (message instanceof DatabaseError) {
        error ??= message;
        if (message.severity === 'FATAL') throw message;
      } else if (message instanceof NoticeMessage) notices.push(message.message ?? '');
      else if (message instanceof DataRowMessage) rows.push(message.fields as (string | null)[]);
      else if (message instanceof CommandCompleteMessage) tags.push(message.text);
      else if (message.name === 'copyInResponse') {
        this.send(serialize.copyData(Buffer.from(stdin)));
        this.send(serialize.copyDone());
      }
    }
  }

  /** Runs a query of the harness's own. @throws DatabaseError */
  async query(text: string): Promise<QueryResult['rows']> {
    const { rows, error } = await this.run(text);
    if (error) throw error;
    return rows;
  }

  /** The one value that a query gives. */
  async value(text: string): Promise<string> {
    return (await this.query(text))[0]?.[0] ?? '';
  }

  end(): void {
    this.socket.end(serialize.end());
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake?.();
  }
}

/** The parser uses its buffer again: what a message shows of it is copied. */
function lasting(message: BackendMessage): BackendMessage {
  return message instanceof CopyDataMessage ? new CopyDataMessage(message.length, Buffer.from(message.chunk)) : message;
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
