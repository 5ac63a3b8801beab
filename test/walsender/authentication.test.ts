import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ScramExchange } from '../../src/client/scram.js';
import { frontendMessage, TestClient, testCluster } from './harness.js';
import type { Outline } from './outline.js';

const users = new Map<string, string | null>([
  ['repl', 's3cret'],
  ['nopassword', null],
]);

function started(
  authentication: 'password' | 'md5' | 'scram-sha-256',
  user = 'repl',
  binding?: Uint8Array,
  major = 17,
) {
  const { cluster, clock } = testCluster({ authentication, users, major });
  const client = new TestClient(cluster, clock, { canStartTls: binding !== undefined });
  if (binding) {
    client.raw('0000000804d2162f').takeBytes();
    client.session.secured(binding);
  }
  return client.startup({ user, database: 'db' });
}

function refusal(outlines: readonly Outline[]): unknown {
  const [type, fields] = outlines[0] ?? [];
  const { S, C, M } = fields as { S: string; C: string; M: string };
  return type === 'E' ? `${S} ${C} ${M}` : outlines;
}

const accepted = expect.stringMatching(/^R,S/);
const types = (outlines: readonly Outline[]): string => outlines.map(([type]) => type).join();

describe('password', () => {
  it('accepts the right one', () => {
    const client = started('password');
    expect(client.take()).toEqual([['R', 3]]);
    expect(types(client.message('p', 's3cret\0').take())).toEqual(accepted);
  });

  it.each([
    ['a wrong password', 'repl', 'p', 'x\0', '28P01 password authentication failed for user "repl"'],
    ['an empty password', 'repl', 'p', '\0', '28P01 empty password returned by client'],
    ['a role without one', 'nopassword', 'p', 'x\0', '28P01 password authentication failed for user "nopassword"'],
    ['an unknown role', 'nobody', 'p', 's3cret\0', '28P01 password authentication failed for user "nobody"'],
    ['another message', 'repl', 'Q', 'SELECT 1\0', '08P01 expected password response, got message type 81'],
  ])('refuses %s', (_, user, type, body, message) => {
    const client = started('password', user);
    client.take();
    expect(refusal(client.message(type, body).take())).toBe(`FATAL ${message}`);
    expect(client.closed).toBe('end');
  });

  it('does not take a message that is too long to be one', () => {
    const client = started('password');
    client.take();
    client.raw('7000010000');
    expect([client.take(), client.closed]).toEqual([[], 'end']);
  });
});

describe('md5', () => {
  it('accepts the digest of digest and salt', () => {
    const client = started('md5');
    const challenge = client.takeBytes();
    expect(challenge.toString('hex')).toBe('520000000c0000000507070707');
    const digest = (data: string | Buffer): string => createHash('md5').update(data).digest('hex');
    const response = digest(Buffer.concat([Buffer.from(digest('s3cretrepl')), challenge.subarray(9)]));
    expect(types(client.message('p', `md5${response}\0`).take())).toEqual(accepted);
  });

  it('refuses another', () => {
    const client = started('md5');
    client.take();
    expect(refusal(client.message('p', `md5${'0'.repeat(32)}\0`).take())).toMatch(/28P01/);
  });
});

/** SASLInitialResponse */
function initial(mechanism: string, data: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(data));
  return frontendMessage('p', Buffer.concat([Buffer.from(`${mechanism}\0`), length, Buffer.from(data)]));
}

function saslData(message: Buffer): string {
  return message.toString('utf8', 9, 1 + message.readUInt32BE(1));
}

describe('scram-sha-256', () => {
  it('offers what the server of that major offers', () => {
    const binding = new Uint8Array(32);
    const mechanisms = (client: TestClient): string =>
      client.takeBytes().toString('latin1', 9).replaceAll('\0', ' ').trim();
    expect(mechanisms(started('scram-sha-256'))).toBe('SCRAM-SHA-256');
    expect(mechanisms(started('scram-sha-256', 'repl', binding))).toBe('SCRAM-SHA-256-PLUS SCRAM-SHA-256');
    expect(mechanisms(started('scram-sha-256', 'repl', binding, 10))).toBe('SCRAM-SHA-256');
  });

  it.each([
    ['the right password', 'repl', 's3cret', true],
    ['a wrong one', 'repl', 'x', false],
    ['an unknown role', 'nobody', 's3cret', false],
  ])('goes all the way with %s', (_, user, password, isAccepted) => {
    const client = started('scram-sha-256', user);
    client.take();
    const exchange = new ScramExchange('fyko+d2lbbFgONRv9qkxdawL');
    const first = saslData(client.raw(initial('SCRAM-SHA-256', exchange.clientFirst)).takeBytes());
    expect(first).toMatch(/^r=fyko\+d2lbbFgONRv9qkxdawL[A-Za-z0-9+/]{24},s=[A-Za-z0-9+/=]{24},i=4096$/);
    client.message('p', exchange.clientFinal(password, first));
    if (isAccepted) {
      const answer = client.takeBytes();
      exchange.verify(saslData(answer));
      expect(answer.toString('hex')).toContain('520000000800000000');
    } else {
      expect(refusal(client.take())).toBe(`FATAL 28P01 password authentication failed for user "${user}"`);
    }
  });

  it.each([
    [
      'an unknown mechanism',
      'SCRAM-SHA-1',
      'n,,n=,r=abc',
      '08P01 client selected an invalid SASL authentication mechanism',
    ],
    [
      'PLUS without TLS',
      'SCRAM-SHA-256-PLUS',
      'p=tls-server-end-point,,n=,r=abc',
      '08P01 client selected an invalid SASL authentication mechanism',
    ],
    ['binding data without PLUS', 'SCRAM-SHA-256', 'p=tls-server-end-point,,n=,r=abc', '08P01 malformed SCRAM message'],
    [
      'an authorization identity',
      'SCRAM-SHA-256',
      'n,a=x,n=,r=abc',
      '0A000 client uses authorization identity, but it is not supported',
    ],
    ['an extension', 'SCRAM-SHA-256', 'n,,m=x,n=,r=abc', '0A000 client requires an unsupported SCRAM extension'],
    ['no nonce', 'SCRAM-SHA-256', 'n,,n=', '08P01 malformed SCRAM message'],
    ['an unprintable nonce', 'SCRAM-SHA-256', 'n,,n=,r=a\u0001b', '08P01 non-printable characters in SCRAM nonce'],
    ['nonsense', 'SCRAM-SHA-256', 'nonsense', '08P01 malformed SCRAM message'],
  ])('refuses %s', (_, mechanism, data, message) => {
    const client = started('scram-sha-256');
    client.take();
    expect(refusal(client.raw(initial(mechanism, data)).take())).toBe(`FATAL ${message}`);
  });

  it('refuses a client that believes the server could not bind', () => {
    const client = started('scram-sha-256', 'repl', new Uint8Array(32));
    client.take();
    expect(refusal(client.raw(initial('SCRAM-SHA-256', 'y,,n=,r=abc')).take())).toBe(
      'FATAL 28000 SCRAM channel binding negotiation error',
    );
  });

  it.each([
    [
      'another nonce',
      (first: string) => `c=biws,r=${/r=([^,]*)/.exec(first)![1]!}x,p=${'A'.repeat(43)}=`,
      '08P01 invalid SCRAM response',
    ],
    [
      'another channel binding',
      (first: string) => `c=eSws,r=${/r=([^,]*)/.exec(first)![1]!},p=${'A'.repeat(43)}=`,
      '08P01 unexpected SCRAM channel-binding attribute in client-final-message',
    ],
    [
      'a proof that is none',
      (first: string) => `c=biws,r=${/r=([^,]*)/.exec(first)![1]!},p=AAAA`,
      '08P01 malformed SCRAM message',
    ],
    ['nonsense', () => 'nonsense', '08P01 malformed SCRAM message'],
  ])('refuses in the end %s', (_, final, message) => {
    const client = started('scram-sha-256');
    client.take();
    const first = saslData(client.raw(initial('SCRAM-SHA-256', 'n,,n=,r=abc')).takeBytes());
    expect(refusal(client.message('p', final(first)).take())).toBe(`FATAL ${message}`);
  });

  it('asks a client without an initial response for one', () => {
    const client = started('scram-sha-256');
    client.take();
    const none = Buffer.from('SCRAM-SHA-256\0\xff\xff\xff\xff', 'latin1');
    expect(client.message('p', none).takeBytes().toString('hex')).toBe('52000000080000000b');
    expect(saslData(client.message('p', 'n,,n=,r=abc').takeBytes())).toMatch(/^r=abc/);
  });
});
