import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { lightAndDarkFindings } from '../../service/axe.ts';
import { isWithoutBrowser, startBrowser } from '../../service/browser.ts';
import { ENTRIES } from './shown-data.ts';
import {
  followLink,
  type StandIn,
  standInEnvironment,
  type TestDashboard,
  testDashboard,
} from './test-dashboard.ts';

const DOMAINS = '/staging/projects/petstore/domains';

/** The pages and their headings. */
const PAGES: Readonly<Record<string, string>> = {
  '/staging/projects': 'Projects',
  '/staging/projects/petstore': 'petstore',
  '/staging/projects/zoo/domains': 'zoo',
  [DOMAINS]: 'petstore',
  [`${DOMAINS}/example.org`]: 'example.org',
  [`${DOMAINS}/blog.example.com`]: 'blog.example.com',
  [`${DOMAINS}/new.example.com`]: 'new.example.com',
  [`${DOMAINS}/www.example.com`]: 'www.example.com',
  [`${DOMAINS}/shop.example.com`]: 'shop.example.com',
  [`${DOMAINS}/old.example.com`]: 'old.example.com',
  [`${DOMAINS}/unknown.example.com`]: 'unknown.example.com isn’t in project petstore',
  '/staging/domains': 'Domains',
  '/staging/keys': 'API keys',
  '/staging/orders': 'Orders',
  '/staging/audit': 'Audit',
  '/staging/nowhere': 'There is nothing at this URL',
  '/production/projects': 'Projects',
};

describe.skipIf(isWithoutBrowser)('the pages', () => {
  let staging: StandIn;
  let dashboard: TestDashboard;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    staging = standInEnvironment('staging', { isLocal: true });
    dashboard = await testDashboard(staging, standInEnvironment('production', { isLocal: true }));
    browser = await startBrowser();
    page = await browser.newPage({ reducedMotion: 'reduce' });
    await page.goto(dashboard.url);
    await page.waitForURL(`${dashboard.origin}/`);
  });
  afterAll(async () => {
    await browser?.close();
    await dashboard?.close();
  });

  const open = async (path: string) => {
    await followLink(page, path);
    await page.getByRole('heading', { level: 1, name: PAGES[path] ?? '', exact: true }).waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
  };
  const expectNothing = async (where: string) => {
    expect(await lightAndDarkFindings(page), where).toEqual([]);
  };

  test.each(Object.keys(PAGES))('show axe-core no fault at %s, light and dark', async path => {
    await open(path);
    await expectNothing(path);
  });

  test('show axe-core no fault in the menu and the dialogs, light and dark', async () => {
    await open(DOMAINS);
    await page.getByRole('button', { name: 'Actions for pets.example.com' }).click();
    await expectNothing('the menu');
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await expectNothing('Remove');
    await page.getByRole('button', { name: 'Redirect instead' }).click();
    await expectNothing('Redirect');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByLabel('Domain or subdomain').fill('example.net');
    await expectNothing('Add domain');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Actions for pets.example.com' }).click();
    await page.getByRole('menuitem', { name: 'Move to another project' }).click();
    await expectNothing('Move');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'zoo' }).waitFor();
    await expectNothing('the palette');
    await page.keyboard.press('Escape');
    await open('/staging/projects/petstore');
    await page.getByRole('button', { name: 'Record a deploy' }).click();
    await expectNothing('Record a deploy');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Rename' }).click();
    await expectNothing('Rename');
    await page.keyboard.press('Escape');
    await open('/staging/projects');
    await page.getByRole('button', { name: 'New project' }).click();
    await expectNothing('New project');
    await page.keyboard.press('Escape');
    await open('/staging/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await expectNothing('Create key');
    await page.getByRole('textbox', { name: /^Name/ }).fill('Acme');
    await page.keyboard.press('Enter');
    await page.getByText('only time').waitFor();
    await expectNothing('the new key');
  });

  test('keep the names of the audit whole on a desktop, also beside a long input', async () => {
    const name = 'AWSReservedSSO_Operators/jane';
    const by = `arn:aws:sts::123456789012:assumed-role/${name}`;
    const entry = {
      ...ENTRIES[0],
      requestId: 'long',
      by,
      input: { domain: 'a-rather-long-label.'.repeat(10) },
    };
    onTestFinished(() => {
      staging.respond = undefined;
    });
    staging.respond = command => (command === 'audit.list' ? { entries: [entry] } : undefined);
    await page.setViewportSize({ width: 1280, height: 900 });
    await open('/staging/audit');
    await page.getByText(name, { exact: true }).waitFor();
    const lines = await page.evaluate(
      "(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('.table-panel [data-title=Who]')); return range.getClientRects().length; })()",
    );
    expect(lines).toBe(1);
    expect(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBe(0);
  });

  test('scroll sideways nowhere on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of Object.keys(PAGES)) {
      await open(path);
      const excess = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect(excess, path).toBe(0);
    }
  });
});
