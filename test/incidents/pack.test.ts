/** The pack of incidents: its index, and the script that compares rows. Whether it finds what it should is `test:incidents`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'incidents-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('the index is current; each scenario has a source and finds a mistake', () => {
  expect(() => execFileSync(process.execPath, ['scripts/incident-index.mjs', '--check'], { cwd: root })).not.toThrow();
});

describe('check-rows.mjs', () => {
  const users = [
    { id: '1', name: 'Ann', active: 't' },
    { id: '2', name: null, active: 'f' },
  ];

  it.each<[string, unknown]>([
    ['the same rows in another order', [users[1], users[0]]],
    [
      "JSON's numbers and booleans",
      [
        { id: 1, name: 'Ann', active: true },
        { name: null, active: false, id: 2 },
      ],
    ],
  ])('takes %s for right', (_, rows) => {
    expect(check({ 'public.users': rows, 'public.empty': [], $position: '0/1' })).toEqual({ status: 0, stderr: '' });
  });

  it.each<[string, unknown, string]>([
    ['a row less', [users[0]], 'missing from public.users: {"active":"f","id":"2","name":null}\n'],
    ['a row twice', [...users, users[0]], 'wrong in public.users: {"active":"t","id":"1","name":"Ann"}\n'],
    [
      'a column less',
      [{ id: '1', name: 'Ann' }, users[1]],
      'missing from public.users: {"active":"t","id":"1","name":"Ann"}\nwrong in public.users: {"id":"1","name":"Ann"}\n',
    ],
  ])('tells of %s', (_, rows, stderr) => {
    expect(check({ 'public.users': rows })).toEqual({ status: 1, stderr });
  });

  it('tells of rows in a table that should have none', () => {
    expect(check({ 'public.users': users, 'public.empty': [{ id: '1' }] }).stderr).toBe(
      'wrong in public.empty: {"id":"1"}\n',
    );
  });

  it('tells of a consumer that wrote nothing', () => {
    expect(check(undefined)).toEqual({ status: 1, stderr: 'the consumer wrote no state\n' });
  });

  function check(state: unknown): { status: number | null; stderr: string } {
    const stateFile = join(folder, 'state.json');
    const rowsFile = join(folder, 'rows.json');
    rmSync(stateFile, { force: true });
    if (state !== undefined) writeFileSync(stateFile, JSON.stringify(state));
    writeFileSync(rowsFile, JSON.stringify({ 'public.users': users, 'public.empty': [] }));
    const env = { ...process.env, STATE_FILE: stateFile, FAKE_WALSENDER_ROWS: rowsFile };
    const script = join(root, 'scenarios/incidents/check-rows.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
    return { status, stderr };
  }
});
