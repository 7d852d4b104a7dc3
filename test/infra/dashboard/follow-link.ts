import type { Page } from 'playwright-core';

/** Goes to a path of the page as its own links do. Loading the page anew takes a new process of the browser. */
export async function followLink(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  );
}
