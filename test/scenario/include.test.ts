import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadScenario } from '../../src/scenario-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scenario-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

function load(name = 's/main.yaml'): { tables: string[]; problems: string[] } {
  const { scenario, problems } = loadScenario(join(folder, name));
  const shown = problems.map(
    ({ file, line, column, message, related }) =>
      `${file.slice(folder.length + 1)}:${line}:${column}: ${message}${related.map((r) => ` (${r.file.slice(folder.length + 1)}:${r.line})`).join('')}`,
  );
  return {
    tables: [...(scenario?.database.catalog.tables.values() ?? [])].map((table) => table.name),
    problems: shown,
  };
}

const main = (include: string): string =>
  `scenario: x\ninclude: ${include}\ntables: { own: { columns: { id: int } } }\n`;

describe('include', () => {
  it('adds tables, types and publications, of files that are included themselves too, each once', () => {
    write({
      's/main.yaml': main('[parts/a.yaml, parts/b.yaml]'),
      's/parts/a.yaml': 'include: b.yaml\ntables: { a: { columns: { id: int, m: mood } } }\n',
      's/parts/b.yaml':
        'types: { mood: { enum: [sad] } }\ntables: { b: { columns: { id: int } } }\npublications: { p: { tables: [a] } }\n',
    });
    expect(load()).toEqual({ tables: ['b', 'a', 'own'], problems: [] });
  });

  it('reports mistakes in the file where they are', () => {
    write({
      's/main.yaml': main('a.yaml'),
      's/a.yaml': 'stream: []\ntables:\n  own: { columns: { id: int } }\n  a: { columns: { id: intt } }\n',
    });
    expect(load().problems).toEqual([
      's/main.yaml:3:11: the table `own` is declared twice (s/a.yaml:3)',
      's/a.yaml:1:1: there is no key `stream` at the top of a scenario',
      's/a.yaml:4:23: there is no type `intt`',
    ]);
  });

  it.each([
    ['../outside.yaml', 'lies outside the folder of the scenario'],
    ['parts/../../outside.yaml', 'lies outside the folder of the scenario'],
    ['/etc/passwd', 'lies outside the folder of the scenario'],
    ['missing.yaml', 'cannot be read: ENOENT'],
    ['link.yaml', 'a link out of the folder'],
    ['schema.sql', 'cannot be read: ENOENT'],
  ])('refuses %s', (name, message) => {
    write({ 's/main.yaml': main(`[${name}]`), 'outside.yaml': 'tables: {}\n' });
    symlinkSync(join(folder, 'outside.yaml'), join(folder, 's/link.yaml'));
    const { problems } = load();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(message);
    expect(problems[0]).toMatch(/^s\/main\.yaml:2:11: /);
  });

  it('is for scenarios that are files', () => {
    const { problems } = loadScenario(main('a.yaml'));
    expect(problems.map(({ message }) => message)).toEqual([
      'files can be included only by a scenario that is a file itself',
    ]);
  });
});

describe('loading', () => {
  it('takes a path, a URL or text', () => {
    write({ 's/main.yaml': 'scenario: from a file\n' });
    const path = join(folder, 's/main.yaml');
    expect(loadScenario(path).scenario).toMatchObject({ title: 'from a file', name: 'main', file: path });
    expect(loadScenario(new URL(`file://${path}`)).scenario?.title).toBe('from a file');
    expect(loadScenario('scenario: from text\n').scenario).toMatchObject({ title: 'from text', name: 'scenario' });
    expect(loadScenario('{"scenario":"from JSON"}').scenario?.title).toBe('from JSON');
    expect(() => loadScenario(join(folder, 'nothing.yaml'))).toThrow(/ENOENT/);
  });

  it('takes a seed and a version instead of the scenario’s own', () => {
    const text = 'scenario: x\nseed: 1\nserver: { version: 12 }\n';
    expect(loadScenario(text, { serverVersion: '17' }).scenario?.server).toMatchObject({ major: 17, version: '17.10' });
    expect(loadScenario(text, { serverVersion: '16.4' }).scenario?.server.version).toBe('16.4');
    expect(() => loadScenario(text, { serverVersion: '9.6' })).toThrow(RangeError);
  });
});
