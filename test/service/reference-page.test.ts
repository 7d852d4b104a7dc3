import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isWithoutBrowser, startBrowser } from './browser.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const DESKTOP = { viewport: { width: 1280, height: 900 } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const OPERATIONS = ['GET/pets', 'POST/pets', 'GET/pets/{petId}', 'GET/store/orders'];
const TRY_OUT = { name: /test request/i };

interface OpenPage {
  readonly page: Page;
  readonly requested: string[];
  /** Errors and warnings of the console and the page. */
  readonly complaints: string[];
}

/** Opens the page and waits until its last heading is there. Every other host is out of reach. */
async function openReference(options: BrowserContextOptions): Promise<OpenPage> {
  const context = await browser.newContext(options);
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
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(`${service.staging.url}/docs`);
  await page.getByRole('heading', { name: 'Custom domains' }).waitFor({ state: 'attached' });
  return { page, requested, complaints };
}

/** Goes to the section of an operation by its link. */
async function goTo(page: Page, operation: string): Promise<Locator> {
  await page.goto(`${service.staging.url}/docs#tag/animals/${operation}`);
  const section = page.locator(`section[id$="/tag/animals/${operation}"]`);
  await section.getByRole('heading').first().waitFor();
  return section;
}

describe.skipIf(isWithoutBrowser)('the reference page on a desktop', () => {
  let reference: OpenPage;
  beforeAll(async () => {
    reference = await openReference(DESKTOP);
  });

  test('lists every page, group and operation', async () => {
    const sidebar = reference.page.getByRole('complementary', { name: /sidebar/i });
    for (const entry of [
      ...['Introduction', 'Authentication', 'Errors', 'Pagination', 'Idempotency', 'Limits', 'Versioning'],
      ...['Custom domains', 'Store', 'List animals', 'Add an animal', 'Get an animal', 'List orders'],
    ]) {
      await sidebar.getByText(entry, { exact: true }).first().waitFor();
    }
    expect(await sidebar.getByText('Pets', { exact: true }).count()).toBe(1);
    for (const operation of OPERATIONS) await goTo(reference.page, operation);
  });

  test('shows which operation is deprecated, its removal date, and which is experimental', async () => {
    const getPet = await goTo(reference.page, 'GET/pets/{petId}');
    await getPet.getByText('deprecated', { exact: true }).waitFor();
    await getPet.getByText('Removed on 5 December 2030', { exact: true }).waitFor();
    const listOrders = await goTo(reference.page, 'GET/store/orders');
    await listOrders.getByText('experimental', { exact: true }).waitFor();
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
    const createPet = await goTo(page, 'POST/pets');
    await createPet.getByRole('button', TRY_OUT).click();
    const answered = page.waitForResponse(answer => answer.request().method() === 'POST');
    await page.getByRole('button', { name: /^send/i }).first().click();
    const answer = await answered;
    expect([answer.url(), answer.status()]).toEqual([`${service.staging.url}/pets`, 201]);
    await page.getByText('201 Created').waitFor();

    const { id, name } = (await answer.json()) as { id: number; name: string };
    const found = await fetch(`${service.staging.url}/pets/${id}`, {
      headers: { Authorization: `Bearer ${service.staging.apiKey}` },
    });
    expect(await found.json()).toMatchObject({ id, name });
    await page.keyboard.press('Escape');
    await page.getByText('201 Created').waitFor({ state: 'hidden' });
  });

  test('offers both environments of this machine, and tries an operation out with the other one and its key', async () => {
    const { page } = reference;
    await page.getByRole('button', { name: service.staging.url }).first().click();
    const servers = page.getByRole('option');
    await servers.first().waitFor();
    expect(await servers.allInnerTexts()).toEqual([service.staging.url, service.production.url]);
    await servers.filter({ hasText: service.production.url }).click();
    await page.getByText('takes API keys that start with pet_live_').first().waitFor();
    await page.getByPlaceholder('Token').first().fill(service.production.apiKey);
    const listPets = await goTo(page, 'GET/pets');
    await listPets.getByRole('button', TRY_OUT).click();
    const answered = page.waitForResponse(answer => answer.url().includes('/pets?'));
    await page.getByRole('button', { name: /^send/i }).first().click();
    const answer = await answered;
    expect([answer.url().split('?')[0], answer.status()]).toEqual([`${service.production.url}/pets`, 200]);
    await page.getByText('200 OK').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('200 OK').waitFor({ state: 'hidden' });
  });

  test('has no try-out for GET /store/orders, not from the panel of another operation either', async () => {
    const { page } = reference;
    const listOrders = await goTo(page, 'GET/store/orders');
    await listOrders.getByText('/store/orders').first().waitFor();
    expect(await listOrders.getByRole('button', TRY_OUT).count()).toBe(0);
    const listPets = await goTo(page, 'GET/pets');
    await listPets.getByRole('button', TRY_OUT).click();
    const panel = page.getByRole('dialog', { name: 'API Client' });
    await panel.getByText('List animals').filter({ visible: true }).first().waitFor();
    // The renderer's shortcut for a list of all operations.
    await page.keyboard.press('Control+b');
    expect(await panel.getByText('List orders').filter({ visible: true }).count()).toBe(0);
    expect(await panel.locator('.scalar-sidebar-toggle').isVisible()).toBe(false);
  });

  test('sends no request to another host and logs no error in the tests above', () => {
    const { origin } = new URL(service.staging.url);
    expect(reference.requested.filter(url => !url.startsWith(origin))).toEqual([]);
    expect(reference.complaints).toEqual([]);
  });
});

describe.skipIf(isWithoutBrowser)('the reference page on a phone in dark mode', () => {
  test('is dark and does not scroll sideways', async () => {
    const { page, complaints } = await openReference({ ...PHONE, colorScheme: 'dark' });
    expect(await page.locator('body').getAttribute('class')).toContain('dark-mode');
    for (const operation of OPERATIONS) {
      await goTo(page, operation);
      const excess = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect(excess, operation).toBe(0);
    }
    expect(complaints).toEqual([]);
  });
});
