/**
 * Logical replication on a connection:
 *
 * ```
 *   start ──CopyBothResponse──→ streaming ──stop(): CopyDone──→ stopping ──CopyDone, CommandComplete …, ReadyForQuery──→ ended
 *                                   └──CopyDone of the server's own──────────↗
 * ```
 *
 * A server that is asked to stop in mid-transaction still sends the rest of it, so data can come while stopping.
 */
import { serialize } from 'pg-protocol';
import { CopyDataMessage } from 'pg-protocol/dist/messages.js';
import { ConnectionError } from './connection-error.js';
import { formatLsn } from '../values/lsn.js';
import { type Connection } from './connection.js';
import { readReplicationMessage, standbyStatusUpdate, type ReplicationMessage } from './copy-data.js';

/** Unix time of 2000-01-01 00:00:00 UTC, in milliseconds. */
const postgresEpoch = 946_684_800_000;

export class ReplicationStream {
  #state: 'streaming' | 'stopping' | 'ended' = 'streaming';
  #received = 0n;
  #confirmed = 0n;

  private constructor(readonly connection: Connection) {}

  /**
   * @param startLsn where to start; 0n: where the slot's confirmed position stands.
   * @param options the output plugin's, in order.
   * @throws DatabaseError if the server refuses.
   */
  static async start(
    connection: Connection,
    slot: string,
    startLsn: bigint,
    options: readonly (readonly [name: string, value: string])[],
  ): Promise<ReplicationStream> {
    const list = options.map(([name, value]) => `${name} ${quoteLiteral(value)}`).join(', ');
    connection.send(
      serialize.query(`START_REPLICATION SLOT ${quoteIdentifier(slot)} LOGICAL ${formatLsn(startLsn)} (${list})`),
    );
    const message = await connection.receive();
    // pg-protocol's name for CopyBothResponse.
    if (message.name !== 'replicationStart')
      throw new ConnectionError(`START_REPLICATION was answered by ${message.name}`);
    return new ReplicationStream(connection);
  }

  /** The position confirmed as flushed by the last status update, 0n before the first. */
  get confirmed(): bigint {
    return this.#confirmed;
  }

  /** The next message; undefined once the stream has ended: the connection is ready for queries again, or the server shuts down. */
  async next(): Promise<ReplicationMessage | undefined> {
    while (this.#state !== 'ended') {
      const message = await this.connection.receive();
      if (message instanceof CopyDataMessage) {
        const content = readReplicationMessage(message.chunk);
        if (content.walEnd > this.#received) this.#received = content.walEnd;
        return content;
      }
      if (message.name === 'copyDone') this.stop();
      else if (message.name === 'readyForQuery') this.#state = 'ended';
      else if (message.name === 'commandComplete') {
        // Without a CopyDone of either side it is a fast shutdown, and nothing but the close of the connection follows.
        if (this.#state === 'streaming') this.#state = 'ended';
      } else throw new ConnectionError(`the server sent ${message.name} while replicating`);
    }
    return undefined;
  }

  /** Sends a status update: everything below `lsn` has been dealt with. A server may forget it. */
  confirm(lsn: bigint): void {
    if (this.#state !== 'streaming') return;
    this.#confirmed = lsn;
    const time = BigInt(Date.now() - postgresEpoch) * 1_000n;
    const written = this.#received > lsn ? this.#received : lsn;
    this.connection.send(serialize.copyData(standbyStatusUpdate(written, lsn, lsn, time)));
  }

  /** Asks for the end by CopyDone: `next` goes on until the server has agreed. */
  stop(): void {
    if (this.#state !== 'streaming') return;
    this.#state = 'stopping';
    this.connection.send(serialize.copyDone());
  }
}

/** Creates a logical slot of plugin pgoutput; the syntax is understood by every major. @throws DatabaseError */
export async function createSlot(connection: Connection, name: string, temporary: boolean): Promise<void> {
  await connection.query(
    `CREATE_REPLICATION_SLOT ${quoteIdentifier(name)} ${temporary ? 'TEMPORARY ' : ''}LOGICAL pgoutput NOEXPORT_SNAPSHOT`,
  );
}

export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
