import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds on a page as it is now, or within some of its elements: the rule and the elements, a line each. */
export async function axeFindings(
  page: Page,
  { within, ...options }: { within?: string | undefined; runOnly?: string[] } = {},
): Promise<string[]> {
  // Evaluated by the debugger, since the page's own policy forbids any other script.
  if (await page.evaluate('typeof axe === "undefined"')) await page.evaluate(AXE);
  // axe-core then describes one element of each rule that passed, instead of all of them.
  const violationsOnly = JSON.stringify({ ...options, resultTypes: ['violations'] });
  const { passed, found }: { passed: number; found: string[] } = await page.evaluate(`
    axe.run(${within ? JSON.stringify(within) : 'document'}, ${violationsOnly}).then(({ passes, violations }) => ({
      passed: passes.length,
      found: violations.map(({ id, nodes }) =>
        id + ': ' + nodes.map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).join('; ')),
    }))
  `);
  return passed > 0 ? found : ['axe-core has checked nothing'];
}
