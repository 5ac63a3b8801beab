import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'browser-'));

let browser: Browser;
let page: Page;
/** What no page may do: complain, fail, or ask for anything. */
let trouble: string[];

beforeAll(async () => {
  const executablePath = '/usr/bin/chromium';
  if (!existsSync(executablePath)) throw new Error('this tier needs chromium: apt-get install chromium');
  // The sandbox needs a user of its own, which containers do not have.
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  trouble = [];
});

afterEach(async () => {
  await page.close();
  expect(trouble).toEqual([]);
});

interface Look {
  readonly width?: number;
  readonly colorScheme?: 'light' | 'dark';
}

/** Opens the page that `explain --html` writes. */
async function open(
  scenario: string,
  args: readonly string[] = [],
  { width = 1280, colorScheme }: Look = {},
): Promise<void> {
  const file = join(folder, 'page.html');
  execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), 'explain', scenario, '--html', file, ...args], {
    stdio: 'pipe',
  });
  page = await browser.newPage({ viewport: { width, height: 900 }, ...(colorScheme && { colorScheme }) });
  page.on('console', (message) => trouble.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => trouble.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== pathToFileURL(file).href) trouble.push(`request: ${request.url()}`);
  });
  await page.goto(pathToFileURL(file).href);
}

const keyChange = join(root, 'scenarios/key-change.yaml');
const hostile = join(__dirname, 'hostile.yaml');

/** The number-th message, from 1. */
function message(number: number): Locator {
  return page.locator('.message').nth(number - 1);
}

/** The row of a field of a message, by its path. */
function row(number: number, path: string): Locator {
  return message(number).locator('tbody tr', { has: page.getByText(path, { exact: true }) });
}

/** The bytes that are lit in the page, in hexadecimal. */
async function litBytes(): Promise<string> {
  const texts = await page.locator('.bytes > .lit').allTextContents();
  return texts.join('').replaceAll(' ', '');
}

describe('bytes and fields', () => {
  beforeEach(() => open(keyChange, ['--limit', '8']));

  it('pointing at a field lights up its bytes', async () => {
    await row(2, 'customers').hover();
    expect(await litBytes()).toBe('637573746f6d65727300');
    expect(await page.locator('.text > .lit').allTextContents()).toEqual(['cust', 'omers·']);
    expect(await page.locator('#status').textContent()).toBe('000c  name = customers  (its name)');
    await row(3, 'relationId').hover();
    expect(await litBytes()).toBe('00004000');
  });

  it('pointing at bytes lights up their field, all of its bytes, and nothing else', async () => {
    await message(2).locator('.bytes > span', { hasText: '73 00' }).first().hover();
    expect(await page.locator('tr.lit').allTextContents()).toEqual(['000cnamecustomersits name']);
    expect(await litBytes()).toBe('637573746f6d65727300');
    await page.locator('h1').hover();
    expect(await page.locator('.lit').count()).toBe(0);
    expect(await page.locator('#status').textContent()).toContain('Point at a field');
  });

  it('bytes stand in their places, eight a row, whatever field they belong to', async () => {
    const text = await message(1).locator('.bytes').textContent();
    expect(text).toBe(
      [
        '0000  42 00 00 00 00 01 50 00  B·····P·',
        '0008  80 00 02 ea 47 0a e8 60  ····G··`',
        '0010  00 00 00 02 ee           ·····',
        '',
      ].join('\n'),
    );
  });

  it('the keyboard reaches every field, and leads from field to field', async () => {
    // Tab: the three buttons, the transaction, its first message, that one's fields, the next message.
    for (let i = 0; i < 6; i++) await page.keyboard.press('Tab');
    expect(await page.locator('tr.lit .path').textContent()).toBe('type');
    expect(await litBytes()).toBe('42');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('tr:focus .path').textContent()).toBe('finalLsn');
    expect(await litBytes()).toBe('0000000001500080');
    await page.keyboard.press('End');
    expect(await litBytes()).toBe('000002ee');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('tr:focus .path').textContent()).toBe('xid');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    expect(await litBytes()).toBe('42');
    await page.keyboard.press('Tab');
    expect(await page.locator('.lit').count()).toBe(0);
    expect(await page.locator('summary:focus .kind').textContent()).toBe('relation');
    await page.keyboard.press('Shift+Tab');
    expect(await litBytes()).toBe('42');
  });

  it('clicking bytes takes the keyboard there', async () => {
    await message(3).locator('.bytes > span').last().click();
    await page.keyboard.press('ArrowUp');
    expect(await page.locator('tr:focus .path').textContent()).toBe('newTuple[2].length');
  });

  it('names the scenario’s line', async () => {
    expect(await message(3).locator('.source').textContent()).toMatch(/key-change\.yaml:39- update: customers$/);
  });
});

describe('transactions', () => {
  beforeEach(() => open(hostile));

  it('are pieces in order; those open at once lie in lanes of their own', async () => {
    const pieces = page.locator('.piece');
    expect(await pieces.locator('h2').allTextContents()).toEqual([
      ...['Transaction 750', 'Transaction 751', 'Transaction 752', 'Transaction 753', 'Transaction 754'],
      ...['Outside of transactions', 'Transaction 753', 'Transaction 754'],
    ]);
    const places: number[] = [];
    for (const line of await pieces.locator('.own').all()) places.push((await line.boundingBox())!.x);
    const [first] = places;
    expect(places.map((x) => Math.round(x - first!))).toEqual([0, 0, 0, 0, 14, 28, 0, 14]);
  });

  it('fold up and open, by pointer and by keyboard', async () => {
    await page.getByRole('button', { name: 'Transactions' }).click();
    expect(await message(1).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Messages' }).click();
    expect(await message(1).isVisible()).toBe(true);
    expect(await message(1).locator('table').isVisible()).toBe(false);
    await message(1).locator('summary').focus();
    await page.keyboard.press('Enter');
    expect(await message(1).locator('table').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Bytes' }).press('Enter');
    expect(await message(5).locator('table').isVisible()).toBe(true);
    expect(await page.getByRole('button', { pressed: true }).allTextContents()).toEqual(['Bytes']);
  });
});

describe('hostile names and values', () => {
  it('stay text', async () => {
    await open(hostile);
    expect(await page.title()).toBe("</title><script>document.title = 'taken'</script>");
    expect(await page.locator('img, b, script:not(:last-child), [onmouseover], [onerror], [style]').count()).toBe(0);
    const value = row(3, "</script><script>document.title = 'taken'</script>");
    await value.hover();
    expect(await litBytes()).toBe(Buffer.from("</script><script>document.title = 'taken'</script>").toString('hex'));
    expect(await page.locator('td.value', { hasText: 'gnp' }).textContent()).toBe('"\\u001b[2J\\u202egnp.exe\\u2028x"');
    expect(await page.title()).not.toBe('taken');
  });

  it('could not run either, as the page’s policy allows no script but its own', async () => {
    await open(hostile);
    const policy = await page.locator('meta[http-equiv=Content-Security-Policy]').getAttribute('content');
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}=';/);
    expect(readFileSync(join(folder, 'page.html'), 'utf8')).not.toMatch(/https?:|url\(|@import/);
  });
});

/** Runs in the page: the contrast of an element's text to what is behind it (WCAG 2, 1 to 21). */
const contrast = `(selector) => {
  const element = document.querySelector(selector);
  const luminance = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map((part) => part / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let behind = element;
  while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
  const text = luminance(getComputedStyle(element).color);
  const paper = luminance(getComputedStyle(behind).backgroundColor);
  return (Math.max(text, paper) + 0.05) / (Math.min(text, paper) + 0.05);
}`;

const texts = [
  ...['h1', '.facts li', 'button', '.detail', '.number', '.kind.describes', '.kind.changes', '.source span'],
  ...['td.at', 'td.value', 'td.meaning', '.bytes > .at', '.bytes .text', 'tr.lit td.at', 'tr.lit td.meaning'],
  ...['.bytes > .lit', '.text > .lit', '#status'],
];

describe('the look', () => {
  it.each(['light', 'dark'] as const)('is legible in %s', async (colorScheme) => {
    await open(keyChange, ['--limit', '8'], { colorScheme });
    await row(2, 'customers').hover();
    for (const selector of texts) {
      const ratio = await page.evaluate<number>(`(${contrast})(${JSON.stringify(selector)})`);
      expect({ selector, legible: ratio >= 4.5 }).toEqual({ selector, legible: true });
    }
  });

  it.each([390, 720, 1280])('fits a window of %d pixels without scrolling sideways', async (width) => {
    await open(hostile, [], { width });
    await page.getByRole('button', { name: 'Bytes' }).click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const bytes = "document.querySelector('.bytes')";
    expect(await page.evaluate(`${bytes}.scrollWidth - ${bytes}.clientWidth`)).toBe(0);
  });
});

it('a page of a thousand messages opens, unfolds and answers', async () => {
  await open(join(root, 'scenarios/large-streamed-transaction.yaml'), ['--proto-version', '2', '--streaming', 'on']);
  await page.getByRole('button', { name: 'Bytes' }).click();
  await row(3, 'relationId').hover();
  expect(await page.locator('tr.lit').count()).toBe(1);
});
