// A replication connection: commands by simple query, then a stream in both directions.
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { ProtocolError } from './pgoutput.mjs';

// What the text of values depends on, and a server or a role may have set otherwise.
const settings =
  '-c datestyle=ISO -c intervalstyle=postgres -c extra_float_digits=3 -c bytea_output=hex -c timezone=UTC';
const microsecondsTo2000 = 946_684_800_000_000n;

export class ReplicationConnection {
  /** When anything was last received. Milliseconds of the monotonic clock. */
  lastReceived = performance.now();
  /** Ends the stream with this error. */
  fail = () => {};
  #ending = false;

  /**
   * sslmode means what it means to libpq: `require` encrypts, and does not look who the server is. Without one: plain, and
   * encrypted if that is refused.
   */
  static async open(url, options) {
    const target = new URL(url);
    const mode = target.searchParams.get('sslmode') ?? process.env.PGSSLMODE ?? 'allow';
    target.searchParams.delete('sslmode');
    const ssl = { rejectUnauthorized: mode.startsWith('verify') };
    if (mode !== 'allow')
      return this.#open({ ...options, connectionString: target.href, ssl: mode !== 'disable' && ssl });
    try {
      return await this.#open({ ...options, connectionString: target.href });
    } catch (error) {
      if (error.code !== '28000') throw error;
      return await this.#open({ ...options, connectionString: target.href, ssl });
    }
  }

  static async #open({ onNotice, ...options }) {
    const types = { getTypeParser: () => String };
    const client = new pg.Client({
      ...{ types, options: settings, replication: 'database', application_name: 'sample' },
      ...{ connectionTimeoutMillis: 5_000, ...options },
    });
    // What goes wrong ends the command that runs, and that is where it is reported.
    client.on('error', () => {});
    client.on('notice', onNotice);
    const connection = new ReplicationConnection(client);
    try {
      await client.connect();
    } catch (error) {
      client.connection.stream.destroy();
      throw error;
    }
    return connection;
  }

  constructor(client) {
    this.client = client;
  }

  async query(text) {
    const { rows } = await this.client.query(text);
    return rows;
  }

  /**
   * Streams until the server ends it, then returns.
   * @throws what the server reported, what broke the connection, or what `onFrame` threw
   */
  async stream(command, onFrame) {
    const { connection } = this.client;
    const failed = new Promise((_, reject) => {
      this.fail = reject;
    });
    // Bytes and not frames are signs of life: a large frame takes its time.
    connection.stream.on('data', () => {
      this.lastReceived = performance.now();
    });
    connection.on('copyData', ({ chunk }) => {
      // The server may finish its transaction; it will be sent again.
      if (this.#ending) return;
      try {
        onFrame(readFrame(chunk));
      } catch (error) {
        // Nothing behind a message that was not understood counts.
        this.#ending = true;
        this.fail(error);
      }
    });
    await Promise.race([this.client.query(command), failed]);
  }

  /** @param lsn everything before it is durable here */
  sendStatus(lsn, { replyRequested = false } = {}) {
    const status = Buffer.alloc(34);
    status.write('r');
    // Written, flushed, applied. Only flushed counts, and 0 in another may be taken to mean "the same".
    for (const offset of [1, 9, 17]) status.writeBigUInt64BE(lsn, offset);
    status.writeBigInt64BE(BigInt(Date.now()) * 1000n - microsecondsTo2000, 25);
    status.writeUInt8(replyRequested ? 1 : 0, 33);
    this.client.connection.sendCopyFromChunk(status);
  }

  /** Leaves the stream with CopyDone and lets the server finish, but not for ever. */
  async endStream(stream) {
    this.#ending = true;
    this.client.connection.endCopyFrom();
    await Promise.race([stream.catch(() => {}), delay(1_000, undefined, { ref: false })]);
  }

  async close() {
    await Promise.race([this.client.end(), delay(200, undefined, { ref: false })]);
    this.destroy();
  }

  destroy() {
    this.client.connection.stream.destroy();
  }
}

function readFrame(chunk) {
  const kind = String.fromCharCode(chunk[0] ?? 0);
  if (kind === 'w' && chunk.length >= 25) {
    return { kind: 'data', walStart: chunk.readBigUInt64BE(1), payload: chunk.subarray(25) };
  }
  if (kind === 'k' && chunk.length === 18) {
    // Times say nothing about positions, and some servers leave them at zero.
    const time = chunk.readBigInt64BE(9);
    return { kind: 'keepalive', walEnd: chunk.readBigUInt64BE(1), time, replyRequested: chunk[17] === 1 };
  }
  throw new ProtocolError(`a frame of kind ${JSON.stringify(kind)} and ${chunk.length} bytes`);
}
