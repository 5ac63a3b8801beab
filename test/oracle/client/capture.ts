/** One START_REPLICATION: every frame that the server sent for it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, serialize } from 'pg-protocol';
import { CopyDataMessage, NoticeMessage } from 'pg-protocol/dist/messages.js';
import { formatLsn } from '../../../src/values/lsn.js';
import { readReplicationMessage, standbyStatusUpdate } from '../../../src/client/copy-data.js';
import { quoteIdentifier, quoteLiteral, type Connection } from './connection.js';

/** XLogData: header positions and the output plugin's payload. */
export interface Frame {
  readonly walStart: bigint;
  readonly walEnd: bigint;
  readonly payload: Buffer;
}

export interface ServerMessage {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
}

/** Milliseconds without progress after which a capture is given up. */
const patience = 60_000;

export class Capture {
  readonly frames: Frame[] = [];
  readonly notices: ServerMessage[] = [];
  error: ServerMessage | undefined;
  /** The highest position that the server has told. */
  #walEnd = 0n;
  #ended = false;
  readonly #done: Promise<void>;

  private constructor(readonly connection: Connection) {
    this.#done = this.#read();
    // Whoever waits for the end is told; until then nobody is.
    this.#done.catch(() => (this.#ended = true));
  }

  /** @param connection - a walsender connection, used up by this. @param options - pgoutput's */
  static start(connection: Connection, slot: string, options: Readonly<Record<string, string>>): Capture {
    const list = Object.entries(options).map(([name, value]) => `${name} ${quoteLiteral(value)}`);
    connection.send(
      serialize.query(`START_REPLICATION SLOT ${quoteIdentifier(slot)} LOGICAL 0/0 (${list.join(', ')})`),
    );
    return new Capture(connection);
  }

  /** Returns when everything up to `lsn` was decoded, or the stream ended in an error. */
  async reach(lsn: bigint): Promise<void> {
    const limit = Date.now() + patience;
    while (this.#walEnd < lsn && !this.#ended) {
      if (Date.now() > limit)
        throw new Error(`the walsender stays at ${formatLsn(this.#walEnd)} below ${formatLsn(lsn)}`);
      this.#report(0n);
      await sleep(10);
    }
  }

  /** Ends the stream. @param confirm - report everything as flushed before. @returns the position confirmed, or 0n */
  async finish(confirm: boolean): Promise<bigint> {
    const confirmed = confirm && !this.#ended ? this.#walEnd : 0n;
    if (confirmed > 0n) this.#report(confirmed);
    if (!this.#ended) this.connection.send(serialize.copyDone());
    await this.#done;
    this.connection.end();
    return confirmed;
  }

  #report(flushed: bigint): void {
    // A reply is asked for: the keepalive tells how far the server has decoded.
    const status = standbyStatusUpdate(this.#walEnd, flushed, flushed, 0n);
    status[33] = 1;
    this.connection.send(serialize.copyData(status));
  }

  async #read(): Promise<void> {
    for (;;) {
      const message = await this.connection.receive();
      if (message instanceof CopyDataMessage) this.#take(message.chunk);
      else if (message instanceof DatabaseError) this.error ??= serverMessage(message);
      else if (message instanceof NoticeMessage) this.notices.push(serverMessage(message));
      else if (message.name === 'readyForQuery') break;
    }
    this.#ended = true;
  }

  #take(chunk: Buffer): void {
    const message = readReplicationMessage(chunk);
    if (message.kind === 'data') {
      const { walStart, walEnd, payload } = message;
      this.frames.push({ walStart, walEnd, payload });
    } else if (message.walEnd > this.#walEnd) {
      this.#walEnd = message.walEnd;
    }
  }
}

function serverMessage({ severity, code, message }: DatabaseError | NoticeMessage): ServerMessage {
  return { severity: severity ?? '', code: code ?? '', message: message ?? '' };
}
