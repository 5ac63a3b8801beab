/** Whatever bytes somebody sends, the server goes on serving others. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { serve } from './programs.js';

/** Sends the bytes and waits for the end of the connection, which is ours if the server waits for more. */
async function send(url: URL, bytes: Uint8Array): Promise<void> {
  const socket = connect({ host: url.hostname, port: Number(url.port) });
  // A reset is as good an end as another.
  socket.on('error', () => undefined);
  socket.resume();
  socket.end(bytes);
  await once(socket, 'close');
}

/** Random, or what starts like a packet and goes on at random. */
const garbage = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 300 }),
  fc
    .tuple(fc.constantFrom('0000003000030000', '0000000804d2162f', '1603010200', '7fffffff00030000'), fc.uint8Array())
    .map(([start, rest]) => Buffer.concat([Buffer.from(start, 'hex'), rest])),
);

describe('a server that was sent 1000 random byte strings', () => {
  it('serves', async () => {
    const server = await serve('scenarios/key-change.yaml');
    await fc.assert(
      fc.asyncProperty(garbage, (bytes) => send(server.url, bytes)),
      { numRuns: 1000, endOnFailure: true },
    );
    expect(server.process.exitCode).toBeNull();
    const client = new pg.Client({ connectionString: server.url.href, replication: 'database' } as pg.ClientConfig);
    await client.connect();
    const { rows } = await client.query('IDENTIFY_SYSTEM');
    expect(rows).toMatchObject([{ dbname: 'key-change' }]);
    await client.end();
  });
});
