/** A replication client for tests of the mock, on `pg`: what it gets, decoded. */
import { Client, type ClientConfig } from 'pg';
import { createDecoder, type Message } from '../../src/pgoutput/index.js';

export interface Consumer {
  readonly messages: readonly Message[];
  /** Resolves once so many messages of a kind have come. */
  received(kind: Message['kind'], count?: number): Promise<void>;
  confirm(lsn: bigint): void;
  /** Answer every keepalive that asks for it; true at first. */
  answers: boolean;
  readonly ended: Promise<void>;
  readonly error: Promise<Error>;
  end(): Promise<void>;
}

export interface ConsumerOptions {
  readonly slot?: string;
  readonly options?: string;
  readonly config?: ClientConfig;
}

export async function consume(url: string, { slot = 's', options, config }: ConsumerOptions = {}): Promise<Consumer> {
  const client = new Client({ connectionString: `${url}?replication=database`, ...config });
  await client.connect();
  const given = options ?? `proto_version '1', publication_names 'pub'`;
  const streaming = /streaming 'on'/.test(given);
  const decoder = createDecoder({ protoVersion: streaming ? 2 : 1, streaming: streaming ? 'on' : 'off' });
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  let flushed = 0n;
  const confirm = (lsn: bigint): void => {
    flushed = lsn;
    const status = Buffer.alloc(34);
    status[0] = 0x72;
    for (const at of [1, 9, 17]) status.writeBigUInt64BE(lsn, at);
    connection.sendCopyFromChunk(status);
  };
  const connection = (client as unknown as { connection: PgConnection }).connection;
  let fail!: (error: Error) => void;
  const error = new Promise<Error>((resolve) => (fail = resolve));
  client.on('error', fail);
  const consumer: Consumer = {
    messages,
    answers: true,
    confirm,
    received: (kind, count = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (messages.filter((message) => message.kind === kind).length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    ended: new Promise((resolve) => client.once('end', resolve)),
    error,
    end: () => client.end(),
  };
  connection.on('copyData', ({ chunk }: { chunk: Buffer }) => {
    if (chunk[0] === 0x6b && chunk[17] === 1 && consumer.answers) confirm(flushed);
    if (chunk[0] !== 0x77) return;
    messages.push(decoder.decode(chunk.subarray(25)));
    for (const look of [...waiting]) look();
  });
  const started = new Promise<void>((resolve) => connection.once('replicationStart', () => resolve()));
  const refused = client.query(`START_REPLICATION SLOT ${slot} LOGICAL 0/0 (${given})`).then(() => undefined);
  refused.catch(fail);
  await Promise.race([started, refused]);
  return consumer;
}

interface PgConnection {
  on(event: 'copyData', listener: (message: { chunk: Buffer }) => void): void;
  once(event: 'replicationStart', listener: () => void): void;
  sendCopyFromChunk(chunk: Buffer): void;
}
