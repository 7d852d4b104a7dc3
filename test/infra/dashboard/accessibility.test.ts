import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { axeFindings, NEEDS_BROWSER, startBrowser } from '../../service/browser.ts';
import { ENTRIES } from './shown-data.ts';
import { DIALOGS, OPEN, openDialog } from './shown-dialogs.ts';
import { STATES } from './shown-domains.ts';
import {
  followLink,
  type StandIn,
  standInEnvironment,
  type TestDashboard,
  testDashboard,
} from './test-dashboard.ts';

const DOMAINS = '/staging/projects/petstore/domains';

/** States of a domain whose pages have different elements; others differ only in words. */
const SHAPES = [
  'added-apex',
  'missing',
  'caa-blocked',
  'quota-full',
  'apex-attached',
  'issuing',
  'ready',
  'failed-taken',
  'live',
  'redirecting',
  'live-takeover',
  'failed-dns',
  'removing',
  'removal-stalled',
] as const;

const PAGES: Readonly<Record<string, string>> = {
  '/staging/projects': 'Projects',
  '/staging/projects/petstore': 'petstore',
  '/staging/projects/shop/domains': 'shop',
  [DOMAINS]: 'petstore',
  ...Object.fromEntries(SHAPES.map(state => [`${DOMAINS}/${STATES[state].domain}`, STATES[state].domain])),
  [`${DOMAINS}/unknown.example.com`]: "unknown.example.com isn't in project petstore",
  '/staging/domains': 'Domains',
  '/staging/keys': 'API keys',
  '/staging/orders': 'Orders',
  '/staging/audit': 'Audit',
  '/staging/nowhere': 'There is nothing at this URL',
  '/production/projects': 'Projects',
};

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };
/** The narrowest screen on which tables have rows, and not cards. */
const TABLET = 724;

/** What of the page, or of a table, is wider than the screen. */
const EXCESS = `Math.max(...[document.documentElement, ...document.querySelectorAll('.table-panel')]
  .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))`;

describe('the pages', NEEDS_BROWSER, () => {
  let staging: StandIn;
  let dashboard: TestDashboard;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    staging = standInEnvironment('staging', { isLocal: true });
    dashboard = await testDashboard(staging, standInEnvironment('production', { isLocal: true }));
    browser = await startBrowser();
    page = await browser.newPage({ reducedMotion: 'reduce', viewport: DESKTOP });
    await page.goto(dashboard.url);
    await page.waitForURL(`${dashboard.origin}/`);
  });
  afterAll(async () => {
    await browser?.close();
    await dashboard?.close();
  });

  const open = async (path: string) => {
    await followLink(page, path);
    await page
      .getByRole('heading', { level: 1, name: PAGES[path] ?? path.split('/').at(-1) ?? '', exact: true })
      .waitFor();
    await page.locator('.loading').waitFor({ state: 'detached' });
  };
  /** Dark differs only in its colors. */
  const expectNothing = async (where: string, within?: string) => {
    const light = await axeFindings(page, { within });
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await axeFindings(page, { within, runOnly: ['color-contrast'] });
    await page.emulateMedia({ colorScheme: 'light' });
    await page.setViewportSize(PHONE);
    const phone = await axeFindings(page, { within });
    const excess = [await page.evaluate(EXCESS)];
    for (const width of [TABLET, DESKTOP.width]) {
      await page.setViewportSize({ ...DESKTOP, width });
      excess.push(await page.evaluate(EXCESS));
    }
    expect({ light, dark, phone, excess }, where).toEqual({
      light: [],
      dark: [],
      phone: [],
      excess: [0, 0, 0],
    });
  };

  test.each(Object.keys(PAGES))('show axe-core no fault at %s: light, dark and on a phone', async path => {
    await open(path);
    await expectNothing(path);
  });

  test.each(Object.entries(DIALOGS))(
    'show axe-core no fault in the dialog or menu %s',
    async (name, dialog) => {
      const [path, ...steps] = dialog;
      await open(path);
      await openDialog(page, steps);
      await expectNothing(name, OPEN);
      await page.keyboard.press('Escape');
    },
  );

  test('show axe-core no fault where a new key would be lost', async () => {
    await open('/staging/keys');
    await openDialog(page, ['Create key', ['Name', 'Acme']]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep it open' }).waitFor();
    await expectNothing('the new key', OPEN);
    await page.getByRole('button', { name: 'Close without the key' }).click();
  });

  test('show axe-core no fault where records are created, which says what it deletes and then that they are there', async () => {
    await open(`${DOMAINS}/blog.example.com`);
    await page.getByRole('button', { name: 'Create the records and verify' }).click();
    const dialog = page.getByRole('dialog', { name: 'Replace 2 DNS records?' });
    await dialog.getByText('203.0.113.7').waitFor();
    await expectNothing('records in the way', OPEN);
    const { conflict } = STATES;
    const found = { state: 'ok', todo: null, action: null } as const;
    const looked = {
      ...conflict,
      reason: null,
      troubles: [],
      message: 'The records are there.',
      records: conflict.records.map(record => ({ ...record, ...found })),
    };
    staging.respond = command => (command === 'domains.look' ? looked : undefined);
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByText('Checking DNS', { exact: true }).waitFor();
    await page.getByText('The records are there.').waitFor();
    expect(await page.getByRole('button', { name: 'Create the records' }).count()).toBe(0);
    await expectNothing('records that were created');
    staging.respond = undefined;
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
    await open('/staging/audit');
    await page.getByText(name, { exact: true }).waitFor();
    const lines = await page.evaluate(
      "(() => { const range = document.createRange(); range.selectNodeContents(document.querySelector('.table-panel [data-title=Who]')); return range.getClientRects().length; })()",
    );
    expect(lines).toBe(1);
    expect(await page.evaluate(EXCESS)).toBe(0);
  });
});
