import { describe, expect, it } from '@jest/globals';
import { WireError } from '../../src/values/wire-error.js';
import { connected, TestClient, testCluster, type TestClusterOptions } from './harness.js';
import type { Outline } from './outline.js';

const user = { user: 'postgres', database: 'db' };

function client(options: TestClusterOptions = {}, peer?: ConstructorParameters<typeof TestClient>[2]): TestClient {
  const { cluster, clock } = testCluster(options);
  return new TestClient(cluster, clock, peer);
}

/** The first error, as `severity SQLSTATE message`. */
function errorIn(outlines: readonly Outline[]): string | undefined {
  const fields = outlines.find(([type]) => type === 'E')?.[1] as Record<string, string> | undefined;
  return fields && `${fields['S']!} ${fields['C']!} ${fields['M']!}`;
}

function types(outlines: readonly Outline[]): string {
  return outlines.map(([type]) => type).join('');
}

describe('start-up packets', () => {
  it('answers requests for encryption with N, then starts', () => {
    const peer = client();
    expect(peer.raw('0000000804d21630').take()).toEqual([['byte', 'N']]);
    expect(peer.raw('0000000804d2162f').take()).toEqual([['byte', 'N']]);
    expect(types(peer.startup(user).take())).toMatch(/^RS+KZ$/);
  });

  it('takes a second SSLRequest for a protocol version, as servers do', () => {
    const peer = client();
    peer.raw('0000000804d2162f').take();
    expect(errorIn(peer.raw('0000000804d2162f').take())).toBe(
      'FATAL 0A000 unsupported frontend protocol 1234.5679: server supports 3.0 to 3.0',
    );
    expect(peer.closed).toBe('end');
  });

  it('has never heard of GSSENCRequest up to 11', () => {
    expect(errorIn(client({ major: 11 }).raw('0000000804d21630').take())).toBe(
      'FATAL 0A000 unsupported frontend protocol 1234.5680: server supports 2.0 to 3.0',
    );
  });

  it.each([
    [10, '2.0 to 3.0'],
    [14, '3.0 to 3.0'],
    [18, '3.0 to 3.2'],
  ])('refuses protocol 4 as %i does', (major, range) => {
    expect(
      errorIn(
        client({ major })
          .startup(user, 4 << 16)
          .take(),
      ),
    ).toBe(`FATAL 0A000 unsupported frontend protocol 4.0: server supports ${range}`);
  });

  it.each([
    [17, 0x3_0001, ['v', 0x3_0000], 4],
    [18, 0x3_0001, undefined, 4],
    [18, 0x3_0002, undefined, 32],
    [18, 0x3_0003, ['v', 0x3_0002], 32],
  ])('negotiates: %i, version %i', (major, version, negotiation, keyLength) => {
    const outlines = client({ major }).startup(user, version).take();
    expect(outlines.find(([type]) => type === 'v')).toEqual(negotiation);
    expect(outlines.find(([type]) => type === 'K')).toEqual(['K', keyLength]);
  });

  it('names the protocol options that it does not know', () => {
    const outlines = client({ major: 17 })
      .startup({ ...user, '_pq_.a': '1', '_pq_.b': '2' })
      .take();
    expect(outlines[0]).toEqual(['v', 0x3_0000, '_pq_.a', '_pq_.b']);
  });

  it.each<[string, string]>([
    ['a length below 8', '00000007'],
    ['a length beyond the limit', '00002715'],
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n').toString('hex')],
    ['a TLS hello without TLS', '16030100a5'],
    ['a CancelRequest', '0000001004d2162e0000000100000002'],
    ['a CancelRequest without key', '0000000c04d2162e00000001'],
  ])('closes without a word: %s', (_, hex) => {
    const peer = client();
    expect(peer.raw(hex).take()).toEqual([]);
    expect(peer.closed).toBe('end');
  });

  it('waits for the rest of a packet, however it is cut', () => {
    const peer = client();
    const whole = Buffer.from(
      '0000002500030000' + Buffer.from('user\0postgres\0database\0db\0\0').toString('hex'),
      'hex',
    );
    whole.writeUInt32BE(whole.length);
    for (const byte of whole.subarray(0, -1)) peer.raw(Uint8Array.of(byte));
    expect(peer.take()).toEqual([]);
    expect(types(peer.raw(whole.subarray(-1)).take())).toMatch(/^RS+KZ$/);
  });
});

describe('start-up parameters', () => {
  it.each([
    ['no user', { database: 'db' }, 'FATAL 28000 no PostgreSQL user name specified in startup packet'],
    [
      'replication=maybe',
      { ...user, replication: 'maybe' },
      'FATAL 22023 invalid value for parameter "replication": "maybe"',
    ],
    [
      'replication=Database',
      { ...user, replication: 'Database' },
      'FATAL 22023 invalid value for parameter "replication": "Database"',
    ],
    ['an unknown role', { ...user, user: 'nobody' }, 'FATAL 28000 role "nobody" does not exist'],
    ['an unknown database', { ...user, database: 'nodb' }, 'FATAL 3D000 database "nodb" does not exist'],
    ['the user as database', { user: 'postgres' }, 'FATAL 3D000 database "postgres" does not exist'],
    ['an unknown setting', { ...user, nosuch: '1' }, 'FATAL 42704 unrecognized configuration parameter "nosuch"'],
    [
      'one inside options',
      { ...user, options: '-c nosuch=1' },
      'FATAL 42704 unrecognized configuration parameter "nosuch"',
    ],
    [
      'options of another kind',
      { ...user, options: '-Q' },
      'FATAL 42601 invalid command-line argument for server process: -Q',
    ],
    ['options without a value', { ...user, options: '-c work_mem' }, 'FATAL 42601 -c work_mem requires a value'],
  ])('refuses %s', (_, parameters, message) => {
    const peer = client({ users: new Map([['postgres', null]]) });
    expect(errorIn(peer.startup(parameters).take())).toBe(message);
    expect(peer.closed).toBe('end');
  });

  it('reads options as the server does', () => {
    const { cluster, clock } = testCluster();
    const peer = connected({ cluster, clock }, { options: ' -c wal_sender_timeout=7s --application-name=a\\ b' });
    expect(peer.query('SHOW wal_sender_timeout')).toContainEqual(['D', '7s']);
    expect(peer.query('SHOW application_name')).toContainEqual(['D', 'a b']);
  });

  it.each(['true', 'TR', '1', 'on', 'yes'])('takes replication=%s for a physical walsender', (replication) => {
    const peer = client();
    const outlines = peer.startup({ ...user, database: 'whatever', replication }).take();
    expect(outlines).toContainEqual(['S', 'client_encoding', 'SQL_ASCII']);
    expect(peer.query('IDENTIFY_SYSTEM')).toContainEqual(['D', '7429138812345678901', '1', '0/1500000', null]);
  });

  it('takes any database name where there is but one', () => {
    const peer = client({ anyDatabase: true });
    expect(types(peer.startup({ ...user, database: 'whatever', replication: 'database' }).take())).toMatch(/^RS+KZ$/);
    expect(peer.query('IDENTIFY_SYSTEM')).toContainEqual(['D', '7429138812345678901', '1', '0/1500000', 'db']);
  });
});

describe('limits', () => {
  it('gives a client a minute to get in', () => {
    const silent = client();
    expect(silent.pass(59_999).closed).toBeUndefined();
    expect(silent.pass(1).take()).toEqual([]);
    expect(silent.closed).toBe('end');
    const slow = client({ authentication: 'password', users: new Map([['postgres', 'x']]) }).startup(user);
    slow.take();
    expect(errorIn(slow.pass(60_000).take())).toBe('FATAL 57014 canceling authentication due to timeout');
    const quick = client().startup(user);
    expect(quick.pass(1_000_000).closed).toBeUndefined();
  });

  it.each([
    [11, true, 'FATAL 53300 number of requested standby connections exceeds max_wal_senders (currently 1)'],
    [16, false, 'FATAL 53300 number of requested standby connections exceeds max_wal_senders (currently 1)'],
    [17, false, 'FATAL 53300 number of requested standby connections exceeds "max_wal_senders" (currently 1)'],
  ])('allows so many walsenders: %i', (major, authenticatesFirst, message) => {
    const server = testCluster({ major, configuration: new Map([['max_wal_senders', '1']]) });
    const first = connected(server);
    const second = new TestClient(server.cluster, server.clock);
    const outlines = second.startup({ ...user, replication: 'database' }).take();
    expect(outlines[0]?.[0]).toBe(authenticatesFirst ? 'R' : 'E');
    expect(errorIn(outlines)).toBe(message);
    first.message('X');
    expect(first.closed).toBe('end');
    expect(
      types(new TestClient(server.cluster, server.clock).startup({ ...user, replication: 'database' }).take()),
    ).toMatch(/Z$/);
  });

  it('allows so many ordinary connections', () => {
    const server = testCluster({ configuration: new Map([['max_connections', '1']]) });
    const first = new TestClient(server.cluster, server.clock).startup(user);
    expect(types(first.take())).toMatch(/Z$/);
    expect(errorIn(new TestClient(server.cluster, server.clock).startup(user).take())).toBe(
      'FATAL 53300 sorry, too many clients already',
    );
  });
});

describe('access', () => {
  const remote = { peer: { address: '10.0.0.9', port: 1 } };

  it.each([
    [13, 'no pg_hba.conf entry for replication connection from host "10.0.0.9", user "postgres", SSL off'],
    [14, 'no pg_hba.conf entry for host "10.0.0.9", user "postgres", database "db", no encryption'],
  ])('trusts nobody from elsewhere: %i', (major, message) => {
    const peer = client({ major }, remote);
    const outlines = peer.startup({ ...user, replication: 'database' }).take();
    expect(errorIn(outlines)).toBe(`FATAL 28000 ${message}`);
    expect(types(outlines)).toBe('E');
  });

  it('trusts them where it was told to', () => {
    expect(types(client({ allowRemoteTrust: true }, remote).startup(user).take())).toMatch(/Z$/);
  });

  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1', null])('trusts %s', (address) => {
    expect(
      types(
        client({}, { peer: { address, port: 1 } })
          .startup(user)
          .take(),
      ),
    ).toMatch(/Z$/);
  });

  it('lets anybody from elsewhere give a password', () => {
    const peer = client({ authentication: 'password', users: new Map([['postgres', 'x']]) }, remote);
    expect(peer.startup(user).take()).toEqual([['R', 3]]);
  });
});

describe('TLS', () => {
  it('hands over to the handshake, and takes the start-up packet inside', () => {
    const peer = client({}, { canStartTls: true });
    expect(peer.raw('0000000804d2162f').takeBytes().toString()).toBe('S');
    expect(peer.tlsStarted).toEqual({ direct: false, received: new Uint8Array(0) });
    peer.session.secured(null);
    expect(types(peer.startup(user).take())).toMatch(/Z$/);
  });

  it('ends a connection that goes on in clear', () => {
    const peer = client({}, { canStartTls: true });
    peer.raw('0000000804d2162f' + '00000008');
    expect(peer.closed).toBe('end');
    expect(peer.tlsStarted).toBeUndefined();
  });

  it('lets a client begin without asking from 17 on', () => {
    const hello = Buffer.from('16030100a5', 'hex');
    const peer = client({ major: 17 }, { canStartTls: true }).raw(hello);
    expect(peer.tlsStarted).toEqual({ direct: true, received: hello });
    expect(client({ major: 16 }, { canStartTls: true }).raw(hello).closed).toBe('end');
  });
});

describe('handlers at start-up', () => {
  it('answer with an error where clients understand it', () => {
    const error = new WireError({ code: '53300', message: 'sorry' });
    const answering = (refused: string): TestClient =>
      client({ answers: { connection: (stage) => (stage === refused ? { kind: 'error', error } : undefined) } });
    const connecting = answering('connect');
    expect(connecting.raw('0000000804d2162f').take()).toEqual([['byte', 'N']]);
    expect(errorIn(connecting.startup(user).take())).toBe('FATAL 53300 sorry');
    expect(errorIn(answering('tls').raw('0000000804d2162f').take())).toBe('FATAL 53300 sorry');
    expect(errorIn(answering('auth').startup(user).take())).toBe('FATAL 53300 sorry');
  });

  it('can refuse at each stage', () => {
    const refused: string[] = [];
    for (const refusedStage of ['connect', 'tls', 'auth']) {
      const peer = client({
        answers: {
          connection: (stage) => (stage === refusedStage ? { kind: 'disconnect', how: 'reset' } : undefined),
        },
      });
      if (peer.closed === undefined) peer.raw('0000000804d2162f').startup(user);
      if (peer.closed === 'reset') refused.push(refusedStage);
    }
    expect(refused).toEqual(['connect', 'tls', 'auth']);
  });
});
