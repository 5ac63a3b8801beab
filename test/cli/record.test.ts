import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { run, TestTerminal, type Outcome } from './terminal.js';

const scenario = `
scenario: Orders
server: { version: 16, lsn: 0/1500000 }
types:
  public.mood: { enum: [sad, ok, happy] }
tables:
  users:
    columns: { id: bigint primary key, email: text not null, bio: text, mood: mood, paid: "numeric(10,2)", tags: "text[]", doc: jsonb, seen: timestamptz }
    rows:
      - { id: 4711, email: zoe.quill@acme.test, bio: { type: x }, mood: ok, paid: 10.50, tags: [red, blue], doc: { city: Osnabrueck, zip: 49074 }, seen: 2024-05-06T07:08:09Z }
  notes: { replica_identity: full, columns: { n: int, body: text } }
stream:
  - insert: users
    row: { id: 4712, email: maximilian@acme.test, bio: "Lives in Bremen", mood: happy, paid: 1234.56, tags: [green], doc: { city: Bremen, zip: 28195, ok: true }, seen: 2025-01-02T03:04:05.678Z }
  - update: users
    where: { id: 4711 }
    set: { id: 4799, email: maximilian@acme.test }
  - transaction:
      changes:
        - insert: notes
          rows: [ { n: 4712, body: "Lives in Bremen" }, { n: 77, body: null } ]
        - delete: notes
          where: { n: 77 }
  - message: { prefix: app, content: "Bremen calling" }
`.replace('bio: { type: x }', 'bio: Zoe the elder');

/** Every value of the scenario's rows that says something about somebody. */
const originals = [
  ...['4711', '4712', '4799', 'zoe.quill@acme.test', 'maximilian@acme.test', 'Zoe the elder', 'Lives in Bremen'],
  ...['10.50', '1234.56', 'red', 'blue', 'green', 'Osnabrueck', '49074', 'Bremen', '28195', '2024-05-06', '2025-01-02'],
];

let folder: string;
const path = (name: string): string => join(folder, name);
let served: { readonly terminal: TestTerminal; readonly url: string; readonly ended: Promise<Outcome> };

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'record-'));
  writeFileSync(path('orders.yaml'), scenario);
  const terminal = new TestTerminal();
  const ended = terminal.run(['serve', path('orders.yaml'), '--log', 'json']);
  const [, url] = await terminal.prints(/^listening (.*)\n/);
  served = { terminal, url: url!, ended };
});

afterEach(async () => {
  served.terminal.signal();
  await served.ended;
  rmSync(folder, { recursive: true });
});

function record(...args: string[]): Promise<Outcome> {
  const where = ['--url', served.url, '--slot', 'rec', '--publication', 'pub', '-o', path('recorded.yaml')];
  return run(['record', ...where, ...args]);
}

async function encoded(file: string, ...args: string[]): Promise<string[]> {
  const { stdout, stderr } = await run(['encode', path(file), ...args]);
  expect(stderr).toBe('');
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const { lsn, hex } = JSON.parse(line) as { lsn: string; hex: string };
      return `${lsn} ${hex}`;
    });
}

describe('record', () => {
  it.each([
    ['protocol 1', []],
    ['streaming and messages', ['--proto-version', '2', '--streaming', 'on', '--messages']],
    ['binary', ['--binary']],
  ])('writes what encodes to the same bytes: %s', async (_, options) => {
    expect(await record('--create-slot', '--count', '3', ...options)).toMatchObject({ status: 0, stdout: '' });
    const [recorded, expected] = [await encoded('recorded.yaml'), await encoded('orders.yaml', ...options)];
    expect(recorded).toEqual(expected.slice(0, recorded.length));
    expect(recorded.length).toBeGreaterThan(12);
  });

  it('takes keys and types from the catalogs', async () => {
    await record('--create-slot', '--count', '3');
    const text = readFileSync(path('recorded.yaml'), 'utf8');
    expect(text).toContain('id: bigint primary key');
    expect(text).toContain('email: text not null');
  });

  it('ends at a signal, with a file that is whole', async () => {
    const terminal = new TestTerminal();
    const where = ['--url', served.url, '--slot', 'rec', '--create-slot', '--publication', 'pub'];
    const ended = terminal.run(['record', ...where, '-o', path('recorded.yaml')]);
    await served.terminal.says(/replication:caughtUp/);
    // Nothing of it is to be seen before.
    expect(existsSync(path('recorded.yaml'))).toBe(false);
    terminal.signal();
    expect(await ended).toMatchObject({ status: 0 });
    expect(await run(['lint', path('recorded.yaml')])).toMatchObject({ status: 0 });
    expect(readdirSync(folder).sort()).toEqual(['orders.yaml', 'recorded.yaml']);
  });

  it('confirms nothing unless it is told to', async () => {
    await record('--count', '3');
    await record('--count', '3', '--force', '--confirm');
    expect(await record('--idle', '50ms', '--force')).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/: [01] transactions/) as unknown as string,
    });
  });

  it('does not replace a file unless it is told to', async () => {
    writeFileSync(path('recorded.yaml'), 'mine');
    expect(await record('--count', '1')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--force') as unknown as string,
    });
    expect(readFileSync(path('recorded.yaml'), 'utf8')).toBe('mine');
  });

  it('says at once that a file cannot be written', async () => {
    const args = ['record', '--url', served.url, '--slot', 'rec', '--publication', 'pub', '-o', path('nowhere/x.yaml')];
    expect(await run(args)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('cannot be written') as unknown as string,
    });
  });

  it.each([
    ['--anonymize', '--binary'],
    ['--confirm', '--create-slot'],
  ])('refuses %s with %s', async (one, other) => {
    expect(await record(one, other)).toMatchObject({ status: 2 });
    expect(readdirSync(folder)).toEqual(['orders.yaml']);
  });
});

describe('record --anonymize', () => {
  it('leaves no value as it was', async () => {
    expect(await record('--create-slot', '--count', '4', '--messages', '--anonymize')).toMatchObject({ status: 0 });
    const text = readFileSync(path('recorded.yaml'), 'utf8');
    const stream = text.slice(text.indexOf('stream:'));
    expect(originals.filter((value) => stream.includes(value))).toEqual([]);
    expect(stream).not.toContain('calling');
  });

  it('keeps what is equal, NULLs, labels, and what a value is', async () => {
    await record('--create-slot', '--count', '3', '--anonymize');
    const { stdout } = await run(['encode', path('recorded.yaml')]);
    const messages = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { message: Record<string, unknown> }).message);
    const rows = messages.filter(({ kind }) => kind === 'insert' || kind === 'update') as {
      newTuple: (string | null)[];
      oldTuple?: { columns: (string | null)[] };
    }[];
    const [first, update, note, second] = rows;
    // The e-mail address that two users have is still one.
    expect(update!.newTuple[1]).toBe(first!.newTuple[1]);
    // Text is one domain: the note that repeats a bio still does.
    expect(note!.newTuple[1]).toBe(first!.newTuple[2]);
    expect(second!.newTuple[1]).toBeNull();
    expect(first!.newTuple[3]).toBe('happy');
    const [id, email, bio, , paid, tags, doc, seen] = first!.newTuple;
    expect(id).toMatch(/^[1-9]\d{3}$/);
    expect(email).toMatch(/^\w+@example\.com$/);
    expect([email!.length, bio!.length]).toEqual(['maximilian@acme.test'.length, 'Lives in Bremen'.length]);
    expect(paid).toMatch(/^[1-9]\d{3}\.\d\d$/);
    expect(tags).toMatch(/^\{\w{5}\}$/);
    expect(JSON.parse(doc!)).toEqual({
      city: expect.stringMatching(/^.{6}$/) as unknown as string,
      zip: expect.any(Number) as unknown as number,
      ok: true,
    });
    expect(seen).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\+00$/);
  });

  it('gives the same for the same', async () => {
    const texts: string[] = [];
    for (const slot of ['one', 'two']) {
      await record('--create-slot', '--count', '3', '--anonymize', '--force', '--slot', slot, '--title', 't');
      texts.push(readFileSync(path('recorded.yaml'), 'utf8'));
    }
    expect(texts[0]).toBe(texts[1]);
  });
});
