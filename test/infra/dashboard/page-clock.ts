import type { Page } from 'playwright-core';

/**
 * Moves the clock of a page on until it shows what is waited for: the page asks its environment again every few seconds.
 * The clock must be installed.
 */
export async function inTime(page: Page, shown: Promise<void>): Promise<void> {
  let hasEnded = false;
  const ended = shown.finally(() => {
    hasEnded = true;
  });
  while (!hasEnded) await page.clock.fastForward(1000);
  return ended;
}
