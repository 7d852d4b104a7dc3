import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../shared/operations.ts';
import { axeFindings, NEEDS_BROWSER, startBrowser } from './browser.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
type Look = BrowserContextOptions & { readonly isWithoutScript?: boolean };
const LOOKS = {
  'light on a desktop': { ...DESKTOP, colorScheme: 'light' },
  'dark on a desktop': { ...DESKTOP, colorScheme: 'dark' },
  'light on a phone': { ...PHONE, colorScheme: 'light' },
  'dark on a phone, without JavaScript': { ...PHONE, colorScheme: 'dark', isWithoutScript: true },
  'light on a desktop, without JavaScript': { ...DESKTOP, colorScheme: 'light', isWithoutScript: true },
} as const;

/** Opens the page, and collects its requests to other hosts and the complaints of the console. */
async function openReference({
  isWithoutScript = false,
  ...options
}: Look): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage(options);
  const complaints: string[] = [];
  page.on('request', request => {
    if (!request.url().startsWith(new URL(service.staging.url).origin)) complaints.push(request.url());
  });
  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => {
    const isRefusal = /status of 40[14]/.test(message.text());
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text());
  });
  // axe-core itself needs JavaScript, so the page loses its script instead.
  if (isWithoutScript)
    await page.route('**/docs', async route => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace(/<script>.*<\/script>/s, '') });
    });
  await page.goto(`${service.staging.url}/docs`);
  return { page, complaints };
}

/** The pieces of code that have the color of names, strings, words or numbers. */
function coloredAs(page: Page, kind: string): Promise<string[]> {
  return page.evaluate(`[...CSS.highlights.get('${kind}')].map(({ startContainer, startOffset, endContainer, endOffset }) => {
    const range = new Range();
    range.setStart(startContainer, startOffset);
    range.setEnd(endContainer, endOffset);
    return range.toString();
  })`);
}

describe('the reference page', NEEDS_BROWSER, () => {
  test.each(Object.entries(LOOKS))(
    'is read %s, does not scroll sideways, and shows axe-core no fault',
    async (_, look) => {
      const { page, complaints } = await openReference(look);
      for (const { method, path } of OPERATIONS) {
        await page.locator(`[id="tag/animals/${method}${path}"]`).getByRole('heading').first().waitFor();
      }
      const canTry = !('isWithoutScript' in look);
      expect(await page.getByRole('button', { name: 'Send request' }).count()).toBe(
        canTry ? OPERATIONS.length - 1 : 0,
      );
      const widths = '[innerWidth, document.documentElement.scrollWidth]';
      expect(await page.evaluate(widths)).toEqual([look.viewport.width, look.viewport.width]);
      expect(await axeFindings(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.close();
    },
  );

  test('creates an animal, says what is wrong with a request, and shows every digit', async () => {
    const { page, complaints } = await openReference(DESKTOP);
    const create = page.getByRole('form', { name: 'Try out: Add an animal' });
    await create.getByLabel('API key').fill(service.staging.apiKey);
    const exact = '9223372036854775807';
    await create.getByLabel('Body').fill(`{"name": "Rex", "categoryId": ${exact}}`);
    await create.getByRole('button', { name: 'Send request' }).click();
    await create.getByText('201 Created').waitFor();
    const text = await create.getByRole('status').innerText();
    // The body is what one sent the request for, so it comes before the headers.
    expect(text).toMatch(new RegExp(`"categoryId": ${exact}[^]*location: .*/pets/\\d+`));
    expect(await coloredAs(page, 'number')).toContain(exact);
    const [, id = ''] = /"id": (\d+)/.exec(text) ?? [];

    const get = page.getByRole('form', { name: 'Try out: Get an animal' });
    await get.getByLabel('petId').fill(id);
    await get.getByRole('button', { name: 'Send request' }).click();
    await get.getByText('200 OK').waitFor();
    await get.getByLabel('petId').fill('1');
    await page.keyboard.press('Enter');
    await get.getByText('404 Not Found').waitFor();
    await get.getByText('"not_found"').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('offers both environments of this machine, calls the chosen one with its key, and shows samples for it', async () => {
    const { page, complaints } = await openReference(DESKTOP);
    const list = page.getByRole('form', { name: 'Try out: List animals' });
    await list.getByLabel('Server').selectOption(service.production.url);
    await list.getByLabel('API key').fill(service.production.apiKey);
    await list.getByLabel('limit').fill('1');
    await list.getByLabel('status').selectOption('sold');
    const responded = page.waitForResponse(`${service.production.url}/pets?limit=1&status=sold`);
    await list.getByRole('button', { name: 'Send request' }).click();
    expect((await responded).status()).toBe(200);
    await list.getByText('200 OK').waitFor();
    await page.getByText('Python', { exact: true }).first().click();
    const sample = page.locator('[id="tag/animals/POST/pets"] pre:visible').first();
    expect(await sample.innerText()).toContain(
      `urllib.request.Request(\n    "${service.production.url}/pets"`,
    );
    expect(await coloredAs(page, 'string')).toContain(`"${service.production.url}/pets"`);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('is searched with the keyboard: the best match first, then the arrow keys, Enter and Escape', async () => {
    const { page, complaints } = await openReference(DESKTOP);
    const results = page.getByRole('listbox', { name: 'Search results' });
    const best = results.getByRole('option').first();
    await page.keyboard.press('/');
    await page.keyboard.type('limit');
    expect(await best.innerText()).toBe('limit\nLimits');
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    const chosen = results.getByRole('option', { selected: true });
    expect(await chosen.innerText()).toBe('limit\nList animals');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs#tag/animals/GET/pets/limit');
    await page.locator('tr:target').getByText('limit').waitFor();
    await page.getByRole('navigation').getByText('List animals').waitFor();

    await page.keyboard.press('/');
    await page.keyboard.type('POST /pets');
    expect(await best.innerText()).toBe('Add an animal\nPOST /pets');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('no such thing');
    await page.getByText('No matches.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('navigation').getByText('List animals').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('marks in the contents what is read, and keeps the mark in sight on a phone', async () => {
    const { page } = await openReference({ ...PHONE, reducedMotion: 'reduce' });
    const marked = page.locator('nav [aria-current]');
    await page.getByRole('navigation').getByText('Introduction').and(marked).waitFor();
    await page.getByRole('heading', { name: 'List orders' }).scrollIntoViewIfNeeded();
    await page.evaluate('scrollBy(0, innerHeight)');
    await marked.getByText('List orders').waitFor();
    const { x = 0, width = 0 } = (await marked.boundingBox()) ?? {};
    expect(x).toBeGreaterThan(0);
    expect(x + width).toBeLessThan(PHONE.viewport.width);
    await page.close();
  });
});
