import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Connection, createSlot, parseTarget, ReplicationStream } from '../../src/client/index.js';
import { run, TestTerminal, type Outcome } from './terminal.js';

let folder: string;
const path = (name: string): string => join(folder, name);

const scenario = (id: number, server = ''): string => `
scenario: Three inserts
server: { lsn: 0/1500000${server} }
tables:
  t: { columns: { id: int primary key } }
stream:
  - { insert: t, row: { id: ${id} } }
  - { insert: t, row: { id: ${id + 1} } }
  - { insert: t, row: { id: ${id + 2} } }
`;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'serve-'));
  writeFileSync(path('one.yaml'), scenario(1));
  writeFileSync(path('two.yaml'), scenario(11));
  writeFileSync(path('old.yaml'), scenario(21, ', version: 12'));
  writeFileSync(path('secret.yaml'), scenario(31, ", auth: scram-sha-256, users: { 're pl': 's3/cret', other: x }"));
  writeFileSync(path('wrong.yaml'), 'scenario: x\nstream:\n  - insert: nowhere\n    row: {}\n');
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Served {
  readonly terminal: TestTerminal;
  readonly url: string;
  readonly ended: Promise<Outcome>;
}

async function serve(...args: string[]): Promise<Served> {
  const terminal = new TestTerminal();
  const ended = terminal.run(['serve', ...args]);
  const [, url] = await terminal.prints(/^listening (.*)\n/);
  return { terminal, url: url!, ended };
}

/** Follows a slot with the built-in client, which ends after three transactions. */
function tail(url: string, ...args: string[]): Promise<Outcome> {
  return run(['tail', '--url', url, '--slot', 's', '--publication', 'p', '--count', '3', ...args]);
}

describe('serve', () => {
  it('says where it listens, and ends at a signal', async () => {
    const { terminal, url, ended } = await serve(path('one.yaml'));
    expect(url).toMatch(/^postgres:\/\/postgres@127\.0\.0\.1:\d+\/one$/);
    terminal.signal();
    expect(await ended).toEqual({ status: 0, stdout: `listening ${url}\n`, stderr: '' });
  });

  it('writes the URL, with the first user, to the ready file', async () => {
    const { terminal, url, ended } = await serve(path('secret.yaml'), '--ready-file', path('ready'));
    expect(url).toMatch(/^postgres:\/\/re%20pl:s3%2Fcret@127\.0\.0\.1:\d+\/secret$/);
    expect(readFileSync(path('ready'), 'utf8')).toBe(`${url}\n`);
    expect((await tail(url)).status).toBe(0);
    expect(await tail(url.replace('s3', 'x'))).toMatchObject({ status: 1, stderr: expect.stringContaining('28P01') });
    terminal.signal();
    const { stderr } = await ended;
    expect(stderr).not.toMatch('s3/cret');
  });

  it('says so when it cannot write the ready file', async () => {
    const { status, stderr } = await run(['serve', path('one.yaml'), '--ready-file', path('missing/ready')]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `fake-walsender: --ready-file ${path('missing/ready')}: there is no such file\n`,
    });
  });

  it("starts the stream's time at once when told to, and else with the first client", async () => {
    writeFileSync(
      path('waits.yaml'),
      `scenario: Waits
tables: { t: { columns: { id: int primary key } } }
stream:
  - { insert: t, row: { id: 1 } }
  - wait: 20ms
  - { insert: t, row: { id: 2 } }
  - wait: 20ms
  - { insert: t, row: { id: 3 } }
  - wait: 1h
  - { insert: t, row: { id: 4 } }
`,
    );
    const rowsOf = async (url: string): Promise<number> => {
      const client = new Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query('SELECT id FROM t')).rows.length;
      } finally {
        await client.end();
      }
    };
    const atOnce = await serve(path('waits.yaml'), '--start', 'now');
    for (let rows = 0; rows < 3;) rows = await rowsOf(atOnce.url);
    // Long after the waits there is nothing to wait for.
    expect((await tail(atOnce.url)).status).toBe(0);
    const later = await serve(path('waits.yaml'));
    expect(await rowsOf(later.url)).toBe(0);
    for (const { terminal, ended } of [atOnce, later]) {
      terminal.signal();
      expect((await ended).status).toBe(0);
    }
  });

  it('ends when every slot that was used has confirmed everything', async () => {
    const { url, ended } = await serve(path('one.yaml'), '--exit-after-end', '--timeout', '1min');
    const { stdout, stderr } = await tail(url);
    expect(stdout.match(/INSERT public\.t id=\d+/g)).toEqual([1, 2, 3].map((id) => `INSERT public.t id=${id}`));
    const end = /^confirmed (\S+) \(transactions: 3\)/m.exec(stderr)?.[1];
    expect(await ended).toMatchObject({
      status: 0,
      stderr: expect.stringContaining(`slot s confirmed ${end}, everything\n`),
    });
  });

  it('ends with 1 when time runs out, and says what is missing', async () => {
    const { url, ended } = await serve(path('one.yaml'), '--exit-after-end', '--timeout', '500ms', '--grace', '0ms');
    await tail(url, '--count', '1');
    const { status, stderr } = await ended;
    expect(status).toBe(1);
    expect(stderr).toMatch(/^slot s confirmed \S+, not \S+\nfake-walsender: not ended within 500 ms\n/m);
  });

  it('says which expectations were not met', async () => {
    const expectation = (position: string): string => `\nexpect:\n  - { flushed: ${position}, within: 30s }\n`;
    writeFileSync(path('expect.yaml'), scenario(1) + expectation('end'));
    writeFileSync(path('connections.yaml'), `${scenario(1)}\nexpect:\n  - connections: { min: 2 }\n`);
    const met = await serve(path('expect.yaml'), '--once');
    await tail(met.url);
    expect(await met.ended).toMatchObject({ status: 0, stderr: expect.not.stringContaining('unmet') });
    const unmet = await serve(path('expect.yaml'), '--once');
    await tail(unmet.url, '--count', '1');
    expect(await unmet.ended).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(
        /expect\.yaml:12:\d+: unmet: flushed: slot s confirmed 0\/[0-9A-F]+, not 0\/[0-9A-F]+\n/,
      ),
    });
    const judged = await serve(path('connections.yaml'), '--exit-after-end');
    await tail(judged.url);
    expect(await judged.ended).toMatchObject({ status: 1, stderr: expect.stringContaining('unmet: connections') });
    const unused = await serve(path('expect.yaml'), '--timeout', '1ms');
    expect((await unused.ended).stderr).toMatch(/expect\.yaml:12:\d+: unmet: flushed: no slot was used\n/);
    writeFileSync(path('expect.yaml'), scenario(1) + expectation('0/1500001'));
    const early = await serve(path('expect.yaml'), '--once');
    await tail(early.url, '--count', '1');
    expect((await early.ended).stderr).not.toContain('unmet');
  });

  it('ends when the first replication connection ends, not when others do', async () => {
    const { url, ended } = await serve(path('one.yaml'), '--once');
    const ordinary = await Connection.open(parseTarget(url), { replication: false });
    ordinary.end();
    await once(ordinary.socket, 'close');
    expect((await tail(url)).status).toBe(0);
    expect((await ended).status).toBe(0);
  });

  it('lets a client go on where it was, and others start at the beginning', async () => {
    const { terminal, url, ended } = await serve(path('one.yaml'));
    expect((await tail(url, '--count', '1')).stdout.match(/id=\d+/g)).toEqual(['id=1']);
    expect((await tail(url, '--count', '2')).stdout.match(/id=\d+/g)).toEqual(['id=2', 'id=3']);
    expect((await tail(url, '--slot', 'other')).stdout.match(/id=\d+/g)).toEqual(['id=1', 'id=2', 'id=3']);
    terminal.signal();
    await ended;
  });

  it('serves several scenarios, by the name of the database', async () => {
    const { terminal, url, ended } = await serve(path('one.yaml'), path('two.yaml'));
    expect(url).toMatch(/\/one$/);
    expect((await tail(url, '--slot', 'one')).stdout.match(/id=\d+/g)).toEqual(['id=1', 'id=2', 'id=3']);
    const two = await tail(url.replace(/one$/, 'two'), '--slot', 'two');
    expect(two.stdout.match(/id=\d+/g)).toEqual(['id=11', 'id=12', 'id=13']);
    const none = await tail(url.replace(/one$/, 'none'));
    expect(none).toMatchObject({ status: 1, stderr: expect.stringContaining('database "none" does not exist') });
    terminal.signal();
    await ended;
  });

  it('offers TLS on request', async () => {
    const { terminal, url, ended } = await serve(path('one.yaml'), '--tls');
    expect((await tail(`${url}?sslmode=require`)).stdout.match(/id=\d+/g)).toEqual(['id=1', 'id=2', 'id=3']);
    // Its certificate was made by nobody that one could know.
    expect(await tail(`${url}?sslmode=verify-full`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('self-signed certificate'),
    });
    expect((await tail(`${url}?sslmode=disable`, '--slot', 'plain')).status).toBe(0);
    terminal.signal();
    expect((await ended).stderr).toMatch(/user postgres, database one, logical replication, TLS\n/);
  });

  it('answers queries by the scenario first, and by another server last', async () => {
    const answer = '\nanswers: [{ query: /xpath/, rows: [{ n: 7 }], types: { n: int4 } }]\n';
    writeFileSync(path('behind.yaml'), scenario(1) + answer);
    const behind = await serve(path('behind.yaml'), '--log', 'off');
    const front = await serve(path('one.yaml'), '--log', 'off', '--upstream', `${behind.url}?sslmode=disable`);
    const connection = await Connection.open(parseTarget(`${front.url}?sslmode=disable`), { replication: false });
    expect((await connection.query("SELECT xpath('/a', '<a/>')")).rows).toEqual([['7']]);
    connection.end();
    for (const { terminal, ended } of [front, behind]) {
      terminal.signal();
      expect((await ended).status).toBe(0);
    }
    const refused = await run(['serve', path('one.yaml'), '--upstream', 'nowhere']);
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--upstream: a connection URL looks like'),
    });
  });

  it('keeps slots in a file', async () => {
    const first = await serve(path('one.yaml'), '--state', path('slots.json'));
    await tail(first.url, '--count', '1');
    first.terminal.signal();
    await first.ended;
    const second = await serve(path('one.yaml'), '--state', path('slots.json'));
    expect((await tail(second.url, '--count', '2')).stdout.match(/id=\d+/g)).toEqual(['id=2', 'id=3']);
    second.terminal.signal();
    await second.ended;
    writeFileSync(path('slots.json'), '{}');
    const third = await run(['serve', path('one.yaml'), '--state', path('slots.json')]);
    expect(third).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('not a state file') });
  });

  it('ends with 1 when it can no longer keep slots in their file', async () => {
    mkdirSync(path('gone'));
    const { url, ended } = await serve(path('one.yaml'), '--state', path('gone/slots.json'));
    rmSync(path('gone'), { recursive: true });
    await tail(url);
    const { status, stderr } = await ended;
    expect(status).toBe(1);
    expect(stderr).toMatch(/\nfake-walsender: --state .*slots\.json: there is no such file\n$/);
  });

  it('ends at once at a second signal', async () => {
    const { terminal, url, ended } = await serve(path('one.yaml'), '--grace', '1min');
    const connection = await Connection.open(parseTarget(url), { replication: true });
    await createSlot(connection, 's', false);
    const stream = await ReplicationStream.start(connection, 's', 0n, [
      ['proto_version', '1'],
      ['publication_names', 'p'],
    ]);
    await stream.next();
    terminal.signal();
    terminal.signal();
    // The client has confirmed nothing, so fast shutdown alone would wait for it.
    const rest = async (): Promise<void> => {
      while (await stream.next());
    };
    await expect(rest()).rejects.toMatchObject({ code: '57P01' });
    expect((await ended).status).toBe(0);
  });

  it('logs JSON lines on request', async () => {
    const { url, ended } = await serve(path('one.yaml'), '--once', '--log', 'json');
    await tail(url);
    const events = (await ended).stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const kinds = events.map(({ kind }) => kind);
    expect(kinds).toEqual(
      expect.arrayContaining(['connection', 'startup', 'query', 'replication:start', 'feedback', 'disconnect']),
    );
    expect(events.find(({ kind }) => kind === 'replication:start')).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      slot: 's',
      startLsn: '0/1500000',
    });
  });

  it('warns of what it passes over', async () => {
    writeFileSync(path('passed.yaml'), `${scenario(1)}  - consumer: restart\n`);
    const { url, ended } = await serve(path('passed.yaml'), '--once');
    expect((await tail(url)).status).toBe(0);
    expect(await ended).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/^\S+passed\.yaml:10:\d+: warning: this has an effect under `run` only/),
    });
  });

  it('refuses what it cannot serve', async () => {
    expect(await run(['serve', path('wrong.yaml')])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/wrong\.yaml:3:\d+: /),
    });
    expect(await run(['serve', path('one.yaml'), path('old.yaml')])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('one server has one version'),
    });
    expect(await run(['serve', path('one.yaml'), '--server-version', '9.6'])).toMatchObject({ status: 2 });
    const occupied = createServer().listen(0, '127.0.0.1');
    await once(occupied, 'listening');
    const { port } = occupied.address() as AddressInfo;
    expect(await run(['serve', path('one.yaml'), '--port', String(port)])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`cannot listen on 127.0.0.1:${port}`),
    });
    occupied.close();
  });
});
