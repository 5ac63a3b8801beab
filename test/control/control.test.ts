/** The control endpoint as another language's test suite uses it: plain HTTP beside an unmodified consumer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ControlServer } from '../../src/control/index.js';
import { createLiveServer, type LiveServer } from '../../src/live/index.js';
import { loadScenario } from '../../src/scenario-file.js';
import { requireScenario } from '../../src/scenario/index.js';
import { run, TestTerminal, type Outcome } from '../cli/terminal.js';

const scenario = `
scenario: One insert
server: { lsn: 0/1500000 }
tables:
  t: { columns: { id: int primary key } }
stream:
  - { insert: t, row: { id: 1 } }
  - label: first
expect:
  - flushed: end
`;

interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

let live: LiveServer;
let control: ControlServer;
let base: string;

beforeEach(async () => {
  live = await createLiveServer({ scenarios: [requireScenario(loadScenario(scenario, { file: 'one.yaml' }))] });
  await live.listen();
  control = new ControlServer(live, { token: 'secret' });
  base = await control.listen();
});

afterEach(async () => {
  await Promise.all([control.close(), live.close({ grace: 0 })]);
});

async function ask(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(base + path, {
    headers: { authorization: 'Bearer secret', ...headers },
    ...(body !== undefined && { method: 'POST', body: text }),
  });
  return { status: response.status, body: (await response.json()) as Reply['body'] };
}

/** Prints and confirms so many transactions, then ends. */
function tail(count: number, ...args: string[]): Promise<Outcome> {
  return run(['tail', '--url', live.url, '--slot', 's', '--publication', 'p', '--count', String(count), ...args]);
}

describe('the control endpoint', () => {
  it('publishes to whoever streams, and answers when it was confirmed', async () => {
    const consumer = tail(2);
    const first = await ask('/wait?slot=s&flushed=first');
    expect(first).toMatchObject({ status: 200, body: { slot: 's' } });
    const published = await ask('/publish', { insert: 't', row: { id: 2 } });
    expect(published.status).toBe(200);
    expect(published.body['endLsn']).toMatch(/^0\/15[0-9A-F]{5}$/);
    const confirmed = await ask('/wait?slot=s&flushed=end&within=5s');
    expect(confirmed).toEqual({ status: 200, body: { slot: 's', confirmed: published.body['endLsn'] } });
    expect((await consumer).stdout).toMatch(/INSERT public\.t id=1[^]*INSERT public\.t id=2/);
  });

  it('takes steps as YAML, several at once, and refuses what is wrong as a whole', async () => {
    const steps = '- { insert: t, row: { id: 2 } }\n- { delete: t, where: { id: 1 } }\n';
    const { status, body } = await ask('/publish', steps);
    expect([status, (body['ends'] as unknown[]).length]).toEqual([200, 2]);
    const refused = await ask('/publish', [
      { insert: 't', row: { id: 3 } },
      { insert: 'u', row: {} },
    ]);
    expect(refused.status).toBe(400);
    expect(refused.body['problems']).toEqual([
      expect.objectContaining({ code: 'unknown-table', line: 1, severity: 'error' }),
    ]);
    const again = await ask('/publish', { insert: 't', row: { id: 3 } });
    expect(again.status).toBe(200);
  });

  it('injects a fault into a running stream', async () => {
    const consumer = tail(9);
    await ask('/wait?slot=s');
    const { status, body } = await ask('/fault?slot=s', { disconnect: { how: 'terminate' } });
    expect([status, body]).toEqual([200, { kind: 'disconnect' }]);
    expect(await consumer).toMatchObject({ status: 1, stderr: expect.stringContaining('57P01') });
    const { body: history } = await ask('/history?kind=fault');
    expect(history['events']).toEqual([expect.objectContaining({ kind: 'fault', slot: 's' })]);
  });

  it('keeps a fault for the next stream where there is none', async () => {
    await ask('/fault', 'error: { code: "58P01", message: gone }');
    expect(await tail(1)).toMatchObject({ status: 1, stderr: expect.stringContaining('58P01') });
    expect(await tail(1)).toMatchObject({ status: 0 });
  });

  it.each([
    ['{ insert: t, row: { id: 7 } }', 'belongs to a place of the stream'],
    ['label: here', 'belongs to a place of the stream'],
    ['[{ keepalive: {} }, { keepalive: {} }]', 'one step at a time'],
    ['{ disconnect: { how: softly } }', 'softly'],
    ['', 'the text is empty'],
  ])('refuses %s as a fault', async (text, reason) => {
    const { status, body } = await ask('/fault', text);
    expect([status, body['error']]).toEqual([400, expect.stringContaining(reason)]);
  });

  it('tells what happened, piece by piece', async () => {
    await tail(1);
    const { body } = await ask('/history');
    const events = body['events'] as { kind: string; message?: { kind: string; commitLsn?: string } }[];
    expect([body['first'], body['next'], body['total']]).toEqual([0, events.length, events.length]);
    const kinds = events.flatMap(({ kind, message }) => (kind === 'message:sent' ? [message!.kind] : []));
    expect(kinds).toEqual(['begin', 'relation', 'insert', 'commit']);
    expect(events.find(({ message }) => message?.kind === 'commit')!.message).toMatchObject({
      commitLsn: expect.stringMatching(/^0\//),
      commitTime: '2026-01-01T00:00:00.000000Z',
    });
    const { body: rest } = await ask('/history?since=3&limit=2');
    expect(rest).toMatchObject({ next: 5, events: events.slice(3, 5) });
    // The limit is for the events of the kind: `next` is the second message.
    const sent = [...events.keys()].filter((index) => events[index]!.kind === 'message:sent');
    expect((await ask('/history?kind=message:sent&limit=1')).body).toMatchObject({
      next: sent[1],
      events: [events[sent[0]!]],
    });
  });

  it('says how the expectations stand, before and after', async () => {
    expect((await ask('/verdict')).body).toMatchObject({ met: false, expectations: [{ status: 'open', met: false }] });
    await tail(1);
    expect((await ask('/verdict')).body).toMatchObject({
      met: true,
      expectations: [{ file: 'one.yaml', line: 10, slot: 's', status: 'met' }],
    });
  });

  it('starts anew after a reset', async () => {
    await tail(1);
    expect(await ask('/reset', '')).toEqual({ status: 200, body: {} });
    expect((await ask('/history')).body).toMatchObject({ events: [], next: 0 });
    expect((await tail(1)).stdout).toContain('id=1');
  });

  it('gives up waiting when the time is up', async () => {
    expect(await ask('/wait?slot=s&flushed=0/1600000&within=10ms')).toEqual({
      status: 408,
      body: {
        error: 'slot "s" does not exist: it did not confirm 0/1600000 within 10 ms',
        slot: 's',
        confirmed: null,
      },
    });
  });

  it.each([
    ['/wait?slot=s&flushed=nowhere', 400, 'neither an LSN nor `end` nor a label of the stream: first'],
    ['/wait?slot=s&within=soon', 400, 'is not a duration'],
    ['/wait?flushed=end', 400, 'the parameter "slot" is missing'],
    ['/wait?slot=s&slot=t', 400, 'given twice'],
    ['/history?sinc=3', 400, 'unknown parameter "sinc": there are since, limit, kind'],
    ['/history?since=x', 400, 'not a whole number'],
    ['/history?kind=nothing', 400, 'there are no events "nothing": there are connection, startup, query'],
    ['/reset', 405, '/reset takes POST'],
    ['/nothing', 404, 'there is no /nothing'],
    ['//', 400, 'is no path'],
  ])('refuses GET %s', async (path, status, reason) => {
    expect(await ask(path)).toMatchObject({ status, body: { error: expect.stringContaining(reason) } });
  });

  it('refuses an unknown database', async () => {
    const { status, body } = await ask('/publish?database=two', { insert: 't', row: { id: 2 } });
    expect([status, body['error']]).toEqual([400, 'there is no database "two": there are one']);
  });

  it.each([{ authorization: 'Bearer wrong' }, { authorization: 'Basic secret' }, { authorization: '' }])(
    'lets nobody in with %j',
    async (headers) => {
      const { status, body } = await ask('/history', undefined, headers);
      expect([status, Object.keys(body)]).toEqual([401, ['error']]);
    },
  );

  it('answers who waits when it closes', async () => {
    const waiting = ask('/wait?slot=s&flushed=end&within=1min');
    await ask('/verdict');
    await control.close();
    expect(await waiting).toMatchObject({ status: 408, body: { error: 'the server is closing' } });
  });
});

describe('serve --control', () => {
  it('says where it is, and what its token is unless it was given', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'control-'));
    const file = join(folder, 'one.yaml');
    writeFileSync(file, scenario);
    try {
      const terminal = new TestTerminal();
      const ended = terminal.run(['serve', file, '--control', '0', '--log', 'off']);
      const [, url, token] = await terminal.prints(/^listening .*\ncontrol (\S+) token (\S+)\n/);
      const response = await fetch(`${url!}/verdict`, { headers: { authorization: `Bearer ${token!}` } });
      expect(response.status).toBe(200);
      terminal.signal();
      // Nobody came, so nobody confirmed.
      expect(await ended).toMatchObject({ status: 0, stderr: expect.stringContaining('unmet: flushed') });
      const given = new TestTerminal();
      const over = given.run(['serve', file, '--control', '0', '--control-token', 'known']);
      await given.prints(/^listening .*\ncontrol http:\/\/127\.0\.0\.1:\d+\n/);
      given.signal();
      await over;
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
