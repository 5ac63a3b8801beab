import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Connection } from './connection.js';
import { createSlot, ReplicationStream } from './replication.js';
import { parseTarget, type Target } from './target.js';

/** A backend message: its type byte, then the length, then the parts. */
function message(type: string, ...parts: (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
const ready = message('Z', 'I');
const greeting = Buffer.concat([
  message('R', hex('00000000')),
  message('S', 'server_version\0', '15.2\0'),
  message('K', hex('0000002a 00000007')),
  ready,
]);
const refusal = message('E', 'SERROR\0', 'VERROR\0', 'C42704\0', 'Mreplication slot "s" does not exist\0', '\0');

let server: Server | undefined;
const sockets = new Set<Socket>();

afterEach(() => {
  server?.close();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

/** A server that answers what the client says, piece by piece, from a list; a null ends the connection. */
async function scripted(answers: readonly (Buffer | null)[]): Promise<{ target: Target; heard: Buffer[] }> {
  const heard: Buffer[] = [];
  server = createServer((socket: Socket) => {
    sockets.add(socket);
    let next = 0;
    socket.on('data', (chunk) => {
      heard.push(chunk);
      const answer = answers[next++];
      if (answer) socket.write(answer);
      else if (answer === null) socket.destroy();
    });
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { target: parseTarget(`postgres://u@127.0.0.1:${(server.address() as AddressInfo).port}/d`), heard };
}

describe('Connection', () => {
  it('asks for TLS, and goes on without where the server has none', async () => {
    const { target, heard } = await scripted([Buffer.from('N'), greeting]);
    const connection = await Connection.open(target, { replication: true });
    expect(heard[0]).toEqual(hex('00000008 04d2162f'));
    expect(heard[1]!.toString('latin1')).toBe(
      '\0\0\0\x65\0\x03\0\0user\0u\0database\0d\0application_name\0fake-walsender\0replication\0database\0client_encoding\0UTF8\0\0',
    );
    expect(connection.parameters.get('server_version')).toBe('15.2');
    connection.end();
  });

  it.each([
    ['require', Buffer.from('N'), 'sslmode is require, but the server does not do TLS'],
    ['prefer', Buffer.from('E'), 'answered SSLRequest with byte 0x45'],
    ['prefer', Buffer.from('S\0'), 'answered SSLRequest with more than one byte'],
    ['prefer', null, 'the server closed the connection'],
  ] as const)('with sslmode %s refuses the answer %s to SSLRequest', async (sslMode, answer, reason) => {
    const { target } = await scripted([answer]);
    await expect(Connection.open({ ...target, sslMode }, { replication: true })).rejects.toThrow(reason);
  });

  it('gives up a server that says nothing', async () => {
    const { target } = await scripted([]);
    const options = { replication: true, timeout: 20 };
    await expect(Connection.open(target, options)).rejects.toThrow(`no connection to 127.0.0.1:${target.port} in time`);
    await expect(Connection.open({ ...target, sslMode: 'disable' }, options)).rejects.toThrow(
      'not connected within 20 ms',
    );
  });

  it('says that it needs a password', async () => {
    const { target } = await scripted([message('R', hex('00000003'))]);
    await expect(Connection.open({ ...target, sslMode: 'disable' }, { replication: true })).rejects.toThrow(
      'wants a password for user "u"',
    );
  });

  it("throws the server's error once the connection is ready again", async () => {
    const { target } = await scripted([
      greeting,
      Buffer.concat([refusal, ready]),
      Buffer.concat([message('I'), ready]),
    ]);
    const connection = await Connection.open({ ...target, sslMode: 'disable' }, { replication: true });
    await expect(createSlot(connection, 's', false)).rejects.toMatchObject({
      code: '42704',
      message: 'replication slot "s" does not exist',
    });
    expect(await connection.query('')).toEqual({ rows: [], tags: [] });
    connection.end();
  });

  it('throws when the connection breaks in a query', async () => {
    const { target } = await scripted([greeting, null]);
    const connection = await Connection.open({ ...target, sslMode: 'disable' }, { replication: true });
    await expect(connection.query('SHOW x')).rejects.toThrow(/closed|ECONNRESET/);
  });
});

describe('ReplicationStream', () => {
  const copyBoth = message('W', hex('00 0000'));
  const data = message('d', hex('77 0000000000000010 0000000000000010 0000000000000001 43'));
  const keepalive = message('d', hex('6b 0000000000000020 0000000000000002 01'));
  const end = Buffer.concat([message('c'), message('C', 'COPY 0\0'), message('C', 'START_REPLICATION\0'), ready]);

  it('reads, confirms, stops, and leaves the connection usable', async () => {
    const { target, heard } = await scripted([
      greeting,
      Buffer.concat([copyBoth, data, keepalive]),
      // The rest of a transaction comes after the client's CopyDone.
      Buffer.concat([data, end]),
      Buffer.concat([message('I'), ready]),
    ]);
    const connection = await Connection.open({ ...target, sslMode: 'disable' }, { replication: true });
    const stream = await ReplicationStream.start(connection, 'a"b', 0x1_0000_0001n, [
      ['proto_version', '1'],
      ['publication_names', `"it's"`],
    ]);
    expect(heard[1]).toEqual(
      message('Q', `START_REPLICATION SLOT "a""b" LOGICAL 1/1 (proto_version '1', publication_names '"it''s"')\0`),
    );
    expect(await stream.next()).toEqual({ kind: 'data', walStart: 16n, walEnd: 16n, sendTime: 1n, payload: hex('43') });
    expect(await stream.next()).toEqual({ kind: 'keepalive', walEnd: 32n, sendTime: 2n, replyRequested: true });
    expect(stream.confirmed).toBe(0n);
    stream.confirm(17n);
    stream.stop();
    expect(await stream.next()).toMatchObject({ kind: 'data' });
    expect(await stream.next()).toBeUndefined();
    expect(stream.confirmed).toBe(17n);
    // Written: the furthest that came. Flushed and applied: what was confirmed. Then the time, no reply wanted, CopyDone.
    expect(heard[2]!.toString('hex')).toMatch(
      /^6400000026720000000000000020000000000000001100000000000000110[0-9a-f]{15}006300000004$/,
    );
    expect(await connection.query('')).toEqual({ rows: [], tags: [] });
    connection.end();
  });

  it('answers the CopyDone of the server with its own', async () => {
    const { target, heard } = await scripted([greeting, Buffer.concat([copyBoth, end])]);
    const connection = await Connection.open({ ...target, sslMode: 'disable' }, { replication: true });
    const stream = await ReplicationStream.start(connection, 's', 0n, []);
    expect(await stream.next()).toBeUndefined();
    stream.confirm(17n);
    expect(stream.confirmed).toBe(0n);
    connection.end();
    await once(connection.socket, 'close');
    expect(Buffer.concat(heard.slice(2))).toEqual(Buffer.concat([hex('6300000004'), hex('5800000004')]));
  });

  it.each([
    ['an error before CopyBothResponse', refusal, 'does not exist'],
    ['an answer that is none', message('T', hex('0000')), 'was answered by rowDescription'],
  ])('throws for %s', async (_, answer, reason) => {
    const { target } = await scripted([greeting, answer]);
    const connection = await Connection.open({ ...target, sslMode: 'disable' }, { replication: true });
    await expect(ReplicationStream.start(connection, 's', 0n, [])).rejects.toThrow(reason);
    connection.end();
  });

  it.each(['ff', '77 00', '6b 0000000000000020 0000000000000002', ''])('refuses CopyData %s', async (content) => {
    const { target } = await scripted([greeting, Buffer.concat([copyBoth, message('d', hex(content))])]);
    const connection = await Connection.open({ ...target, sslMode: 'disable' }, { replication: true });
    const stream = await ReplicationStream.start(connection, 's', 0n, []);
    await expect(stream.next()).rejects.toThrow('neither XLogData nor a keepalive');
    connection.end();
  });
});
