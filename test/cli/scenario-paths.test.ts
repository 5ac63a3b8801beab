import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scenarioPaths } from '../../src/cli/scenario-paths.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'scenario-paths-'));
  mkdirSync(join(folder, 'a [1]/deep'), { recursive: true });
  for (const path of ['b.yaml', 'c.yaml', 'note.txt', 'a [1]/d.yaml', 'a [1]/deep/e.yaml']) {
    writeFileSync(join(folder, path), '');
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

const paths = async (...patterns: string[]): Promise<string[]> =>
  (await scenarioPaths(patterns.map((pattern) => join(folder, pattern)))).map((path) => path.slice(folder.length + 1));

describe('scenarioPaths', () => {
  it('takes files as named, in the order of the arguments', async () => {
    expect(await paths('c.yaml', 'note.txt', 'b.yaml', 'a [1]/d.yaml', 'c.yaml')).toEqual([
      'c.yaml',
      'note.txt',
      'b.yaml',
      'a [1]/d.yaml',
    ]);
  });

  it("takes a directory's YAML files, recursively", async () => {
    expect(await paths('a [1]')).toEqual(['a [1]/d.yaml', 'a [1]/deep/e.yaml']);
    expect(await paths('')).toEqual(['a [1]/d.yaml', 'a [1]/deep/e.yaml', 'b.yaml', 'c.yaml']);
  });

  it('takes a glob', async () => {
    expect(await paths('*.yaml')).toEqual(['b.yaml', 'c.yaml']);
    expect(await paths('**/e.*')).toEqual(['a [1]/deep/e.yaml']);
  });

  it('says which argument means no file', async () => {
    await expect(paths('b.yaml', 'missing.yaml')).rejects.toThrow('missing.yaml: no scenario file found');
    await expect(paths('*.yml')).rejects.toThrow('*.yml: no scenario file found');
  });
});
