/** A server on a scenario, and a client of bare bytes at its socket: what arrives, in which pieces, and when. */
import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createServer, type Server, type ServerConfig } from '../../src/server/index.js';
import { readScenario, requireScenario } from '../../src/scenario/index.js';
import { createSqlEngine } from '../../src/sql/index.js';
import type { SessionEvent } from '../../src/walsender/events.js';
import { frontendMessage, statusUpdate } from '../walsender/harness.js';

export interface Served {
  readonly server: Server;
  readonly port: number;
  readonly events: SessionEvent[];
  /** What was done, as the events `fault` tell it. */
  readonly done: () => string[];
  /** performance.now() of the last of them. */
  readonly faultAt: () => number;
  /** Resolves at the next event of this kind, or now if there was one. */
  readonly happened: (kind: SessionEvent['kind']) => Promise<void>;
}

const servers: Server[] = [];
const clients: FaultClient[] = [];

/** For afterEach: nothing outlives a test. */
export async function closeAll(): Promise<void> {
  for (const client of clients.splice(0)) client.socket.destroy();
  await Promise.all(servers.splice(0).map((server) => server.close({ grace: 0 })));
}

/** A table `t (id int primary key, v text)`, slots that are made when asked for, and the stream. */
export function scenarioText(stream: string, server = 'version: 17', more = ''): string {
  return `
scenario: faults
server: { ${server} }
tables:
  t: { oid: 16385, columns: { id: int primary key, v: text } }
${more}
stream:
${stream}`;
}

export async function serve(text: string, config: Pick<ServerConfig, 'tls'> = {}): Promise<Served> {
  const scenario = requireScenario(readScenario(text, { file: 'faults.yaml' }));
  const events: SessionEvent[] = [];
  const observed = new EventEmitter();
  let faultAt = NaN;
  const { timeline, server: settings, slots } = scenario;
  const server = createServer({
    ...config,
    databases: new Map([['db', { timeline, implicitSlots: slots === null }]]),
    anyDatabase: true,
    sql: createSqlEngine(),
    configuration: new Map([['wal_sender_timeout', `${settings.walSenderTimeout}ms`]]),
    slots: (slots ?? []).map((slot) => ({ ...slot, database: 'db' })),
    observe: (event) => {
      events.push(event);
      if (event.kind === 'fault') faultAt = performance.now();
      observed.emit(event.kind);
    },
    observeMessages: true,
  });
  servers.push(server);
  const { port } = await server.listen();
  return {
    server,
    port,
    events,
    faultAt: () => faultAt,
    happened: async (kind) => {
      if (!events.some((event) => event.kind === kind)) await once(observed, kind);
    },
    done: () => events.flatMap((event) => (event.kind === 'fault' ? [event.did] : [])),
  };
}

/** A message of the server's: `bytes` are all of it, type and length included. */
export interface Received {
  readonly type: string;
  readonly bytes: Buffer;
}

export interface Piece {
  readonly bytes: Buffer;
  /** performance.now() */
  readonly at: number;
}

export class FaultClient {
  readonly pieces: Piece[] = [];
  /** Whole messages that came since the last `forget` … */
  messages: Received[] = [];
  /** … and the beginning of one behind them. */
  rest: Buffer = Buffer.alloc(0);
  ended: 'end' | 'reset' | undefined;
  #waiting: (() => void) | undefined;

  private constructor(readonly socket: Socket) {
    clients.push(this);
    socket.on('data', (bytes: Buffer) => {
      this.pieces.push({ bytes, at: performance.now() });
      const { messages, rest } = split(Buffer.concat([this.rest, bytes]));
      this.messages.push(...messages);
      this.rest = rest;
      this.#waiting?.();
    });
    socket.on('end', () => {
      this.ended ??= 'end';
      this.#waiting?.();
    });
    socket.on('error', () => {
      this.ended = 'reset';
      this.#waiting?.();
    });
  }

  /** A walsender connection; what the server said so far is forgotten. */
  static async connect(
    { port }: Pick<Served, 'port'>,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<FaultClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return await FaultClient.#startUp(socket, parameters);
  }

  static async connectTls({ port }: Pick<Served, 'port'>): Promise<FaultClient> {
    const plain = connect({ port, host: '127.0.0.1', noDelay: true });
    // SSLRequest, answered by `S`.
    plain.write(Buffer.from('0000000804d2162f', 'hex'));
    await once(plain, 'data');
    const socket = connectTls({ socket: plain, rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    return await FaultClient.#startUp(socket, {});
  }

  static async #startUp(socket: Socket, parameters: Readonly<Record<string, string>>): Promise<FaultClient> {
    const client = new FaultClient(socket);
    const all = { user: 'postgres', database: 'db', replication: 'database', ...parameters };
    const body = Buffer.from(`${Object.entries(all).flat().join('\0')}\0\0`);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + body.length);
    head.writeUInt32BE(0x3_0000, 4);
    socket.write(Buffer.concat([head, body]));
    await client.until((messages) => messages.at(-1)?.type === 'Z' || client.ended !== undefined);
    return client;
  }

  /** All that came since the last `forget`. */
  get bytes(): Buffer {
    return Buffer.concat(this.pieces.map(({ bytes }) => bytes));
  }

  /** XLogData and everything else that is no keepalive. */
  get data(): Received[] {
    return this.messages.filter(({ type }) => type !== 'k');
  }

  /** The types in one word: `k` a keepalive, of XLogData the message's own in capitals or small as it is sent, after `w`. */
  get outline(): string {
    return this.data.map(({ type, bytes }) => (type === 'w' ? `w${String.fromCharCode(bytes[30]!)}` : type)).join(' ');
  }

  forget(): this {
    this.pieces.length = 0;
    this.messages = [];
    this.rest = Buffer.alloc(0);
    return this;
  }

  send(bytes: Uint8Array): this {
    this.socket.write(bytes);
    return this;
  }

  query(text: string): this {
    return this.forget().send(frontendMessage('Q', `${text}\0`));
  }

  /** The answer up to ReadyForQuery. */
  async ask(text: string): Promise<Received[]> {
    await this.query(text).until((messages) => messages.at(-1)?.type === 'Z');
    return this.messages;
  }

  start({ slot = 's', lsn = '0/0', options = `proto_version '1'` } = {}): this {
    return this.query(`START_REPLICATION SLOT ${slot} LOGICAL ${lsn} (${options}, publication_names 'p')`);
  }

  confirm(lsn: bigint): this {
    return this.send(frontendMessage('d', statusUpdate(lsn, lsn, lsn, false)));
  }

  async until(met: (messages: Received[], client: this) => boolean): Promise<this> {
    while (!met(this.messages, this)) {
      await new Promise<void>((resolve) => (this.#waiting = resolve));
      this.#waiting = undefined;
    }
    return this;
  }

  /** Until so many messages of the stream have come. */
  async untilData(count: number): Promise<this> {
    return await this.until(() => this.data.length >= count);
  }

  /** Until so many Commits have come. */
  async untilCommits(count: number): Promise<this> {
    return await this.until(
      (messages) => messages.filter(({ type, bytes }) => type === 'w' && bytes[30] === 0x43).length >= count,
    );
  }

  /** How the connection ended. */
  async end(): Promise<'end' | 'reset'> {
    await this.until(() => this.ended !== undefined);
    return this.ended!;
  }
}

/** By the manual: a type, a length that counts itself, a body. CopyData are told by what is in them. */
function split(bytes: Buffer): { messages: Received[]; rest: Buffer } {
  const messages: Received[] = [];
  let position = 0;
  while (position + 5 <= bytes.length) {
    const end = position + 1 + bytes.readInt32BE(position + 1);
    if (end > bytes.length) break;
    const type = String.fromCharCode(bytes[position]!);
    messages.push({
      type: type === 'd' && end > position + 5 ? String.fromCharCode(bytes[position + 5]!) : type,
      bytes: bytes.subarray(position, end),
    });
    position = end;
  }
  return { messages, rest: bytes.subarray(position) };
}

/** Fields of an ErrorResponse or NoticeResponse. */
export function fields({ bytes }: Received): Record<string, string> {
  const texts = bytes.toString('utf8', 5).split('\0');
  return Object.fromEntries(texts.filter((text) => text !== '').map((text) => [text[0]!, text.slice(1)]));
}

/** The position of a keepalive. */
export function walEnd({ bytes }: Received): bigint {
  return bytes.readBigUInt64BE(6);
}

/** The messages of a stream without faults: what a faulty one is compared with. */
export async function withoutFaults(stream: string, count: number, options?: string): Promise<Buffer[]> {
  const client = await FaultClient.connect(await serve(scenarioText(stream)));
  await client.start(options === undefined ? {} : { options }).untilData(count + 1);
  return client.data.slice(1).map(({ bytes }) => bytes);
}
