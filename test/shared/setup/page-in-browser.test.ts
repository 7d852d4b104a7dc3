import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownerView } from '../../../shared/setup/owner-view.ts';
import { NO_PAGE, setupPage } from '../../../shared/setup/page.ts';
import { STATES } from '../../infra/dashboard/shown-domains.ts';
import { axeFindings, NEEDS_BROWSER, startBrowser } from '../../service/browser.ts';

const SHAPES = [
  'added-apex',
  'missing',
  'caa-blocked',
  'apex-attached',
  'issuing',
  'ready',
  'live',
  'failed-dns',
] as const;
const ASKED = { againAtMs: Date.UTC(2026, 0, 1), isLooking: true };
const LONG = JSON.parse(
  JSON.stringify(STATES.mismatch).replaceAll('wiki.old-host.example', `${'a'.repeat(60)}.example`),
) as (typeof STATES)['mismatch'];
const pageOf = (report: (typeof STATES)[keyof typeof STATES]) =>
  setupPage(ownerView([report], 'The Zoo'), ASKED);
const PAGES = {
  'a link that has ended': NO_PAGE,
  'a long name in DNS': pageOf(LONG),
  ...Object.fromEntries(SHAPES.map(state => [state, pageOf(STATES[state])])),
};

describe('the page for the owner of a domain', NEEDS_BROWSER, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  test.each(Object.entries(PAGES))('is accessible and fits a phone, light and dark: %s', async (_, html) => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    // As where scripts are off.
    await page.setContent(html.replace(/<script>.*<\/script>/s, ''));
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(0);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page)).toEqual([]);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.close();
  });
});
