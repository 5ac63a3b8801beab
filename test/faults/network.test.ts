/** How bytes travel: pieces, bounds of time, and order, at the socket. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { frontendMessage, statusUpdate } from '../walsender/harness.js';
import { closeAll, FaultClient, fields, scenarioText, serve, withoutFaults } from './client.js';

afterEach(closeAll);

const insert = (id: number, v = 'x'): string => `  - insert: t\n    row: { id: ${id}, v: ${v} }`;
const inserts = (count: number, v = 'x'): string =>
  `  - repeat: ${count}\n    changes: [{ insert: t, row: { id: "{{index}}", v: ${v} } }]`;

async function started(stream: string, server?: string, slot = 's') {
  const served = await serve(scenarioText(stream, server));
  const client = await FaultClient.connect(served);
  return { served, client: client.start({ slot }) };
}

const payloads = (client: FaultClient): Buffer => Buffer.concat(client.data.slice(1).map(({ bytes }) => bytes));

describe('network', () => {
  it.each([1, 3, 64])('sends segments of %i bytes, each by itself', async (chunk) => {
    const { served, client } = await started(`  - network: { chunk: ${chunk} }\n${insert(1)}\n${insert(2)}`);
    await client.untilCommits(2);
    // CopyBothResponse, with or without a keepalive, came before.
    const [, ...pieces] = client.pieces;
    expect(Math.max(...pieces.map(({ bytes }) => bytes.length))).toBe(chunk);
    expect(pieces.length).toBeGreaterThanOrEqual(Math.floor(client.bytes.length / chunk) - 20);
    expect(payloads(client)).toEqual(Buffer.concat(await withoutFaults(`${insert(1)}\n${insert(2)}`, 7)));
    expect(served.done()).toEqual([`network: chunk of ${chunk} bytes`]);
  });

  it('stops splitting with `chunk: off`', async () => {
    const { client } = await started(
      `  - network: { chunk: 1 }\n${insert(1)}\n  - network: { chunk: off }\n${inserts(50)}`,
    );
    await client.untilCommits(51);
    expect(client.pieces.at(-1)!.bytes.length).toBeGreaterThan(1000);
  });

  it('delays everything', async () => {
    const { served, client } = await started(`  - network: { delay: 60ms }\n${insert(1)}`);
    await client.untilCommits(1);
    const first = client.pieces.find(({ bytes }) => bytes.includes('64', 0, 'hex') && bytes.length > 40)!;
    expect(first.at - served.faultAt()).toBeGreaterThanOrEqual(60);
    expect(client.outline).toBe('W wB wR wI wC');
  });

  it('lets no more bytes through than the bandwidth', async () => {
    const { served, client } = await started(`  - network: { bandwidth: 100kB/s }\n${inserts(100)}`);
    await client.untilCommits(100);
    const copyBoth = 8;
    let bytes = -copyBoth;
    for (const piece of client.pieces) {
      bytes += piece.bytes.length;
      expect(bytes).toBeLessThanOrEqual(Math.max(0, ((piece.at - served.faultAt()) * 100 * 1024) / 1000));
    }
    expect(bytes).toBeGreaterThan(15_000);
  });

  it('gathers', async () => {
    const stream = `  - network: { coalesce: true }\n${Array.from({ length: 5 }, (_, i) => `${insert(i)}\n  - wait: 1ms`).join('\n')}`;
    const { client } = await started(stream);
    await client.untilCommits(5);
    const pieces = client.pieces.slice(1).map(({ bytes }) => bytes.length);
    expect(Math.max(...pieces)).toBeGreaterThan(2 * 51);
    expect(client.outline).toBe('W wB wR wI wC wB wI wC wB wI wC wB wI wC wB wI wC');
  });

  it('does all of it together, and a reset comes after the last byte', async () => {
    const stream = `  - network: { chunk: 100, delay: 10ms, bandwidth: 1MB/s, coalesce: true }\n${inserts(20)}\n  - disconnect: { how: reset }`;
    const { client } = await started(stream);
    expect(await client.end()).toBe('reset');
    expect(client.outline.match(/wC/g)).toHaveLength(20);
    expect(Math.max(...client.pieces.slice(1).map(({ bytes }) => bytes.length))).toBeLessThanOrEqual(100);
  });

  it('ends in good order after the last byte', async () => {
    const { client } = await started(
      `  - network: { delay: 30ms, chunk: 7 }\n${insert(1)}\n  - disconnect: { how: close }`,
    );
    expect(await client.end()).toBe('end');
    expect(client.outline).toBe('W wB wR wI wC');
    expect(client.rest).toHaveLength(0);
  });

  it('is the connection’s own, and comes again for who comes again', async () => {
    const { served, client } = await started(`  - network: { chunk: 2 }\n    slot: s\n${insert(1)}`);
    await client.untilCommits(1);
    const other = await (await FaultClient.connect(served)).start({ slot: 'other' }).untilCommits(1);
    expect(other.pieces.length).toBeLessThan(10);
    client.socket.destroy();
    await served.happened('disconnect');
    const again = await (await FaultClient.connect(served)).start().untilCommits(1);
    expect(again.pieces.length).toBeGreaterThan(50);
  });

  it('keeps backpressure: what a slow line holds back is bounded', async () => {
    const { served, client } = await started(
      `  - network: { bandwidth: 200kB/s }\n  - repeat: 10000000\n    changes: [{ insert: t, row: { id: "{{index}}", v: "${'y'.repeat(900)}" } }]`,
    );
    await client.untilCommits(150);
    const sent = served.events.filter(({ kind }) => kind === 'message:sent').length;
    // 256 kB of high water and two chunks of 64 kB: messages of about a kilobyte in three.
    expect(sent - client.data.length).toBeLessThan(3 * (256 + 64 + 64));
  });

  it('does not keep a server from shutting down', async () => {
    const { served, client } = await started(`  - network: { bandwidth: 1kB/s }\n${inserts(300)}`);
    await client.untilData(2);
    await Promise.all([served.server.close({ grace: 0 }), client.end()]);
    expect(client.outline.endsWith('E')).toBe(true);
  });
});

describe('network under TLS', () => {
  it('splits into records', async () => {
    const served = await serve(scenarioText(`  - network: { chunk: 5 }\n${insert(1)}`), { tls: 'self-signed' });
    const client = await FaultClient.connectTls(served);
    await client.start().untilCommits(1);
    const [, ...pieces] = client.pieces;
    expect(Math.max(...pieces.map(({ bytes }) => bytes.length))).toBe(5);
    expect(client.outline).toBe('W wB wR wI wC');
  });
});

describe('stall', () => {
  it('sends nothing for so long, then goes on', async () => {
    const { served, client } = await started(`${insert(1)}\n  - stall: 80ms\n${insert(2)}`);
    await client.untilCommits(1);
    const { length } = client.pieces;
    await client.untilCommits(2);
    expect(client.pieces[length]!.at - served.faultAt()).toBeGreaterThanOrEqual(80);
  });

  it.each([false, true])('answers meanwhile only when keepalives are to go on: %s', async (keepalives) => {
    const { served, client } = await started(
      `${insert(1)}\n  - stall: 150ms\n    keepalives: ${keepalives}\n${insert(2)}`,
    );
    await client.untilCommits(1);
    await served.happened('fault');
    // Asks for an answer.
    client.forget().send(frontendMessage('d', statusUpdate(0n, 0n, 0n, true)));
    await client.until((messages) => messages.length > 0);
    if (!keepalives) expect(client.pieces[0]!.at - served.faultAt()).toBeGreaterThanOrEqual(150);
    const sent = served.events.filter((event) => event.kind === 'message:sent' && event.message.kind === 'insert');
    if (keepalives) expect([client.messages[0]!.type, sent.length]).toEqual(['k', 1]);
    await client.untilCommits(1);
  });

  it.each([1, 3, 20, 43])('stops after %i bytes of a message, and sends the others later', async (at) => {
    const { served, client } = await started(
      `  - stall: 60ms\n    inside: { in: insert, at: ${at} }\n${insert(1)}\n${insert(2)}`,
    );
    await client.until(() => client.data.length === 3 && client.rest.length > 0);
    expect(client.rest).toHaveLength(at);
    const { length } = client.pieces;
    await client.untilCommits(2);
    expect(client.pieces[length]!.at - served.faultAt()).toBeGreaterThanOrEqual(60);
    expect(payloads(client)).toEqual(Buffer.concat(await withoutFaults(`${insert(1)}\n${insert(2)}`, 7)));
    expect(served.done()).toEqual([`sends nothing for 60 ms after ${at} of the 50 bytes of insert`]);
  });
});

describe('disconnect', () => {
  it.each([
    ['close', 'end', 'W wB wR wI wC'],
    ['reset', 'reset', 'W wB wR wI wC'],
    ['terminate', 'end', 'W wB wR wI wC E'],
  ])('%s', async (how, ending, outline) => {
    const { client } = await started(`${insert(1)}\n  - disconnect: { how: ${how} }\n${insert(2)}`);
    expect(await client.end()).toBe(ending);
    expect(client.outline).toBe(outline);
  });

  it('half-open: silence; the slot is free when the server gives up, and when the client closes', async () => {
    const { served, client } = await started(
      `${insert(1)}\n  - disconnect: { how: half-open }\n    times: 2\n${insert(2)}`,
      'version: 17, wal_sender_timeout: 150ms',
    );
    await served.happened('disconnect');
    expect(client.ended).toBeUndefined();
    expect(client.outline).toBe('W wB wR wI wC');
    served.events.length = 0;
    const second = (await FaultClient.connect(served)).start();
    await second.untilCommits(1);
    second.socket.end();
    await served.happened('disconnect');
    expect(await (await FaultClient.connect(served)).start().untilCommits(2)).toBeDefined();
  });

  it('black-hole: the slot stays taken, though the client has gone, until the server gives up', async () => {
    const { served, client } = await started(
      `${insert(1)}\n  - disconnect: { how: black-hole }\n${insert(2)}`,
      'version: 17, wal_sender_timeout: 150ms',
    );
    await client.untilCommits(1);
    await served.happened('fault');
    client.socket.end();
    const second = await FaultClient.connect(served);
    let refused = 0;
    const isAccepted = (): boolean => second.messages.some(({ type }) => type === 'W');
    while (!isAccepted()) {
      await second.start().until((messages) => isAccepted() || messages.at(-1)?.type === 'Z');
      if (isAccepted()) break;
      expect(fields(second.data[0]!)['C']).toBe('55006');
      refused++;
    }
    expect(refused).toBeGreaterThan(0);
    await second.untilCommits(2);
  });

  it('does not outlast the server', async () => {
    const { served, client } = await started(`${insert(1)}\n  - disconnect: { how: black-hole }\n${insert(2)}`);
    await client.untilCommits(1);
    await served.happened('fault');
    client.socket.destroy();
    await served.server.close({ grace: 0 });
    expect(served.events.at(-1)!.kind).toBe('disconnect');
  });

  it('copy_done: the stream is over, the connection is not', async () => {
    const { client } = await started(`${insert(1)}\n  - disconnect: { how: copy_done }\n${insert(2)}`);
    await client.until((messages) => messages.at(-1)?.type === 'Z');
    expect(client.outline).toBe('W wB wR wI wC c C C Z');
    expect((await client.ask('IDENTIFY_SYSTEM')).map(({ type }) => type).join('')).toBe('TDCZ');
  });
});
