import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run, TestTerminal } from './terminal.js';

const scenarios = join(__dirname, '../../scenarios');
const keyChange = join(scenarios, 'key-change.yaml');
const large = join(scenarios, 'large-streamed-transaction.yaml');

let folder: string;
const path = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'encode-'));
  writeFileSync(
    path('update.yaml'),
    `
scenario: One update
server: { version: 17, lsn: 0/1500000, xid: 751, clock: 2026-01-01T00:00:00Z }
tables:
  t:
    oid: 16385
    columns: { id: int primary key, v: { type: text, toasted: true } }
    rows: [{ id: 1, v: x }]
stream:
  - update: t
    where: { id: 1 }
    set: { id: 2 }
client: { proto_version: 2, streaming: on }
`,
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Line {
  readonly kind: string;
  readonly hex: string;
  readonly lsn: string;
  readonly xid: number | null;
}

async function lines(...args: string[]): Promise<Line[]> {
  const { status, stdout, stderr } = await run(['encode', ...args]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

describe('encode', () => {
  it('prints a JSON line for each message', async () => {
    const { stdout } = await run(['encode', path('update.yaml')]);
    const [begin, relation, update] = stdout.split('\n').map((line) => line && (JSON.parse(line) as Line));
    expect(relation).toMatchObject({ lsn: '0/0', end: '0/0', xid: 751, kind: 'relation' });
    const { lsn } = begin as Line;
    // Laid out by hand after the manual's message formats.
    expect(update).toEqual({
      lsn,
      end: lsn,
      xid: 751,
      kind: 'update',
      hex: [
        '55',
        '00004001',
        '4b',
        '0002',
        '74',
        '00000001',
        '31',
        '6e',
        '4e',
        '0002',
        '74',
        '00000001',
        '32',
        '75',
      ].join(''),
      message: {
        kind: 'update',
        relationId: 16385,
        oldTuple: { marker: 'K', columns: ['1', null] },
        newTuple: ['2', { unchanged: true }],
      },
    });
    expect(stdout).toContain(`{"lsn":"${lsn}","end":"${lsn}","xid":751,"kind":"update","hex":"55`);
  });

  it('has other formats for the same bytes', async () => {
    const payloads = (await lines(keyChange)).map(({ hex }) => hex);
    const { stdout } = await run(['encode', keyChange, '--format', 'hex']);
    expect(stdout).toBe(payloads.map((hex) => `${hex}\n`).join(''));
    const bytes = async (format: string): Promise<string> => {
      const terminal = new TestTerminal();
      await terminal.run(['encode', keyChange, '--format', format]);
      return terminal.stdout.bytes.toString('hex');
    };
    const length = (count: number): string => count.toString(16).padStart(8, '0');
    expect(await bytes('raw')).toBe(payloads.map((hex) => length(hex.length / 2) + hex).join(''));
    const frames = payloads.map((hex) => `64${length(hex.length / 2 + 29)}77[0-9a-f]{48}${hex}`);
    expect(await bytes('copydata')).toMatch(new RegExp(`^${frames.join('')}$`));
  });

  it("takes the file's client options, unless others are given", async () => {
    const kinds = async (...args: string[]): Promise<Set<string>> =>
      new Set((await lines(large, ...args)).map(({ kind }) => kind));
    expect(await kinds()).toContain('streamStart');
    expect(await kinds('--streaming', 'off')).not.toContain('streamStart');
    expect(await kinds('--proto-version', '4', '--streaming', 'parallel')).toContain('streamAbort');
    // Decoded late, a server of 18 knows of a transaction that was rolled back as a whole, and does not stream it.
    const aborts = async (...args: string[]): Promise<number> =>
      (await lines(large, '--server-version', '18', ...args)).filter(({ kind }) => kind === 'streamAbort').length;
    expect([await aborts(), await aborts('--late')]).toEqual([2, 1]);
  });

  it('makes the same bytes every time, others for another seed', async () => {
    const first = await run(['encode', large]);
    expect(await run(['encode', large])).toEqual(first);
    expect((await run(['encode', large, '--seed', '1'])).stdout).not.toBe(first.stdout);
  });

  it.each([
    [
      ['--server-version', '13', '--streaming', 'on', '--proto-version', '1'],
      'unrecognized pgoutput option: streaming',
    ],
    [['--proto-version', '1', '--streaming', 'on'], 'does not support streaming, need 2 or higher (22023)'],
    [['--publication', 'nope'], 'publication "nope" does not exist (42704)'],
  ])('fails with %j as the server does', async (options, message) => {
    expect(await run(['encode', large, '--server-version', '17', ...options])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(message),
    });
  });

  it('takes one scenario', async () => {
    mkdirSync(path('two'));
    for (const name of ['two/a.yaml', 'two/b.yaml']) writeFileSync(path(name), 'scenario: x\n');
    expect(await run(['encode', path('two')])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/means 2 files/),
    });
  });
});

describe('decode', () => {
  it.each([
    ['jsonl', keyChange, []],
    ['jsonl', large, ['--streaming', 'parallel', '--proto-version', '4']],
  ])('gives back the lines of encode: %s of %s', async (_, file, options) => {
    const { stdout } = await run(['encode', file, ...options]);
    expect(await run(['decode'], stdout)).toEqual({ status: 0, stdout, stderr: '' });
  });

  it('reads what encode writes in binary, from a file', async () => {
    const terminal = new TestTerminal();
    await terminal.run(['encode', keyChange, '--format', 'raw']);
    writeFileSync(path('raw'), terminal.stdout.bytes);
    const { status, stdout } = await run(['decode', '--raw', path('raw')]);
    expect(status).toBe(0);
    const expected = (await lines(keyChange)).map((line) => ({ ...line, lsn: null, end: null }));
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(expected);
  });

  it('prints for reading', async () => {
    const { stdout } = await run(['encode', path('update.yaml'), '--format', 'hex']);
    expect(await run(['decode', '--pretty'], stdout)).toEqual({
      status: 0,
      stderr: '',
      stdout: `BEGIN 751, committed 2026-01-01T00:00:00.000000Z
  RELATION public.t (id*, v), OID 16385, replica identity default
  UPDATE public.t key (id=1) → id=2 v=(unchanged)
COMMIT at 0/1500080, ends at 0/15000B0
`,
    });
  });

  it('starts inside of a stream block on request', async () => {
    // An Insert in a block of transaction 751: by the manual, an xid follows the type byte.
    const insert = '49000002ef000040014e0001740000000131';
    expect((await run(['decode'], insert)).status).toBe(1);
    expect(JSON.parse((await run(['decode', '--in-stream'], insert)).stdout)).toMatchObject({
      message: { kind: 'insert', xid: 751, relationId: 16385, newTuple: ['1'] },
    });
  });

  it.each([
    [['--in-stream'], 'standard input, line 2: '],
    [[], 'standard input, line 1: '],
  ])('says where bytes are wrong (%j)', async (options, place) => {
    const { status, stdout, stderr } = await run(
      ['decode', ...options],
      '49000002ef000040014e0001740000000131\n55ff\n',
    );
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(`^fake-walsender: ${place}.*expected .* at offset \\d+, found `));
    expect(stdout.split('\n')).toHaveLength(options.length + 1);
  });

  it('says what it cannot read', async () => {
    expect(await run(['decode'], 'hello!')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('standard input, line 1: expected hex, \\x and hex, base64'),
    });
    expect(await run(['decode', path('missing')])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('missing: there is no such file'),
    });
  });
});

describe('rows', () => {
  it('prints the tables that a correct consumer ends with', async () => {
    const { status, stdout } = await run(['rows', path('update.yaml')]);
    expect({ status, tables: JSON.parse(stdout) as unknown }).toEqual({
      status: 0,
      tables: { 'public.t': [{ id: '2', v: 'x' }] },
    });
  });

  it('knows labels and publications by name', async () => {
    expect(await run(['rows', keyChange, '--at', 'nowhere'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no label "nowhere"'),
    });
    expect(await run(['rows', keyChange, '--publication', 'nope'])).toMatchObject({ status: 1 });
  });
});

describe('lint', () => {
  it('is silent on stdout, and content with the scenarios that come along', async () => {
    expect(await run(['lint', scenarios])).toEqual({
      status: 0,
      stdout: '',
      stderr: expect.stringMatching(/^\d+ checked: 0 errors, 0 warnings\n$/),
    });
    expect(await run(['lint', keyChange, '--json'])).toEqual({ status: 0, stdout: '[]\n', stderr: '' });
  });

  it('says where mistakes are', async () => {
    const text = readFileSync(path('update.yaml'), 'utf8');
    writeFileSync(
      path('wrong.yaml'),
      text.replace('update: t', 'update: nowhere').replace('proto_version', 'protocol'),
    );
    const { status, stdout, stderr } = await run(['lint', path('wrong.yaml')]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/wrong\.yaml:10:13: .*nowhere/);
    expect(stderr).toMatch(/wrong\.yaml:13:11: .*protocol/);
    const json = await run(['lint', path('wrong.yaml'), '--json']);
    expect(json.status).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject([
      { file: path('wrong.yaml'), line: 10, column: 13, severity: 'error', related: [] },
      { file: path('wrong.yaml'), line: 13, column: 11, code: 'unknown-key', severity: 'error' },
    ]);
  });
});

describe('schema', () => {
  it('is JSON Schema', async () => {
    const { status, stdout } = await run(['schema']);
    expect({ status, schema: JSON.parse(stdout) as unknown }).toMatchObject({
      status: 0,
      schema: { $schema: expect.stringContaining('json-schema.org'), required: ['scenario'] },
    });
  });
});
