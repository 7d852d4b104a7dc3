import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { OPERATIONS } from '../../shared/operations.ts';
import { axeFindings } from './axe.ts';
import { isWithoutBrowser, startBrowser } from './browser.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

/** As the page names them in its links, the last one first. */
const SECTIONS = OPERATIONS.map(({ method, path }) => `${method}${path}`).toReversed();
const SUMMARIES = Object.values(openApiDocument().paths ?? {}).flatMap(methods =>
  Object.values(methods as Record<string, { summary: string }>).map(({ summary }) => summary),
);
const TRY_OUT = { name: /test request/i };
const SEND = { name: /^send/i };

interface OpenPage {
  readonly page: Page;
  readonly requested: string[];
  /** Errors and warnings of the console and the page, but for an animal that isn't there. */
  readonly complaints: string[];
}

/** Opens the page on a desktop in dark mode. Every other host is out of reach. */
async function openReference(): Promise<OpenPage> {
  const context = await browser.newContext({ viewport: DESKTOP, colorScheme: 'dark' });
  const { origin } = new URL(service.staging.url);
  await context.route(
    url => url.origin !== origin,
    route => route.abort(),
  );
  const page = await context.newPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', request => requested.push(request.url()));
  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => {
    const isRefusal = message.text().includes('status of 404') && message.location().url.includes('/pets/');
    if (['error', 'warning'].includes(message.type()) && !isRefusal) complaints.push(message.text());
  });
  await page.goto(`${service.staging.url}/docs`);
  await page.getByRole('heading', { name: 'Custom domains' }).waitFor({ state: 'attached' });
  return { page, requested, complaints };
}

/** Goes on as a phone. A page that is opened on one would be another process, which compiles the 4 MB of scripts again. */
async function goOnAsPhone(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Emulation.setDeviceMetricsOverride', { ...PHONE, deviceScaleFactor: 1, mobile: true });
  await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: true });
}

const panelOf = (page: Page) => page.getByRole('dialog', { name: 'API Client' });

/** Opens the try-out panel of an operation. */
async function tryOut(page: Page, operation: string): Promise<Locator> {
  const section = await goTo(page, operation);
  await section.getByRole('button', TRY_OUT).click();
  const panel = panelOf(page);
  await panel.getByRole('button', SEND).first().waitFor();
  return panel;
}

const sectionOf = (page: Page, operation: string) => page.locator(`section[id$="/tag/animals/${operation}"]`);

/** Goes to the section of an operation by its link. */
async function goTo(page: Page, operation: string): Promise<Locator> {
  await page.goto(`${service.staging.url}/docs#tag/animals/${operation}`);
  const section = sectionOf(page, operation);
  await section.getByRole('heading').first().waitFor();
  return section;
}

/** A section is drawn when it is gone to, and stays. */
async function drawSections(page: Page): Promise<void> {
  for (const operation of SECTIONS) {
    const isDrawn = (await sectionOf(page, operation).getByRole('heading').count()) > 0;
    if (!isDrawn) await goTo(page, operation);
  }
}

describe.skipIf(isWithoutBrowser)('the reference page', () => {
  let reference: OpenPage;
  beforeAll(async () => {
    reference = await openReference();
  });

  test('lists every page, group and operation, and shows which is deprecated, until when, and which is experimental', async () => {
    const { page } = reference;
    const sidebar = page.getByRole('complementary', { name: /sidebar/i });
    for (const entry of [
      ...['Introduction', 'Authentication', 'Errors', 'Pagination', 'Idempotency', 'Limits', 'Versioning'],
      ...['Custom domains', 'Store', 'Pets', 'animals', ...SUMMARIES],
    ]) {
      await sidebar.getByText(entry, { exact: true }).first().waitFor();
    }
    const groups = ['store', 'pets', 'animals'].map(tag => `[data-sidebar-id$="/tag/${tag}"]`);
    const operations = sidebar.locator(`${groups.join(' ')} a[href*="#tag/animals/"]`);
    expect(await operations.count()).toBe(OPERATIONS.length);
    for (const { method, path, stability, deprecation } of OPERATIONS.toReversed()) {
      const section = await goTo(page, `${method}${path}`);
      await section.getByText(path).first().waitFor();
      if (stability !== 'stable') await section.getByText(stability, { exact: true }).waitFor();
      if (deprecation) {
        const year = deprecation.sunset.slice(0, 4);
        await section.getByText(new RegExp(`^Removed on \\d+ \\w+ ${year}$`)).waitFor();
      }
      const isTriedOut = (await section.getByRole('button', TRY_OUT).count()) > 0;
      expect([path, isTriedOut]).toEqual([path, path !== '/store/orders']);
    }
  });

  test('can be searched with the keyboard alone', async () => {
    const { page } = reference;
    await goTo(page, 'GET/pets');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('List orders');
    await page.getByRole('option').filter({ hasText: '/store/orders' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { selected: true }).filter({ hasText: '/store/orders' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/#tag\/animals\/GET\/store\/orders$/);
  });

  test('creates an animal in the try-out panel with a pasted key', async () => {
    const { page } = reference;
    await page.getByPlaceholder('Token').first().fill(service.staging.apiKey);
    const panel = await tryOut(page, 'POST/pets');
    const responded = page.waitForResponse(response => response.request().method() === 'POST');
    await panel.getByRole('button', SEND).first().click();
    const response = await responded;
    expect([response.url(), response.status()]).toEqual([`${service.staging.url}/pets`, 201]);
    await page.getByText('201 Created').waitFor();

    const { id, name } = (await response.json()) as { id: number; name: string };
    const found = await fetch(`${service.staging.url}/pets/${id}`, {
      headers: { Authorization: `Bearer ${service.staging.apiKey}` },
    });
    expect(await found.json()).toMatchObject({ id, name });
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByText('201 Created').waitFor({ state: 'hidden' });
  });

  test('offers both environments of this machine, and tries an operation out with the other one and its key; its panel has no try-out for GET /store/orders', async () => {
    const { page } = reference;
    await page.getByRole('button', { name: service.staging.url }).first().click();
    const servers = page.getByRole('option');
    await servers.first().waitFor();
    expect(await servers.allInnerTexts()).toEqual([service.staging.url, service.production.url]);
    await servers.filter({ hasText: service.production.url }).click();
    await page.getByText('use an API key that starts with pet_live_').first().waitFor();
    await page.getByPlaceholder('Token').first().fill(service.production.apiKey);
    const panel = await tryOut(page, 'GET/pets');
    const responded = page.waitForResponse(response => response.url().includes('/pets?'));
    await panel.getByRole('button', SEND).first().click();
    const response = await responded;
    expect([response.url().split('?')[0], response.status()]).toEqual([
      `${service.production.url}/pets`,
      200,
    ]);
    await page.getByText('200 OK').waitFor();
    await panel.getByText('List animals').filter({ visible: true }).first().waitFor();
    // The renderer's shortcut for a list of all operations.
    await page.keyboard.press('Control+b');
    expect(await panel.getByText('List orders').filter({ visible: true }).count()).toBe(0);
    expect(await panel.locator('.scalar-sidebar-toggle').isVisible()).toBe(false);
    await page.keyboard.press('Escape');
    await page.getByText('200 OK').waitFor({ state: 'hidden' });
  });

  test('is dark in dark mode, and shows axe-core no fault, dark and light', async () => {
    const { page } = reference;
    expect(await page.locator('body').getAttribute('class')).toContain('dark-mode');
    await page.addStyleTag({ content: '* { transition: none !important; }' });
    await drawSections(page);
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Set light mode' }).click();
    await page.locator('body.light-mode').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('zzzzzz');
    await page.getByText('No results found').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
  });

  test('has a try-out panel that takes the focus and gives it back, names its fields, closes its lists one by one, and shows axe-core no fault', async () => {
    const { page } = reference;
    const panel = await tryOut(page, 'GET/pets');
    expect(await page.evaluate('document.activeElement.closest("[role=dialog]") !== null')).toBe(true);
    await panel.getByRole('textbox', { name: 'limit: Value' }).waitFor();
    await panel.getByRole('button', { name: 'status: available' }).waitFor();
    await panel.getByRole('button', { name: 'Code Snippet' }).click();
    await panel.getByRole('button', { name: 'Shell Curl' }).click();
    await page.getByRole('option').first().waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    expect(await panel.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    const button = sectionOf(page, 'GET/pets').getByRole('button', TRY_OUT);
    await button.and(page.locator(':focus')).waitFor();
  });

  test('does not scroll sideways on a phone, and shows axe-core no fault', async () => {
    const { page } = reference;
    await drawSections(page);
    await goOnAsPhone(page);
    for (const operation of SECTIONS) {
      await sectionOf(page, operation).getByRole('heading').first().waitFor();
    }
    const widths = '[innerWidth, document.documentElement.scrollWidth]';
    expect(await page.evaluate(widths)).toEqual([PHONE.width, PHONE.width]);
    expect(await page.evaluate('navigator.maxTouchPoints > 0')).toBe(true);
    expect(await axeFindings(page)).toEqual([]);
    const panel = await tryOut(page, 'GET/pets/{petId}');
    await panel.getByRole('button', SEND).first().click();
    await panel.getByText('404 Not Found').waitFor();
    expect(await page.evaluate(widths)).toEqual([PHONE.width, PHONE.width]);
    expect(await axeFindings(page)).toEqual([]);
  });

  test('sends no request to another host and logs no error in the tests above', () => {
    const { origin } = new URL(service.staging.url);
    expect(reference.requested.filter(url => !url.startsWith(origin))).toEqual([]);
    expect(reference.complaints).toEqual([]);
  });
});
