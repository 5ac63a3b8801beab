/** The examples of the guide for tests are parts of tests that run, and its message is what is printed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, jest } from '@jest/globals';
import { Client } from 'pg';
import { query, setupWalsender } from '../../src/index.js';
import { fencesOf, markOf, pages } from './fences.js';

const root = join(import.meta.dirname, '../..');
const guide = fencesOf('docs/testing.md');

it('has TypeScript only that runs', () => {
  const examples = guide.filter(({ language }) => language === 'ts');
  expect(examples.length).toBeGreaterThan(20);
  expect(examples.filter((fence) => markOf(fence, 'from') === undefined)).toEqual([]);
});

const taken = pages.flatMap(fencesOf).flatMap((fence) => {
  const from = markOf(fence, 'from');
  return from === undefined ? [] : [{ ...fence, from }];
});

it.each(taken)('$page, line $line, is part of $from', ({ from, text }) => {
  expect(readFileSync(join(root, from), 'utf8')).toContain(text);
});

it('shows what is printed of a query that nobody answers', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  await using server = await setupWalsender(query(/xpaths\(/i, () => query.rows([]))).listen();
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await expect(client.query("SELECT xpath('/a', $$<a/>$$)")).rejects.toMatchObject({ code: '0A000' });
  await client.end();
  const message = String(printed.mock.lastCall?.[0]);
  printed.mockRestore();
  const shown = guide.find(({ marks }) => marks.includes('unhandled'))!.text.trim();
  // `…` stands for what differs: the reason, and the place of the handler.
  let rest = message;
  for (const part of shown.split('…')) {
    expect(rest).toContain(part);
    rest = rest.slice(rest.indexOf(part) + part.length);
  }
  expect(rest).toBe('');
});
