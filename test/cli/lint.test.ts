import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run, TestTerminal } from './terminal.js';

let folder: string;
const path = (name: string): string => join(folder, name);

const tables = 'tables: { t: { columns: { id: int primary key } } }\n';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lint-'));
  writeFileSync(path('wrong.yaml'), `scenario: x\n${tables}stream:\n  - insert: t\n    row: { idd: 1 }\n`);
  writeFileSync(path('two, wrong.yaml'), `scenario: 50%\nsede: 1\n${tables}stream:\n  - insert: u\n    row: {}\n`);
  writeFileSync(path('schema.sql'), 'SET x = 1;\nCREATE TABLE u (a int);\n');
  writeFileSync(path('dump.yaml'), 'scenario: x\ninclude: schema.sql\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('lint', () => {
  it('counts', async () => {
    expect((await run(['lint', path('wrong.yaml')])).stderr).toMatch(/\n1 checked: 1 error, 0 warnings\n$/);
    expect((await run(['lint', path('two, wrong.yaml')])).stderr).toMatch(/\n1 checked: 2 errors, 0 warnings\n$/);
  });

  it('takes what scenarios of a directory include for parts of them', async () => {
    mkdirSync(path('parts/tables'), { recursive: true });
    writeFileSync(path('parts/main.yaml'), 'scenario: x\ninclude: tables/common.yaml\n');
    writeFileSync(path('parts/tables/common.yaml'), tables);
    expect(await run(['lint', path('parts')])).toEqual({
      status: 0,
      stdout: '',
      stderr: '1 checked: 0 errors, 0 warnings\n',
    });
    // Who names one means it.
    const named = await run(['lint', path('parts'), path('parts/tables/common.yaml')]);
    expect(named).toMatchObject({ status: 1, stderr: expect.stringContaining('common.yaml:1:1: the file needs') });
    writeFileSync(path('parts/tables/nobodys.yaml'), tables);
    expect((await run(['lint', path('parts')])).stderr).toContain('nobodys.yaml:1:1: the file needs `scenario`');
  });

  it('refuses files that are not UTF-8', async () => {
    writeFileSync(path('latin1.yaml'), Buffer.from('scenario: é\n', 'latin1'));
    expect(await run(['lint', path('latin1.yaml')])).toEqual({
      status: 1,
      stdout: '',
      stderr: `fake-walsender: ${path('latin1.yaml')}: the file is not UTF-8 text\n`,
    });
  });

  it('annotates for GitHub', async () => {
    const { status, stdout } = await run(['lint', path('wrong.yaml'), path('two, wrong.yaml'), '--annotate', 'github']);
    expect(status).toBe(1);
    const escaped = path('two%2C wrong.yaml');
    expect(stdout.split('\n')).toEqual([
      `::error file=${path('wrong.yaml')},line=5,endLine=5,col=12,endColumn=14,title=unknown-column::the table \`public.t\` has no column \`idd\`%0Adid you mean \`id\`?`,
      `::error file=${escaped},line=2,endLine=2,col=1,endColumn=4,title=unknown-key::there is no key \`sede\` at the top of a scenario%0Adid you mean \`seed\`?`,
      `::error file=${escaped},line=5,endLine=5,col=13,endColumn=13,title=unknown-table::there is no table \`public.u\`%0Adid you mean \`public.t\`?`,
      '',
    ]);
    expect(await run(['lint', path('wrong.yaml'), '--annotate', 'github', '--json'])).toMatchObject({ status: 2 });
  });

  it('notes what it does not use of a dump, which is no warning, and which other verbs do not tell', async () => {
    const { status, stdout } = await run(['lint', path('dump.yaml'), '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      {
        ...{ file: path('schema.sql'), line: 1, column: 1, endLine: 1, endColumn: 4 },
        ...{ code: 'not-used', severity: 'note', message: 'not used in a scenario: 1 × SET', hint: null, related: [] },
      },
    ]);
    expect((await run(['lint', path('dump.yaml')])).stderr).toMatch(/1 checked: 0 errors, 0 warnings\n$/);
    expect(await run(['rows', path('dump.yaml')])).toMatchObject({ status: 0, stderr: '' });
  });
});

describe('files that are not there', () => {
  it.each([
    [['decode', 'nothing.hex'], 'fake-walsender: nothing.hex: there is no such file\n'],
    [['lint', 'nothing.yaml'], 'fake-walsender: nothing.yaml: no scenario file found\n'],
    [['decode', tmpdir()], `fake-walsender: ${tmpdir()}: this is a directory, not a file\n`],
  ])('%j', async (args, stderr) => {
    expect(await run(args)).toEqual({ status: 1, stdout: '', stderr });
  });
});

describe('decode', () => {
  it('of what stands in a streamed block says how to begin inside one', async () => {
    // An Insert with an xid before the OID of its table.
    const insert = '49000002f0000040014e0001740000000131\n';
    const { status, stderr } = await new TestTerminal(insert).run(['decode']);
    expect(status).toBe(1);
    expect(stderr).toContain('--in-stream begins inside one');
    expect((await new TestTerminal(insert).run(['decode', '--in-stream'])).status).toBe(0);
    expect((await new TestTerminal('4a\n').run(['decode'])).stderr).not.toContain('--in-stream');
  });
});
