import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { run, TestTerminal } from './terminal.js';

const consumer = join(import.meta.dirname, 'run/consumer.mjs');
const command = (...args: string[]): string[] => ['--', process.execPath, consumer, ...args];

// Each starts programs, on machines that may be busy.
jest.setTimeout(60_000);

let folder: string;
const path = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Two inserts with a lost connection between them, or something else. */
function write(name: string, expectations: string, between = '- disconnect: { how: reset }'): string {
  writeFileSync(
    path(name),
    `scenario: Two inserts
server: { lsn: 0/1500000 }
tables:
  t: { columns: { id: int primary key } }
stream:
  - { insert: t, row: { id: 1 } }
  - label: first
  ${between}
  - { insert: t, row: { id: 2 } }
expect:
  ${expectations}
`,
  );
  return path(name);
}

const everything = `- { flushed: end, within: 10s }
  - connections: { min: 2, max: 2 }
  - reconnect: { within: 10s, start_lsn: { at_most: first } }
  - start_replication: { proto_version: "1", publication_names: [p] }
  - never: confirmed_unsent
  - never: off_by_one
  - never: confirmed_mid_transaction
  - never: lsn_went_back
  - never: copy_fail
  - shutdown: clean
  - slot_dropped: false`;

describe('run', () => {
  it('passes a consumer that does all that is expected, and stops it', async () => {
    const { status, stdout, stderr } = await run(['run', write('all.yaml', everything), ...command()]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(stderr).toMatch(/^passed {2}\S+all\.yaml: Two inserts \(\d+\.\d s\)\n/);
    expect(stderr.match(/^ {2}met /gm)).toHaveLength(11);
    expect(stderr).toMatch(
      /^ {2}met {2}flushed: end within 10 s +slot app confirmed 0\/\w+ after \d+ ms +0\/\w+ +\d\.\d{3} s +\S+all\.yaml:11:5$/m,
    );
    expect(stderr).toMatch(/^the consumer was shown \d+ % of all there is$/m);
    expect(stderr).toMatch(/^ {2}messages: 4 of 19: begin, commit, relation, insert$/m);
    expect(stderr).toMatch(/^ {2}faults: 1 of \d+: disconnect reset$/m);
    expect(stderr).not.toContain('not shown');
    expect(stderr).toMatch(/^1 of 1 scenarios passed, 11 of 11 expectations met$/m);
    expect(stderr).not.toContain('consuming all');
  });

  it.each([
    ['beyond', 'never: confirmed_unsent'],
    ['plus-one', 'never: off_by_one'],
    ['eager', 'never: confirmed_mid_transaction'],
    ['rude', 'shutdown: clean'],
  ])('finds the mistake of a consumer that is %s', async (mistake, expectation) => {
    const { status, stderr } = await run(['run', write('mistake.yaml', everything), ...command(mistake)]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^FAILED {2}/);
    expect(stderr).toContain(`  UNMET  ${expectation} `);
    // What it printed is shown then.
    expect(stderr).toMatch(/the command's stdout:\n {2}\| consuming mistake as postgres on 127\.0\.0\.1:\d+\n/);
  });

  it('says what is right under a scenario that failed', async () => {
    const file = write('right.yaml', '- connections: { max: 9 }', '- wait: 1ms');
    const long = Array.from({ length: 40 }, () => 'word').join(' ');
    const text = readFileSync(file, 'utf8').replace('\n', `\ndescription: |\n  ${long}\n  Right: both.\n`);
    writeFileSync(file, text);
    const passed = await run(['run', file, ...command()]);
    expect(passed).toMatchObject({ status: 0, stderr: expect.not.stringContaining('Right: both.') });
    writeFileSync(file, text.replace('max: 9', 'min: 9'));
    const { stderr } = await run(['run', file, '--timeout', '1s', ...command()]);
    expect(stderr).toMatch(/^FAILED .*\n( {4}(word ?){15,20}\n){2,3} {4}Right: both\.\n {2}UNMET {2}connections/);
  });

  it('gives the status of a consumer that ended by itself, if all was met', async () => {
    const file = write('exit.yaml', '- flushed: first', '- wait: 1ms');
    expect(await run(['run', file, ...command('exit', '3')])).toMatchObject({
      status: 3,
      stderr: expect.stringMatching(/exit\.yaml: the command ended with status 3\n$/),
    });
    expect((await run(['run', file, ...command('exit', '0')])).status).toBe(0);
    const unmet = await run(['run', write('exit.yaml', '- flushed: end', '- wait: 5s'), ...command('exit', '3')]);
    expect(unmet).toMatchObject({ status: 1, stderr: expect.stringContaining('had not been sent everything') });
    const expected = write('exit.yaml', '- exit: 3\n  - output: { matches: /consuming \\w+/ }', '- wait: 1ms');
    expect((await run(['run', expected, ...command('exit', '3')])).status).toBe(0);
  });

  it('says what it waited for when time runs out', async () => {
    const file = write('late.yaml', '- flushed: end', '- wait: 1ms');
    const { status, stderr } = await run(['run', file, '--timeout', '1s', ...command('silent')]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/not settled within 1 s: waited for flushed: end \(slot app confirmed 0\/0, not 0\/\w+\)\n/);
    const idle = ['--', process.execPath, '-e', 'setInterval(() => {}, 1000)'];
    const unconnected = await run(['run', file, '--timeout', '200ms', ...idle]);
    expect(unconnected.stderr).toMatch(
      /waited for the consumer to start replication; flushed: end \(no slot was used\)\n/,
    );
  });

  it('kills a consumer that does not end when it is told to', async () => {
    const file = write('stubborn.yaml', '- flushed: end', '- wait: 1ms');
    expect((await run(['run', file, '--grace', '100ms', ...command('stubborn')])).status).toBe(0);
  });

  it('ends everything that the command started', async () => {
    const file = write('group.yaml', '- flushed: end', '- wait: 1ms');
    const script = `sleep 300 & echo $! > ${path('pid')}; ${process.execPath} ${consumer}`;
    expect((await run(['run', file, '--', '/bin/sh', '-c', script])).status).toBe(0);
    expect(isRunning(Number(readFileSync(path('pid'), 'utf8')))).toBe(false);
  });

  it('runs checks in the folder of the scenario, with the truth about its rows', async () => {
    writeFileSync(
      path('check.mjs'),
      `
      import { readFileSync } from 'node:fs';
      const { FAKE_WALSENDER_ROWS, STATE_FILE, PGDATABASE } = process.env;
      const rows = JSON.parse(readFileSync(FAKE_WALSENDER_ROWS, 'utf8'));
      const seen = readFileSync(STATE_FILE, 'utf8');
      console.log(PGDATABASE, JSON.stringify(rows), seen);
      process.exit(rows['public.t'].length === Number(seen) ? 0 : 4);`,
    );
    const file = write('check.yaml', `- check: { command: '${process.execPath} check.mjs' }`, '- wait: 1ms');
    // The state is written only at the end: a check that failed before is repeated then.
    expect((await run(['run', file, ...command('state')])).status).toBe(0);
    const { status, stderr } = await run(['run', file, ...command()]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/UNMET {2}check: .* it ended with status 1: /);
    expect(stderr).toContain('ENOENT');
  });

  it('waits for nothing once the consumer has ended for good, and gives each check a last try', async () => {
    const expectations =
      "- { flushed: end, within: 40s }\n  - check: { command: 'echo . >> tries; exit 1', within: 40s }";
    const file = write('ended.yaml', expectations, '- wait: 1ms');
    const start = performance.now();
    const { status, stderr } = await run(['run', file, ...command('exit', '3')]);
    expect(performance.now() - start).toBeLessThan(20_000);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/UNMET {2}check: /) });
    // One when it had ended, and the one that every check gets at the very end.
    expect(readFileSync(path('tries'), 'utf8')).toBe('.\n.\n');
  });

  it('starts a consumer that ended by itself again, as often as it may', async () => {
    const file = write('restart.yaml', '- { flushed: end, within: 10s }\n  - connections: { min: 2 }');
    expect((await run(['run', file, '--restart', '1', ...command('quitter')])).status).toBe(0);
    const { status, stderr } = await run(['run', file, ...command('quitter')]);
    expect(status).toBe(1);
    expect(stderr).toContain('had not been sent everything');
  });

  it.each([
    ['restart', [], 0],
    ['crash', [], 0],
    ['kill', [], 1],
    ['kill', ['--restart', '1'], 0],
    ['stop', ['--restart', '1'], 1],
  ])('does to the consumer what the scenario says: %s %j', async (action, options, expected) => {
    const between = `- wait_for: { flushed: first, within: 10s }\n  - consumer: ${action}`;
    const back = '- { flushed: end, within: 10s }\n  - reconnect: { start_lsn: { at_most: first } }';
    const { status, stderr } = await run(['run', write('step.yaml', back, between), ...options, ...command()]);
    expect({ status, stderr }).toEqual({ status: expected, stderr: expect.any(String) });
    expect(stderr).toMatch(/^ {2}met {1,5}wait_for: flushed first within 10 s {2}/m);
    // The stream waits for what is done to the consumer, so that it does not depend on who is faster.
    if (expected === 1) expect(stderr).toContain('slot app had not been sent everything');
    else expect(stderr).toMatch(/slot app came back after \d+ ms at 0\/15000B0 /);
  });

  it('runs several scenarios at a time, each on several versions', async () => {
    const files = [write('a.yaml', '- flushed: end'), write('b.yaml', '- flushed: end')];
    const options = ['--jobs', '4', '--coverage', '--server-version', '13,16', '--output-dir', path('output')];
    const { status, stdout, stderr } = await run(['run', ...files, ...options, '--json', ...command()]);
    expect(status).toBe(0);
    expect(stderr.match(/^passed {2}\S+ on \d+/gm)).toHaveLength(4);
    expect(stderr).toMatch(/server versions: 2 of 9: 13, 16\n {4}not shown: 10, 11, /);
    const report = JSON.parse(stdout) as { scenarios: Record<string, unknown>[] };
    expect(report).toMatchObject({ passed: true, coverage: { percent: expect.any(Number) } });
    expect(report.scenarios.map(({ file, serverVersion }) => [file, serverVersion])).toEqual(
      ['13', '16'].flatMap((major) => files.map((file) => [file, expect.stringMatching(`^${major}\\.`)])),
    );
    expect(report.scenarios[0]).toMatchObject({
      expectations: [
        { line: 11, expected: 'flushed: end', met: true, slot: 'app', lsn: expect.stringMatching(/^0\//) },
      ],
    });
    expect(readFileSync(path('output/a-16.stdout'), 'utf8')).toMatch(/^consuming a as postgres/);
  });

  it('writes JUnit XML and annotations', async () => {
    const file = write('report.yaml', '- connections: { max: 1 }\n  - flushed: end');
    const { status, stdout } = await run([
      'run',
      file,
      '--junit',
      path('report.xml'),
      '--annotate',
      'github',
      ...command(),
    ]);
    expect(status).toBe(1);
    expect(stdout).toBe(
      `::error file=${file},line=11,col=5,title=connections%3A at most 1::unmet: connections: at most 1: ` +
        'slot app was streamed 2 times, more than 1\n',
    );
    const xml = readFileSync(path('report.xml'), 'utf8');
    expect(xml).toMatch(/<testsuite id="0" name="report" .* tests="2" failures="1" errors="0"/);
    expect(xml).toContain('<testcase name="flushed: end, slot app"');
    expect(xml).toMatch(/<system-out>consuming report/);
  });

  it('demands coverage', async () => {
    const file = write('coverage.yaml', '- flushed: end', '- wait: 1ms');
    expect((await run(['run', file, '--coverage-min', '5', ...command()])).status).toBe(0);
    expect(await run(['run', file, '--coverage-min', '50', ...command()])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/\ncoverage is \d+ %, less than 50 %\n$/),
    });
  });

  it('ends everything in good order at a signal', async () => {
    const file = write('signal.yaml', '- connections: { min: 5 }', '- wait: 1ms');
    const terminal = new TestTerminal();
    const marker = path('marker');
    const script = `echo $$ > ${marker}; exec ${process.execPath} ${consumer}`;
    const next = write('next.yaml', '- flushed: end');
    const state = { hasEnded: false };
    const ended = terminal
      .run(['run', file, next, '--', '/bin/sh', '-c', script])
      .finally(() => (state.hasEnded = true));
    const hasStarted = (): boolean => existsSync(marker) && readFileSync(marker, 'utf8') !== '';
    while (!hasStarted() && !state.hasEnded) await delay(10);
    terminal.signal();
    const { status, stderr } = await ended;
    expect(status).toBe(1);
    expect(stderr).toMatch(/\n {2}interrupted\n/);
    expect(stderr).not.toContain('next.yaml');
    expect(isRunning(Number(readFileSync(marker, 'utf8')))).toBe(false);
  });

  it('refuses what it cannot run', async () => {
    const file = write('fine.yaml', '- flushed: end');
    expect(await run(['run', file])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the command to run is missing'),
    });
    expect(await run(['run', ...command()])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no scenario is given'),
    });
    expect((await run(['run', file, '--server-version', '9', ...command()])).status).toBe(2);
    expect(await run(['run', write('wrong.yaml', '- flushed: nowhere'), ...command()])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/wrong\.yaml:11:\d+: /),
    });
    expect(await run(['run', file, '--annotate', 'github', '--', path('missing')])).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(
        /^::error file=\S+fine\.yaml,line=1,col=1,title=Two inserts::the consumer could not be/,
      ),
      stderr: expect.stringContaining('the consumer could not be started: '),
    });
  });
});

/** A zombie, which only waits to be forgotten, is not. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
