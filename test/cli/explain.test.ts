import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from './terminal.js';

const keyChange = join(__dirname, '../../scenarios/key-change.yaml');
const begin = '4200000000015001d00002ed3b4d5c5c40000002ef';

let folder: string;
const path = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'explain-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Line {
  readonly kind: string;
  readonly hex: string;
  readonly fields: readonly { readonly offset: number; readonly length: number }[];
  readonly source: { readonly file: string; readonly line: number } | null;
}

function parse(text: string): Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

describe('explain', () => {
  it('explains every byte of a scenario, and names the line', async () => {
    const { status, stdout, stderr } = await run(['explain', keyChange, '--json']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { stdout: encoded } = await run(['encode', keyChange]);
    const lines = parse(stdout);
    expect(lines.map(({ hex }) => hex)).toEqual(parse(encoded).map(({ hex }) => hex));
    const text = readFileSync(keyChange, 'utf8').split('\n');
    for (const { hex, fields, source } of lines) {
      let end = 0;
      for (const { offset, length } of fields) {
        expect(offset).toBe(end);
        end += length;
      }
      expect(end).toBe(hex.length / 2);
      expect(text[source!.line - 1]).toMatch(/update|transaction|changes/);
    }
  });

  it('takes the options of encode', async () => {
    const options = [keyChange, '--server-version', '13', '--binary'];
    const refused = await run(['explain', ...options]);
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('unrecognized pgoutput option: binary'),
    });
    const { stdout } = await run(['explain', keyChange, '--binary', '--header', '--limit', '3']);
    expect(stdout).toMatch(/0019 {2}55 +type +U +update$/m);
    expect(stdout).toMatch(/62 +newTuple\[0\]\.kind +b +customer_no: binary form$/m);
  });

  it('takes captured payloads as decode does', async () => {
    const { status, stdout } = await run(['explain', '-'], `${begin}\n`);
    expect(status).toBe(0);
    expect(stdout).toContain('#1 begin  21 bytes, line 1');
    writeFileSync(path('raw.bin'), Buffer.from(`00000015${begin}`, 'hex'));
    expect(await run(['explain', path('raw.bin'), '--raw'])).toMatchObject({ status: 0 });
    // Type byte, length, XLogData's header, payload.
    const copyData = `640000003277${'0000000001500028'.repeat(2)}${'0'.repeat(16)}${begin}`;
    writeFileSync(path('copy.bin'), Buffer.from(copyData, 'hex'));
    const { stdout: fromFrames } = await run(['explain', path('copy.bin')]);
    expect(fromFrames).toContain('#1 begin  at 0/1500028, 21 bytes, message 1');
  });

  it('shows what it can of bytes that are no message, and fails', async () => {
    const { status, stdout, stderr } = await run(['explain', '-'], `${begin.slice(0, 30)}\n${begin}\n`);
    expect(status).toBe(1);
    expect(stdout).toContain('not understood');
    expect(stdout).toContain('#2 begin');
    expect(stderr).toContain('one of the payloads is no message that can stand there');
    expect(await run(['explain', '-'], 'hello!\n')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('standard input, line 1: expected hex'),
    });
    expect(await run(['explain', path('missing')])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('missing: there is no such file'),
    });
  });

  it('says when it stops before the end', async () => {
    const { stdout, stderr } = await run(['explain', keyChange, '--limit', '2', '--json']);
    expect(parse(stdout)).toHaveLength(2);
    expect(stderr).toBe('stopped after 2 messages, there are more\n');
  });

  it.each([
    [['-', '--binary'], '--binary is for scenarios'],
    [['-', '--server-version', '13'], '--server-version is for scenarios'],
    [[keyChange, '--in-stream'], '--in-stream is for captured payloads'],
    [[keyChange, '--json', '--html', 'x'], "option '--json' cannot be used with option '--html <file>'"],
  ])('refuses options that mean nothing: %j', async (args, message) => {
    expect(await run(['explain', ...args])).toMatchObject({ status: 2, stderr: expect.stringContaining(message) });
  });
});

describe('explain --html', () => {
  it('writes a page of constant size for a stream without end, and says so', async () => {
    const text = `scenario: Long
tables: { t: { columns: { id: int primary key } } }
stream:
  - repeat: 10000000
    changes:
      - insert: t
        row: { id: "{{index}}" }
`;
    writeFileSync(path('long.yaml'), text);
    const outcome = await run(['explain', path('long.yaml'), '--html', path('long.html')]);
    expect(outcome.status).toBe(0);
    expect(outcome.stderr).toContain('the first 1000 messages, there are more');
    const page = readFileSync(path('long.html'), 'utf8');
    expect(page).toContain('The stream goes on: these are its first 1,000 messages.');
    expect(page.match(/class="message"/g)).toHaveLength(1000);
  });

  it('says where it cannot write', async () => {
    const outcome = await run(['explain', keyChange, '--html', path('no/such.html')]);
    expect(outcome).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no/such.html: there is no such file'),
    });
  });
});
