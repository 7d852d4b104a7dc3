import type { Browser, Page } from 'playwright-core';

/** A signed-in page of a dashboard, in a browser session of its own. */
export interface OpenDashboard {
  readonly page: Page;
  /** Errors of the page and its console, and requests to other hosts. */
  readonly complaints: string[];
  /** How often a document was loaded: once, unless the page was reloaded. */
  loads(): number;
  goTo(path: string): Promise<void>;
  copied(): Promise<string>;
}

/** Opens the printed address, as a person does. */
export async function openDashboard(browser: Browser, url: string): Promise<OpenDashboard> {
  const { origin } = new URL(url);
  const context = await browser.newContext({
    viewport: { width: 1200, height: 900 },
    reducedMotion: 'reduce',
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
  const page = await context.newPage();
  const complaints: string[] = [];
  let loads = 0;
  page.on('pageerror', error => complaints.push(error.message));
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('request', request => {
    if (!request.url().startsWith(`${origin}/`)) complaints.push(request.url());
    if (request.isNavigationRequest()) loads += 1;
  });
  await page.goto(url);
  await page.getByRole('heading', { name: 'Projects' }).waitFor();
  return {
    page,
    complaints,
    loads: () => loads,
    async goTo(path) {
      await page.goto(`${origin}${path}`);
      await page.locator('main h1').waitFor();
    },
    copied: () => page.evaluate('navigator.clipboard.readText()'),
  };
}

/** What the focused element is called. */
const FOCUSED_NAME = `(element => element?.getAttribute('aria-label') || element?.labels?.[0]?.innerText ||
  element?.innerText || '')(document.activeElement)`;

/** Moves the focus by the Tab key until it is on the element of this name, as a person without a mouse does. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    const focused = String(await page.evaluate(FOCUSED_NAME)).trim();
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not reach ${name}.`);
}
