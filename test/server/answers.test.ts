/** `answers:` of a scenario, as clients meet them on their sockets. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { serialize } from 'pg-protocol';
import { Connection, DatabaseError, parseTarget, ReplicationStream } from '../../src/client/index.js';
import { createLiveServer, VirtualClock, type LiveServer } from '../../src/live/index.js';
import { readScenario, requireScenario } from '../../src/scenario/index.js';

/** Serves a scenario with these answers for as long as `use` takes. */
async function serving(
  answers: string,
  use: (url: string, server: LiveServer) => Promise<void>,
  clock?: VirtualClock,
): Promise<void> {
  const text = `scenario: x\nserver: { users: { app: secret } }\nanswers:\n${answers}`;
  const scenario = requireScenario(readScenario(text, { file: 'x.yaml' }));
  const server = await createLiveServer({ scenarios: [scenario], tls: true, ...(clock && { clock }) });
  try {
    await use(await server.listen(), server);
  } finally {
    await server.close({ grace: 0 });
  }
}

async function refusal(url: string, options: { replication?: boolean; ssl?: string } = {}): Promise<string> {
  const target = parseTarget(`${url}?sslmode=${options.ssl ?? 'disable'}`);
  try {
    const connection = await Connection.open(target, { replication: options.replication ?? false });
    connection.end();
    return 'let in';
  } catch (error) {
    if (error instanceof DatabaseError) return `${error.severity} ${error.code}: ${error.message}`;
    return (error as Error).message;
  }
}

/** A client that sends bytes as they are, and what it got when the server was done or so many bytes had come. */
async function raw(url: string, bytes: Buffer, count: number): Promise<{ socket: Socket; received: Buffer }> {
  const { port } = parseTarget(url);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  let received = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    received = Buffer.concat([received, chunk as Buffer]);
    if (received.length >= count) break;
  }
  return { socket, received };
}

const startup = serialize.startup({ user: 'app', database: 'x' });
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

describe('answers at login', () => {
  it('are errors for so many clients, whichever they are', async () => {
    await serving(
      '  - { on: connect, error: { code: "53300", message: full, severity: FATAL }, times: 2 }',
      async (url) => {
        const results = [await refusal(url), await refusal(url, { replication: true }), await refusal(url)];
        expect(results).toEqual(['FATAL 53300: full', 'FATAL 53300: full', 'let in']);
      },
    );
  });

  it('are for those without TLS that want to replicate', async () => {
    const answer = '{ when: { tls: false, replication: true }, on: auth, error: { code: "28000", message: no entry } }';
    await serving(`  - ${answer}`, async (url) => {
      expect(await refusal(url, { replication: true })).toBe('FATAL 28000: no entry');
      expect(await refusal(url)).toBe('let in');
      expect(await refusal(url, { replication: true, ssl: 'require' })).toBe('let in');
    });
  });

  it('refuse TLS to who asks for it', async () => {
    await serving('  - { on: tls, refuse: true, times: 1 }', async (url) => {
      expect((await raw(url, sslRequest, 1)).received.toString()).toBe('N');
      expect((await raw(url, sslRequest, 1)).received.toString()).toBe('S');
    });
  });

  // AuthenticationGSS and so on, byte by byte from the manual's "Message Formats".
  it.each([
    ['ask_for: gss', '520000000800000007'],
    ['ask_for: sspi', '520000000800000009'],
    ['ask_for: kerberos', '520000000800000002'],
    ['ask_for: password', '520000000800000003'],
    ['mechanisms: []', '5200000009' + '0000000a' + '00'],
    [
      'mechanisms: [SCRAM-SHA-256-PLUS]',
      '520000001c' + '0000000a' + Buffer.from('SCRAM-SHA-256-PLUS\0\0').toString('hex'),
    ],
  ])('ask for what the server would not: %s', async (what, hex) => {
    await serving(`  - { on: auth, ${what} }`, async (url) => {
      const { socket, received } = await raw(url, startup, hex.length / 2);
      socket.destroy();
      expect(received.toString('hex')).toBe(hex);
    });
  });

  it('let in who has the password for what was asked', async () => {
    await serving(
      '  - { on: auth, ask_for: password, times: 1 }\n  - { on: auth, mechanisms: [NEW, SCRAM-SHA-256] }',
      async (url) => {
        expect(await refusal(url)).toBe('let in');
        expect(await refusal(url)).toBe('let in');
        expect(await refusal(url.replace('secret', 'wrong'))).toContain('28P01');
      },
    );
  });

  it('come before the first ReadyForQuery: notices, parameters, errors', async () => {
    const first =
      '{ on: ready, notices: [{ message: hello }], parameters: { server_version: "17.2 (Debian)" }, times: 1 }';
    await serving(`  - ${first}\n  - { on: ready, error: { code: "57P03", message: starting up } }`, async (url) => {
      const notices: string[] = [];
      const target = parseTarget(`${url}?sslmode=disable`);
      const onNotice = ({ message }: { message: string | undefined }): void => void notices.push(message ?? '');
      const connection = await Connection.open(target, { replication: false, onNotice });
      expect(connection.parameters.get('server_version')).toBe('17.2 (Debian)');
      connection.end();
      expect(notices).toEqual(['hello']);
      expect(await refusal(url)).toBe('FATAL 57P03: starting up');
    });
  });

  it('end the connection, in good order or not', async () => {
    const answers = ['reset', 'close'].map((how) => `  - { on: auth, disconnect: ${how}, times: 1 }`).join('\n');
    await serving(answers, async (url) => {
      const ends = [];
      for (let i = 0; i < 2; i++) {
        const socket = connect(parseTarget(url).port, '127.0.0.1');
        const error = once(socket, 'error').then(([thrown]) => (thrown as NodeJS.ErrnoException).code);
        const end = once(socket.resume(), 'end').then(() => 'end');
        socket.write(startup);
        ends.push(await Promise.race([error, end]));
        socket.destroy();
      }
      expect(ends).toEqual(['ECONNRESET', 'end']);
    });
  });
});

describe('answers to commands and queries', () => {
  it('come as often as they say, then the server has its turn', async () => {
    const error = '{ code: "55006", message: \'replication slot "s" is active for PID 4711\' }';
    await serving(`  - { on: START_REPLICATION, error: ${error}, times: 3 }`, async (url) => {
      const connection = await Connection.open(parseTarget(`${url}?sslmode=disable`), { replication: true });
      const start = (): Promise<unknown> =>
        ReplicationStream.start(connection, 's', 0n, [
          ['proto_version', '1'],
          ['publication_names', 'p'],
        ]);
      for (let i = 0; i < 3; i++) {
        await expect(start()).rejects.toThrow('replication slot "s" is active for PID 4711');
        while ((await connection.receive()).name !== 'readyForQuery');
      }
      expect(await start()).toBeInstanceOf(ReplicationStream);
      connection.socket.destroy();
    });
  });

  it('are rows with their types, NULLs and notices, by pattern', async () => {
    const answer = `  - query: /from pg_replication_slots/i
    rows: [{ slot_name: s, restart_lsn: null, active: false }]
    types: { restart_lsn: pg_lsn, active: bool, wal_status: text }
    notices: [{ severity: WARNING, message: lost }]`;
    await serving(answer, async (url) => {
      const notices: string[] = [];
      const connection = await Connection.open(parseTarget(`${url}?sslmode=disable`), {
        replication: false,
        onNotice: ({ message }) => notices.push(message ?? ''),
      });
      const { rows, tags } = await connection.query('SELECT * FROM pg_replication_slots WHERE active');
      expect({ rows, tags, notices }).toEqual({
        rows: [['s', null, 'f', null]],
        tags: ['SELECT 1'],
        notices: ['lost'],
      });
      expect((await connection.query('SELECT 1')).rows).toEqual([['1']]);
      connection.end();
    });
  });

  it('may take their time, on the clock of the server', async () => {
    const clock = new VirtualClock();
    await serving(
      '  - { query: SELECT 1, delay: 10s }\n  - { on: IDENTIFY_SYSTEM, delay: 1min }',
      async (url) => {
        const target = parseTarget(`${url}?sslmode=disable`);
        const ordinary = await Connection.open(target, { replication: false });
        const walsender = await Connection.open(target, { replication: true });
        const answered: string[] = [];
        const first = ordinary.query('SELECT 1').then(() => answered.push('query'));
        const second = walsender.query('IDENTIFY_SYSTEM').then(() => answered.push('command'));
        // A third question is answered after both have arrived.
        await (await Connection.open(target, { replication: false })).query('SELECT 2');
        expect(answered).toEqual([]);
        await clock.advance(10_000);
        await first;
        expect(answered).toEqual(['query']);
        await clock.advance(50_000);
        await second;
        ordinary.end();
        walsender.end();
      },
      clock,
    );
  });
});

describe('answers that do not fit together', () => {
  it.each([
    ['{ on: connect }', 'missing-key'],
    ['{ on: connect, refuse: true }', 'conflicting-keys'],
    ['{ on: tls, when: { tls: true }, refuse: true }', 'conflicting-keys'],
    ['{ on: auth, notices: [{ message: x }] }', 'conflicting-keys'],
    ['{ on: START_REPLICATION, mechanisms: [X] }', 'conflicting-keys'],
    ['{ query: SELECT 1, error: { code: "57P03", message: x }, disconnect: reset }', 'conflicting-keys'],
    ['{ query: SELECT 1, types: { a: int }, delay: 1s }', 'conflicting-keys'],
  ])('%s', (answer, code) => {
    const { problems } = readScenario(`scenario: x\nanswers:\n  - ${answer}`);
    expect(problems.map((problem) => [problem.code, problem.line])).toEqual([[code, 3]]);
  });
});
