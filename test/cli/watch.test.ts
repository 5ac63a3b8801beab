import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { run, TestTerminal, type Outcome } from './terminal.js';

let folder: string;
const path = (name: string): string => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watch-'));
  writeFileSync(path('tables.yaml'), 'tables: { t: { columns: { id: int primary key, v: text } } }\n');
  writeFileSync(path('main.yaml'), scenario(1));
});
afterEach(() => rmSync(folder, { recursive: true }));

function scenario(id: number): string {
  return `scenario: x\ninclude: tables.yaml\nstream:\n  - { insert: t, row: { id: ${id} } }\n`;
}

/** What a consumer is sent first of all. */
async function firstInsert(url: string): Promise<string> {
  const { stdout } = await run(['tail', '--url', url, '--slot', 's', '--publication', 'p', '--count', '1', '--json']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; message: { newTuple?: string[] } });
  return lines.find(({ kind }) => kind === 'insert')!.message.newTuple!.join();
}

async function watching(use: (terminal: TestTerminal, url: string) => Promise<void>): Promise<Outcome> {
  const terminal = new TestTerminal();
  const ended = terminal.run(['serve', path('main.yaml'), '--watch', '--grace', '1s', '--log', 'off']);
  const [, url] = await terminal.prints(/^listening (.*)\n/);
  await use(terminal, url!);
  terminal.signal();
  return ended;
}

describe('serve --watch', () => {
  it('starts again on the same port when the scenario changes', async () => {
    const { status, stdout, stderr } = await watching(async (terminal, url) => {
      expect(await firstInsert(url)).toBe('1,');
      // As editors save: another file in its place.
      writeFileSync(path('new'), scenario(2));
      renameSync(path('new'), path('main.yaml'));
      await terminal.prints(new RegExp(`^listening ${url}\nlistening ${url}\n`));
      expect(await firstInsert(url)).toBe('2,');
    });
    expect(status).toBe(0);
    expect(stdout.split('\n')).toHaveLength(3);
    expect(stderr).toContain('a scenario has changed: starting again\n');
  });

  it('watches what the scenario includes', async () => {
    await watching(async (terminal, url) => {
      writeFileSync(
        path('tables.yaml'),
        'tables: { t: { columns: { id: int primary key, v: { type: text, default: d } } } }\n',
      );
      await terminal.prints(/^listening .*\nlistening .*\n/);
      expect(await firstInsert(url)).toBe('1,d');
    });
  });

  it('goes on with the old one while the file is wrong, and takes the next that is right', async () => {
    const { stdout } = await watching(async (terminal, url) => {
      writeFileSync(path('main.yaml'), scenario(2).replace('insert: t', 'insert: u'));
      await terminal.says(
        /main\.yaml:4:15: there is no table `public\.u`[^]*the server goes on with the scenario as it was\n/,
      );
      expect(await firstInsert(url)).toBe('1,');
      writeFileSync(path('main.yaml'), scenario(3));
      await terminal.prints(/^listening .*\nlistening .*\n/);
      expect(await firstInsert(url)).toBe('3,');
    });
    expect(stdout.match(/listening/g)).toHaveLength(2);
  });

  it('disconnects clients as fast shutdown does', async () => {
    await watching(async (terminal, url) => {
      const consumer = new TestTerminal();
      const tail = consumer.run(['tail', '--url', url, '--slot', 's', '--publication', 'p', '--json']);
      await consumer.prints(/"kind":"commit"/);
      writeFileSync(path('main.yaml'), scenario(2));
      await terminal.prints(/^listening .*\nlistening .*\n/);
      expect(await tail).toMatchObject({ status: 0 });
    });
  });

  it('does not start on a file that is wrong', async () => {
    writeFileSync(path('main.yaml'), 'scenario: x\nsede: 1\n');
    expect(await run(['serve', path('main.yaml'), '--watch'])).toMatchObject({ status: 1, stdout: '' });
  });
});
