import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { run } from './terminal.js';

const verbs = ['serve', 'lint', 'encode', 'decode', 'rows', 'tail', 'schema', 'init'];

const connected = ['--url', 'postgres://h', '--slot', 's', '--publication', 'p'];

describe('the command line', () => {
  it('says its version, which is the package’s', async () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as { version: string };
    expect(await run(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('lists its verbs', async () => {
    const { status, stdout } = await run(['--help']);
    expect(status).toBe(0);
    for (const verb of verbs) expect(stdout).toMatch(new RegExp(`^  ${verb} .*\\w`, 'm'));
  });

  it.each(verbs)('explains %s with examples', async (verb) => {
    const help = await run([verb, '--help']);
    expect(help).toMatchObject({ status: 0, stderr: '' });
    expect(help.stdout).toMatch(new RegExp(`Examples:\n.*fake-walsender ${verb}`));
    expect((await run(['help', verb])).stdout).toBe(help.stdout);
  });

  it.each([
    [[], 'Usage: fake-walsender'],
    [['sreve'], "unknown command 'sreve'\n(Did you mean serve?)"],
    [['--colour'], "unknown option '--colour'"],
    ...verbs.map(
      (verb) => [[verb, ...(verb === 'tail' ? connected : ['x']), '--colour'], "unknown option '--colour'"] as const,
    ),
    // What later verbs and options will be called is not taken for something else meanwhile.
    [['serve'], "missing required argument 'scenario'"],
    [['decode', 'a', 'b'], 'too many arguments'],
    [['serve', 'x', '--port', '65536'], 'whole number from 0 to 65535'],
    [['serve', 'x', '--grace', '5'], 'a number with a unit'],
    [['encode', 'x', '--proto-version', '5'], 'whole number from 1 to 4'],
    [['encode', 'x', '--streaming', 'yes'], 'Allowed choices are off, on, parallel'],
    [['tail', '--slot', 's', '--publication', 'p'], "required option '--url <url>' not specified"],
    [['tail', ...connected, '--until-lsn', 'x'], 'must be an LSN'],
  ])('refuses %j with status 2', async (args, message) => {
    const { status, stdout, stderr } = await run(args);
    expect(stderr).toContain(message);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });
});
