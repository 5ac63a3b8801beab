/** The shapes in which people have captures: each of these files was written by psql 15 or pg_recvlogical 15 from one slot of a PostgreSQL 16. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestTerminal, type Outcome } from './terminal.js';

const folder = join(__dirname, 'captures');
const payloads = readFileSync(join(folder, 'hex.txt'), 'utf8').trim().split('\n');
const shapes = readdirSync(folder);

const runVerb = (args: readonly string[]): Promise<Outcome> => new TestTerminal().run(args);

interface Line {
  readonly lsn: string | null;
  readonly xid: number | null;
  readonly hex: string;
}

async function decoded(...args: string[]): Promise<Line[]> {
  const { stdout, status } = await runVerb(['decode', ...args]);
  expect(status).toBe(0);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

describe('decode', () => {
  let scratch: string;
  beforeEach(() => void (scratch = mkdtempSync(join(tmpdir(), 'decode-'))));
  afterEach(() => rmSync(scratch, { recursive: true }));

  it.each(shapes)('reads %s', async (shape) => {
    const lines = await decoded(join(folder, shape));
    expect(lines.map(({ hex }) => hex)).toEqual(payloads);
    expect(lines.map(({ xid }) => xid)).toEqual([760, 760, 760, 760]);
  });

  it.each(shapes.filter((shape) => shape.startsWith('psql')))('keeps the positions of %s', async (shape) => {
    const lines = await decoded(join(folder, shape));
    expect(lines.map(({ lsn }) => lsn)).toEqual(['0/15AB7C8', '0/15AB7C8', '0/15AB7C8', '0/15AB878']);
  });

  it.each(shapes)('makes a scenario of %s that gives the same bytes', async (shape) => {
    const scenario = join(scratch, 'scenario.yaml');
    const { status } = await runVerb(['decode', join(folder, shape), '--format', 'scenario', '-o', scenario]);
    expect(status).toBe(0);
    const { stdout } = await runVerb(['encode', scenario, '--format', 'hex']);
    expect(stdout.trim().split('\n')).toEqual(payloads);
  });

  it('does not replace a file unless it is told to', async () => {
    const file = join(scratch, 'kept.yaml');
    writeFileSync(file, 'mine');
    const args = ['decode', join(folder, 'hex.txt'), '--format', 'scenario', '-o', file];
    expect(await runVerb(args)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--force') as unknown as string,
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(await runVerb([...args, '--force'])).toMatchObject({ status: 0 });
    expect(readFileSync(file, 'utf8')).toContain('scenario: hex');
  });

  it.each([
    [
      'a Relation that came before the capture',
      payloads.filter((_, i) => i !== 1),
      'line 2: this insert is about the relation',
    ],
    ['a transaction that began before it', payloads.slice(2), 'line 1: this insert is about the relation'],
    ['a Commit alone', payloads.slice(3), 'line 1: this commit has no Begin before it'],
    ['bytes that are no message', [payloads[0]!, '58'], 'line 2: expected the type of a message'],
  ])('says what is missing: %s', async (_, lines, reason) => {
    const file = join(scratch, 'capture.txt');
    const scenario = join(scratch, 'scenario.yaml');
    writeFileSync(file, lines.join('\n'));
    const { status, stderr } = await runVerb(['decode', file, '--format', 'scenario', '-o', scenario]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(reason) as unknown as string });
    // Nothing half-written stays behind.
    expect(readdirSync(scratch)).toEqual(['capture.txt']);
  });
});
