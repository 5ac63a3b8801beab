/** What an editor with the YAML language server makes of the schema, named in the file's first line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scenarioJsonSchema } from '../../src/scenario/index.js';
import { LanguageServer, type Place } from './language-server.js';

let folder: string;
let server: LanguageServer;
let documents = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'editor-'));
  writeFileSync(join(folder, 'scenario.schema.json'), JSON.stringify(scenarioJsonSchema()));
  server = await LanguageServer.start({
    customTags: ['!unchanged scalar', '!bytes scalar'],
    schemaStore: { enable: false },
  });
});

afterAll(() => {
  server.stop();
  rmSync(folder, { recursive: true });
});

/** `|` marks the cursor. */
async function open(text: string): Promise<{ uri: string; cursor: Place; findings: string[] }> {
  const uri = pathToFileURL(join(folder, `${++documents}.yaml`)).href;
  const full = `# yaml-language-server: $schema=scenario.schema.json\nscenario: x\n${text}`;
  const before = full.split('|')[0]!.split('\n');
  const found = await server.open(uri, full.replace('|', ''));
  const findings = found.map(({ message, range }) => `${range.start.line - 1}: ${message}`);
  return { uri, cursor: { line: before.length - 1, character: before.at(-1)!.length }, findings };
}

async function offered(text: string): Promise<string[]> {
  const { uri, cursor } = await open(text);
  const items = await server.complete(uri, cursor);
  return items.map(({ label }) => label).filter((label) => !label.startsWith('!'));
}

describe('the editor', () => {
  it('completes keys', async () => {
    expect(await offered('server:\n  |\n')).toEqual(expect.arrayContaining(['version', 'lsn', 'wal_sender_timeout']));
    expect(await offered('stream:\n  - insert: t\n    |\n')).toEqual(['row', 'rows', 'new', 'copy', 'lsn']);
  });

  it('completes words', async () => {
    expect(await offered('server:\n  auth: |\n')).toEqual(['trust', 'password', 'md5', 'scram-sha-256']);
  });

  it('offers steps by their names', async () => {
    const labels = await offered('stream:\n  - |\n');
    expect(labels).toEqual(expect.arrayContaining(['insert', 'update', 'transaction', 'open', 'disconnect']));
    expect(labels.filter((label) => /undefined|object/.test(label))).toEqual([]);
  });

  it('explains keys, with examples', async () => {
    const { uri, cursor } = await open('stream:\n  - update: t\n    whe|re: { id: 1 }\n    set: { id: 2 }\n');
    const text = await server.hover(uri, cursor);
    expect(text).toContain('Which rows: by equal values.');
    expect(text).toContain('id: 1');
  });

  it('underlines what is wrong, and nothing else', async () => {
    const wrong = await open('stream:\n  - insert: t\n  - update: t\n    where: { id: 1 }\n    st: { id: 2 }\n');
    expect(wrong.findings.sort()).toEqual([
      '2: Missing property "row".',
      '3: Missing property "set".',
      '5: Property st is not allowed.',
    ]);
    const right = await open('stream:\n  - insert: t\n    row: { id: 1, v: !unchanged , w: !bytes "\\\\x00" }\n');
    expect(right.findings).toEqual([]);
  });
});
