/** What the documentation shows is what happens: its files are written, its commands run, and what they print is compared. */
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { loadScenario } from '../../src/scenario-file.js';
import { run } from '../cli/terminal.js';
import { fencesOf, markOf, pages, type Fence } from './fences.js';

const root = join(import.meta.dirname, '../..');
const before = process.cwd();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docs-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  symlinkSync(join(root, 'scenarios'), join(folder, 'scenarios'), 'dir');
  process.chdir(folder);
});

afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});

const fences = pages.flatMap(fencesOf);

describe('the guide', () => {
  const guide = fences.filter(({ page }) => page === 'docs/scenarios.md');

  beforeAll(() => {
    for (const fence of guide) {
      const file = markOf(fence, 'file');
      if (file !== undefined) writeFileSync(file, fence.text);
    }
    const fix = guide.find(
      ({ language, marks, text }) => language === 'js' && marks[0] === '' && text.includes('message.key'),
    )!;
    const consumer = readFileSync('consumer.mjs', 'utf8');
    const anchor = "  if (message.tag === 'insert'";
    expect(consumer).toContain(anchor);
    writeFileSync('fixed.mjs', consumer.replace(anchor, `  ${fix.text}${anchor}`));
  });

  const examples = guide.flatMap((fence, i) =>
    fence.marks.includes('run') ? [{ command: fence.text.trim(), fence, output: guide[i + 1]! }] : [],
  );

  it('has examples', () => expect(examples.length).toBeGreaterThan(4));

  it.each(examples)(
    '$command',
    async ({ command, fence, output }) => {
      expect(output.marks).toContain('output');
      const [npx, program, ...args] = command.split(' ');
      expect([npx, program]).toEqual(['npx', 'fake-walsender']);
      const { status, stdout, stderr } = await run(args);
      expect(stdout + stderr).toMatch(pattern(output));
      expect(status).toBe(Number(markOf(fence, 'status') ?? 0));
      // A consumer is started, and given its time.
    },
    30_000,
  );
});

/** Of the output: `…` stands for anything, times differ, and columns are as wide as what is in them. */
function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function pattern({ text }: Fence): RegExp {
  const source = text
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('…')
        .map((part) =>
          escape(part.trimEnd())
            .replaceAll(/(\d+\\?\.)?\d+ s\b/g, '[\\d.]+ s')
            .replaceAll(/ {2,}/g, ' +'),
        )
        .join('[\\s\\S]*?'),
    )
    .join('\\s*?\\n?');
  return new RegExp(`^\\s*${source}\\s*$`);
}

describe('YAML in the documentation', () => {
  it.each(fences.filter(({ language }) => language === 'yaml'))('$page, line $line, is YAML', ({ page, text }) => {
    // In the reference several examples of one key stand in one block, with "# or" between them.
    for (const part of page.endsWith('reference.md') ? text.split('# or\n') : [text]) {
      for (const document of parseAllDocuments(part)) expect(document.errors).toEqual([]);
    }
  });

  const scenarios = fences.filter(({ language, text }) => language === 'yaml' && /^scenario:/m.test(text));

  it.each(scenarios.filter((fence) => markOf(fence, 'file') !== 'typo.yaml'))(
    '$page, line $line, is a scenario without mistakes',
    ({ text }) => {
      expect(loadScenario(text).problems).toEqual([]);
    },
  );
});

describe('options in the documentation', () => {
  const uses = new Set<string>();
  for (const { text } of fences.filter(({ language }) => language === 'sh' || language === 'yaml')) {
    const joined = text.replaceAll('\\\n', ' ');
    for (const [, verb, rest] of joined.matchAll(/fake-walsender (\w+)(.*)/g)) {
      // What stands behind -- is the consumer's.
      for (const [option] of rest!.split(' -- ')[0]!.matchAll(/--[a-z][a-z-]*/g)) uses.add(`${verb} ${option}`);
    }
  }

  it.each([...uses])('%s exists', async (use) => {
    const [verb, option] = use.split(' ');
    const { stdout } = await run([verb!, '--help']);
    expect(stdout).toMatch(new RegExp(`^ +(-\\w, )?${option}\\b`, 'm'));
  });
});
