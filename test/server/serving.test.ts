/** The server on real sockets. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { generate } from 'selfsigned';
import { createServer, type Server, type ServerConfig } from '../../src/server/index.js';
import { createSqlEngine } from '../../src/sql/index.js';
import type { EmitProgress } from '../../src/timeline/emitter.js';
import type { SessionEvent } from '../../src/walsender/events.js';
import { frontendMessage, ScriptedEmitter, ScriptedTimeline } from '../walsender/harness.js';
import { outlineOf } from '../walsender/outline.js';

const servers: Server[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close({ grace: 0 }))));

async function serve(
  config: Partial<ServerConfig> & { readonly major?: number } = {},
): Promise<{ server: Server; port: number }> {
  const timeline = new ScriptedTimeline(config.major ?? 17);
  const server = createServer({
    databases: new Map([['db', { timeline }]]),
    sql: createSqlEngine(),
    createEmitter: (_, session, sink) => new ScriptedEmitter(timeline, session, sink),
    ...config,
  });
  servers.push(server);
  const { port } = await server.listen();
  return { server, port };
}

async function query(port: number, text: string, more: pg.ClientConfig = {}): Promise<unknown[]> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'db', ...more });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

function startupPacket(parameters: Readonly<Record<string, string>> = { user: 'postgres', database: 'db' }): Buffer {
  const body = Buffer.from(`${Object.entries(parameters).flat().join('\0')}\0\0`);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.writeUInt32BE(0x3_0000, 4);
  return Buffer.concat([head, body]);
}

/** What comes until `ends` says that it is enough, or the end. */
async function receive(socket: Duplex, ends: (bytes: Buffer) => boolean): Promise<Buffer> {
  let bytes: Buffer = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    if (ends(bytes)) break;
  }
  return bytes;
}

const ready = (bytes: Buffer): boolean => bytes.subarray(-6, -1).equals(Buffer.from('5a00000005', 'hex'));

async function connected(
  port: number,
  parameters?: Readonly<Record<string, string>>,
): Promise<{ socket: Socket; pid: number; key: Buffer }> {
  const socket = connect(port, '127.0.0.1');
  socket.write(startupPacket(parameters));
  const bytes = await receive(socket, ready);
  const at = bytes.indexOf(Buffer.from('4b0000000c', 'hex'));
  return { socket, pid: bytes.readUInt32BE(at + 5), key: bytes.subarray(at + 9, at + 13) };
}

describe('serving', () => {
  it('serves several connections at once', async () => {
    const { port } = await serve();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => query(port, `SELECT ${i} AS i`)));
    expect(answers).toEqual(Array.from({ length: 20 }, (_, i) => [{ i }]));
  });

  it('routes a CancelRequest to the connection whose key it knows', async () => {
    const { port } = await serve();
    const { socket, pid, key } = await connected(port);
    socket.write(frontendMessage('Q', 'SELECT pg_sleep(600)\0'));
    await receive(socket, (bytes) => bytes.length > 0);
    const packet = Buffer.alloc(16);
    [16, 80_877_102, pid, key.readUInt32BE()].forEach((word, i) => packet.writeUInt32BE(word, 4 * i));
    const cancelling = connect(port, '127.0.0.1', () => cancelling.write(packet));
    expect(await receive(cancelling, () => false)).toHaveLength(0);
    const answer = outlineOf(await receive(socket, ready));
    expect(answer[0]).toEqual(['E', expect.objectContaining({ C: '57014' })]);
    socket.destroy();
  });

  it('serves on after a thousand connections that sent anything', async () => {
    const { port } = await serve();
    const startup = startupPacket();
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 300 }).map((garbage) => Buffer.from(garbage)),
      fc.uint8Array({ minLength: 1, maxLength: 300 }).map((garbage) => Buffer.concat([startup, garbage])),
      fc
        .tuple(
          fc.constantFrom('Q', 'P', 'B', 'D', 'E', 'C', 'S', 'H', 'd', 'c', 'f', 'X', 'p'),
          fc.uint8Array({ maxLength: 60 }),
        )
        .map(([type, body]) => Buffer.concat([startup, frontendMessage(type, body)])),
    );
    const strings = fc.sample(bytes, { numRuns: 1_000, seed: 2026 });
    for (let i = 0; i < strings.length; i += 50) {
      await Promise.all(
        strings.slice(i, i + 50).map(async (string) => {
          const socket = connect(port, '127.0.0.1');
          socket.on('error', () => undefined);
          socket.end(string);
          socket.resume();
          await once(socket, 'close');
        }),
      );
    }
    expect(await query(port, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('holds a bounded amount for a client that does not read', async () => {
    let made = 0;
    const { port } = await serve({
      createEmitter: (_, __, sink) => ({
        position: 0n,
        inTransaction: true,
        next: (): EmitProgress => {
          made++;
          sink.message({ kind: 'insert', relationId: 1, newTuple: ['x'.repeat(10_000)] }, 0n, 0n, 1);
          return { kind: 'decoded' };
        },
      }),
    });
    const { socket } = await connected(port, { user: 'postgres', database: 'db', replication: 'database' });
    socket.pause();
    socket.write(frontendMessage('Q', 'CREATE_REPLICATION_SLOT s LOGICAL pgoutput NOEXPORT_SNAPSHOT\0'));
    socket.write(
      frontendMessage('Q', `START_REPLICATION SLOT s LOGICAL 0/0 (proto_version '1', publication_names 'p')\0`),
    );
    let before = -1;
    while (made === 0 || made !== before) {
      before = made;
      await query(port, 'SELECT 1');
    }
    // The kernel's buffers take a few megabytes on top of the server's own quarter.
    expect(made * 10_000).toBeLessThan(32 * 1024 * 1024);
    socket.destroy();
  });

  it('gives a client a stream in place of a port', async () => {
    const { server } = await serve();
    const stream = server.connectStream();
    stream.write(startupPacket());
    expect(ready(await receive(stream, ready))).toBe(true);
    stream.destroy();
  });

  it('says when it cannot listen', async () => {
    const { port } = await serve();
    await expect(serve({ port })).rejects.toThrow('EADDRINUSE');
  });
});

describe('TLS', () => {
  const users = new Map([['postgres', 's3cret']]);
  const password = 's3cret';
  const tlsClient = { password, ssl: { rejectUnauthorized: false } };

  it.each(['password', 'md5', 'scram-sha-256'] as const)('carries %s', async (authentication) => {
    const events: SessionEvent[] = [];
    const { port } = await serve({ tls: 'self-signed', authentication, users, observe: (event) => events.push(event) });
    expect(await query(port, 'SELECT 1 AS one', tlsClient)).toEqual([{ one: 1 }]);
    expect(await query(port, 'SELECT 1 AS one', { password })).toEqual([{ one: 1 }]);
    expect(events.filter(({ kind }) => kind === 'startup')).toMatchObject([{ tls: true }, { tls: false }]);
    await expect(query(port, 'SELECT 1', { ...tlsClient, password: 'x' })).rejects.toMatchObject({ code: '28P01' });
  });

  it.each(['sha256', 'sha384', 'sha512'])('binds SCRAM to a certificate signed with %s', async (algorithm) => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'x' }], { keyType: 'ec', algorithm });
    const { port } = await serve({ tls: { cert, key }, authentication: 'scram-sha-256', users });
    const bound = { ...tlsClient, enableChannelBinding: true } as pg.ClientConfig;
    expect(await query(port, 'SELECT 1 AS one', bound)).toEqual([{ one: 1 }]);
  });

  function direct(port: number, protocols: string[]): Promise<Buffer> {
    const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: protocols });
    socket.on('secureConnect', () => socket.write(startupPacket()));
    return receive(socket, ready).finally(() => socket.destroy());
  }

  it('can begin without asking from 17 on, with ALPN postgresql', async () => {
    const { port } = await serve({ tls: 'self-signed', major: 17 });
    expect(ready(await direct(port, ['postgresql']))).toBe(true);
    expect(await direct(port, [])).toHaveLength(0);
    await expect(direct(port, ['http/1.1'])).rejects.toMatchObject({
      code: expect.stringContaining('ALERT_NO_APPLICATION_PROTOCOL'),
    });
    const { port: older } = await serve({ tls: 'self-signed', major: 16 });
    expect(await direct(older, ['postgresql']).catch(() => Buffer.alloc(0))).toHaveLength(0);
  });

  it('ends with a handshake that fails, and serves on', async () => {
    const { port } = await serve({ tls: 'self-signed' });
    const socket = connect(port, '127.0.0.1');
    socket.write(Buffer.from('0000000804d2162f', 'hex'));
    expect((await receive(socket, (bytes) => bytes.length > 0)).toString()).toBe('S');
    socket.end(Buffer.from('this is no handshake'));
    await receive(socket, () => false);
    expect(await query(port, 'SELECT 1 AS one', { ssl: { rejectUnauthorized: false } })).toEqual([{ one: 1 }]);
  });
});

describe('close', () => {
  const replication = { user: 'postgres', database: 'db', replication: 'database' };

  async function streaming(port: number): Promise<Socket> {
    const { socket } = await connected(port, replication);
    socket.write(frontendMessage('Q', 'CREATE_REPLICATION_SLOT s LOGICAL pgoutput NOEXPORT_SNAPSHOT\0'));
    await receive(socket, ready);
    socket.write(
      frontendMessage('Q', `START_REPLICATION SLOT s LOGICAL 0/0 (proto_version '1', publication_names 'p')\0`),
    );
    await receive(socket, (bytes) => bytes[0] === 0x57);
    return socket;
  }

  it('waits for clients to confirm, and meanwhile turns newcomers away', async () => {
    const { server, port } = await serve();
    const socket = await streaming(port);
    const closed = server.close({ grace: 60_000 });
    await expect(query(port, 'SELECT 1')).rejects.toMatchObject({ code: '57P03' });
    const status = Buffer.alloc(34);
    status.write('r');
    for (const at of [1, 9, 17]) status.writeBigUInt64BE(0x150_0000n, at);
    socket.write(frontendMessage('d', status));
    expect(outlineOf(await receive(socket, () => false)).at(-1)).toEqual(['C', 'COPY 0']);
    await closed;
    await expect(query(port, 'SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it.each([
    ['when the grace is over', (server: Server) => server.close({ grace: 1 })],
    [
      'when it is called again',
      (server: Server) => {
        void server.close({ grace: 60_000 });
        return server.close();
      },
    ],
  ])('terminates them %s', async (_, close) => {
    const { server, port } = await serve();
    const socket = await streaming(port);
    const closed = close(server);
    expect(outlineOf(await receive(socket, () => false)).at(-1)).toEqual([
      'E',
      expect.objectContaining({ C: '57P01' }),
    ]);
    await closed;
  });

  // Guards: an idle client that kept its end open held the server for as long as one that is slow to read may.
  it('does not wait for a client that was told of the end and keeps its own open', async () => {
    const { server, port } = await serve();
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    socket.write(startupPacket());
    await receive(socket, ready);
    const closed = server.close({ grace: 60_000 });
    expect(outlineOf(await receive(socket, () => false))).toEqual([['E', expect.objectContaining({ C: '57P01' })]]);
    await closed;
    socket.destroy();
  });

  it('is no error before listen', async () => {
    const timeline = new ScriptedTimeline(17);
    await createServer({ databases: new Map([['db', { timeline }]]), sql: createSqlEngine() }).close();
  });
});
